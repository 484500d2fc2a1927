"""Elementwise operators of flag-gems that torch has under the same name."""
import torch

from operators_draw import FLOATS, INTEGERS, SHAPES, pointwise_inputs
from operators_table import aten, case

_SHORT = ((1000,), (17, 130))


def _unary(names, draw_with, dtypes=FLOATS, *extra, strided=True, **options):
    @aten(*names, **options)
    def cases(draw):
        for x in pointwise_inputs(draw_with(draw), dtypes, SHAPES, strided):
            yield case(x, *extra)


_normal = lambda draw: draw.normal
_positive = lambda draw: lambda shape, dtype: draw.uniform(shape, dtype, 0.05, 8.0)
_inside_one = lambda draw: lambda shape, dtype: draw.uniform(shape, dtype, -0.95, 0.95)
_fraction = lambda draw: lambda shape, dtype: draw.uniform(shape, dtype, 0.02, 0.98)
_special = lambda draw: draw.special
_any = lambda draw: draw.any
_wide = lambda draw: lambda shape, dtype: draw.uniform(shape, dtype, -20.0, 20.0)

_unary(("abs", "abs_", "absolute", "neg", "neg_", "exp", "exp_", "exp.out", "exp2", "exp2_", "expm1", "expm1_", "expm1.out",
        "erf", "erf_", "cos", "cos_", "sin", "sin_", "tanh", "tanh_", "cosh", "cosh_", "cosh.out", "atan", "atan_",
        "arcsinh", "arcsinh.out", "asinh_", "sigmoid", "sigmoid_", "silu", "silu_", "relu", "relu_", "relu6",
        "selu", "celu", "celu_", "elu", "elu_", "gelu", "gelu_", "softplus", "softshrink", "softshrink.out",
        "hardswish_", "log_sigmoid", "square", "square_", "square.out", "i0", "i0.out", "special_i1", "special_i0e",
        "special_i0e.out"), _normal)
# Operators that the library defines for contiguous tensors only.
_unary(("sinh_", "hardsigmoid", "hardsigmoid.out", "i0_", "arcsinh_", "selu_", "sgn_"), _normal, strided=False)
_unary(("log1p_",), _positive, strided=False)
_unary(("round", "round_", "round.out", "floor_"), _wide, strided=False, widen=False)
_unary(("arctanh_",), _inside_one, strided=False)
_unary(("logit", "logit_"), _fraction, FLOATS, 1e-4, strided=False)
_unary(("zero_", "zero.out"), _any, (*FLOATS, torch.int32), strided=False)
_unary(("tan", "tan_"), _inside_one)
_unary(("ceil", "ceil_", "ceil.out"), _wide, widen=False)
_unary(("signbit", "signbit.out", "isnan", "isinf", "isfinite", "isneginf", "isneginf.out"), _special)
_unary(("nan_to_num",), _special, widen=False)
_unary(("log", "log10", "log10_", "log10.out", "sqrt", "sqrt_", "rsqrt", "rsqrt_", "reciprocal", "reciprocal_",
        "digamma_"), _positive)
_unary(("acos",), _inside_one)
_unary(("angle",), _normal)
_unary(("conj_physical", "resolve_conj", "resolve_neg", "alias_copy", "lift_fresh_copy"), _any, (*FLOATS, torch.int32))
_unary(("logical_not",), _any, (torch.bool, torch.float32, torch.int32))
_unary(("bitwise_not", "bitwise_not_"), _any, (torch.int32, torch.int16, torch.bool))
_unary(("zero", "zeros_like", "ones_like"), _any, (*FLOATS, torch.int32))
_unary(("_is_all_true",), lambda draw: lambda shape, dtype: draw.bools(shape) | True, (torch.bool,))


def _binary(names, dtypes=FLOATS, draw_with=_any, **options):
    @aten(*names, **options)
    def cases(draw):
        draws = draw_with(draw)
        for x in pointwise_inputs(draws, dtypes, _SHORT):
            yield case(x, draws(x.shape, x.dtype))
        yield case(draws((5, 7, 40), dtypes[0]), draws((7, 1), dtypes[0]))


_binary(("add.Tensor", "add_.Tensor", "sub.Tensor", "sub_.Tensor", "mul.Tensor", "mul_.Tensor", "maximum", "minimum"),
        (*FLOATS, torch.int32, torch.int64))
_binary(("eq.Tensor", "ne.Tensor", "ge.Tensor", "gt.Tensor", "le.Tensor", "lt.Tensor", "greater.Tensor"),
        (torch.int16, torch.int32, *FLOATS))
_binary(("atan2", "atan2.out", "hypot", "logaddexp", "logaddexp.out", "fmin", "fmin.out", "copysign.out"))
_binary(("logical_and", "logical_or", "logical_xor", "logical_and_", "logical_or_"), (torch.bool, torch.int32, torch.float32))
_binary(("bitwise_and.Tensor", "bitwise_or.Tensor", "bitwise_and_.Tensor", "bitwise_or_.Tensor", "__or__.Tensor",
         "__ior__.Tensor"), (torch.int16, torch.int32, torch.bool))
