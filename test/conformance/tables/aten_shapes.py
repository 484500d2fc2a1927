"""Operators of flag-gems that move, choose or make elements, and those that draw random numbers."""
import torch

from operators_draw import FLOATS
from operators_table import aten, case

_KINDS = (*FLOATS, torch.int32)


@aten("cat", "stack")
def _cat(draw):
    for dtype in _KINDS:
        for dim in (0, 1, -1):
            yield case([draw.any((5, 17, 9), dtype) for _ in range(3)], dim)


@aten("cat")
def _cat_of_unequal(draw):
    yield case([draw.normal((5, n, 9)) for n in (3, 1, 40, 8, 2)], 1)


@aten("hstack", "vstack")
def _stacks(draw):
    for dtype in _KINDS:
        yield case([draw.any((17, 9), dtype) for _ in range(3)])
        yield case([draw.any((17,), dtype) for _ in range(2)])


@aten("flip")
def _flip(draw):
    for dtype in _KINDS:
        for dims in ([0], [1, 2], [0, 1, 2]):
            yield case(draw.any((5, 17, 9), dtype), dims)


@aten("roll")
def _roll(draw):
    for shifts, dims in (([3], [0]), ([-2, 5], [0, 2])):
        yield case(draw.normal((5, 17, 9)), shifts, dims)


@aten("repeat", "tile")
def _repeat(draw):
    for dtype in _KINDS:
        yield case(draw.any((5, 9), dtype), [2, 3])
        yield case(draw.any((5, 9), dtype), [2, 1, 3])


@aten("repeat_interleave.self_int")
def _repeat_interleave(draw):
    yield case(draw.normal((5, 9)), 3, 1)
    yield case(draw.normal((5, 9)), 2, 0)


@aten("repeat_interleave.self_Tensor")
def _repeat_interleave_by(draw):
    yield case(draw.normal((5, 9)), draw.integers((5,), torch.int64, 0, 4), 0)


@aten("repeat_interleave.Tensor")
def _repeat_interleave_counts(draw):
    yield case(draw.integers((50,), torch.int64, 0, 4))


@aten("diag")
def _diag(draw):
    for offset in (0, 2, -1):
        yield case(draw.normal((17,)), offset)
        yield case(draw.normal((17, 9)), offset)


@aten("diag_embed")
def _diag_embed(draw):
    yield case(draw.normal((5, 9)), 0, -2, -1)
    yield case(draw.normal((5, 9)), 2, 0, 2)


@aten("diagonal_backward")
def _diagonal_backward(draw):
    yield case(draw.normal((5, 9)), [5, 9, 11], 0, 1, 2)


@aten("tril", "triu", "triu_")
def _triangles(draw):
    for dtype in FLOATS:
        for offset in (0, 3, -2):
            yield case(draw.normal((17, 30), dtype), offset)
    yield case(draw.normal((4, 17, 30)), 1)


@aten("t_copy", "t_copy.out")
def _t_copy(draw):
    yield case(draw.normal((17, 30)))


@aten("pixel_unshuffle", "pixel_unshuffle.out")
def _pixel_unshuffle(draw):
    yield case(draw.normal((2, 3, 12, 8)), 2)


@aten("unfold_backward")
def _unfold_backward(draw):
    yield case(draw.normal((5, 6, 4)), [5, 14], 1, 4, 2)


@aten("select_backward")
def _select_backward(draw):
    yield case(draw.normal((5, 9)), [5, 7, 9], 1, 3)


@aten("select_scatter")
def _select_scatter(draw):
    yield case(draw.normal((5, 7, 9)), draw.normal((5, 9)), 1, 3)


@aten("slice_backward")
def _slice_backward(draw):
    yield case(draw.normal((5, 3, 9)), [5, 7, 9], 1, 1, 7, 2)


@aten("slice_scatter")
def _slice_scatter(draw):
    yield case(draw.normal((5, 7, 9)), draw.normal((5, 3, 9)), 1, 1, 7, 2)


@aten("embedding")
def _embedding(draw):
    for dtype in FLOATS:
        yield case(draw.normal((50, 33), dtype), draw.integers((4, 7), torch.int64, 0, 50))


@aten("embedding_dense_backward", terms=8)
def _embedding_dense_backward(draw):
    yield case(draw.normal((4, 7, 33)), draw.integers((4, 7), torch.int64, 0, 50), 50, 3, False)


