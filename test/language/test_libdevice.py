"""Names of libdevice beyond the maths functions: Bessel functions, inverse error functions, bits, stated rounding."""
import math

import numpy as np
import pytest

HEAD = "from tilewright.language.extra import libdevice"


def simpson(function, low, high, steps=20000):
    t = np.linspace(low, high, 2 * steps + 1)
    weight = np.ones_like(t)
    weight[1:-1:2], weight[2:-1:2] = 4, 2
    return (high - low) / (2 * steps) / 3 * (weight * function(t)).sum()


def bessel_j(n, x):
    """The integral of Bessel."""
    return simpson(lambda t: np.cos(n * t - x * np.sin(t)), 0, np.pi) / np.pi


def bessel_y(n, x):
    """Schlaefli's integral."""
    def tail(t):
        return (np.exp(n * t - x * np.sinh(t)) + (-1)**n * np.exp(-n * t - x * np.sinh(t))) / np.pi
    top = math.asinh(800 / x + n)
    return simpson(lambda t: np.sin(x * np.sin(t) - n * t), 0, np.pi) / np.pi - simpson(tail, 0, top, 200000)


def bessel_i(n, x):
    return simpson(lambda t: np.exp(x * np.cos(t)) * np.cos(n * t), 0, np.pi) / np.pi


def unary(machine, name, points, expected, ulps):
    points = np.array(points, np.float32)
    body = f"i = tl.arange(0, {len(points)})\ntl.store(out + i, libdevice.{name}(tl.load(x + i)))"
    machine.check(body, {"out": np.array(expected, np.float32)}, {"x": points}, ulps=ulps, head=HEAD)


@pytest.mark.parametrize("order", [0, 1])
def test_second_kind(machine, order):
    points = [0.05, 0.3, 0.9, 1.0, 2.5, 7.0, 19.5, 45.0]
    unary(machine, f"y{order}", points, [bessel_y(order, float(np.float32(x))) for x in points], 8)


@pytest.mark.parametrize("name, expected", [("y0", [-np.inf, np.nan, 0, np.nan]), ("y1", [-np.inf, np.nan, 0, np.nan])])
def test_second_kind_at_the_ends(machine, name, expected):
    unary(machine, name, [0, -1, np.inf, np.nan], expected, 0)


@pytest.mark.parametrize("order", [0, 1])
def test_modified(machine, order):
    points = [0.25, 0.5, -1.0, 3.0, 19.0, 25.0, -80.0, 12.5]
    unary(machine, f"cyl_bessel_i{order}", points, [bessel_i(order, float(np.float32(x))) for x in points], 4)


@pytest.mark.parametrize("x", [0.5, 3.0, -7.5, 40.0])
def test_orders(machine, x):
    orders = np.arange(8, dtype=np.int32)
    machine.check("i = tl.arange(0, 8)\nv = tl.full((8,), x, tl.float32)\ntl.store(out + i, libdevice.jn(tl.load(n + i), v))",
                  {"out": np.array([bessel_j(k, x) for k in orders], np.float32)}, {"n": orders, "x": x}, bound=2e-7, head=HEAD)


def test_orders_of_the_second_kind(machine):
    orders = np.array([0, 1, 2, 3, 4, 5, -1, -2], np.int32)
    expected = [bessel_y(abs(k), 3.0) * (-1 if k < 0 and k % 2 else 1) for k in orders.tolist()]
    machine.check("i = tl.arange(0, 8)\nv = tl.full((8,), 3.0, tl.float32)\ntl.store(out + i, libdevice.yn(tl.load(n + i), v))",
                  {"out": np.array(expected, np.float32)}, {"n": orders}, ulps=8, head=HEAD)


def test_scalar_order(machine):
    machine.check("tl.store(out, libdevice.jn(2, 1.0))\ntl.store(out + 1, libdevice.jn(n, 10.0))",
                  {"out": np.array([bessel_j(2, 1), bessel_j(5, 10)], np.float32)}, {"n": 5}, bound=2e-7, head=HEAD)


