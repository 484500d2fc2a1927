"""Binary operators over all pairs of element types, unary operators, and maths functions."""
import numpy as np
import pytest

from dtypes import (FLOATS, FP8, INTS, NUMBERS, NUMPY, SIGNED, UNSIGNED, kind, limits, promoted, rounded, samples, wide, width,
                    wrapped)

N = 64
BINARY = """
i = tl.arange(0, 64)
a, b = tl.load(x + i), tl.load(y + i)
r = {expression}
tl.static_assert(r.dtype == tl.{result})
tl.store(out + i, r)
"""
UNARY = """
i = tl.arange(0, 64)
a = tl.load(x + i)
r = {expression}
tl.static_assert(r.dtype == tl.{result})
tl.store(out + i, r)
"""


def pairs(left, right):
    return [pytest.param(a, b, id=f"{a}-{b}") for a in left for b in right]


def arithmetic(operation, a, b, result):
    """Reference of + - * in the promoted type: operands are converted first, then one rounding or a wrap."""
    if kind(result) != 2:
        return wrapped(operation(wide(a), wide(b)), result)
    a, b = (values.astype(NUMPY[result]) for values in (a, b))
    return operation(wide(a), wide(b)).astype(NUMPY[result])


def several(operators, result):
    """A kernel that stores a tile for each binary operator."""
    return "i = tl.arange(0, 64)\na, b = tl.load(x + i), tl.load(y + i)\n" + "".join(
        f"tl.static_assert((a {operator} b).dtype == tl.{result})\ntl.store(out{k} + i, a {operator} b)\n" for k, operator in enumerate(operators))


OPERATIONS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}


@pytest.mark.parametrize("left, right", pairs(["int1", *NUMBERS], NUMBERS))
def test_arithmetic(machine, left, right):
    """Sum, difference and product, one output each."""
    a, b, result = samples(left, N, 1), samples(right, N, 2), promoted(left, right)
    machine.check(several(OPERATIONS, result), {f"out{k}": arithmetic(function, a, b, result) for k, function in enumerate(OPERATIONS.values())},
                  {"x": a, "y": b})


def mixed(left, right):
    """Whether two integer types differ in signedness."""
    return (left in SIGNED and right in UNSIGNED) or (left in UNSIGNED and right in SIGNED)


@pytest.mark.parametrize("left, right", [p for p in pairs(NUMBERS, NUMBERS) if not mixed(*p.values)])
def test_divide(machine, left, right):
    """Rule C3: fp32, or fp64 if an operand is."""
    a, b = samples(left, N, 3), samples(right, N, 4)
    b[b == 0] = 1
    result = "float64" if promoted(left, right) == "float64" else "float32"
    quotient = wide(a.astype(NUMPY[result])) / wide(b.astype(NUMPY[result]))
    machine.check(BINARY.format(expression="a / b", result=result), {"out": quotient.astype(NUMPY[result])},
                  {"x": a, "y": b}, ulps=2)


def truncated(a, b):
    """C's quotient of Python integers."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


@pytest.mark.parametrize("left, right", pairs(SIGNED, SIGNED) + pairs(UNSIGNED, UNSIGNED))
@pytest.mark.parametrize("operator", ["//", "%"])
def test_integer_division(machine, operator, left, right):
    a, b, result = samples(left, N, 5), samples(right, N, 6), promoted(left, right)
    b[b == 0] = 3
    exact = [truncated(int(p), int(q)) if operator == "//" else int(p) - int(q) * truncated(int(p), int(q))
             for p, q in zip(a, b)]
    machine.check(BINARY.format(expression=f"a {operator} b", result=result), {"out": wrapped(exact, result)},
                  {"x": a, "y": b})


@pytest.mark.parametrize("left, right", pairs(SIGNED, UNSIGNED) + pairs(UNSIGNED, SIGNED))
def test_mixed_signedness_is_not_divided(machine, left, right):
    body = "i = tl.arange(0, 8)\nr = tl.load(x + i) {} tl.load(y + i)"
    short = {"int": "i", "uint": "u"}
    signature = ", ".join(f"{name}:*{short[dtype.rstrip('0123456789')]}{dtype.lstrip('uint')}"
                          for name, dtype in (("x", left), ("y", right)))
    for operator in ("//", "%", "/"):
        machine.refuse(body.format(operator), 2041, 2, signature)


@pytest.mark.parametrize("dtype", FLOATS)
def test_float_remainder(machine, dtype):
    """C's fmod; like `/` it makes fp32 of the 16-bit types."""
    result = dtype if dtype == "float64" else "float32"
    a, b = samples(dtype, N, 7), samples(dtype, N, 8)
    b[b == 0] = 1
    expected = np.fmod(a.astype(np.float64), b.astype(np.float64)).astype(NUMPY[result])
    machine.check(BINARY.format(expression="a % b", result=result), {"out": expected}, {"x": a, "y": b})