_binary(("sigmoid_backward", "tanh_backward"), FLOATS, _fraction)
_binary(("silu_backward",))
_binary(("copysign",), expected=torch.copysign)

_nonzero = lambda draw: lambda shape, dtype: draw.any(shape, dtype) + (3 if dtype.is_floating_point else 201)
_binary(("div.Tensor", "div_.Tensor", "divide.Tensor", "divide_.Tensor", "true_divide.Tensor", "true_divide_.Tensor",
         "div.out"), FLOATS, lambda draw: lambda shape, dtype: draw.uniform(shape, dtype, 0.5, 4.0))
_binary(("floor_divide", "floor_divide_.Tensor", "remainder.Tensor", "remainder_.Tensor"), (torch.int32, torch.int64, torch.int16),
        _nonzero)
_binary(("pow.Tensor_Tensor", "pow_.Tensor"), (torch.float32, torch.float16),
        lambda draw: lambda shape, dtype: draw.uniform(shape, dtype, 0.3, 2.0))


def _with_scalar(names, dtypes=FLOATS, scalars=(2.5, -3), draw_with=_any, **options):
    @aten(*names, **options)
    def cases(draw):
        for x in pointwise_inputs(draw_with(draw), dtypes, _SHORT):
            for scalar in scalars:
                yield case(x, scalar)


_with_scalar(("eq.Scalar", "ne.Scalar", "ge.Scalar", "gt.Scalar", "le.Scalar", "lt.Scalar", "greater.Scalar",
              "greater.Scalar_out"), (torch.int32, *FLOATS), (1, -3))
_with_scalar(("div.Scalar", "div_.Scalar", "divide.Scalar", "divide_.Scalar", "true_divide.Scalar", "true_divide_.Scalar"))
_with_scalar(("pow.Tensor_Scalar", "pow_.Scalar"), FLOATS, (2, 0.5), _positive)
_with_scalar(("floor_divide.Scalar", "floor_divide_.Scalar", "remainder.Scalar", "remainder_.Scalar"),
             (torch.int32, torch.int64), (7, -5))
_with_scalar(("bitwise_and.Scalar", "bitwise_or.Scalar", "bitwise_and_.Scalar", "bitwise_or_.Scalar", "__or__.Scalar",
              "__ior__.Scalar"), (torch.int32, torch.int16), (5, -6))
_with_scalar(("clamp_min", "clamp_min_"), FLOATS, (0.5, -1))
_with_scalar(("fill.Scalar", "fill_.Scalar", "fill.Scalar_out"), (*FLOATS, torch.int32), (3, -1))
_with_scalar(("full_like",), (*FLOATS, torch.int32), (3, -1))


@aten("pow.Scalar")
def _pow_scalar(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT):
        yield case(2.5, x)


@aten("bitwise_and.Scalar_Tensor", "bitwise_or.Scalar_Tensor")
def _scalar_bitwise(draw):
    for x in pointwise_inputs(draw.integers, (torch.int32, torch.int16), _SHORT):
        yield case(29, x)


@aten("remainder.Scalar_Tensor")
def _scalar_remainder(draw):
    for x in pointwise_inputs(_nonzero(draw), (torch.int32, torch.int64), _SHORT):
        yield case(1000, x)


@aten("bitwise_left_shift", expected=torch.bitwise_left_shift)
@aten("bitwise_right_shift", expected=torch.bitwise_right_shift)
def _shifts(draw):
    for x in pointwise_inputs(draw.integers, (torch.int32, torch.int16), _SHORT):
        yield case(x, draw.integers(x.shape, x.dtype, 0, 8))


@aten("greater.out", expected=torch.greater)
def _greater_out(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT):
        yield case(x, draw.normal(x.shape, x.dtype), out=torch.zeros(x.shape, dtype=torch.bool))


@aten("div.Tensor_mode", "div_.Tensor_mode", "divide.Tensor_mode", "divide_.Tensor_mode", widen=False)
def _division_modes(draw):
    draws = _nonzero(draw)
    for mode in ("floor", "trunc"):
        for x in pointwise_inputs(draws, (torch.int32, torch.int64, torch.float32), _SHORT):
            yield case(x, draws(x.shape, x.dtype), rounding_mode=mode)


@aten("div.Scalar_mode", "div_.Scalar_mode", "divide.Scalar_mode", "divide_.Scalar_mode", widen=False)
def _scalar_division_modes(draw):
    for mode in ("floor", "trunc"):
        for x in pointwise_inputs(draw.any, (torch.int32, torch.float32), _SHORT):
            yield case(x, 4, rounding_mode=mode)


@aten("clamp", "clamp_", "clip", "clip_")
def _clamp(draw):
    for x in pointwise_inputs(draw.any, (*FLOATS, torch.int32), _SHORT):
        yield case(x, -1, 2)
        yield case(x, None, 1)


@aten("clamp.Tensor", "clamp_.Tensor")
def _clamp_tensor(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT):
        yield case(x, draw.normal(x.shape, x.dtype) - 1, draw.normal(x.shape, x.dtype) + 1)


