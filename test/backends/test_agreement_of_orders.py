"""cpu and spirv against the reference: what depends on an order, which portable states: reductions, scans, matrix products."""
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from agreement import NUMPY, agree, kind, moderate  # noqa: E402, F401
from dtypes import FLOATS, UNSIGNED, width  # noqa: E402


@pytest.fixture(autouse=True)
def quiet():
    """NaN and infinity are meant."""
    with np.errstate(all="ignore"):
        yield


REDUCED = ["int8", "uint8", "int16", "int32", "uint32", "int64", *FLOATS]


def sum_type(dtype):
    return dtype if kind(dtype) == 2 or width(dtype) >= 32 else "uint32" if dtype in UNSIGNED else "int32"


def extreme_type(dtype):
    return dtype if width(dtype) >= 32 else "float32" if kind(dtype) == 2 else "int32"


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("dtype", REDUCED)
def test_reductions(agree, dtype, axis):
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
def test_scans(agree, dtype, axis, reverse):
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
def test_sort_and_histogram(agree, dtype):
    x = moderate(dtype, 64, 13)
    agree("i = tl.arange(0, 64)\na = tl.load(x + i)\ntl.store(up + i, tl.sort(a))\ntl.store(down + i, tl.sort(a, descending=True))\n"
          "tl.store(count + tl.arange(0, 16), tl.histogram((a.to(tl.int32) & 15), 16))\n", {"x": x},
          {"up": (dtype, 64), "down": (dtype, 64), "count": ("int32", 16)})


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_softmax(agree, dtype):
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
def test_products(agree, left, right, result, accumulates):
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
def test_scaled_products(agree, left, right):
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
