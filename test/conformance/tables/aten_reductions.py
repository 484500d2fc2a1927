"""Reductions, scans, sorting, norms and losses of flag-gems that torch has under the same name."""
import torch

from operators_draw import FLOATS
from operators_table import aten, case

_MATRICES = ((17, 130), (4, 1000), (3, 5, 33))


def _matrices(draws, dtypes=FLOATS):
    for shape in _MATRICES:
        yield draws(shape, dtypes[0])
    yield draws((40, 24), dtypes[0]).t()
    for dtype in dtypes[1:]:
        yield draws((17, 130), dtype)


def _whole(names, dtypes=FLOATS, draw_with=lambda draw: draw.any, **options):
    """Reductions of everything."""
    @aten(*names, **options)
    def cases(draw):
        for x in _matrices(draw_with(draw), dtypes):
            yield case(x)


def _along(names, dims, dtypes=FLOATS, draw_with=lambda draw: draw.any, **options):
    """Reductions along one or several dimensions, with and without keeping them."""
    @aten(*names, **options)
    def cases(draw):
        for x in _matrices(draw_with(draw), dtypes):
            for dim in dims:
                yield case(x, dim)
        yield case(draw_with(draw)((17, 130), dtypes[0]), dims[0], True)


_terms = lambda call: max(call.args[0].numel(), 1)
_near_one = lambda draw: lambda shape, dtype: draw.uniform(shape, dtype, 0.98, 1.02)
_whole(("sum", "sum.out"), terms=_terms)
_whole(("mean",))
_whole(("prod",), (torch.float32,), _near_one, terms=_terms)
_whole(("max", "min"), (*FLOATS, torch.int32), lambda draw: draw.distinct, widen=False)
_whole(("all", "any"), (torch.bool, torch.float32, torch.int32))
_whole(("count_nonzero",), (torch.bool, torch.float32, torch.int32))
_whole(("var",), FLOATS)
_along(("sum.dim_IntList", "sum.IntList_out"), ([0], [1], [-1], [0, 1]), FLOATS, terms=_terms)
_along(("mean.dim",), ([0], [1], [-1], [0, 1]), FLOATS)
_along(("prod.dim_int",), (0, 1), (torch.float32,), _near_one, terms=_terms)
_along(("amax",), ([0], [1], [0, 1]), FLOATS)
_along(("max.dim", "min.dim"), (0, 1, -1), (torch.float32, torch.bfloat16, torch.int32), lambda draw: draw.distinct,
       widen=False)


@aten("argmax", "argmin", widen=False)
def _positions(draw):
    """The library's kernels want contiguous tensors and extents that their blocks divide: one of them has no masks."""
    for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.int32):
        for dim in (None, 0, 1, -1):
            yield case(draw.distinct((16, 128), dtype), dim)
    yield case(draw.distinct((8, 1024)), 1, True)
    yield case(draw.distinct((4, 8, 32)), 1)
_along(("all.dim", "any.dim"), (0, 1), (torch.bool, torch.float32))
_along(("all.dims", "any.dims"), ([0], [0, 1]), (torch.bool, torch.float32))


@aten("cummax", "cummin", widen=False)
def _cumulative_extrema(draw):
    for x in _matrices(draw.distinct, (torch.float32, torch.float16, torch.int32)):
        for dim in (0, 1):
            yield case(x, dim)


@aten("count_nonzero", widen=False)
def _count_nonzero(draw):
    for dim in (0, 1):
        yield case(draw.integers((17, 130), torch.int32, -1, 2), dim)


@aten("aminmax", widen=False)
def _aminmax(draw):
    for dtype in FLOATS:
        yield case(draw.normal((17, 130), dtype))
        yield case(draw.normal((17, 130), dtype), dim=1)


@aten("cumsum", "cumsum.out", terms=_terms)
def _cumsum(draw):
    for x in _matrices(draw.any, (*FLOATS, torch.int32)):
        for dim in (0, 1):
            yield case(x, dim)
    yield case(draw.normal((5000,)), 0)


@aten("std.correction", "var.correction", "var_mean.correction")
def _variance(draw):
    for x in _matrices(draw.normal):
        for dim in ([0], [1], [0, 1]):
            yield case(x, dim, correction=1)
    yield case(draw.normal((17, 130)), [1], correction=0, keepdim=True)


