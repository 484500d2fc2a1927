"""Functions of one, two and three elements: tl's and libdevice's."""
import elements
from elements import SINGLES, WIDE_INTS
from tree import call, number

from . import family, operation

#: Functions with a correctly rounded or exact result: every target gives the same bits.
EXACT_FUNCTIONS = ["tl.sqrt", "tl.sqrt_rn", "tl.floor", "tl.ceil", "libdevice.trunc", "libdevice.round", "libdevice.rint",
                   "libdevice.nearbyint", "libdevice.fabs", "libdevice.rcp_rn", "libdevice.rcp64h"]
#: Functions that are promised within 2 units in the last place.
ROUGH_FUNCTIONS = ["tl.exp", "tl.exp2", "tl.log", "tl.log2", "tl.sin", "tl.cos", "tl.rsqrt", "tl.erf", "libdevice.tanh",
                   "libdevice.log1p", "libdevice.expm1", "libdevice.log10", "libdevice.tan", "libdevice.asin", "libdevice.acos",
                   "libdevice.atan", "libdevice.sinh", "libdevice.cosh", "libdevice.asinh", "libdevice.acosh", "libdevice.atanh",
                   "libdevice.cbrt", "libdevice.erfc", "libdevice.exp10", "libdevice.fast_tanhf", "libdevice.fast_log10f",
                   "libdevice.fast_tanf", "libdevice.fast_exp10f"]
#: Functions written in the language over fp64, rounded once to fp32.
LIBRARY_FUNCTIONS = ["libdevice.lgamma", "libdevice.tgamma", "libdevice.erfinv", "libdevice.erfcx", "libdevice.normcdf",
                     "libdevice.sinpi", "libdevice.cospi", "libdevice.j0", "libdevice.j1", "libdevice.logb"]


def exact(g, dtype, op):
    shape = g.shape()
    return g.graded(call(op, [g.operand(dtype, shape)], dtype, shape))


def rough(g, dtype, op):
    shape = g.shape()
    return g.approximate(call(op, [g.operand(dtype, shape)], dtype, shape))


def local(g, dtype, op):
    """Functions over fp64 intermediates, whose errors may add up near poles."""
    shape = g.shape()
    return g.loose(call(op, [g.operand(dtype, shape)], dtype, shape))


family(EXACT_FUNCTIONS, SINGLES, exact)
family(ROUGH_FUNCTIONS, SINGLES, rough)
family(LIBRARY_FUNCTIONS, ["float32"], local)


def test(g, dtype, op):
    shape = g.shape()
    value = g.operand(dtype, shape)
    if op.endswith("signbit"):
        return call(op, [g.clean(value)], "int32", shape)
    return call(op, [value], "int1", shape)


family(["libdevice.isnan", "libdevice.isinf", "libdevice.finitef", "libdevice.isfinited", "libdevice.isfinite",
        "libdevice.signbit"], SINGLES, test)


def to_int(g, dtype, op):
    shape = g.shape()
    result = "int32" if "2int" in op else "int64"
    return call(op, [g.operand(dtype, shape)], result, shape)


family(["libdevice.llrint", "libdevice.float2ll_rn", "libdevice.double2ll_rn", "libdevice.float2int_rn", "libdevice.double2int_rn"],
       SINGLES, to_int)


def count_bits(g, dtype, op):
    shape = g.shape()
    return call(op, [g.operand(dtype, shape)], "int32", shape)


family(["libdevice.popc", "libdevice.clz", "libdevice.ffs"], WIDE_INTS, count_bits)


def two(g, dtype, op):
    shape = g.shape()
    left, right = g.operand(dtype, shape), g.operand(dtype, g.narrower(shape))
    if op in ("libdevice.pow", "libdevice.fast_powf", "libdevice.atan2"):
        return g.approximate(call(op, [left, right], dtype, shape))
    return g.graded(call(op, [left, g.clean(right) if op.endswith("copysign") else right], dtype, shape))


