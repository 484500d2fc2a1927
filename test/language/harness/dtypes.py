"""Element types of the suite: their NumPy types, sample values, and the promotion rules B1 to B5 written a second time.

Nothing here comes from the compiler: the rules follow the language's specification, the number formats NumPy and
ml_dtypes.
"""
import ml_dtypes
import numpy as np

NUMPY = {
    "int1": np.dtype(bool), "int8": np.dtype(np.int8), "int16": np.dtype(np.int16), "int32": np.dtype(np.int32),
    "int64": np.dtype(np.int64), "uint8": np.dtype(np.uint8), "uint16": np.dtype(np.uint16),
    "uint32": np.dtype(np.uint32), "uint64": np.dtype(np.uint64), "float16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16), "float32": np.dtype(np.float32), "float64": np.dtype(np.float64),
    "float8e4nv": np.dtype(ml_dtypes.float8_e4m3fn), "float8e5": np.dtype(ml_dtypes.float8_e5m2),
    "float8e4b8": np.dtype(ml_dtypes.float8_e4m3fnuz), "float8e5b16": np.dtype(ml_dtypes.float8_e5m2fnuz)
}
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTS = SIGNED + UNSIGNED
FLOATS = ["bfloat16", "float16", "float32", "float64"]
FP8 = ["float8e4nv", "float8e5", "float8e4b8", "float8e5b16"]
NUMBERS = INTS + FLOATS


def width(name):
    """Bits of an element as a value; i1 counts as 1."""
    return 1 if name == "int1" else NUMPY[name].itemsize * 8


def kind(name):
    """0 for bool, 1 for integers, 2 for floats."""
    return 0 if name == "int1" else 2 if "float" in name else 1


def promoted(left, right):
    """Element type of an arithmetic operation on two tensors (rules B3 and B4)."""
    if left == right:
        return left
    if kind(left) == 2 or kind(right) == 2:
        floats = {name for name in (left, right) if kind(name) == 2}
        for name in ("float64", "float32", "float16"):
            if name in floats:
                return name
        return "float32"
    if width(left) != width(right):
        return left if width(left) > width(right) else right
    return left if left in UNSIGNED else right


def limits(name):
    """(least, greatest) value of an integer type."""
    if name == "int1":
        return 0, 1
    info = np.iinfo(NUMPY[name])
    return int(info.min), int(info.max)


def wrapped(values, name):
    """Python integers reduced to an integer type by two's complement."""
    bits = width(name)
    signed = name in SIGNED

    def one(value):
        value = int(value) & ((1 << bits) - 1)
        return value - (1 << bits) if signed and value >> (bits - 1) else value

    flat = [one(value) for value in np.asarray(values, dtype=object).reshape(-1)]
    return np.array(flat, dtype=NUMPY[name]).reshape(np.shape(values))


def samples(name, shape, seed=0):
    """Values of a type: edges first, then random ones; floats are moderate and exact in every float type."""
    rng = np.random.default_rng(seed)
    count = int(np.prod(shape))
    if name == "int1":
        return rng.integers(0, 2, shape).astype(bool)
    if kind(name) == 1:
        low, high = limits(name)
        values = rng.integers(low, high, count, dtype=NUMPY[name], endpoint=True)
        edges = np.array([low, high, 0, 1, high - 1, 3, 7, low + 1], dtype=object)
        rng.shuffle(edges)
        few = min(count, len(edges))
        values[:few] = edges[:few].astype(NUMPY[name])
        return values.reshape(shape)
    values = rng.integers(-24, 25, count) / 8.0
    return values.astype(NUMPY[name]).reshape(shape)


def wide(values):
    """Values for exact or nearly exact arithmetic: Python integers, or float64 (extended for float64)."""
    values = np.asarray(values)
    if values.dtype.kind in "iub":
        return values.astype(object) * 1 if values.dtype.kind != "b" else values.astype(int).astype(object)
    return values.astype(np.longdouble if values.dtype == np.float64 else np.float64)


#: Bits of precision, least normal exponent, greatest finite value.
FORMATS = {
    "float64": (53, -1022, float(np.finfo(np.float64).max)), "float32": (24, -126, float(np.finfo(np.float32).max)),
    "float16": (11, -14, 65504.0), "bfloat16": (8, -126, float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)),
    "float8e4nv": (4, -6, 448.0), "float8e5": (3, -14, 57344.0), "float8e4b8": (4, -7, 240.0),
    "float8e5b16": (3, -15, 57344.0)
}


def rounded(values, name, toward_zero=False):
    """Numbers rounded once to a float type: to nearest even or toward zero; fp8 saturates, wider types overflow to inf."""
    precision, least, greatest = FORMATS[name]
    x = np.asarray(values)
    x = np.array([np.longdouble(int(v)) for v in x.reshape(-1)], np.longdouble).reshape(x.shape) if x.dtype.kind in "iubO" \
        else x.astype(np.longdouble)
    exponent = np.maximum(np.frexp(np.where(np.isfinite(x), x, 1))[1] - 1, least) - (precision - 1)
    scaled = np.ldexp(x, -exponent)
    y = np.ldexp(np.trunc(scaled) if toward_zero else np.rint(scaled), exponent)
    over = np.abs(y) > greatest
    limit = greatest if name in FP8 or toward_zero else np.inf
    y = np.where(over, np.copysign(limit, y), y)
    y = np.where(np.isnan(x), np.nan, y)
    return y.astype(np.float64).astype(NUMPY[name])


def truncated_to(values, name):
    """Floats converted to an integer type: toward zero, saturating, NaN gives 0."""
    low, high = limits(name)

    def one(value):
        if np.isnan(value):
            return 0
        if np.isinf(value):
            return high if value > 0 else low
        return min(max(int(value), low), high)

    flat = [one(value) for value in np.asarray(values).astype(np.float64).reshape(-1)]
    return np.array(flat, dtype=NUMPY[name]).reshape(np.shape(values))


def converted(values, name):
    """A cast as rules J1 to J6 say."""
    values = np.asarray(values)
    if values.dtype == NUMPY[name]:
        return values
    source_is_float = values.dtype.kind not in "iub"
    if name == "int1":
        return values.astype(np.float64) != 0 if source_is_float else values != 0
    if kind(name) == 1:
        return truncated_to(values, name) if source_is_float else wrapped(wide(values), name)
    return rounded(values, name)