@aten("var.dim", expected=torch.var)
def _variance_dim(draw):
    for x in _matrices(draw.normal):
        yield case(x, [1])
        yield case(x, [0], keepdim=True)


@aten("linalg_vector_norm", terms=_terms)
def _vector_norm(draw):
    for x in _matrices(draw.normal):
        for order in (2, 1, float("inf"), -float("inf"), 0, 3):
            yield case(x, order, [1])
    yield case(draw.normal((17, 130)), 2)


@aten("trace", expected=lambda x: x.diagonal().sum())
def _trace(draw):
    for dtype in FLOATS:
        yield case(draw.normal((40, 33), dtype))


@aten("quantile")
def _quantile(draw):
    for method in ("linear", "lower", "higher", "midpoint", "nearest"):
        yield case(draw.normal((17, 130)), torch.tensor([0.1, 0.5, 0.9]), 1, interpolation=method)


def _sorted(name, **stable):
    @aten(name, widen=False)
    def cases(draw):
        for dtype in (*FLOATS, torch.int32, torch.int16):
            for descending in (False, True):
                yield case(draw.distinct((4, 30), dtype), dim=-1, descending=descending, **stable)
        yield case(draw.distinct((3, 700)), dim=-1, descending=False, **stable)


_sorted("sort")
_sorted("sort.stable", stable=True)


@aten("topk", widen=False)
def _topk(draw):
    for dtype in (torch.float32, torch.float16):
        for largest in (True, False):
            yield case(draw.distinct((5, 100), dtype), 7, -1, largest, True)
    yield case(draw.distinct((2, 3000)), 5, -1, True, True)


@aten("_unique2", widen=False)
def _unique(draw):
    for count in (300, 3000):
        yield case(draw.integers((count,), torch.int32, -50, 50), True, True, True)


@aten("unique_consecutive", widen=False)
def _unique_consecutive(draw):
    yield case(draw.integers((3000,), torch.int32, 0, 3), True, True)


@aten("bincount", widen=False)
def _bincount(draw):
    x = draw.integers((3000,), torch.int64, 0, 60)
    yield case(x)
    yield case(x, draw.uniform((3000,)))
    yield case(x, None, 100)


@aten("_softmax", "_log_softmax")
def _softmax(draw):
    for x in _matrices(draw.normal):
        yield case(x, -1, False)
        yield case(x, 0, False)
    yield case(draw.normal((3, 5000)), 1, False)


@aten("_safe_softmax")
def _safe_softmax(draw):
    for x in _matrices(draw.normal):
        yield case(x, -1)


@aten("_softmax_backward_data", "_log_softmax_backward_data")
def _softmax_backward(draw):
    for x in _matrices(draw.normal):
        yield case(draw.normal(x.shape, x.dtype), torch.softmax(x.float(), -1).to(x.dtype), -1, x.dtype)


def _layer_norm_by_rows(*args):
    """torch's result with the mean and deviation of each row without the normalised dimensions, as the library has them."""
    normalized, mean, rstd = torch.native_layer_norm(*args)
    return normalized, mean.flatten(), rstd.flatten()


@aten("native_layer_norm", expected=_layer_norm_by_rows, terms=10)
def _layer_norm(draw):
    for dtype in FLOATS:
        yield case(draw.normal((17, 130), dtype), [130], draw.normal((130,), dtype), draw.normal((130,), dtype), 1e-5)
        yield case(draw.normal((3, 6000), dtype), [6000], draw.normal((6000,), dtype), draw.normal((6000,), dtype), 1e-5)


@aten("native_layer_norm_backward", terms=100)
def _layer_norm_backward(draw):
    for dtype in (torch.float32,):
        x = draw.normal((17, 130), dtype)
        mean, rstd = x.float().mean(1, keepdim=True), torch.rsqrt(x.float().var(1, unbiased=False, keepdim=True) + 1e-5)
        yield case(draw.normal((17, 130), dtype), x, [130], mean, rstd, draw.normal((130,), dtype),
                   draw.normal((130,), dtype), [True, True, True])


@aten("native_group_norm", terms=10)
def _group_norm(draw):
    for dtype in FLOATS:
        yield case(draw.normal((2, 6, 9, 11), dtype), draw.normal((6,), dtype), draw.normal((6,), dtype), 2, 6, 99, 3, 1e-5)


