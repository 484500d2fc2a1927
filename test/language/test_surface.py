"""Every name of the language that the other tables do not use: it exists and means what it should."""
import math

import numpy as np
import pytest

from dtypes import NUMPY
from test_reductions import places

X = np.array([0.5, 1.0, 2.25, 3.0, -0.75, -2.5, 4.0, 7.5], np.float32)
LOAD = "i = tl.arange(0, 8)\na = tl.load(x + i)\n"


def each(function):
    return lambda v: np.array([function(float(value)) for value in v])


def integrated(value, steps=4000):
    """(J0, J1) by their integrals, Simpson's rule."""
    t = np.linspace(0, np.pi, 2 * steps + 1)
    weight = np.ones_like(t)
    weight[1:-1:2], weight[2:-1:2] = 4, 2
    scale = np.pi / (2 * steps) / 3 / np.pi
    return scale * (weight * np.cos(value * np.sin(t))).sum(), scale * (weight * np.cos(t - value * np.sin(t))).sum()


# Functions of libdevice on floats: name -> (reference, inputs, allowed ulp).
FUNCTIONS = {
    "fast_expf": (np.exp, X, 64), "fast_logf": (np.log, np.abs(X), 64), "fast_sinf": (np.sin, X, 64), "fast_cosf": (np.cos, X, 64),
    "erf": (each(math.erf), X, 2), "erfc": (each(math.erfc), X, 2), "lgamma": (each(math.lgamma), np.abs(X) + 0.1, 4),
    "rsqrt": (lambda v: 1 / np.sqrt(v), np.abs(X), 2), "exp": (np.exp, X, 2), "exp2": (np.exp2, X, 2), "exp10": (lambda v: 10.0**v, X, 2), "log": (np.log, np.abs(X), 2),
    "log2": (np.log2, np.abs(X), 2), "log10": (np.log10, np.abs(X), 2), "sqrt": (np.sqrt, np.abs(X), 2), "floor": (np.floor, X, 0), "ceil": (np.ceil, X, 0),
    "nearbyint": (np.rint, X, 0), "rint": (np.rint, X, 0), "asinh": (np.arcsinh, X, 2), "acosh": (np.arccosh, np.abs(X) + 1, 2), "atanh": (np.arctanh, X / 8, 2),
    "fabs": (np.abs, X, 0), "abs": (np.abs, X, 0), "sin": (np.sin, X, 2), "cos": (np.cos, X, 2), "j0": (each(lambda v: integrated(v)[0]), X, 64),
    "j1": (each(lambda v: integrated(v)[1]), X, 64), "erfinv": (None, np.array([-0.9, -0.5, -0.1, 0, 0.1, 0.3, 0.5, 0.9], np.float32), 8),
    "erfcx": (each(lambda v: math.exp(v * v) * math.erfc(v)), np.abs(X) / 4, 8), "trunc": (np.trunc, X, 0), "tan": (np.tan, X, 2)
}


def inverse_erf(value):
    low, high = -4.0, 4.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erf(middle) < value else (low, middle)
    return low


@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_libdevice_function(machine, name):
    function, points, ulps = FUNCTIONS[name]
    expected = each(inverse_erf)(points) if function is None else function(points.astype(np.float64))
    if name == "erfinv":
        expected[3] = 0
    machine.check(LOAD + f"tl.store(out + i, libdevice.{name}(a))", {"out": expected.astype(np.float32)}, {"x": points}, ulps=ulps,
                  head="from tilewright.language.extra import libdevice")


SPECIAL = np.array([np.nan, np.inf, -np.inf, 0, 1, -1, 1e-42, 3e38], np.float32)


@pytest.mark.parametrize("name, function", [("isnan", np.isnan), ("isinf", np.isinf), ("finitef", np.isfinite), ("signbit", np.signbit)])
def test_libdevice_query(machine, name, function):
    machine.check(LOAD + f"tl.store(out + i, libdevice.{name}(a) != 0)", {"out": function(SPECIAL)}, {"x": SPECIAL}, head="from tilewright.language.extra import libdevice")


def test_isfinited(machine):
    machine.check(LOAD + "tl.store(out + i, libdevice.isfinited(a) != 0)", {"out": np.isfinite(SPECIAL)}, {"x": SPECIAL.astype(np.float64)},
                  head="from tilewright.language.extra import libdevice")