COMPARISONS = {"==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater,
               ">=": np.greater_equal}


@pytest.mark.parametrize("left, right", pairs(NUMBERS, NUMBERS))
def test_compare(machine, left, right):
    """All six comparisons in the promoted type, results packed as bits of one integer."""
    a, b, result = samples(left, N, 9), samples(right, N, 10), promoted(left, right)
    b[::3] = a[::3].astype(NUMPY[right])
    if kind(result) == 2:
        p, q = (values.astype(NUMPY[result]).astype(np.float64) for values in (a, b))
        if kind(left) == 2:
            p[1] = np.nan
            a[1] = np.nan
    else:
        p, q = wrapped(wide(a), result), wrapped(wide(b), result)
    expected = sum(compare(p, q).astype(np.int32) << position
                   for position, compare in enumerate(COMPARISONS.values()))
    expression = " | ".join(f"((a {operator} b).to(tl.int32) << {position})"
                            for position, operator in enumerate(COMPARISONS))
    machine.check(BINARY.format(expression=expression, result="int32"), {"out": expected.astype(np.int32)},
                  {"x": a, "y": b})


BITWISE = {"&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b}


@pytest.mark.parametrize("left, right", pairs(["int1", *INTS], INTS) + [pytest.param("int1", "int1", id="int1-int1")])
def test_bitwise(machine, left, right):
    """And, or, exclusive or, one output each."""
    a, b, result = samples(left, N, 11), samples(right, N, 12), promoted(left, right)
    exact = [function(wide(a), wide(b)) for function in BITWISE.values()]
    expected = {f"out{k}": value.astype(bool) if result == "int1" else wrapped(value, result) for k, value in enumerate(exact)}
    machine.check(several(BITWISE, result), expected, {"x": a, "y": b})


@pytest.mark.parametrize("dtype", INTS)
@pytest.mark.parametrize("operator", ["<<", ">>"])
def test_shift(machine, operator, dtype):
    """Counts from 0 to beyond the width: probe 11 has 0 or the sign for those, also on NVIDIA."""
    bits = width(dtype)
    a = samples(dtype, N, 13)
    counts = np.arange(N) % (bits + 4) if bits + 4 <= 127 else np.arange(N)
    b = counts.astype(NUMPY[dtype])
    exact = [(int(p) << int(q)) if operator == "<<" else (int(p) >> int(q)) for p, q in zip(a, b)]
    machine.check(BINARY.format(expression=f"a {operator} b", result=dtype), {"out": wrapped(exact, dtype)},
                  {"x": a, "y": b})


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
@pytest.mark.parametrize("operator", ["<<", ">>"])
def test_shift_by_wide_counts(machine, operator, dtype):
    """All 64 bits of a count are looked at: LLVM 22 for NVIDIA drops the guard with the upper half."""
    a = samples(dtype, N, 14)
    wide_counts = [1 << 32, (1 << 32) + 5, 3 << 40, (1 << 62) + 1, (1 << 63) - 1, 5, 63, 64]
    counts = np.resize(np.array(wide_counts, np.int64), N)
    exact = [(int(p) << int(q) if q < 64 else 0) if operator == "<<" else int(p) >> int(q) for p, q in zip(a, counts)]
    machine.check(BINARY.format(expression=f"a {operator} b", result=dtype), {"out": wrapped(exact, dtype)},
                  {"x": a, "y": counts.astype(NUMPY[dtype])})


def test_shift_to_the_sign(machine):
    """The lowest bit moved to the sign and widened is -2^31: LLVM 22 for NVIDIA loses the sign in its product."""
    a = np.resize(np.array([0, -1], np.int32), 64)
    machine.check("""
        i = tl.arange(0, 64)
        tl.store(out + i, (tl.load(x + i) << 31).to(tl.int64))
        """, {"out": np.where(a, -2 ** 31, 0).astype(np.int64)}, {"x": a})


@pytest.mark.parametrize("operator, expected", [("//", [1, 0, 1, 1]), ("%", [0, 0, 1, 0]), ("<<", [0, 0, 1, 0]), (">>", [0, 0, 1, 0])])
def test_bits_divide_and_shift(machine, operator, expected):
    """An i1 is an unsigned number of one bit: x // 0 is all ones, x % 0 is x, a shift by the width leaves 0."""
    machine.check(f"""
        i = tl.arange(0, 4)
        r = tl.load(x + i) {operator} tl.load(y + i)
        tl.static_assert(r.dtype == tl.int1)
        tl.store(out + i, r)
        """, {"out": np.array(expected, bool)}, {"x": np.array([0, 0, 1, 1], bool), "y": np.array([0, 1, 0, 1], bool)})


def test_shift_recorded(machine):
    """Probe 11 of the recorded Triton 3.6 answers: shifts of -5 by 0, 1, 31, 32, 33, -1 and more."""
    a = np.full(64, -5, np.int32)
    b = np.zeros(64, np.int32)
    b[:6] = [0, 1, 31, 32, 33, -1]
    left, right, logical = np.full(64, -5, np.int32), np.full(64, -5, np.int32), np.full(64, -5, np.int32)
    left[:6] = [-5, -10, -2147483648, 0, 0, 0]
    right[:6] = [-5, -3, -1, -1, -1, -1]
    logical[:6] = [-5, 2147483645, 1, 0, 0, 0]
    machine.check("""
        i = tl.arange(0, 64)
        a, b = tl.load(x + i), tl.load(y + i)
        tl.store(l + i, a << b)
        tl.store(r + i, a >> b)
        tl.store(u + i, (a.to(tl.uint32, bitcast=True) >> b.to(tl.uint32, bitcast=True)).to(tl.int32, bitcast=True))
        """, {"l": left, "r": right, "u": logical}, {"x": a, "y": b})


@pytest.mark.parametrize("dtype", [*NUMBERS])
@pytest.mark.parametrize("name", ["negate", "plus", "abs", "minimum", "maximum"])
def test_sign_and_extremes(machine, name, dtype):
    """bf16 becomes fp32 in minimum and maximum (rule H5); abs of an unsigned value is the value."""
    a, b = samples(dtype, N, 14), samples(dtype, N, 15)
    expression = {"negate": "-a", "plus": "+a", "abs": "tl.abs(a)", "minimum": "tl.minimum(a, b)",
                  "maximum": "tl.maximum(a, b)"}[name]
    result = "float32" if dtype == "bfloat16" and name in ("minimum", "maximum") else dtype
    exact = {"negate": lambda: -wide(a), "plus": lambda: wide(a), "abs": lambda: np.abs(wide(a)),
             "minimum": lambda: np.minimum(wide(a), wide(b)), "maximum": lambda: np.maximum(wide(a), wide(b))}[name]()
    expected = wrapped(exact, dtype) if kind(dtype) == 1 else exact.astype(NUMPY[result])
    machine.check(BINARY.format(expression=expression, result=result), {"out": expected}, {"x": a, "y": b})


@pytest.mark.parametrize("dtype", [name for name in INTS if name != "int64"])
def test_smallest_number_wraps_before_it_widens(machine, dtype):
    """The negative of the smallest number is itself (rule C1), and what follows must see that."""
    a = samples(dtype, N, 19)
    a[:4] = [np.iinfo(NUMPY[dtype]).min, np.iinfo(NUMPY[dtype]).max, 0, 1]
    negative, size = wrapped(-wide(a), dtype), wrapped(np.abs(wide(a)), dtype)
    body = """
        i = tl.arange(0, 64)
        a = tl.load(x + i)
        tl.store(n + i, (-a).to(tl.int64))
        tl.store(s + i, tl.abs(a).to(tl.int64))
        tl.store(c + i, -a > tl.abs(a))
        tl.store(m + i, tl.maximum(0 - a, a).to(tl.int64))
    """
    machine.check(body, {"n": negative.astype(np.int64), "s": size.astype(np.int64), "c": negative > size,
                         "m": np.maximum(negative, a).astype(np.int64)}, {"x": a})


@pytest.mark.parametrize("dtype", ["int1", *INTS])
def test_invert(machine, dtype):
    a = samples(dtype, N, 16)
    machine.check(UNARY.format(expression="~a", result=dtype), {"out": ~a}, {"x": a})


LITERALS = [(dtype, literal) for dtype in NUMBERS for literal in ("2", "2.0", "True")]


@pytest.mark.parametrize("dtype, literal", [pytest.param(*row, id=f"{row[0]}-{row[1]}") for row in LITERALS])
@pytest.mark.parametrize("operator", ["+", "*"])
def test_literal_takes_the_type(machine, operator, dtype, literal):
    """Rule B1; an int tensor with a float literal is fp32 (rule B3)."""
    value = eval(literal)
    result = "float32" if kind(dtype) == 1 and isinstance(value, float) else dtype
    a = samples(dtype, N, 17)
    operand = np.full(N, value, NUMPY[result])
    machine.check(UNARY.format(expression=f"a {operator} {literal}", result=result),
                  {"out": arithmetic(OPERATIONS[operator], a, operand, result)}, {"x": a})


@pytest.mark.parametrize("left, right", pairs(["int1", *NUMBERS], NUMBERS))
def test_where(machine, left, right):
    a, b, result = samples(left, N, 18), samples(right, N, 19), promoted(left, right)
    condition = samples("int1", N, 20)
    convert = (lambda v: v.astype(NUMPY[result])) if kind(result) == 2 else (lambda v: wrapped(wide(v), result))
    machine.check(BINARY.format(expression="tl.where(tl.load(c + i), a, b)", result=result),
                  {"out": np.where(condition, convert(a), convert(b))}, {"x": a, "y": b, "c": condition})


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def erf(x):
    import math
    return np.array([math.erf(value) for value in x])


POSITIVE = np.exp(np.linspace(np.log(1e-30), np.log(1e30), N))
MATHS = {
    "exp": (np.exp, np.linspace(-80, 80, N)), "exp2": (np.exp2, np.linspace(-120, 120, N)),
    "log": (np.log, POSITIVE), "log2": (np.log2, POSITIVE), "sqrt": (np.sqrt, POSITIVE),
    "sqrt_rn": (np.sqrt, POSITIVE), "rsqrt": (lambda x: 1 / np.sqrt(x), POSITIVE),
    "sin": (np.sin, np.linspace(-100, 100, N)), "cos": (np.cos, np.linspace(-100, 100, N)),
    "erf": (erf, np.linspace(-4, 4, N)), "floor": (np.floor, np.linspace(-4, 4, N)),
    "ceil": (np.ceil, np.linspace(-4, 4, N)), "sigmoid": (sigmoid, np.linspace(-20, 20, N))
}
EXACT = {"floor", "ceil", "sqrt_rn"}


@pytest.mark.parametrize("name, dtype", [pytest.param(name, dtype, id=f"{name}-{dtype}") for name in MATHS
                                         for dtype in ("float32", "float64") if (name, dtype) != ("sqrt_rn", "float64")])
def test_maths(machine, name, dtype):
    """Within 2 ulp (4 for sigmoid, which is composed of three operations); rounding functions exactly."""
    reference, points = MATHS[name]
    a = points.astype(NUMPY[dtype])
    source = a.astype(np.float64) if name == "erf" else wide(a)
    expected = reference(source).astype(NUMPY[dtype])
    machine.check(UNARY.format(expression=f"tl.{name}(a)", result=dtype), {"out": expected}, {"x": a},
                  ulps=0 if name in EXACT else 4 if name == "sigmoid" else 2)


@pytest.mark.parametrize("low", [-125, -150], ids=["normal", "subnormal"])
def test_exp2_of_many_registers(machine, low):
    """A short way for normal results must be left for all of a warp when one of its results is subnormal: 2 ulp."""
    a = np.linspace(low, 127, 1024).astype(np.float32)
    a[::100] = np.nan
    machine.check("i = tl.arange(0, 1024)\ntl.store(out + i, tl.exp2(tl.load(x + i)))",
                  {"out": np.exp2(a.astype(float)).astype(np.float32)}, {"x": a}, ulps=2, num_warps=1)


@pytest.mark.parametrize("dtype", ["fp16", "bf16", "i32", "fp8e4nv"])
@pytest.mark.parametrize("name", ["exp", "exp2", "log", "log2", "sqrt", "rsqrt", "sin", "cos", "erf", "floor", "ceil"])
def test_maths_takes_wide_floats_only(machine, name, dtype):
    """Rule L1."""
    machine.refuse(f"i = tl.arange(0, 8)\nr = tl.{name}(tl.load(x + i))", 2230, 2, f"x:*{dtype}")


LIBDEVICE = {
    "tanh": (np.tanh, np.linspace(-6, 6, N)), "log1p": (np.log1p, np.linspace(-0.9, 50, N)),
    "expm1": (np.expm1, np.linspace(-5, 20, N)), "asin": (np.arcsin, np.linspace(-1, 1, N)),
    "acos": (np.arccos, np.linspace(-1, 1, N)), "atan": (np.arctan, np.linspace(-20, 20, N)),
    "sinh": (np.sinh, np.linspace(-10, 10, N)), "cosh": (np.cosh, np.linspace(-10, 10, N)),
    "tan": (np.tan, np.linspace(-1.5, 1.5, N)), "cbrt": (np.cbrt, np.linspace(-30, 30, N)),
    "trunc": (np.trunc, np.linspace(-4, 4, N)), "rint": (np.rint, np.linspace(-4, 4, N)),
    "round": (lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x), np.linspace(-4, 4, 2 * N + 1)[:N])
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", list(LIBDEVICE))
def test_libdevice(machine, name, dtype):
    """Within 2 ulp in fp32; the documentation promises nothing for fp64, 4 ulp are held."""
    reference, points = LIBDEVICE[name]
    a = points.astype(NUMPY[dtype])
    machine.check(UNARY.format(expression=f"libdevice.{name}(a)", result=dtype),
                  {"out": reference(wide(a)).astype(NUMPY[dtype])}, {"x": a}, ulps=2 if dtype == "float32" else 4,
                  head="from tilewright.language.extra import libdevice")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["pow", "atan2", "fmod", "copysign"])