@aten("addcmul", "addcdiv")
def _addc(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT):
        yield case(x, draw.normal(x.shape, x.dtype), draw.uniform(x.shape, x.dtype, 0.5, 2.0), value=0.75)


def _lerp_in_type(x, y, weight):
    """The library's formula, every step rounded to the operands' type; a weight that is a number has fp32."""
    weight = torch.tensor(weight) if not isinstance(weight, torch.Tensor) else weight
    computed = torch.float32 if weight.dim() == 0 else x.dtype
    difference = (y - x).to(computed)
    near = x.to(computed) + weight * difference
    far = y.to(computed) - difference * (1 - weight)
    return torch.where(weight.abs() < 0.5, near, far).to(x.dtype)


@aten("lerp.Scalar", expected=_lerp_in_type, widen=False)
@aten("lerp_.Scalar", expected=lambda x, *rest: x.copy_(_lerp_in_type(x, *rest)), widen=False)
def _lerp_scalar(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT):
        yield case(x, draw.normal(x.shape, x.dtype), 0.3)


@aten("lerp.Tensor", expected=_lerp_in_type, widen=False)
@aten("lerp_.Tensor", expected=lambda x, *rest: x.copy_(_lerp_in_type(x, *rest)), widen=False)
def _lerp_tensor(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT):
        yield case(x, draw.normal(x.shape, x.dtype), draw.uniform(x.shape, x.dtype))


@aten("where.self", "where.self_out")
def _where(draw):
    for x in pointwise_inputs(draw.any, (*FLOATS, torch.int32), _SHORT):
        yield case(draw.bools(x.shape), x, draw.any(x.shape, x.dtype))


@aten("masked_fill.Scalar", "masked_fill_.Scalar")
def _masked_fill(draw):
    for x in pointwise_inputs(draw.any, (*FLOATS, torch.int32), _SHORT):
        yield case(x, draw.bools(x.shape), -3)


@aten("masked_fill.Tensor", "masked_fill_.Tensor")
def _masked_fill_tensor(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT):
        yield case(x, draw.bools(x.shape), torch.tensor(-1.5, dtype=x.dtype))


@aten("fill.Tensor", "fill_.Tensor", "fill.Tensor_out")
def _fill_tensor(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT):
        yield case(x, torch.tensor(2.25, dtype=x.dtype))


@aten("isclose", "allclose", "equal", widen=False)
def _closeness(draw):
    for dtype in (torch.float32, torch.int32):
        x = draw.any((17, 130), dtype)
        yield case(x, x.clone())
        yield case(x, x + (draw.uniform(x.shape) > 0.5).to(dtype) * 1)


def _gelu_gradient(gradient, x, approximate="none"):
    with torch.enable_grad():
        leaf = x.detach().double().requires_grad_()
        torch.nn.functional.gelu(leaf, approximate=approximate).backward(gradient.double())
    return leaf.grad.to(x.dtype)


@aten("gelu_backward", expected=_gelu_gradient)
def _gelu_backward(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT):
        for approximate in ("none", "tanh"):
            yield case(draw.normal(x.shape, x.dtype), x, approximate=approximate)


@aten("elu_backward")
def _elu_backward(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT):
        yield case(draw.normal(x.shape, x.dtype), 1.0, 1.0, 1.0, False, x)


@aten("threshold")
def _threshold(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT):
        yield case(x, 0.25, -2.0)


@aten("threshold_backward")
def _threshold_backward(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT):
        yield case(draw.normal(x.shape, x.dtype), x, 0.25)


@aten("rrelu_with_noise_backward")
def _rrelu_backward(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT):
        yield case(draw.normal(x.shape, x.dtype), x, draw.uniform(x.shape, x.dtype, 0.1, 0.3), 0.1, 0.3, True, False)


@aten("prelu")
def _prelu(draw):
    for dtype in FLOATS:
        yield case(draw.normal((4, 6, 33), dtype), draw.normal((6,), dtype))
        yield case(draw.normal((1000,), dtype), draw.normal((1,), dtype))


@aten("glu")
def _glu(draw):
    for dtype in FLOATS:
        yield case(draw.normal((17, 64), dtype), -1)
        yield case(draw.normal((6, 10, 12), dtype), 1)


@aten("glu_backward")
def _glu_backward(draw):
    for dtype in FLOATS:
        yield case(draw.normal((17, 32), dtype), draw.normal((17, 64), dtype), -1)


@aten("polar")
def _polar(draw):
    yield case(draw.uniform((17, 130)), draw.normal((17, 130)))


@aten("native_dropout_backward")
def _dropout_backward(draw):
    for x in pointwise_inputs(draw.normal, FLOATS, _SHORT):
        yield case(x, draw.bools(x.shape), 2.0)


@aten("_to_copy")
def _to_copy(draw):
    for source in (*FLOATS, torch.int32):
        for wanted in (torch.float32, torch.float16, torch.int64):
            yield case(draw.any((17, 130), source), dtype=wanted)


@aten("copy_")
def _copy(draw):
    for source in (*FLOATS, torch.int32):
        yield case(torch.zeros((17, 130)), draw.any((17, 130), source))
        yield case(torch.zeros((130, 17)).t(), draw.any((1, 130), source))
