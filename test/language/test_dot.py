"""Matrix products: element type x shape x accumulator x result type, batches, scaled formats (rules I1 to I7)."""
import numpy as np
import pytest

from dtypes import NUMPY, kind, width
from test_reductions import places

SHAPES = [(16, 16, 16), (32, 64, 16), (16, 32, 64), (64, 128, 32), (128, 64, 128), (16, 256, 16)]
PAIRS = [("float16", "float16"), ("bfloat16", "bfloat16"), ("float32", "float32"), ("float64", "float64"), ("int8", "int8"),
         ("float8e4nv", "float8e4nv"), ("float8e5", "float8e5"), ("float8e4nv", "float8e5"),
         ("float8e5", "float8e4nv")]


def result_type(dtype):
    """Rule I4 (probe 22 for int8)."""
    return "int32" if kind(dtype) == 1 else "float64" if dtype == "float64" else "float32"


def matrix(dtype, shape, seed):
    """Whole numbers small enough that all sums are exact in fp32 and fp16."""
    return np.random.default_rng(seed).integers(-2, 3, shape).astype(NUMPY[dtype])


def product(a, b):
    return a.astype(np.float64) @ b.astype(np.float64)


def run(machine, shape, types, result, expression, batch=(), extra=None, ulps=0):
    m, k, n = shape
    a, b = matrix(types[0], (*batch, m, k), 1), matrix(types[1], (*batch, k, n), 2)
    expected = product(a, b)
    c = np.random.default_rng(3).integers(-2, 3, expected.shape).astype(NUMPY[result])
    if "c" in (extra or ""):
        expected = expected + c.astype(np.float64)
    machine.check(f"""
        a = tl.load(x + {places(a.shape)})
        b = tl.load(y + {places(b.shape)})
        c = tl.load(z + {places(c.shape)})
        r = {expression}
        tl.static_assert(r.dtype == tl.{result})
        tl.store(out + {places(expected.shape)}, r)
        """, {"out": expected.astype(NUMPY[result])}, {"x": a, "y": b, "z": c})


@pytest.mark.parametrize("types", PAIRS, ids="-".join)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_dot(machine, shape, types):
    result = result_type(types[0])
    run(machine, shape, types, result, "tl.dot(a, b)" if result != "int32" else "tl.dot(a, b, out_dtype=tl.int32)")


@pytest.mark.parametrize("types", PAIRS[:6], ids="-".join)
@pytest.mark.parametrize("form", ["tl.dot(a, b, c)", "tl.dot(a, b, acc=c)", "c + tl.dot(a, b)"])
@pytest.mark.parametrize("shape", SHAPES[:4], ids=str)
def test_accumulator(machine, form, shape, types):
    result = result_type(types[0])
    if result in ("int32", "float64"):
        form = form.replace(", c)", f", c, out_dtype=tl.{result})").replace("acc=c)", f"acc=c, out_dtype=tl.{result})")
    run(machine, shape, types, result, form, extra="c")


@pytest.mark.parametrize("shape", [(16, 16, 16), (32, 16, 64)], ids=str)
@pytest.mark.parametrize("batch", [(1,), (2,), (4,)], ids=str)
@pytest.mark.parametrize("dtype", ["float16", "float32", "bfloat16", "int8", "float64"])
def test_batched(machine, dtype, batch, shape):
    """Rule I1."""
    shape = (shape[0], 32, shape[2]) if dtype == "int8" else shape
    run(machine, shape, (dtype, dtype), result_type(dtype), "tl.dot(a, b)", batch)


@pytest.mark.parametrize("dtype", ["float16", "float8e4nv", "float8e5"])
@pytest.mark.parametrize("shape", SHAPES[:3], ids=str)
def test_half_results(machine, dtype, shape):
    run(machine, shape, (dtype, dtype), "float16", "tl.dot(a, b, out_dtype=tl.float16)")


@pytest.mark.parametrize("options", ['input_precision="ieee"', 'input_precision="tf32"', 'input_precision="tf32x3"', 'input_precision="bf16x3"',
                                     'input_precision="bf16x6"', "allow_tf32=True", "allow_tf32=False", "max_num_imprecise_acc=0"])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_precision_names(machine, options, dtype):
    """The numbers are exact in every precision."""
    run(machine, (16, 32, 16), (dtype, dtype), "float32", f"tl.dot(a, b, {options})")


