"""Other bodies of high-level ops, compiled with overrides=whole to IR libraries, and kernels that call the ops."""
import tilewright as tw
import tilewright.language as tl


@tw.op("sigmoid@1")
@tw.jit
def same(x):
    """The language's own, with its operands in another order: the same bits."""
    return 1.0 / (tl.exp(-x) + 1.0)


@tw.op("sigmoid@1")
@tw.jit
def through_exp2(x):
    """Within a few units in the last place wherever exp is."""
    return 1.0 / (1.0 + tl.exp2(-x * 1.4426950408889634))


@tw.op("sigmoid@1")
@tw.jit
def through_tanh(x):
    """Far off where the result is small: tanh is rounded to -1."""
    e = tl.exp(2.0 * (0.5 * x))
    return 0.5 + 0.5 * ((e - 1.0) / (e + 1.0))


@tw.op("softmax@1")
@tw.jit
def row_softmax(x, dim=None, keep_dims=False, ieee_rounding=False):
    """One reciprocal a row instead of a division an element."""
    shifted = x - tl.max(x, dim, keep_dims=True)
    numerator = tl.exp(shifted)
    return numerator * (1.0 / tl.sum(numerator, dim, keep_dims=True))


@tw.jit
def sigmoid_same(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, same(tl.load(x + i)))


@tw.jit
def sigmoid_exp2(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, through_exp2(tl.load(x + i)))


@tw.jit
def sigmoid_tanh(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, through_tanh(tl.load(x + i)))


@tw.jit
def softmax_rows(x, out, R: tl.constexpr, C: tl.constexpr, DIM: tl.constexpr):
    i = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    tl.store(out + i, row_softmax(tl.load(x + i), DIM))