@aten("embedding_backward", terms=8)
def _embedding_backward(draw):
    yield case(draw.normal((4, 7, 33)), draw.integers((4, 7), torch.int64, 0, 50), 50, 3, False, False)


@aten("gather")
def _gather(draw):
    for dtype in _KINDS:
        for dim in (0, 1):
            yield case(draw.any((17, 9), dtype), dim, draw.integers((8, 5), torch.int64, 0, 9))


@aten("gather_backward", terms=8)
def _gather_backward(draw):
    yield case(draw.normal((8, 5)), draw.normal((17, 9)), 0, draw.integers((8, 5), torch.int64, 0, 17), False)


@aten("index_select")
def _index_select(draw):
    for dtype in _KINDS:
        for dim in (0, 1):
            yield case(draw.any((17, 9), dtype), dim, draw.integers((6,), torch.int64, 0, 9))


@aten("index_add", "index_add_", terms=8)
def _index_add(draw):
    for dim, extent in ((0, 17), (1, 9)):
        source = (6, 9) if dim == 0 else (17, 6)
        yield case(draw.normal((17, 9)), dim, draw.integers((6,), torch.int64, 0, extent), draw.normal(source), alpha=0.5)


@aten("index.Tensor")
def _index(draw):
    x = draw.normal((17, 9, 5))
    first, second = draw.integers((6,), torch.int64, 0, 17), draw.integers((6,), torch.int64, 0, 9)
    yield case(x, [first])
    yield case(x, [first, second])
    yield case(x, [None, second])
    yield case(x, [first, None, draw.integers((6,), torch.int64, 0, 5)])


@aten("index_put", "index_put_", "_index_put_impl_", terms=8)
def _index_put(draw):
    first, second = draw.permutation(17)[:6], draw.integers((6,), torch.int64, 0, 9)
    yield case(draw.normal((17, 9)), [first, second], draw.normal((6,)), False)
    yield case(draw.normal((17, 9)), [draw.integers((6,), torch.int64, 0, 17), second], draw.normal((6,)), True)
    yield case(draw.normal((17, 9)), [first], draw.normal((6, 9)), False)


@aten("scatter.src", "scatter_.src")
def _scatter(draw):
    for dtype in _KINDS:
        index = torch.stack([draw.permutation(17)[:8] for _ in range(5)], 1)
        yield case(draw.any((17, 9), dtype), 0, index, draw.any((8, 5), dtype))


@aten("scatter.reduce", "scatter_.reduce", terms=8)
def _scatter_reduce(draw):
    for reduce in ("add", "multiply"):
        yield case(draw.normal((17, 9)), 0, draw.integers((8, 5), torch.int64, 0, 17), draw.normal((8, 5)), reduce=reduce)


@aten("scatter_add_", terms=8)
def _scatter_add(draw):
    for dtype in (torch.float32, torch.float16):
        yield case(draw.normal((17, 9), dtype), 0, draw.integers((8, 5), torch.int64, 0, 17), draw.normal((8, 5), dtype))


@aten("masked_select")
def _masked_select(draw):
    for dtype in _KINDS:
        yield case(draw.any((17, 90), dtype), draw.bools((17, 90)))


@aten("masked_scatter", "masked_scatter_")
def _masked_scatter(draw):
    yield case(draw.normal((17, 90)), draw.bools((17, 90)), draw.normal((17 * 90,)))


@aten("nonzero")
def _nonzero(draw):
    for dtype in (torch.bool, torch.float32, torch.int32):
        yield case(draw.any((17, 90), torch.bool).to(dtype))
    yield case(draw.bools((3, 5, 7)))


@aten("isin.Tensor_Tensor")
def _isin(draw):
    yield case(draw.integers((17, 90)), draw.integers((20,)))
    yield case(draw.integers((17, 90)), draw.integers((1024,)), invert=True)


@aten("isin.Tensor_Scalar")
def _isin_scalar(draw):
    yield case(draw.integers((17, 90), torch.int32, 0, 4), 3)


@aten("isin.Scalar_Tensor")
def _isin_element(draw):
    yield case(3, draw.integers((90,), torch.int32, 0, 4))


@aten("one_hot")
def _one_hot(draw):
    yield case(draw.integers((6, 7), torch.int64, 0, 10), 10)


@aten("arange")
def _arange(draw):
    yield case(1000, dtype=torch.int64)
    yield case(33.5, dtype=torch.float32)


@aten("arange.start")
def _arange_start(draw):
    yield case(3, 1000, dtype=torch.int32)