@pytest.mark.parametrize("options, bound", [("", 1e-6), (', input_precision="ieee"', 1e-6), (", allow_tf32=False", 1e-6),
                                            (', input_precision="tf32x3"', 1e-6), (', input_precision="bf16x6"', 1e-6),
                                            (', input_precision="bf16x3"', 2e-5), (', input_precision="tf32"', 2e-3)])
def test_fp32_accuracy(machine, options, bound):
    """Relative error; fp32-accurate unless a lower precision is named (a documented difference; probe 8 has Triton's)."""
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(32, 64)).astype(np.float32), rng.normal(size=(64, 32)).astype(np.float32)
    exact = product(a, b)
    got = machine.run(f"tl.store(out + {places((32, 32))}, tl.dot(tl.load(x + {places((32, 64))}), tl.load(y + {places((64, 32))}){options}))",
                      {"out": np.zeros((32, 32), np.float32)}, {"x": a, "y": b})["out"]
    assert np.linalg.norm(got - exact) / np.linalg.norm(exact) <= bound


#: Operand types, options of `dot`, and how far off a sum may be over the sum of absolute products: what docs/language/dot.md
#: promises, or what a precision of less drops of its operands. Integers are exact.
NUMBERS = [*((a, b, "", 1e-5) for a, b in PAIRS if a not in ("float64", "int8")), ("float64", "float64", "", 2**-46),
           ("int8", "int8", ", out_dtype=tl.int32", 0),
           *(("float32", "float32", f', input_precision="{name}"', bound)
             for name, bound in (("tf32", 2**-9), ("tf32x3", 1e-5), ("bf16x3", 2**-15), ("bf16x6", 1e-5)))]


@pytest.mark.parametrize("left, right, options, bound", NUMBERS)
@pytest.mark.parametrize("tile", [(64, 64, 32), (128, 32, 64)], ids=str)
def test_numbers(machine, tile, left, right, options, bound):
    """Random operands of wide range in a loop whose last turn is masked: every element against NumPy's fp64."""
    (m, n, step), k = tile, 208
    if left == "float32":
        step //= 2  # 64 KB of shared memory hold the tiles and their parts
    rng, result = np.random.default_rng(10), result_type(left)
    a, b = (rng.integers(-128, 128, shape).astype(np.int8) if left == "int8" else
            (rng.normal(size=shape) * np.exp2(rng.integers(-3, 4, shape))).astype(NUMPY[dtype])
            for dtype, shape in ((left, (m, k)), (right, (k, n))))
    got = machine.run(f"""
        i, j, l = tl.arange(0, {m}), tl.arange(0, {n}), tl.arange(0, {step})
        total = tl.zeros(({m}, {n}), tl.{result})
        for start in range(0, k, {step}):
            at = start + l
            p = tl.load(x + i[:, None] * k + at[None, :], mask=at[None, :] < k, other=0)
            q = tl.load(y + at[:, None] * {n} + j[None, :], mask=at[:, None] < k, other=0)
            total = tl.dot(p, q, total{options})
        tl.store(out + i[:, None] * {n} + j[None, :], total)
        """, {"out": np.zeros((m, n), NUMPY[result])}, {"x": a, "y": b, "k": k})["out"]
    error = np.abs(got.astype(np.float64) - product(a, b)) / product(np.abs(a.astype(np.float64)), np.abs(b.astype(np.float64)))
    assert error.max() <= bound, f"2^{np.log2(error.max()):.1f} off"

@pytest.mark.parametrize("tile", [32, 64, 128])
@pytest.mark.parametrize("k", [128, 160, 2048 + 4])
def test_int8_is_exact(machine, tile, k):
    """Case C31: sums beyond 2^24 keep every bit, for every tile of K."""
    a, b = (np.random.default_rng(seed).integers(-128, 128, shape).astype(np.int8) for seed, shape in ((5, (16, k)), (6, (k, 16))))
    a[0, :], b[:, 0] = -128, -128
    machine.check(f"""
        i, l = tl.arange(0, 16), tl.arange(0, {tile})
        acc = tl.zeros((16, 16), tl.int32)
        for start in range(0, k, {tile}):
            at = start + l
            p = tl.load(x + i[:, None] * k + at[None, :], mask=at[None, :] < k, other=0)
            q = tl.load(y + at[:, None] * 16 + i[None, :], mask=at[:, None] < k, other=0)
            acc = tl.dot(p, q, acc, out_dtype=tl.int32)
        tl.store(out + i[:, None] * 16 + i[None, :], acc)
        """, {"out": a.astype(np.int32) @ b.astype(np.int32)}, {"x": a, "y": b, "k": k})