PAIRS = {"fast_dividef": (np.divide, 64), "div_rn": (np.divide, 0), "nextafter": (None, 0), "fmin": (np.fmin, 0), "fmax": (np.fmax, 0), "pow": (np.power, 2),
         "fast_powf": (np.power, 64)}


@pytest.mark.parametrize("name", list(PAIRS))
def test_libdevice_pair(machine, name):
    function, ulps = PAIRS[name]
    a, b = np.abs(X), X[::-1].copy()
    expected = np.nextafter(a, b) if function is None else function(a.astype(np.float64), b.astype(np.float64)).astype(np.float32)
    machine.check(LOAD + f"tl.store(out + i, libdevice.{name}(a, tl.load(y + i)))", {"out": expected}, {"x": a, "y": b}, ulps=ulps,
                  head="from tilewright.language.extra import libdevice")


@pytest.mark.parametrize("name, function, result", [
    ("ffs", lambda v: [(int(k) & -int(k)).bit_length() for k in v], "int32"), ("clz", lambda v: [32 - (int(k) & 0xFFFFFFFF).bit_length() for k in v], "int32"),
    ("popc", lambda v: [bin(int(k) & 0xFFFFFFFF).count("1") for k in v], "int32"), ("abs", np.abs, "int32")])
def test_libdevice_integers(machine, name, function, result):
    a = np.array([0, 1, -1, 8, 12, 2**30, -2**31 + 1, 255], np.int32)
    machine.check(LOAD + f"tl.store(out + i, libdevice.{name}(a))", {"out": np.array(function(a), NUMPY[result])}, {"x": a},
                  head="from tilewright.language.extra import libdevice")


@pytest.mark.parametrize("name", ["llrint", "float2int_rn"])
def test_libdevice_to_integers(machine, name):
    a = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 3.2, -3.7, 100.5], np.float32)
    machine.check(LOAD + f"tl.store(out + i, libdevice.{name}(a).to(tl.int64))", {"out": np.rint(a).astype(np.int64)}, {"x": a},
                  head="from tilewright.language.extra import libdevice")


INTS = np.array([3, -5, 2**31 - 1, -2**31, 0, 7, 100, -1], np.int32)
with np.errstate(all="ignore"):
    EXPRESSIONS = {
        "tl.add(a, 1, sanitize_overflow=False)": INTS + np.int32(1), "tl.sub(a, 1, sanitize_overflow=False)": INTS - np.int32(1),
        "tl.mul(a, 3, sanitize_overflow=False)": INTS * np.int32(3), "tl.add(a, a)": INTS + INTS,
        "tl.umulhi(a.to(tl.uint32, bitcast=True), 12345).to(tl.int32, bitcast=True)": ((INTS.view(np.uint32).astype(object) * 12345) >> 32).astype(np.int64).astype(np.int32),
        "tl.cast(a, tl.int64).to(tl.int32)": INTS, "tl.cast(a, dtype=tl.float64).to(tl.int32)": INTS, "tl.multiple_of(a, 1)": INTS, "tl.max_contiguous(a, 1)": INTS,
        "tl.max_constancy(a, 1)": INTS, "a.abs() * 0 + 1": np.ones(8, np.int32), "tl.view(a, (8,))": INTS, "a.view(8)": INTS, "tl.ravel(tl.reshape(a, (2, 4)))": INTS,
        "tl.squeeze(tl.expand_dims(a, 0), 0)": INTS, "tl.squeeze(tl.unsqueeze(a, 1), 1)": INTS, "tl.zeros_like(a)": INTS * 0, "max(a, 0)": np.maximum(INTS, 0),
        "min(a, 0)": np.minimum(INTS, 0), "a + tl.reduce_or(i, 0)": INTS + np.int32(7), "tl.bitonic_merge(i)": np.arange(8, dtype=np.int32),
        "a if a.shape[0] == 8 else i": INTS, "a.to(tl.get_int_dtype(32, signed=True))": INTS, "a + tl.cdiv(7, 2)": INTS + np.int32(4),
        "tl.where(a > 0, a, 0).cumsum(0) * 0": INTS * 0, "a.sum(0) - tl.sum(a, 0) + a": INTS, "a.argmax(0) + i * 0": np.full(8, 2, np.int32),
        "tl.broadcast_to(a.max(axis=0), (8,))": np.full(8, 2**31 - 1, np.int32)
    }