@aten("arange.start_step")
def _arange_step(draw):
    yield case(3, 1000, 7, dtype=torch.int64)
    yield case(1.0, 5.0, 0.25, dtype=torch.float32)


@aten("linspace")
def _linspace(draw):
    for steps in (2, 100):
        yield case(-3, 7, steps, dtype=torch.float32)


@aten("logspace")
def _logspace(draw):
    yield case(-2, 2, 100, 10.0, dtype=torch.float32)
    yield case(0, 6, 7, 2.0, dtype=torch.float32)


@aten("eye")
def _eye(draw):
    yield case(33, dtype=torch.float32)


@aten("eye.m")
def _eye_m(draw):
    yield case(33, 20, dtype=torch.float32)


@aten("full")
def _full(draw):
    for dtype in _KINDS:
        yield case([17, 90], 3, dtype=dtype)


@aten("zeros", "ones")
def _zeros(draw):
    for dtype in _KINDS:
        yield case([17, 90], dtype=dtype)


def _moments(low, high, mean, spread):
    """Judges random numbers by their range, mean and standard deviation, within five standard errors."""
    def judge(results, expected, call):
        drawn, wanted = results[0], expected[0]
        if drawn.shape != wanted.shape or drawn.dtype != wanted.dtype:
            return f"expected {wanted.dtype} {list(wanted.shape)}, got {drawn.dtype} {list(drawn.shape)}"
        values = drawn.double()
        slack = 5 / values.numel()**0.5
        if not (low <= values.min() and values.max() <= high):
            return f"expected numbers from {low} to {high}, got {values.min()} to {values.max()}"
        if abs(values.mean() - mean) > slack * spread or abs(values.std() - spread) > slack * spread * 2:
            return f"expected mean {mean} and deviation {spread}, got {values.mean()} and {values.std()}"
        return None
    return judge


_UNIFORM = _moments(0.0, 1.0, 0.5, 12**-0.5)
_NORMAL = _moments(-8.0, 8.0, 0.0, 1.0)


@aten("rand", judge=_UNIFORM)
@aten("randn", judge=_NORMAL)
def _random_shapes(draw):
    yield case([100, 200])


@aten("rand_like", judge=_UNIFORM)
@aten("randn_like", judge=_NORMAL)
@aten("uniform_", judge=_UNIFORM, widen=False)
@aten("normal_", judge=_NORMAL, widen=False)
@aten("exponential_", judge=_moments(0.0, 40.0, 1.0, 1.0), widen=False)
@aten("bernoulli_.float", judge=_moments(0.0, 1.0, 0.5, 0.5), widen=False)
def _random_fill(draw):
    yield case(torch.zeros(100, 200))


@aten("normal.Tensor_float", judge=_NORMAL, widen=False)
def _normal_mean(draw):
    yield case(torch.zeros(100, 200), 1.0)


@aten("normal.Tensor_Tensor", judge=_NORMAL, widen=False)
def _normal_both(draw):
    yield case(torch.zeros(100, 200), torch.ones(100, 200))


@aten("normal.float_Tensor", judge=_NORMAL, widen=False)
def _normal_deviation(draw):
    yield case(0.0, torch.ones(100, 200))


def _is_permutation(results, expected, call):
    ordered = results[0].sort().values
    return None if torch.equal(ordered, torch.arange(call.args[0], dtype=ordered.dtype)) else "expected a permutation"


@aten("randperm", judge=_is_permutation)
def _randperm(draw):
    yield case(5000)


def _dropout_judge(results, expected, call):
    (dropped, mask), x = results, call.args[0]
    kept = mask.double().mean()
    if abs(kept - 0.7) > 5 * (0.21 / x.numel())**0.5:
        return f"expected 0.7 of the elements, got {kept}"
    return None if torch.allclose(dropped, x * mask / 0.7, rtol=1e-5) else "expected the kept elements divided by 0.7"


@aten("native_dropout", judge=_dropout_judge, widen=False)
def _dropout(draw):
    yield case(draw.normal((100, 200)), 0.3, True)


def _multinomial_judge(results, expected, call):
    counts = torch.bincount(results[0], minlength=4).double() / results[0].numel()
    return None if torch.allclose(counts, call.args[0].double(), atol=0.03) else f"expected the given shares, got {counts}"


@aten("multinomial", judge=_multinomial_judge, widen=False)
def _multinomial(draw):
    yield case(torch.tensor([0.1, 0.2, 0.3, 0.4]), 10000, True)
