"""Kernels that call high-level ops; who implements them is what the tests are about."""
import tilewright as tw
import tilewright.language as tl


@tw.jit
def sigmoid(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.sigmoid(tl.load(x + i)))


@tw.jit
def softmax(x, out, R: tl.constexpr, C: tl.constexpr, DIM: tl.constexpr):
    i = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    tl.store(out + i, tl.softmax(tl.load(x + i), DIM))


@tw.op("acme.twice@1")
@tw.jit
def twice(x, factor=2):
    return x * factor


@tw.jit
def own(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, twice(tl.load(x + i)))


@tw.jit
def added(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.extra.acme.swish(tl.load(x + i), beta=0.5))


@tw.op("softmax@1")
@tw.jit
def pretender(x):
    return x


@tw.jit
def misnamed(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, pretender(tl.load(x + i)))