def solved(function, value, low, high):
    """The place where a falling function has a value."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > value else (low, middle)
    return low


def test_erfcinv(machine):
    points = [0.9, 0.5, 1.5, 1e-3, 1e-30, 1.999, 0.9999, 1e-7]
    unary(machine, "erfcinv", points, [solved(math.erfc, float(np.float32(p)), -6, 12) for p in points], 4)
    unary(machine, "erfcinv", [0, 2, -1, 3], [np.inf, -np.inf, np.nan, np.nan], 0)


def test_normcdfinv(machine):
    points = [0.4, 0.975, 0.025, 0.001, 1e-20, 0.9, 0.25, 0.75]
    unary(machine, "normcdfinv", points,
          [solved(lambda x: math.erfc(x / math.sqrt(2)) / 2, 1 - float(np.float32(p)), -20, 20) if p > 0.5 else
           -solved(lambda x: math.erfc(x / math.sqrt(2)) / 2, float(np.float32(p)), -20, 20) for p in points], 4)


def test_remainder(machine):
    a = np.array([5, 5.5, -5.5, 7.5, 1e30, 2.5, np.inf, 1], np.float32)
    b = np.array([3, 2, 2, 5, 3, 1, 2, 0], np.float32)
    expected = [math.remainder(float(x), float(y)) if math.isfinite(x) and y else math.nan for x, y in zip(a, b)]
    machine.check("i = tl.arange(0, 8)\ntl.store(out + i, libdevice.remainder(tl.load(x + i), tl.load(y + i)))",
                  {"out": np.array(expected, np.float32)}, {"x": a, "y": b}, head=HEAD)


def test_rcbrt_and_norms(machine):
    unary(machine, "rcbrt", [8, 27, 0.001, -64], [0.5, 1 / 3, 10, -0.25], 2)
    machine.check("""
        tl.store(out, libdevice.norm3d(x, 2.0, 2.0))
        tl.store(out + 1, libdevice.rnorm3d(x, 2.0, 2.0))
        tl.store(out + 2, libdevice.norm4d(x, 1.0, 1.0, 1.0))
        tl.store(out + 3, libdevice.rnorm4d(x, 1.0, 1.0, 1.0))
        """, {"out": np.array([3, 1 / 3, 2, 0.5], np.float32)}, {"x": 1.0}, head=HEAD)


A = np.array([1, -1, 0x12345678, -2**31, 2**31 - 1, 255, -256, 0x0F0F0F0F], np.int64).astype(np.int32)
B = np.array([3, 5, -7, 2**31 - 1, -2**31, 0x01020304, -1, 2], np.int64).astype(np.int32)


def as_int32(values):
    return np.array([(int(v) + 2**31) % 2**32 - 2**31 for v in values], np.int64).astype(np.int32)


def low24(value):
    return ((int(value) & 0xFFFFFF) ^ 0x800000) - 0x800000


def permuted(a, b, selector):
    both = (int(b) & 0xFFFFFFFF) << 32 | (int(a) & 0xFFFFFFFF)
    return sum((both >> 8 * (selector >> 4 * i & 7) & 255) << 8 * i for i in range(4))


INTEGERS = {
    "brev(a)": lambda a, b: int(f"{int(a) & 0xFFFFFFFF:032b}"[::-1], 2), "mulhi(a, b)": lambda a, b: int(a) * int(b) >> 32,
    "mul24(a, b)": lambda a, b: low24(a) * low24(b), "sad(a, b, 1)": lambda a, b: abs(int(a) - int(b)) + 1,
    "hadd(a, b)": lambda a, b: (int(a) + int(b)) >> 1, "rhadd(a, b)": lambda a, b: (int(a) + int(b) + 1) >> 1,
    "byte_perm(a, b, 0x7410)": lambda a, b: permuted(a, b, 0x7410), "byte_perm(a, b, 0x1526)": lambda a, b: permuted(a, b, 0x1526)
}


@pytest.mark.parametrize("text", list(INTEGERS))
def test_integers(machine, text):
    expected = as_int32([INTEGERS[text](a, b) for a, b in zip(A, B)])
    machine.check(f"i = tl.arange(0, 8)\na = tl.load(x + i)\nb = tl.load(y + i)\ntl.store(out + i, libdevice.{text})",
                  {"out": expected}, {"x": A, "y": B}, head=HEAD)


def test_mulhi_of_64_bits(machine):
    a, b = np.array([-3, 2**62, -2**63, 5]), np.array([7, -2**61, 2**63 - 1, -1])
    machine.check("i = tl.arange(0, 4)\ntl.store(out + i, libdevice.mulhi(tl.load(x + i), tl.load(y + i)))",
                  {"out": np.array([int(p) * int(q) >> 64 for p, q in zip(a, b)])}, {"x": a, "y": b}, head=HEAD)


F = np.array([1.5, -0.0, 3e38, -1e-40], np.float32)
D = np.array([1.5, -2.25, 1e300, -0.0], np.float64)
BITS = {
    "float_as_int(a)": (F, F.view(np.int32)), "float_as_uint(a)": (F, F.view(np.uint32)), "int_as_float(a)": (F.view(np.int32), F),
    "uint_as_float(a)": (F.view(np.uint32), F), "double_as_longlong(a)": (D, D.view(np.int64)), "longlong_as_double(a)": (D.view(np.int64), D),
    "double2loint(a)": (D, (D.view(np.int64) & 0xFFFFFFFF).astype(np.uint32).view(np.int32)), "double2hiint(a)": (D, (D.view(np.int64) >> 32).astype(np.int32)),
    "hiloint2double(libdevice.double2hiint(a), libdevice.double2loint(a))": (D, D)
}


@pytest.mark.parametrize("text", list(BITS))
def test_bits(machine, text):
    given, expected = BITS[text]
    machine.check(f"i = tl.arange(0, 4)\na = tl.load(x + i)\ntl.store(out + i, libdevice.{text})", {"out": expected}, {"x": given}, head=HEAD)


TO_INT = {"rn": np.rint, "rz": np.trunc, "rd": np.floor, "ru": np.ceil}


@pytest.mark.parametrize("source", ["float", "double"])
@pytest.mark.parametrize("target, dtype", [("int", np.int32), ("uint", np.uint32), ("ll", np.int64), ("ull", np.uint64)])
@pytest.mark.parametrize("mode", list(TO_INT))
def test_float_to_integer(machine, source, target, dtype, mode):
    """Saturates, as casts do."""
    given = np.array([0.5, 1.5, 2.5, 2.4, 100.9, 3.1, -7.5, 1e30], np.float32 if source == "float" else np.float64)
    limits = np.iinfo(dtype)
    expected = [min(max(int(TO_INT[mode](float(v))), limits.min), limits.max) for v in given]
    machine.check(f"i = tl.arange(0, 8)\ntl.store(out + i, libdevice.{source}2{target}_{mode}(tl.load(x + i)))", {"out": np.array(expected, dtype)},
                  {"x": given}, head=HEAD)


def rounded(exact, mode):
    """A fraction as fp32: to zero, down or up."""
    from fractions import Fraction
    near = np.float32(float(exact))
    if mode == "rn" or not np.isfinite(near):
        return near
    back = Fraction(float(near))
    down = np.nextafter(near, np.float32(-np.inf)) if back > exact else near
    up = np.nextafter(near, np.float32(np.inf)) if back < exact else near
    return {"rd": down, "ru": up, "rz": down if exact > 0 else up}[mode]


P = np.array([1, 0.1, -0.3, 1e10, 16777216, -1e-20, 3.5, 7], np.float32)
Q = np.array([1e-20, 0.7, 0.9, -3, 1, 1e-21, -2.25, 3], np.float32)


@pytest.mark.parametrize("mode", ["rn", "rz", "rd", "ru"])
@pytest.mark.parametrize("name", ["add", "sub", "mul", "div"])
def test_stated_rounding(machine, name, mode):
    from fractions import Fraction
    apply = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b}[name]
    expected = [rounded(apply(Fraction(float(p)), Fraction(float(q))), mode) for p, q in zip(P, Q)]
    machine.check(f"i = tl.arange(0, 8)\ntl.store(out + i, libdevice.{name}_{mode}(tl.load(x + i), tl.load(y + i)))",
                  {"out": np.array(expected, np.float32)}, {"x": P, "y": Q}, head=HEAD)


@pytest.mark.parametrize("mode", ["rn", "rz", "rd", "ru"])
def test_stated_rounding_of_others(machine, mode):
    from fractions import Fraction
    v = np.array([2, 3, 0.1, 10], np.float32)

    def root(value):
        digits = 10**60
        return Fraction(math.isqrt(int(Fraction(float(value)) * digits**2)), digits)

    def exact_root(value):
        found = root(value)
        return found if found * found == Fraction(float(value)) else found + Fraction(1, 10**61)

    expected = [[rounded(exact_root(a), mode) for a in v], [rounded(1 / Fraction(float(a)), mode) for a in v],
                [rounded(Fraction(float(a)) * Fraction(float(a)) + Fraction(float(np.float32(0.3))), mode) for a in v]]
    machine.check(f"""
        i = tl.arange(0, 4)
        a = tl.load(x + i)
        tl.store(out + i, libdevice.sqrt_{mode}(a))
        tl.store(out + 4 + i, libdevice.rcp_{mode}(a))
        tl.store(out + 8 + i, libdevice.fma_{mode}(a, a, 0.3))
        """, {"out": np.array(expected, np.float32)}, {"x": v}, head=HEAD)


@pytest.mark.parametrize("mode", ["rn", "rz", "rd", "ru"])
@pytest.mark.parametrize("name, dtype", [("int", np.int32), ("uint", np.uint32), ("ll", np.int64), ("ull", np.uint64)])
def test_integer_to_float(machine, name, dtype, mode):
    from fractions import Fraction
    limits = np.iinfo(dtype)
    given = np.array([0, 1, 16777217, 33554435, limits.max, limits.max - 1, limits.min, 123456789], dtype)
    expected = [rounded(Fraction(int(v)), mode) if int(v) else np.float32(0) for v in given]
    machine.check(f"i = tl.arange(0, 8)\ntl.store(out + i, libdevice.{name}2float_{mode}(tl.load(x + i)))", {"out": np.array(expected, np.float32)},
                  {"x": given}, head=HEAD)


@pytest.mark.parametrize("mode", ["rn", "rz", "rd", "ru"])
@pytest.mark.parametrize("name, dtype", [("ll", np.int64), ("ull", np.uint64)])
def test_integer_to_double(machine, name, dtype, mode):
    """The neighbours in fp64 of the exact integer, computed with Python's integers."""
    limits = np.iinfo(dtype)
    given = np.array([0, 2**53 + 1, 2**54 + 3, limits.max, limits.max - 1, limits.min, limits.min + 1, 123456789], dtype)

    def directed(value):
        near = float(value)
        aim = {"rz": -1 if value > 0 else 1, "rd": -1, "ru": 1, "rn": 0}[mode]
        # Nearest, then one step where it lies on the wrong side.
        return math.nextafter(near, aim * math.inf) if (int(near) - value) * aim < 0 else near

    expected = [directed(int(value)) for value in given]
    machine.check(f"i = tl.arange(0, 8)\ntl.store(out + i, libdevice.{name}2double_{mode}(tl.load(x + i)))",
                  {"out": np.array(expected, np.float64)}, {"x": given}, head=HEAD)


def test_saturatef_and_llround(machine):
    unary(machine, "saturatef", [0.5, -1, 2, np.nan], [0.5, 0, 1, 0], 0)
    machine.check("i = tl.arange(0, 4)\ntl.store(out + i, libdevice.llround(tl.load(x + i)))", {"out": np.array([1, 3, -3, 2])},
                  {"x": np.array([0.5, 2.5, -2.5, 1.6], np.float32)}, head=HEAD)