@pytest.mark.parametrize("m, n", [(1, 16), (16, 1), (2, 4), (1, 1), (8, 8)])
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_small_results(machine, m, n, dtype):
    """Rule I2: M and N may be anything from 1 on."""
    run(machine, (m, 16, n), (dtype, dtype), "float32", "tl.dot(a, b)")


E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])


def scaled_operand(form, rows, k, seed):
    """(stored array, its numbers [rows, k]) of an operand in a format of dot_scaled."""
    rng = np.random.default_rng(seed)
    if form == "e2m1":
        codes = rng.integers(0, 16, (rows, k))
        return (codes[:, ::2] | codes[:, 1::2] << 4).astype(np.uint8), E2M1[codes]
    dtype = {"e4m3": "float8e4nv", "e5m2": "float8e5", "bf16": "bfloat16", "fp16": "float16"}[form]
    values = rng.integers(-3, 4, (rows, k)).astype(NUMPY[dtype])
    held = values.view(np.uint8) if width(dtype) == 8 else values
    return held, values.astype(np.float64)


FORMATS = ["e2m1", "e4m3", "e5m2", "bf16", "fp16"]


@pytest.mark.parametrize("left, right", [(a, b) for a in FORMATS for b in FORMATS if not (a in FORMATS[3:] and b in FORMATS[3:] and a != b)])
@pytest.mark.parametrize("scales", ["both", "left", "none"])
def test_dot_scaled(machine, left, right, scales):
    """Rule I7: e8m0 scales, one for 32 elements along K, also for the right operand by rows of N."""
    m, k, n = 32, 64, 32
    a, wide_a = scaled_operand(left, m, k, 7)
    b, wide_b = scaled_operand(right, n, k, 8)
    rng = np.random.default_rng(9)
    sa, sb = (rng.integers(124, 131, (rows, k // 32)).astype(np.uint8) for rows in (m, n))
    use_a, use_b = scales in ("both", "left"), scales == "both"
    if use_a:
        wide_a = wide_a * np.exp2(np.repeat(sa.astype(float) - 127, 32, 1))
    if use_b:
        wide_b = wide_b * np.exp2(np.repeat(sb.astype(float) - 127, 32, 1))
    b = np.ascontiguousarray(b.T)
    machine.check(f"""
        a, b = tl.load(x + {places(a.shape)}), tl.load(y + {places(b.shape)})
        sa, sb = tl.load(u + {places(sa.shape)}), tl.load(v + {places(sb.shape)})
        r = tl.dot_scaled(a, {'sa' if use_a else 'None'}, "{left}", b, {'sb' if use_b else 'None'}, "{right}")
        tl.static_assert(r.dtype == tl.float32)
        tl.store(out + {places((m, n))}, r)
        """, {"out": (wide_a @ wide_b.T).astype(np.float32)}, {"x": a, "y": b, "u": sa, "v": sb}, bound=1e-3)


@pytest.mark.parametrize("body, code", [
    ("tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.float32))", 2261),
    ("tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((32, 16), tl.float16))", 2262),
    ("tl.dot(tl.zeros((2, 16, 16), tl.float16), tl.zeros((4, 16, 16), tl.float16))", 2262),
    ("tl.dot(tl.zeros((16,), tl.float16), tl.zeros((16, 16), tl.float16))", 2262),
    ("tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.int32))", 2264),
    ("tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.float16), out_dtype=tl.bfloat16)", 2265),
    ('tl.dot(tl.zeros((16, 16), tl.float32), tl.zeros((16, 16), tl.float32), input_precision="half")', 2260),
    ("tl.dot(tl.zeros((16, 32), tl.uint8), tl.zeros((32, 16), tl.uint8))", 2263),
    ("tl.dot(tl.zeros((16, 16), tl.int32), tl.zeros((16, 16), tl.int32))", 2263)])
def test_refused(machine, body, code):
    machine.refuse(body, code, 1)
