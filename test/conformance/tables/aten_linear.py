"""Matrix products, convolutions, pooling and resampling of flag-gems that torch has under the same name."""
import torch

from operators_draw import FLOATS
from operators_table import aten, case

_inner = lambda position, axis: lambda call: call.args[position].shape[axis]


@aten("mm", "mm.out", terms=_inner(0, -1))
def _mm(draw):
    for dtype in FLOATS:
        yield case(draw.normal((33, 70), dtype), draw.normal((70, 45), dtype))
    yield case(draw.normal((128, 256)), draw.normal((64, 256)).t())
    yield case(draw.normal((1, 130)), draw.normal((130, 17)))


@aten("addmm", "addmm.out", terms=_inner(1, -1))
def _addmm(draw):
    for dtype in FLOATS:
        yield case(draw.normal((45,), dtype), draw.normal((33, 70), dtype), draw.normal((70, 45), dtype))
        yield case(draw.normal((33, 45), dtype), draw.normal((33, 70), dtype), draw.normal((70, 45), dtype), beta=0.5, alpha=2)


@aten("bmm", "bmm.out", terms=_inner(0, -1))
def _bmm(draw):
    for dtype in FLOATS:
        yield case(draw.normal((3, 33, 70), dtype), draw.normal((3, 70, 45), dtype))


@aten("baddbmm", terms=_inner(1, -1))
def _baddbmm(draw):
    for dtype in FLOATS:
        yield case(draw.normal((3, 33, 45), dtype), draw.normal((3, 33, 70), dtype), draw.normal((3, 70, 45), dtype), beta=0.5,
                   alpha=2)


@aten("mv", terms=_inner(0, -1))
def _mv(draw):
    for dtype in FLOATS:
        yield case(draw.normal((33, 700), dtype), draw.normal((700,), dtype))


@aten("addmv", "addmv.out", terms=_inner(1, -1))
def _addmv(draw):
    for dtype in FLOATS:
        yield case(draw.normal((33,), dtype), draw.normal((33, 700), dtype), draw.normal((700,), dtype), beta=0.5, alpha=2)


@aten("dot", "vdot", terms=_inner(0, -1))
def _dot(draw):
    for dtype in FLOATS:
        yield case(draw.normal((5000,), dtype), draw.normal((5000,), dtype))
    yield case(draw.normal((100,)), draw.normal((100,)))


@aten("addr")
def _addr(draw):
    for dtype in FLOATS:
        yield case(draw.normal((33, 70), dtype), draw.normal((33,), dtype), draw.normal((70,), dtype), beta=0.5, alpha=2)


@aten("kron")
def _kron(draw):
    for dtype in FLOATS:
        yield case(draw.normal((5, 7), dtype), draw.normal((11, 3), dtype))


def _grouped_product(x, y, offs):
    parts = zip([0, *offs.tolist()], offs.tolist(), y)
    return torch.cat([x[first:last] @ matrix for first, last, matrix in parts])


@aten("_grouped_mm", expected=_grouped_product, terms=_inner(0, -1))
def _grouped_mm(draw):
    yield case(draw.normal((96, 64), torch.bfloat16), draw.normal((3, 64, 32), torch.bfloat16),
               offs=torch.tensor([32, 48, 96], dtype=torch.int32))


def _fan_in(call):
    return call.args[1][0].numel()


@aten("conv1d", terms=_fan_in)
def _conv1d(draw):
    for dtype in FLOATS:
        yield case(draw.normal((2, 4, 50), dtype), draw.normal((6, 4, 5), dtype), draw.normal((6,), dtype), [2], [2], [1], 1)
    yield case(draw.normal((2, 4, 50)), draw.normal((6, 2, 3)), None, [1], [0], [2], 2)


@aten("conv2d", terms=_fan_in)
def _conv2d(draw):
    for dtype in FLOATS:
        yield case(draw.normal((2, 4, 17, 19), dtype), draw.normal((6, 4, 3, 5), dtype), draw.normal((6,), dtype), [2, 1], [1, 2],
                   [1, 1], 1)
    yield case(draw.normal((2, 4, 17, 19)), draw.normal((6, 2, 3, 3)), None, [1, 1], [0, 0], [2, 2], 2)


@aten("conv3d", terms=_fan_in)
def _conv3d(draw):
    yield case(draw.normal((2, 4, 7, 9, 8)), draw.normal((6, 4, 3, 3, 3)), draw.normal((6,)), [1, 2, 1], [1, 1, 1], [1, 1, 1], 1)


@aten("_conv_depthwise2d", expected=lambda x, w, size, bias, stride, padding, dilation: torch.conv2d(
    x, w, bias, stride, padding, dilation, x.shape[1]), terms=_fan_in)