family(["libdevice.pow", "libdevice.atan2", "libdevice.fast_powf", "libdevice.copysign", "libdevice.fmod", "libdevice.div_rn",
        "libdevice.fast_dividef", "libdevice.fast_fdividef", "libdevice.fmax", "libdevice.fmin", "libdevice.max", "libdevice.min"], SINGLES, two)


def library_two(g, dtype, op):
    shape = g.shape()
    return g.loose(call(op, [g.operand(dtype, shape), g.operand(dtype, shape)], dtype, shape))


family(["libdevice.hypot", "libdevice.rhypot"], ["float32"], library_two)


@operation("libdevice.nextafter", ["float32"])
def next_after(g, dtype):
    shape = g.shape()
    return call("libdevice.nextafter", [g.clean(g.operand(dtype, shape)), g.clean(g.operand(dtype, shape))], dtype, shape)


@operation("libdevice.fdim", SINGLES)
def positive_difference(g, dtype):
    shape = g.shape()
    return g.graded(call("libdevice.fdim", [g.operand(dtype, shape), g.operand(dtype, shape)], dtype, shape))


def scaled(g, dtype, op):
    shape = g.shape()
    return g.graded(call(op, [g.operand(dtype, shape), g.operand("int32", shape)], dtype, shape))


family(["libdevice.ldexp", "libdevice.scalbn"], ["float32"], scaled)


@operation("libdevice.ilogb", ["float32"])
def exponent(g, dtype):
    shape = g.shape()
    return call("libdevice.ilogb", [g.operand(dtype, shape)], "int32", shape)


@operation("tl.sigmoid", SINGLES)
def sigmoid(g, dtype):
    shape = g.shape()
    return g.loose(call("tl.sigmoid", [g.operand(dtype, shape)], dtype, shape))


@operation("tl.softmax", ["float16", "bfloat16", "float32", "float64"])
def softmax(g, dtype):
    shape = g.tile_shape()
    axis = g.rng.randrange(len(shape))
    result = dtype if elements.width(dtype) >= 32 else "float32"
    return g.loose(call("tl.softmax", [g.operand(dtype, shape)], result, shape, tail=f"dim={axis}"))


def random_bits(g, dtype, op):
    shape = g.shape()
    seed = number(str(g.rng.randrange(2**31)))
    if op == "tl.randint":
        return call(op, [seed, g.operand(dtype, shape)], "uint32", shape)
    value = call(op, [seed, g.operand(dtype, shape)], "float32", shape)
    return g.loose(value) if op == "tl.randn" else g.graded(value)


family(["tl.randint", "tl.rand", "tl.randn"], ["int32", "int64", "uint32"], random_bits)


def random_four(g, dtype, op):
    shape = g.shape()
    seed = number(str(g.rng.randrange(2**31)))
    result = "uint32" if "randint" in op else "float32"
    value = call(op, [seed, g.operand(dtype, shape)], parts=((result, shape),) * 4)
    return g.loose(value) if "randn" in op else value


family(["tl.randint4x", "tl.rand4x", "tl.randn4x"], ["int32", "uint32"], random_four)


def philox(g, dtype, op):
    shape = g.shape()
    seeds = [number("77")] if op == "tl.philox" else []
    counters = [g.operand(dtype, shape) for _ in range(4)]
    keys = [g.operand(dtype, shape) for _ in range(2)] if op == "tl.philox_impl" else []
    return call(op, [*seeds, *counters, *keys], parts=(("uint32", shape),) * 4)


family(["tl.philox"], ["int32", "uint32"], philox)
family(["tl.philox_impl"], ["uint32"], philox)


@operation("tl.uint_to_uniform_float", ["uint32", "int32"])
def uniform(g, dtype):
    shape = g.shape()
    return g.graded(call("tl.uint_to_uniform_float", [g.operand(dtype, shape)], "float32", shape))


@operation("tl.pair_uniform_to_normal", ["float32"])
def normal(g, dtype):
    shape = g.shape()
    return g.loose(call("tl.pair_uniform_to_normal", [g.operand(dtype, shape), g.operand(dtype, shape)], parts=((dtype, shape),) * 2))