@pytest.mark.parametrize("text", list(EXPRESSIONS))
def test_expression(machine, text):
    machine.check(LOAD + f"tl.store(out + i, {text})", {"out": EXPRESSIONS[text].astype(np.int32)}, {"x": INTS})


STATEMENTS = ["tl.debug_barrier()", "tl.assume(n > 3)", "tl.static_print('x', n)", "tl.device_print('x', n)", "tl.device_assert(n > 3, 'small')", "tl.static_assert(True)",
              "tl.static_assert(1 == 1, 'text')", "tl.extra.cuda.gdc_wait()", "tl.extra.cuda.gdc_launch_dependents()", "assert n > 3", "print('x')", "'text'"]


@pytest.mark.parametrize("text", STATEMENTS)
def test_statement(machine, text):
    """Statements without a value change nothing."""
    machine.check(f"{text}\ni = tl.arange(0, 8)\n{text}\ntl.store(out + i, i)", {"out": np.arange(8, dtype=np.int32)}, {"n": 5})


def test_item(machine):
    machine.check("v = tl.load(x + tl.zeros((1,), tl.int32))\ntl.store(out, v.item() + 1)", {"out": np.array([8], np.int32)}, {"x": np.array([7], np.int32)})


def test_helpers_of_sorting_code(machine):
    machine.check("A: tl.constexpr = tl._log2(64)\nT: tl.constexpr = tl.dtype('fp16')\ntl.static_assert(T == tl.float16)\ntl.store(out, A)",
                  {"out": np.array([6], np.int32)})


def test_descriptor_gather_and_scatter(machine):
    a = np.arange(32 * 16, dtype=np.float32).reshape(32, 16)
    rows = np.array([3, 0, 31, 7, 7, 12, 1, 30], np.int32)
    machine.check(f"""
        d = tl.make_tensor_descriptor(x, [32, 16], [16, 1], [1, 8])
        e = tl.make_tensor_descriptor(y, [32, 16], [16, 1], [1, 8])
        v = d.gather(tl.load(r + tl.arange(0, 8)), 8)
        tl.store(out + {places((8, 8))}, v)
        e.scatter(v, tl.load(r + tl.arange(0, 8)), 0)
        """, {"out": a[rows, 8:], "y": _scattered(a, rows)}, {"x": a, "r": rows}, initial={"y": np.zeros((32, 16), np.float32)})


def _scattered(a, rows):
    result = np.zeros_like(a)
    result[rows, :8] = a[rows, 8:]
    return result


@pytest.mark.parametrize("name, function", [("atomic_add", np.add), ("atomic_max", np.maximum), ("atomic_min", np.minimum), ("atomic_and", np.bitwise_and),
                                            ("atomic_or", np.bitwise_or), ("atomic_xor", np.bitwise_xor)])
def test_descriptor_atomics(machine, name, function):
    a, b = np.arange(128, dtype=np.int32).reshape(8, 16), np.arange(128, dtype=np.int32)[::-1].reshape(8, 16).copy()
    machine.check(f"d = tl.make_tensor_descriptor(out, [8, 16], [16, 1], [8, 16])\nd.{name}([0, 0], tl.load(x + {places((8, 16))}))",
                  {"out": function(a, b)}, {"x": b}, initial={"out": a})


def test_target(machine):
    """The target is a constant: other targets' branches are never typed."""
    machine.check("""
        if tl.target.vendor == "nowhere":
            tl.store(out, missing)
        else:
            tl.store(out, 1)
        """, {"out": np.array([1], np.int32)})