def _conv_depthwise(draw):
    yield case(draw.normal((2, 8, 17, 19)), draw.normal((8, 1, 3, 3)), [3, 3], draw.normal((8,)), [1, 1], [1, 1], [1, 1])


@aten("avg_pool2d")
def _avg_pool(draw):
    for dtype in FLOATS:
        yield case(draw.normal((2, 3, 17, 19), dtype), [3, 3], [2, 2], [1, 1], False, True, None)
    yield case(draw.normal((2, 3, 17, 19)), [3, 2], [2, 2], [1, 0], True, False, None)
    yield case(draw.normal((2, 3, 17, 19)), [3, 2], [1, 2], [0, 0], False, True, 5)


@aten("avg_pool2d_backward")
def _avg_pool_backward(draw):
    yield case(draw.normal((2, 3, 9, 10)), draw.normal((2, 3, 17, 19)), [3, 3], [2, 2], [1, 1], False, True, None)


@aten("max_pool2d_with_indices", widen=False)
def _max_pool(draw):
    for dtype in FLOATS:
        yield case(draw.distinct((2, 3, 17, 11), dtype), [3, 3], [2, 2], [1, 1], [1, 1], False)
    yield case(draw.distinct((2, 3, 17, 19)), [3, 2], [2, 1], [1, 0], [2, 1], True)


def _max_pool_gradient(gradient, x, indices):
    flat = torch.zeros_like(x).flatten(2)
    flat.scatter_add_(2, indices.flatten(2), gradient.flatten(2))
    return flat.reshape(x.shape)


@aten("max_pool2d_backward", expected=lambda gradient, x, indices, *window: _max_pool_gradient(gradient, x, indices))
def _max_pool_backward(draw):
    x = draw.distinct((2, 3, 17, 19))
    _, indices = torch.ops.aten.max_pool2d_with_indices(x, [3, 3], [2, 2], [1, 1], [1, 1], False)
    yield case(draw.normal((2, 3, 9, 10)), x, indices, [3, 3], [2, 2], [1, 1], [1, 1], False)


@aten("upsample_nearest1d")
def _upsample1d(draw):
    for dtype in FLOATS:
        yield case(draw.normal((2, 3, 17), dtype), [40], None)


@aten("_upsample_nearest_exact1d")
def _upsample_exact(draw):
    """By whole factors: for others the library takes the nearest sample from below."""
    for dtype in FLOATS:
        yield case(draw.normal((2, 3, 17), dtype), [51], None)


@aten("upsample_linear1d")
def _upsample_linear(draw):
    for align in (False, True):
        yield case(draw.normal((2, 3, 17)), [40], align, None)


@aten("upsample_nearest2d")
def _upsample2d(draw):
    for dtype in FLOATS:
        yield case(draw.normal((2, 3, 9, 11), dtype), [20, 16], None, None)


@aten("upsample_nearest3d")
def _upsample3d(draw):
    yield case(draw.normal((2, 3, 5, 7, 6)), [10, 9, 13], None, None, None)


@aten("upsample_bicubic2d", "_upsample_bicubic2d_aa")
def _bicubic(draw):
    for align in (False, True):
        yield case(draw.normal((2, 3, 9, 11)), [20, 16], align, None, None)
    yield case(draw.normal((2, 3, 20, 17)), [9, 8], False, None, None)


@aten("_upsample_bicubic2d_aa_backward")
def _bicubic_backward(draw):
    yield case(draw.normal((2, 3, 20, 16)), [20, 16], [2, 3, 9, 11], False, None, None)


@aten("reflection_pad1d", "reflection_pad1d.out", "replication_pad1d", "replication_pad1d.out")
def _pad1d(draw):
    for dtype in FLOATS:
        yield case(draw.normal((2, 3, 17), dtype), [4, 2])


@aten("reflection_pad2d", "reflection_pad2d.out")
def _pad2d(draw):
    for dtype in FLOATS:
        yield case(draw.normal((2, 3, 17, 9), dtype), [4, 2, 1, 3])


@aten("replication_pad3d")
def _pad3d(draw):
    yield case(draw.normal((2, 3, 5, 7, 6)), [1, 2, 3, 0, 2, 1])


@aten("constant_pad_nd")
def _constant_pad(draw):
    for dtype in (*FLOATS, torch.int32):
        yield case(draw.any((5, 17, 9), dtype), [4, 2, 1, 3], 2)


@aten("pad")
def _pad(draw):
    x = draw.normal((2, 3, 17, 9))
    yield case(x, [4, 2, 1, 3], "constant", 1.5)
    for mode in ("reflect", "replicate", "circular"):
        yield case(x, [4, 2, 1, 3], mode)