def test_libdevice_of_two(machine, name, dtype):
    a, b = np.linspace(0.1, 9, N).astype(NUMPY[dtype]), np.linspace(3, -3, N).astype(NUMPY[dtype])
    reference = {"pow": np.power, "atan2": np.arctan2, "fmod": np.fmod, "copysign": np.copysign}
    machine.check(BINARY.format(expression=f"libdevice.{name}(a, b)", result=dtype),
                  {"out": reference[name](wide(a), wide(b)).astype(NUMPY[dtype])}, {"x": a, "y": b}, ulps=2,
                  head="from tilewright.language.extra import libdevice")


@pytest.mark.parametrize("name, dtype", [*((name, dtype) for name in ("fma", "clamp", "fdiv") for dtype in FLOATS),
                                         ("div_rn", "float32")])
def test_other_functions(machine, name, dtype):
    a, b, c = (samples(dtype, N, seed) for seed in (21, 22, 23))
    b[b == 0] = 1
    result = "float32" if dtype == "bfloat16" and name == "clamp" else dtype
    low, high = np.minimum(wide(b), wide(c)), np.maximum(wide(b), wide(c))
    exact = {"fma": lambda: wide(a) * wide(b) + wide(c), "clamp": lambda: np.minimum(np.maximum(wide(a), low), high),
             "fdiv": lambda: wide(a) / wide(b), "div_rn": lambda: wide(a) / wide(b)}[name]()
    expression = {"fma": "tl.fma(a, b, tl.load(z + i))", "fdiv": "tl.fdiv(a, b)", "div_rn": "tl.div_rn(a, b)",
                  "clamp": "tl.clamp(a, tl.minimum(b, tl.load(z + i)).to(a.dtype), tl.maximum(b, tl.load(z + i)).to(a.dtype))"}[name]
    machine.check(BINARY.format(expression=expression, result=result), {"out": exact.astype(NUMPY[result])},
                  {"x": a, "y": b, "z": c}, ulps=0 if name in ("fma", "clamp", "div_rn") else 2)


