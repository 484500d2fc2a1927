"""The cpu target against the reference, operation by operation, over edge values and random bits of every element type.

`portable` has to give the same bits (NaN is NaN); `accurate` at most 2 ulp an operation, and the same bits where one
rounding defines the result; `fast` the bounds stated beside it.
"""
import pathlib
import sys

import numpy as np
import pytest

import tilewright as tw

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "language"))
from dtypes import FLOATS, FP8, INTS, NUMBERS, NUMPY, SIGNED, UNSIGNED, kind, limits, promoted, width  # noqa: E402
from runner import compare_bytes, distance, kernel  # noqa: E402

EVERY = ["int1", *NUMBERS, *FP8]
HEAD = "from tilewright.language.extra import libdevice"


@pytest.fixture(autouse=True)
def quiet():
    """NaN and infinity are meant."""
    with np.errstate(all="ignore"):
        yield


# --- Values -----------------------------------------------------------------


def edges(dtype):
    """Values at which formats, roundings and branches of formulas change."""
    if dtype == "int1":
        return np.array([False, True])
    if kind(dtype) == 1:
        low, high = limits(dtype)
        values = {0, 1, 2, 3, 7, 100, low, low + 1, high, high - 1, high // 2, high // 2 + 1}
        values |= {-value for value in values if low <= -value <= high}
        return np.array(sorted(values), dtype=object).astype(NUMPY[dtype])
    info = np.finfo(NUMPY[dtype]) if dtype in ("float16", "float32", "float64") else __import__("ml_dtypes").finfo(NUMPY[dtype])
    tiny, small, high, step = (float(v) for v in (info.smallest_subnormal, info.smallest_normal, info.max, info.eps))
    values = [0.0, tiny, 3 * tiny, small - tiny, small, high, high / 2, 1, 1 - step / 2, 1 + step, 0.5, 1.5, 2, 2.5, 3, 0.7071, 0.69314,
              1.5707964, 3.1415927, 10, 88.5, 100.25, 127.5, 255, 65504, 1e5, 2.0**31, 2.0**32, 2.0**63, 1e-3, 1e-8, 1e30, 1e-40]
    values = np.array([*values, *(-v for v in values), np.inf, -np.inf, np.nan])
    return np.minimum(np.abs(values), high).astype(NUMPY[dtype]) * np.sign(values).astype(NUMPY[dtype]) if dtype in FP8 else values.astype(NUMPY[dtype])


def anything(dtype, count, seed):
    """Random bits, and for floats as many values near one."""
    rng = np.random.default_rng(seed)
    if dtype == "int1":
        return rng.integers(0, 2, count).astype(bool)
    values = rng.integers(0, 256, count * NUMPY[dtype].itemsize, dtype=np.uint8).view(NUMPY[dtype])
    if kind(dtype) == 2:
        values[::2] = (rng.standard_normal(count) * 8).astype(NUMPY[dtype])[::2]
    return values.copy()


def column(dtype, count, seed=0):
    """Edges first, then anything."""
    values = anything(dtype, count, seed)
    first = edges(dtype)[:count]
    values[:len(first)] = first
    return values


def crossed(left, right, count, seed=0):
    """Two columns: every edge with every edge, as far as they go, then anything."""
    a, b = anything(left, count, seed), anything(right, count, seed + 1)
    p, q = edges(left), edges(right)
    rows = np.random.default_rng(seed).permutation(len(p) * len(q))[:count * 3 // 4]
    a[:len(rows)], b[:len(rows)] = p[rows // len(q)], q[rows % len(q)]
    return a, b


# --- Launches ---------------------------------------------------------------


def launch(body, inputs, outputs, target, mode, constants=None, head=""):
    """Arrays that a kernel of given text writes."""
    function = kernel(body, [*inputs, *outputs], constants or {}, head)
    held = {name: np.zeros(shape, NUMPY[dtype]) for name, (dtype, shape) in outputs.items()}
    function[(1,)](**inputs, **held, **(constants or {}), target=target, math=mode)
    return held


def agree(body, inputs, outputs, ulps=0, modes=("portable", "accurate"), head="", bound=None):
    """Launches on both targets in both modes. `ulps` is what `accurate` may be off; with `bound`, an array, it may be
    off by that much."""
    for mode in modes:
        want, got = (launch(body, inputs, outputs, target, mode, head=head) for target in ("reference", "cpu"))
        for name, (dtype, _) in outputs.items():
            context = f"{name}, {mode}"
            if mode == "portable" or kind(dtype) < 2 or (ulps == 0 and bound is None):
                compare_bytes(got[name], want[name], context)
            elif bound is not None:
                within(got[name], want[name], bound, context)
            else:
                steps = distance(got[name], want[name])
                worst = np.unravel_index(np.argmax(steps), steps.shape)
                at = {key: value[worst] for key, value in inputs.items() if value.shape == steps.shape}
                assert steps.max() <= ulps, f"{context}: {got[name][worst]!r} is {steps.max()} ulp from {want[name][worst]!r} at {at}"


def within(got, want, bound, context):
    """Asserts a distance; where the bound is not finite, overflow may come earlier or later."""
    got, want = got.astype(np.float64), want.astype(np.float64)
    fine = (np.abs(got - want) <= bound) | (got == want) | (np.isnan(got) & np.isnan(want)) | ~np.isfinite(bound)
    assert fine.all(), f"{context}: {got[~fine][:4]} is not {want[~fine][:4]} (within {np.broadcast_to(bound, got.shape)[~fine][:4]})"


# --- Elementwise ------------------------------------------------------------

EXACT_UNARY = ["abs", "floor", "ceil", "sqrt_rn", "trunc", "rint", "round"]
UNARY = ["exp", "exp2", "log", "log2", "sin", "cos", "sqrt", "rsqrt", "erf", "tanh", "log1p", "expm1", "asin", "acos", "atan", "sinh",
         "cosh", "tan", "cbrt", "asinh", "acosh", "atanh", "log10", "erfc", "exp10"]
IN_LANGUAGE = {"exp", "exp2", "log", "log2", "sin", "cos", "sqrt", "sqrt_rn", "rsqrt", "erf", "floor", "ceil", "abs"}


def spelled(name):
    """A function by the name it has in kernels."""
    return f"tl.{name}" if name in IN_LANGUAGE else f"libdevice.{name}"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", [*EXACT_UNARY, *UNARY])
def test_function(name, dtype):
    """Functions of one number; those of EXACT_UNARY are equal in every mode."""
    if (name, dtype) == ("sqrt_rn", "float64"):
        pytest.skip("sqrt_rn takes fp32 only (rule L1)")
    x = column(dtype, 1024, 1)
    agree(f"i = tl.arange(0, 1024)\ntl.store(out + i, {spelled(name)}(tl.load(x + i)))", {"x": x}, {"out": (dtype, 1024)},
          ulps=0 if name in EXACT_UNARY else 2, head=HEAD)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["pow", "atan2", "fmod", "copysign"])
def test_function_of_two(name, dtype):
    x, y = crossed(dtype, dtype, 2048, 2)
    agree(f"i = tl.arange(0, 2048)\ntl.store(out + i, libdevice.{name}(tl.load(x + i), tl.load(y + i)))", {"x": x, "y": y},
          {"out": (dtype, 2048)}, ulps=2 if name in ("pow", "atan2") else 0, head=HEAD)


def stores(expressions):
    """Text that stores one tile for each expression of a and b."""
    text = "i = tl.arange(0, 1024)\na, b = tl.load(x + i), tl.load(y + i)\n"
    return text + "".join(f"tl.store(out{k} + i, {expression})\n" for k, expression in enumerate(expressions))


def operators(left, right):
    """(expression, result type) of the operators that two types have."""
    result = promoted(left, right)
    rows = [(f"a {operator} b", result) for operator in "+-*"]
    if not (kind(left) == kind(right) == 1 and (left in SIGNED) != (right in SIGNED)):
        rows.append(("a / b", "float64" if result == "float64" else "float32"))
        if kind(result) == 1:
            rows += [("a // b", result), ("a % b", result)]
        else:
            rows.append(("a % b", result if result == "float64" else "float32"))
    if kind(left) == kind(right) == 1:
        rows += [(f"a {operator} b", result) for operator in ("&", "|", "^", "<<", ">>")]
    rows += [(f"a {operator} b", "int1") for operator in ("==", "!=", "<", "<=", ">", ">=")]
    extreme = "float32" if result == "bfloat16" else result
    rows += [(f"tl.{name}(a, b)", extreme) for name in ("minimum", "maximum")]
    if kind(result) == 2:
        rows += [(f"tl.{name}(a, b, propagate_nan=tl.PropagateNan.ALL)", extreme) for name in ("minimum", "maximum")]
    return [*rows, ("tl.where(a < b, a, b)", result), ("-a", left)]


@pytest.mark.parametrize("left, right", [pytest.param(a, b, id=f"{a}-{b}") for a in NUMBERS for b in NUMBERS])
def test_operators(left, right):
    """All operators of two types: one rounding each, or none, so that every mode gives the same bits; the quotient of
    `accurate` may be off by 2 ulp."""
    x, y = crossed(left, right, 1024, 3)
    rows = operators(left, right)
    agree(stores([expression for expression, _ in rows]), {"x": x, "y": y},
          {f"out{k}": (dtype, 1024) for k, (_, dtype) in enumerate(rows)}, ulps=0)


@pytest.mark.parametrize("dtype", FP8)
def test_small_floats(dtype):
    """Arithmetic of fp8 with itself: in fp32, rounded."""
    x, y = crossed(dtype, dtype, 1024, 4)
    rows = [*(f"a {operator} b" for operator in "+-*"), "-a", "tl.abs(a)", "tl.where(a < b, a, b)"]
    agree(stores(rows), {"x": x, "y": y}, {f"out{k}": (dtype, 1024) for k in range(len(rows))})


@pytest.mark.parametrize("dtype", FLOATS)
def test_functions_of_three(dtype):
    """One rounding in fma; clamp rounds nothing."""
    x, y = crossed(dtype, dtype, 1024, 5)
    z = column(dtype, 1024, 6)
    result = "float32" if dtype == "bfloat16" else dtype
    text = "c = tl.load(z + i)\ntl.store(fused + i, tl.fma(a, b, c))\ntl.store(bounded + i, tl.clamp(a, tl.minimum(b, c).to(a.dtype), tl.maximum(b, c).to(a.dtype)))"
    agree(stores([]) + text, {"x": x, "y": y, "z": z}, {"fused": (dtype, 1024), "bounded": (result, 1024)})


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64"])
def test_high_product(dtype):
    x, y = crossed(dtype, dtype, 1024, 7)
    agree(stores(["tl.umulhi(a, b)"]), {"x": x, "y": y}, {"out0": (dtype, 1024)})


def test_contraction_of_portable_is_none():
    """a * b + c rounds twice in portable."""
    x, y = crossed("float32", "float32", 1024, 8)
    z = column("float32", 1024, 9)
    agree(stores([]) + "c = tl.load(z + i)\ntl.store(p + i, a * b + c)\ntl.store(q + i, a * b - b * c)\ntl.store(r + i, a / b + c * a)",
          {"x": x, "y": y, "z": z}, {name: ("float32", 1024) for name in "pqr"}, modes=("portable",))


# --- Casts ------------------------------------------------------------------


@pytest.mark.parametrize("source", EVERY)
def test_casts(source):
    """From one type to all others; with both roundings where the target is a smaller float."""
    x = column(source, 1024, 10)
    rows = [(f"a.to(tl.{target})", target) for target in EVERY]
    if kind(source) == 2:
        rows += [(f'a.to(tl.{target}, fp_downcast_rounding="rtz")', target) for target in [*FLOATS, *FP8]
                 if NUMPY[target].itemsize < NUMPY[source].itemsize]
    text = "i = tl.arange(0, 1024)\na = tl.load(x + i)\n" + "".join(f"tl.store(out{k} + i, {row})\n" for k, (row, _) in enumerate(rows))
    agree(text, {"x": x}, {f"out{k}": (target, 1024) for k, (_, target) in enumerate(rows)})


# --- Reductions and scans ---------------------------------------------------

REDUCED = ["int8", "uint8", "int16", "int32", "uint32", "int64", *FLOATS]


def moderate(dtype, shape, seed):
    """Values whose sums stay finite."""
    rng = np.random.default_rng(seed)
    if kind(dtype) == 1:
        return anything(dtype, int(np.prod(shape)), seed).reshape(shape)
    return rng.standard_normal(shape).astype(NUMPY[dtype])


def sum_type(dtype):
    return dtype if kind(dtype) == 2 or width(dtype) >= 32 else "uint32" if dtype in UNSIGNED else "int32"


def extreme_type(dtype):
    return dtype if width(dtype) >= 32 else "float32" if kind(dtype) == 2 else "int32"


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("dtype", REDUCED)
def test_reductions(dtype, axis):
    """Sums have a stated order in portable; otherwise they are within the error of any order."""
    x = moderate(dtype, (32, 64), 11)
    kept = 64 if axis == 0 else 32
    text = ("p = tl.arange(0, 32)[:, None] * 64 + tl.arange(0, 64)[None, :]\na = tl.load(x + p)\nk = tl.arange(0, KEPT)\n"
            "tl.store(total + k, tl.sum(a, AXIS))\ntl.store(high + k, tl.max(a, AXIS))\ntl.store(low + k, tl.min(a, AXIS))\n"
            "tl.store(where + k, tl.argmax(a, AXIS))\ntl.store(other + k, tl.argmin(a, AXIS))\n"
            "tl.store(best + k, tl.reduce(a, AXIS, pick))\ntl.store(all + tl.arange(0, 1), tl.sum(a))\n").replace("AXIS", str(axis)).replace("KEPT", str(kept))
    head = "@tw.jit\ndef pick(p, q):\n    return tl.where((p * p < q * q) | ((p * p == q * q) & (p < q)), q, p)\n"
    outputs = {"total": (sum_type(dtype), kept), "high": (extreme_type(dtype), kept), "low": (extreme_type(dtype), kept),
               "where": ("int32", kept), "other": ("int32", kept), "best": (dtype, kept), "all": (sum_type(dtype), 1)}
    bound = None
    if kind(dtype) == 2:
        step = float(np.finfo(NUMPY[dtype]).eps) if dtype != "bfloat16" else 2.0**-7
        bound = step * np.abs(x.astype(np.float64)).sum()
    agree(text, {"x": x}, outputs, head=head, bound=bound)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("dtype", REDUCED)
def test_scans(dtype, axis, reverse):
    x = moderate(dtype, (32, 64), 12)
    result = "float32" if dtype == "bfloat16" else sum_type(dtype)
    text = ("p = tl.arange(0, 32)[:, None] * 64 + tl.arange(0, 64)[None, :]\na = tl.load(x + p)\n"
            f"tl.store(total + p, tl.cumsum(a, {axis}, reverse={reverse}))\n"
            f"tl.store(last + p, tl.associative_scan(a, {axis}, later, reverse={reverse}))\n")
    head = "@tw.jit\ndef later(p, q):\n    return tl.where(q > 0, q, p)\n"
    bound = None
    if kind(dtype) == 2:
        step = float(np.finfo(NUMPY[result]).eps)
        bound = step * np.abs(x.astype(np.float64)).sum()
    agree(text, {"x": x}, {"total": (result, (32, 64)), "last": (dtype, (32, 64))}, head=head, bound=bound)


@pytest.mark.parametrize("dtype", ["int32", "float16", "float32"])
def test_sort_and_histogram(dtype):
    x = moderate(dtype, 64, 13)
    agree("i = tl.arange(0, 64)\na = tl.load(x + i)\ntl.store(up + i, tl.sort(a))\ntl.store(down + i, tl.sort(a, descending=True))\n"
          "tl.store(count + tl.arange(0, 16), tl.histogram((a.to(tl.int32) & 15), 16))\n", {"x": x},
          {"up": (dtype, 64), "down": (dtype, 64), "count": ("int32", 16)})


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_softmax(dtype):
    """A composition: equal bits in portable, some ulp in accurate."""
    x = moderate(dtype, (16, 32), 14)
    agree("p = tl.arange(0, 16)[:, None] * 32 + tl.arange(0, 32)[None, :]\na = tl.load(x + p)\n"
          "tl.store(out + p, tl.softmax(a, 1))\ntl.store(gate + p, tl.sigmoid(a))\n", {"x": x},
          {"out": (dtype, (16, 32)), "gate": (dtype, (16, 32))}, ulps=12)


# --- Products ---------------------------------------------------------------

PRODUCTS = [("float16", "float16", "float32"), ("float16", "float16", "float16"), ("bfloat16", "bfloat16", "float32"),
            ("float32", "float32", "float32"), ("float64", "float64", "float64"), ("int8", "int8", "int32"),
            ("float8e4nv", "float8e4nv", "float32"), ("float8e5", "float8e4nv", "float32"), ("float8e5", "float8e5", "float16")]


@pytest.mark.parametrize("accumulates", [False, True])
@pytest.mark.parametrize("left, right, result", PRODUCTS)
def test_products(left, right, result, accumulates):
    """Products have a stated order in portable."""
    a, b, c = moderate(left, (16, 64), 15), moderate(right, (64, 32), 16), moderate(result, (16, 32), 17)
    a[0], a[1] = 0, (np.zeros(64) * -1).astype(a.dtype)  # zeros of both signs
    b[:, 0] = np.abs(b[:, 0].astype(np.float64)).astype(b.dtype)  # so that a whole sum is -0
    acc = ", tl.load(c + r)" if accumulates else ""
    text = ("p = tl.arange(0, 16)[:, None] * 64 + tl.arange(0, 64)[None, :]\nq = tl.arange(0, 64)[:, None] * 32 + tl.arange(0, 32)[None, :]\n"
            "r = tl.arange(0, 16)[:, None] * 32 + tl.arange(0, 32)[None, :]\n"
            f'tl.store(out + r, tl.dot(tl.load(a + p), tl.load(b + q){acc}, out_dtype=tl.{result}, input_precision="ieee"))\n')
    bound = None
    if kind(result) == 2:
        wide = [np.abs(values.astype(np.float64)) for values in (a, b, c)]
        step = float(np.finfo(NUMPY[result if result == "float64" else "float32"]).eps) * 64
        bound = step * (wide[0] @ wide[1] + wide[2]) + (np.abs(wide[0] @ wide[1] + wide[2]) * 2.0**-10 if result == "float16" else 0)
    agree(text, {"a": a, "b": b, "c": c}, {"out": (result, (16, 32))}, bound=bound)


@pytest.mark.parametrize("left, right", [("e4m3", "e5m2"), ("e2m1", "e2m1"), ("bf16", "e4m3"), ("fp16", "fp16")])
def test_scaled_products(left, right):
    """Portable: operand times scale rounded to fp32, then as every product."""
    rng = np.random.default_rng(18)
    types = {"e4m3": "float8e4nv", "e5m2": "float8e5", "bf16": "bfloat16", "fp16": "float16"}

    def operand(form, shape, packed):
        if form == "e2m1":
            return rng.integers(0, 256, packed).astype(np.uint8)
        return moderate(types[form], shape, 19)

    a, b = operand(left, (16, 64), (16, 32)), operand(right, (64, 32), (32, 32))
    scales = rng.integers(120, 132, (16, 2)).astype(np.uint8), rng.integers(120, 132, (32, 2)).astype(np.uint8)

    def places(shape):
        return f"tl.arange(0, {shape[0]})[:, None] * {shape[1]} + tl.arange(0, {shape[1]})[None, :]"

    text = (f'r = {places((16, 32))}\ntl.store(out + r, tl.dot_scaled(tl.load(a + {places(a.shape)}), tl.load(s + {places((16, 2))}), "{left}", '
            f'tl.load(b + {places(b.shape)}), tl.load(t + {places((32, 2))}), "{right}"))\n')
    agree(text, {"a": a, "b": b, "s": scales[0], "t": scales[1]}, {"out": ("float32", (16, 32))}, bound=np.full((16, 32), 0.05))


# --- Fast -------------------------------------------------------------------

#: ulp that `fast` may be off on numbers of ordinary size.
FAST = {"exp": 2, "exp2": 2, "log": 2, "log2": 2, "sin": 4, "cos": 4, "sqrt": 2, "rsqrt": 3, "erf": 4, "tanh": 4}


@pytest.mark.parametrize("name", list(FAST))
def test_fast_function(name):
    """`fast` on 1e-3 to 80: the bounds of the table."""
    x = np.geomspace(1e-3, 80, 1024).astype(np.float32)
    body = f"i = tl.arange(0, 1024)\ntl.store(out + i, {spelled(name)}(tl.load(x + i)))"
    want = launch(body, {"x": x}, {"out": ("float32", 1024)}, "reference", "accurate", head=HEAD)["out"]
    got = launch(body, {"x": x}, {"out": ("float32", 1024)}, "cpu", "fast", head=HEAD)["out"]
    assert distance(got, want).max() <= FAST[name]


def test_fast_arithmetic():
    """`fast` may contract and use reciprocals: within 4 ulp of the terms."""
    x, y = (np.random.default_rng(seed).uniform(0.5, 2, 1024).astype(np.float32) for seed in (20, 21))
    body = stores(["a * b + a", "a / b", "a - b * b"])
    outputs = {f"out{k}": ("float32", 1024) for k in range(3)}
    want = launch(body, {"x": x, "y": y}, outputs, "reference", "accurate")
    got = launch(body, {"x": x, "y": y}, outputs, "cpu", "fast")
    for name in outputs:
        np.testing.assert_allclose(got[name], want[name], rtol=0, atol=4 * 2.0**-22)