@aten("native_group_norm_backward", terms=100)
def _group_norm_backward(draw):
    x = draw.normal((2, 6, 9, 11))
    grouped = x.reshape(2, 3, -1)
    mean, rstd = grouped.mean(2), torch.rsqrt(grouped.var(2, unbiased=False) + 1e-5)
    yield case(draw.normal(x.shape), x, mean, rstd, draw.normal((6,)), 2, 6, 99, 3, [True, True, True])


@aten("native_batch_norm", terms=10)
def _batch_norm(draw):
    for shape in ((4, 6, 9), (3, 6, 5, 7)):
        yield case(draw.normal(shape), draw.normal((6,)), draw.normal((6,)), draw.normal((6,)), draw.uniform((6,), low=0.5), True,
                   0.1, 1e-5)


@aten("native_batch_norm_backward", terms=100)
def _batch_norm_backward(draw):
    x = draw.normal((4, 6, 9))
    mean, rstd = x.mean((0, 2)), torch.rsqrt(x.var((0, 2), unbiased=False) + 1e-5)
    yield case(draw.normal(x.shape), x, draw.normal((6,)), torch.zeros(6), torch.ones(6), mean, rstd, True, 1e-5,
               [True, True, True])


@aten("rms_norm", terms=10)
def _rms_norm(draw):
    for dtype in FLOATS:
        yield case(draw.normal((17, 130), dtype), [130], draw.normal((130,), dtype), 1e-5)


@aten("_weight_norm_interface", terms=10)
def _weight_norm(draw):
    yield case(draw.normal((17, 130)), draw.uniform((17, 1), low=0.5), 0)
    yield case(draw.normal((17, 130)), draw.uniform((1, 130), low=0.5), 1)


@aten("_weight_norm_interface_backward", terms=100)
def _weight_norm_backward(draw):
    v = draw.normal((17, 130))
    yield case(draw.normal(v.shape), v, draw.uniform((17, 1), low=0.5), v.norm(dim=1, keepdim=True), 0)


_summed = lambda call: call.args[0].numel() if call.args[-1] == 2 else 1


@aten("mse_loss", terms=_summed, widen=False)
@aten("soft_margin_loss", terms=_summed)
def _elementwise_losses(draw):
    for x in _matrices(draw.normal):
        for reduction in (0, 1, 2):
            yield case(x, torch.sign(draw.normal(x.shape, x.dtype)), reduction)


@aten("margin_ranking_loss", terms=_summed)
def _margin_ranking_loss(draw):
    x = draw.normal((17, 130))
    for reduction in (0, 1, 2):
        yield case(x, draw.normal(x.shape), torch.sign(draw.normal(x.shape)), 0.5, reduction)


def _nll_inputs(draw, dtype):
    return draw.normal((40, 10), dtype), draw.integers((40,), torch.int64, 0, 10), draw.uniform((10,), dtype, 0.5)


@aten("nll_loss_forward", terms=10)
def _nll_loss(draw):
    for dtype in FLOATS:
        # The mean: with other reductions the library leaves the second result unset.
        yield case(*_nll_inputs(draw, dtype), 1, 3)


@aten("nll_loss_backward", terms=10)
def _nll_loss_backward(draw):
    x, target, weight = _nll_inputs(draw, torch.float32)
    yield case(draw.normal(()), x, target, weight, 1, 3, weight[target[target != 3]].sum())
    yield case(draw.normal((40,)), x, target, weight, 0, 3, torch.tensor(0.0))


@aten("nll_loss2d_forward", terms=10)
def _nll_loss2d(draw):
    x, target = draw.normal((3, 10, 5, 7)), draw.integers((3, 5, 7), torch.int64, 0, 10)
    yield case(x, target, draw.uniform((10,), low=0.5), 1, 3)


@aten("nll_loss2d_backward", terms=10)
def _nll_loss2d_backward(draw):
    x, target = draw.normal((3, 10, 5, 7)), draw.integers((3, 5, 7), torch.int64, 0, 10)
    weight = draw.uniform((10,), low=0.5)
    yield case(draw.normal(()), x, target, weight, 1, 3, weight[target[target != 3]].sum())