@pytest.mark.parametrize("dtype", FP8)
def test_fma_of_small_floats(machine, dtype):
    """Products and sums of these samples are exact in fp32, where 8-bit floats compute: one rounding."""
    a, b, c = (samples(dtype, N, seed) for seed in (24, 25, 26))
    machine.check(BINARY.format(expression="tl.fma(a, b, tl.load(z + i))", result=dtype),
                  {"out": rounded(wide(a) * wide(b) + wide(c), dtype)}, {"x": a, "y": b, "z": c})


class Expressions:
    """Random integer expressions, as text and by Python's integers at once: (text, element type, values)."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.types = [str(self.random.choice(INTS)) for _ in range(3)]
        self.values = [samples(dtype, 32, seed * 3 + k) for k, dtype in enumerate(self.types)]
        self.leaves = [(f"v{k}", dtype, values) for k, (dtype, values) in enumerate(zip(self.types, self.values))]

    def make(self, depth):
        """An expression of at most this depth."""
        if depth == 0 or self.random.random() < 0.1:
            return self.leaves[self.random.integers(len(self.leaves))]
        form = self.random.choice(["+", "-", "*", "//", "%", "&", "|", "^", "shift", "extreme", "where", "cast", "unary", "number"])
        left = self.make(depth - 1)
        if form in ("shift", "cast", "unary", "number"):
            return getattr(self, form)(*left)
        return self.binary(form, left, self.make(depth - 1), depth)

    def shift(self, text, dtype, values):
        count, operator = int(self.random.integers(width(dtype))), self.random.choice(["<<", ">>"])
        exact = [int(v) << count if operator == "<<" else int(v) >> count for v in values]
        return f"({text} {operator} {count})", dtype, wrapped(exact, dtype)

    def cast(self, text, dtype, values):
        target = str(self.random.choice(INTS))
        return f"{text}.to(tl.{target})", target, wrapped(wide(values), target)

    def unary(self, text, dtype, values):
        form, function = [("(-{})", lambda v: -v), ("(~{})", lambda v: ~v), ("tl.abs({})", np.abs)][self.random.integers(3)]
        return form.format(text), dtype, wrapped(function(wide(values)), dtype)

    def number(self, text, dtype, values):
        number, operator = int(self.random.integers(100)), self.random.choice(["+", "*", "&"])
        function = {**OPERATIONS, **BITWISE}[operator]
        return f"({text} {operator} {number})", dtype, wrapped(function(wide(values), number), dtype)

    def binary(self, form, left, right, depth):
        result = promoted(left[1], right[1])
        if form in ("//", "%") and mixed(left[1], right[1]):
            form = "^"
        a, b = (wide(wrapped(wide(operand[2]), result)) for operand in (left, right))
        if form == "where":
            condition = self.make(depth - 1)
            return f"tl.where({condition[0]} > 3, {left[0]}, {right[0]})", result, wrapped(np.where(condition[2] > 3, a, b), result)
        if form == "extreme":
            name = self.random.choice(["minimum", "maximum"])
            return f"tl.{name}({left[0]}, {right[0]})", result, wrapped(getattr(np, name)(a, b), result)
        if form in ("//", "%"):
            exact = [(-1 if form == "//" else p) if q == 0 else truncated(p, q) if form == "//" else p - q * truncated(p, q) for p, q in zip(a, b)]
        else:
            exact = {**OPERATIONS, **BITWISE}[form](a, b)
        return f"({left[0]} {form} {right[0]})", result, wrapped(exact, result)


@pytest.mark.parametrize("seed", range(150))
def test_random_expression(machine, seed):
    """Four levels of operators over three integer types; division by zero is defined (rule C2)."""
    source = Expressions(seed)
    text, dtype, expected = source.make(4)
    loads = "".join(f"v{k} = tl.load(x{k} + i)\n" for k in range(3))
    machine.check(f"i = tl.arange(0, 32)\n{loads}r = {text}\ntl.static_assert(r.dtype == tl.{dtype})\ntl.store(out + i, r)", {"out": expected},
                  {f"x{k}": values for k, values in enumerate(source.values)})


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32"])
def test_abs_of_the_smallest_number(machine, dtype):
    """It is that number again, also when it is widened at once."""
    x = np.array([np.iinfo(dtype).min, np.iinfo(dtype).min + 1, -1, 0, 1, np.iinfo(dtype).max] * 6, dtype)[:32]
    expected = np.abs(x)  # wraps, as the operator does
    machine.check("i = tl.arange(0, 32)\ntl.store(out + i, tl.abs(tl.load(x + i)).to(tl.int64))", {"out": expected.astype(np.int64)}, {"x": x})


def test_exp_near_its_largest_argument(machine):
    """Up to ln of the largest fp32 the result is finite, though 2^128 is not; from there on it is infinite."""
    x = np.concatenate([np.linspace(88, 88.7228, 60), [88.72283935546875, 88.72284, 89, 104, 1e30], np.linspace(-104, -87, 35)])
    x = x.astype(np.float32)[:96]
    expected = np.exp(x.astype(np.float64)).astype(np.float32)
    body = """
        i = tl.arange(0, 128)
        tl.store(out + i, tl.exp(tl.load(x + i, mask=i < 96)), mask=i < 96)
        """
    machine.check(body, {"out": expected}, {"x": x}, ulps=2)
