"""cpu and spirv against the reference: operators, functions and casts over edge values and random bits of every element type."""
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from agreement import FP8, NUMPY, agree, column, crossed, distance, kind, launch  # noqa: E402, F401
from dtypes import FLOATS, NUMBERS, SIGNED, promoted  # noqa: E402

EVERY = ["int1", *NUMBERS, *FP8]
HEAD = "from tilewright.language.extra import libdevice"


@pytest.fixture(autouse=True)
def quiet():
    """NaN and infinity are meant."""
    with np.errstate(all="ignore"):
        yield


EXACT_UNARY = ["abs", "floor", "ceil", "sqrt_rn", "trunc", "rint", "round"]
UNARY = ["exp", "exp2", "log", "log2", "sin", "cos", "sqrt", "rsqrt", "erf", "tanh", "log1p", "expm1", "asin", "acos", "atan", "sinh",
         "cosh", "tan", "cbrt", "asinh", "acosh", "atanh", "log10", "erfc", "exp10"]
IN_LANGUAGE = {"exp", "exp2", "log", "log2", "sin", "cos", "sqrt", "sqrt_rn", "rsqrt", "erf", "floor", "ceil", "abs"}


def spelled(name):
    """A function by the name it has in kernels."""
    return f"tl.{name}" if name in IN_LANGUAGE else f"libdevice.{name}"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", [*EXACT_UNARY, *UNARY])
def test_function(agree, name, dtype):
    """Functions of one number; those of EXACT_UNARY are equal in every mode."""
    if (name, dtype) == ("sqrt_rn", "float64"):
        pytest.skip("sqrt_rn takes fp32 only (rule L1)")
    x = column(dtype, 1024, 1)
    agree(f"i = tl.arange(0, 1024)\ntl.store(out + i, {spelled(name)}(tl.load(x + i)))", {"x": x}, {"out": (dtype, 1024)},
          ulps=0 if name in EXACT_UNARY else 2, head=HEAD)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["pow", "atan2", "fmod", "copysign"])
def test_function_of_two(agree, name, dtype):
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
def test_operators(agree, left, right):
    """All operators of two types: one rounding each, or none, so that every mode gives the same bits; the quotient of
    `accurate` may be off by 2 ulp."""
    x, y = crossed(left, right, 1024, 3)
    rows = operators(left, right)
    agree(stores([expression for expression, _ in rows]), {"x": x, "y": y},
          {f"out{k}": (dtype, 1024) for k, (_, dtype) in enumerate(rows)}, ulps=0)


@pytest.mark.parametrize("dtype", FP8)
def test_small_floats(agree, dtype):
    """Arithmetic of fp8 with itself: in fp32, rounded."""
    x, y = crossed(dtype, dtype, 1024, 4)
    rows = [*(f"a {operator} b" for operator in "+-*"), "-a", "tl.abs(a)", "tl.where(a < b, a, b)"]
    agree(stores(rows), {"x": x, "y": y}, {f"out{k}": (dtype, 1024) for k in range(len(rows))})


@pytest.mark.parametrize("dtype", FLOATS)
def test_functions_of_three(agree, dtype):
    """One rounding in fma; clamp rounds nothing."""
    x, y = crossed(dtype, dtype, 1024, 5)
    z = column(dtype, 1024, 6)
    result = "float32" if dtype == "bfloat16" else dtype
    text = "c = tl.load(z + i)\ntl.store(fused + i, tl.fma(a, b, c))\ntl.store(bounded + i, tl.clamp(a, tl.minimum(b, c).to(a.dtype), tl.maximum(b, c).to(a.dtype)))"
    agree(stores([]) + text, {"x": x, "y": y, "z": z}, {"fused": (dtype, 1024), "bounded": (result, 1024)})


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64"])
def test_high_product(agree, dtype):
    x, y = crossed(dtype, dtype, 1024, 7)
    agree(stores(["tl.umulhi(a, b)"]), {"x": x, "y": y}, {"out0": (dtype, 1024)})


def test_contraction_of_portable_is_none(agree):
    """a * b + c rounds twice in portable."""
    x, y = crossed("float32", "float32", 1024, 8)
    z = column("float32", 1024, 9)
    agree(stores([]) + "c = tl.load(z + i)\ntl.store(p + i, a * b + c)\ntl.store(q + i, a * b - b * c)\ntl.store(r + i, a / b + c * a)",
          {"x": x, "y": y, "z": z}, {name: ("float32", 1024) for name in "pqr"}, modes=("portable",))


# --- Casts ------------------------------------------------------------------


@pytest.mark.parametrize("source", EVERY)
def test_casts(agree, source):
    """From one type to all others; with both roundings where the target is a smaller float."""
    x = column(source, 1024, 10)
    rows = [(f"a.to(tl.{target})", target) for target in EVERY]
    if kind(source) == 2:
        rows += [(f'a.to(tl.{target}, fp_downcast_rounding="rtz")', target) for target in [*FLOATS, *FP8]
                 if NUMPY[target].itemsize < NUMPY[source].itemsize]
    text = "i = tl.arange(0, 1024)\na = tl.load(x + i)\n" + "".join(f"tl.store(out{k} + i, {row})\n" for k, (row, _) in enumerate(rows))
    agree(text, {"x": x}, {f"out{k}": (target, 1024) for k, (_, target) in enumerate(rows)})


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