@pytest.mark.parametrize("warps", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("option", [{}, {"num_stages": 1}, {"num_ctas": 1}, {"maxnreg": 128}, {"waves_per_eu": 2}, {"debug": True}, {"math": "portable"}, {"math": "fast"}])
def test_launch_options(machine, warps, option):
    a = np.arange(256, dtype=np.float32)
    machine.check("i = tl.arange(0, 256)\na = tl.load(x + i)\ntl.store(out + i, a * 2 + tl.sum(a, 0))", {"out": a * 2 + a.sum()}, {"x": a}, num_warps=warps, **option)


def test_float8e4b15(machine):
    """The old fp8 type with a bias of 15; numbers that it holds come back."""
    a = np.array([1, -0.5, 1.5, 0.25, 0, 0.75, -1.25, 1.875], np.float32)
    machine.check(LOAD + "tl.store(out + i, a.to(tl.float8e4b15).to(tl.float32))", {"out": a}, {"x": a})


MAPPED = """
import tilewright as tw
@tw.jit
def collatz(x, n, limit):
    steps = 0
    for k in range(limit):
        if x > 1:
            if x % 2 == 0:
                x = x // 2
            else:
                x = 3 * x + 1
            steps += 1
    if n < 0:
        return -steps, 0.5
    if steps == 0:
        return 100, 1.5
    return steps, tl.sigmoid(x * 0.0)
"""


@pytest.mark.parametrize("n", [-1, 1])
def test_map_elementwise_branches(machine, n):
    """Branches, early returns and loops mean for an element what they mean for a scalar."""
    x = np.array([1, 2, 3, 4, 5, 6, 7, 27], np.int32)
    steps = np.array([0, 1, 7, 2, 5, 8, 16, 20], np.int32)
    real = np.full(8, 0.5, np.float32)
    if n > 0:
        steps[0], real[0] = 100, 1.5
    machine.check("""
        i = tl.arange(0, 8)
        s, r = tl.map_elementwise(collatz, tl.load(x + i), n, limit)
        tl.static_assert(s.dtype == tl.int32 and r.dtype == tl.float32)
        tl.store(out + i, s)
        tl.store(real + i, r)
        """, {"out": steps if n > 0 else -steps, "real": real}, {"x": x, "n": n, "limit": 20}, head=MAPPED)


def test_map_elementwise_pack(machine):
    """Consecutive elements along the last dimension are arguments of one call; scalars stay scalars."""
    x = np.array([[3, 1, 4, 1], [5, 9, 2, 6]], np.float32)
    scale = np.array([[2], [1]], np.float32)
    a, b = x[:, ::2], x[:, 1::2]
    first = np.stack([np.minimum(a, b), np.maximum(a, b)], -1).reshape(2, 4) * scale
    second = np.array([[3, 0, 4, 0], [9, 0, 6, 0]], np.float32)
    machine.check("""
        i = tl.arange(0, 2)[:, None] * 4 + tl.arange(0, 4)
        a = tl.load(x + i)
        low, third = tl.map_elementwise(pairs, a, tl.load(y + tl.arange(0, 2)[:, None]), pack=2)
        tl.store(first + i, low)
        tl.store(second + i, third)
        """, {"first": first, "second": second}, {"x": x, "y": scale.ravel()}, head="""
import tilewright as tw
@tw.jit
def pairs(a, b, s, t):
    low, high = (a, b) if a < b else (b, a)
    return low * s, high * t, a if s > 1 else b, 0.0
""")


def test_map_elementwise_of_four(machine):
    x = np.arange(16, dtype=np.int32)
    machine.check("""
        i = tl.arange(0, 16)
        a, b = tl.map_elementwise(lambda p, q, r, s: (s, r, q, p, p + q, q + r, r + s, s + p), tl.load(x + i), pack=4)
        tl.store(out + i, a)
        tl.store(sums + i, b)
        """, {"out": x.reshape(4, 4)[:, ::-1].ravel(),
              "sums": (x.reshape(4, 4) + np.roll(x.reshape(4, 4), -1, 1)).ravel()}, {"x": x})


def test_map_elementwise_refusals(machine):
    body = "r = tl.map_elementwise(f, tl.load(x + tl.arange(0, 4)){})"
    for text, rest, code in (("lambda v: v", ", pack=3", 2235), ("lambda v: v", ", pack=8", 2235), ("lambda v, w: v", ", pack=2", 2235),
                             ("lambda v: tl.sum(tl.arange(0, 4) + v)", "", 2237), ("lambda v: tl.load(p + v)", "", 2237)):
        machine.refuse(body.replace("f,", f"{text.replace('p +', 'x +')},").format(rest), code, 1, "x:*i32")
