"""The operators of flag-gems' `experimental_ops`, which have torch's names too: each in a module of its own."""
import torch

from operators_draw import FLOATS, pointwise_inputs
from operators_table import OPERATORS, Operator, case

_SHORT = ((1000,), (17, 130))


def _experimental(names, expected=None, **options):
    """Decorator of a case generator: rows for experimental operators."""
    def register(cases):
        for name in names:
            def function(module, name=name):
                import importlib
                return getattr(importlib.import_module(f"flag_gems.experimental_ops.{name}"), name)

            OPERATORS.append(Operator("flag_gems", f"experimental_ops.{name}", cases, function,
                                      expected or _torch_function(name), **options))
        return cases
    return register


def _torch_function(name):
    return getattr(torch.ops.aten, name)


def _unary(names, draw_with, **options):
    @_experimental(names, **options)
    def cases(draw):
        for x in pointwise_inputs(draw_with(draw), FLOATS, _SHORT, strided=False):
            yield case(x)


_unary(("abs", "abs_", "absolute_", "celu", "celu_", "cos_", "cosh_", "deg2rad", "deg2rad_", "elu", "erf_", "exp2", "exp2_",
        "exp_", "fix", "fix_", "frac", "gelu_", "hardshrink", "hardsigmoid_", "hardswish", "hardtanh", "hardtanh_",
        "leaky_relu", "leaky_relu_", "lift", "neg_", "negative", "negative_", "rad2deg_", "relu", "relu_", "sgn", "sigmoid",
        "sigmoid_", "sign", "silu", "silu_", "sin_", "sinc", "sinc_", "softplus", "trunc", "zeros_like"),
       lambda draw: draw.normal)
_unary(("log10_", "log2_", "log_", "reciprocal", "reciprocal_", "rsqrt_"),
       lambda draw: lambda shape, dtype: draw.uniform(shape, dtype, 0.05, 8.0))
_unary(("arccosh",), lambda draw: lambda shape, dtype: draw.uniform(shape, dtype, 1.1, 8.0))
_unary(("arctanh", "atanh_", "erfinv", "erfinv_"), lambda draw: lambda shape, dtype: draw.uniform(shape, dtype, -0.9, 0.9))


@_experimental(("maximum", "hypot_", "logaddexp2", "heaviside", "heaviside_"))
def _binary(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT, strided=False):
        yield case(x, draw.normal(x.shape, x.dtype))


@_experimental(("special_xlog1py",))
def _logarithmic(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT, strided=False):
        yield case(x, draw.uniform(x.shape, x.dtype, 0.1, 4.0))


@_experimental(("logical_xor_",))
def _exclusive_or(draw):
    yield case(draw.bools((17, 130)), draw.bools((17, 130)))


@_experimental(("addcdiv", "addcmul_"))
def _addc(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT, strided=False):
        yield case(x, draw.normal(x.shape, x.dtype), draw.uniform(x.shape, x.dtype, 0.5, 2.0), value=0.75)


@_experimental(("threshold", "threshold_"))
def _threshold(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT, strided=False):
        yield case(x, 0.25, -2.0)


_summed = lambda call: call.args[0].numel() if call.args[2] == 2 else 1


@_experimental(("huber_loss", "mse_loss", "smooth_l1_loss"), terms=_summed)
def _losses(draw):
    for reduction in (0, 1, 2):
        yield case(draw.normal((17, 130)), draw.normal((17, 130)), reduction)


@_experimental(("amin",))
def _amin(draw):
    for dim in ([0], [1], [0, 1]):
        yield case(draw.normal((17, 130)), dim)


@_experimental(("mv",), terms=700)
def _mv(draw):
    for dtype in FLOATS:
        yield case(draw.normal((33, 700), dtype), draw.normal((700,), dtype))


@_experimental(("trace",))
def _trace(draw):
    yield case(draw.normal((40, 33)))


@_experimental(("triu", "diag"))
def _triangles(draw):
    for offset in (0, 3, -2):
        yield case(draw.normal((17, 30)), offset)


@_experimental(("permute", "permute_copy"))
def _permute(draw):
    for order in ((2, 0, 1), (1, 2, 0)):
        yield case(draw.normal((5, 17, 9)), list(order))


@_experimental(("unsqueeze", "unsqueeze_copy"))
def _unsqueeze(draw):
    yield case(draw.normal((5, 17)), 1)


@_experimental(("expand",))
def _expand(draw):
    yield case(draw.normal((5, 1, 9)), [5, 17, 9])


@_experimental(("_unsafe_view",))
def _unsafe_view(draw):
    yield case(draw.normal((5, 18)), [10, 9])


@_experimental(("pixel_shuffle",))
def _pixel_shuffle(draw):
    yield case(draw.normal((2, 12, 5, 7)), 2)


@_experimental(("take",))
def _take(draw):
    yield case(draw.normal((17, 9)), draw.integers((4, 6), torch.int64, 0, 17 * 9))


@_experimental(("masked_select",))
def _masked_select(draw):
    yield case(draw.normal((17, 90)), draw.bools((17, 90)))


@_experimental(("masked_scatter",))
def _masked_scatter(draw):
    yield case(draw.normal((17, 90)), draw.bools((17, 90)), draw.normal((17 * 90,)))


@_experimental(("replication_pad2d",))
def _pad2d(draw):
    yield case(draw.normal((2, 3, 17, 9)), [4, 2, 1, 3])


@_experimental(("replication_pad3d",))
def _pad3d(draw):
    yield case(draw.normal((2, 3, 5, 7, 6)), [1, 2, 3, 0, 2, 1])


@_experimental(("im2col",))
def _im2col(draw):
    yield case(draw.normal((2, 3, 9, 11)), [3, 2], [1, 1], [1, 0], [2, 1])


@_experimental(("_adaptive_avg_pool3d",))
def _adaptive_pool(draw):
    yield case(draw.normal((2, 3, 8, 9, 10)), [3, 4, 5])


@_experimental(("slice_backward",))
def _slice_backward(draw):
    yield case(draw.normal((5, 3, 9)), [5, 7, 9], 1, 1, 7, 2)


@_experimental(("slice_scatter",))
def _slice_scatter(draw):
    yield case(draw.normal((5, 7, 9)), draw.normal((5, 3, 9)), 1, 1, 7, 2)


@_experimental(("glu",))
def _glu(draw):
    yield case(draw.normal((17, 64)), -1)


@_experimental(("native_dropout_backward",))
def _dropout_backward(draw):
    yield case(draw.normal((17, 130)), draw.bools((17, 130)), 2.0)


@_experimental(("fft_ifftshift",), torch.fft.ifftshift, widen=False)
def _ifftshift(draw):
    yield case(draw.normal((7, 9)))


@_experimental(("upsample_nearest1d",))
def _upsample(draw):
    yield case(draw.normal((2, 3, 17)), [34])


@_experimental(("_log_softmax_backward_data",))
def _log_softmax_backward(draw):
    yield case(draw.normal((17, 130)), torch.log_softmax(draw.normal((17, 130)), -1), -1, torch.float32)
