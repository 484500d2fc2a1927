"""Matrix products: element type x shape x accumulator x result type, batches, scaled formats (rules I1 to I7)."""
import numpy as np
import pytest

from dtypes import NUMPY, kind, width
from test_reductions import places
from tilewright.engine import vendor_of

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


def scaled_product(a, b, sa, sb):
    """Numbers [M, K] and [N, K] times their factors, e8m0 or None; 255 is NaN."""
    def scaled(numbers, scale):
        if scale is None:
            return numbers
        factor = np.where(scale == 255, np.nan, np.exp2(scale.astype(float) - 127))
        return numbers * np.repeat(factor, 32, 1)
    return scaled(a, sa) @ scaled(b, sb).T


def check_scaled(machine, forms, shape, scales, held=None, pack=(True, True), acc=None, **options):
    """One product; `scales` are two arrays or None, `held` changes the stored arrays of both operands. Sums are multiples of 1/64."""
    m, k, n = shape
    if vendor_of(machine.target) == "spirv" and m * k * n > 65536:
        pytest.skip("OpenCL's driver compiles so many steps of one thread for minutes; smaller shapes run")
    a, wide_a = scaled_operand(forms[0], m, k, 17)
    b, wide_b = scaled_operand(forms[1], n, k, 18)
    if held:
        a, b, wide_a, wide_b = held(a, b, wide_a, wide_b)
    sa, sb = scales
    expected = scaled_product(wide_a, wide_b, sa, sb).astype(np.float32) + (0 if acc is None else acc)
    if not pack[0]:
        codes = np.stack([a & 15, a >> 4], -1).reshape(m, k)
        a = codes[::2] | codes[1::2] << 4
    b = np.ascontiguousarray(b.T)
    if not pack[1]:
        codes = np.stack([b & 15, b >> 4], 1).reshape(k, n)
        b = codes[:, ::2] | codes[:, 1::2] << 4
    ones = np.full((1, 1), 127, np.uint8)
    u, v = (ones if s is None else s for s in (sa, sb))
    machine.check(f"""
        a, b = tl.load(x + {places(a.shape)}), tl.load(y + {places(b.shape)})
        sa, sb = tl.load(u + {places(u.shape)}), tl.load(v + {places(v.shape)})
        c = tl.load(z + {places((m, n))})
        r = tl.dot_scaled(a, {'None' if sa is None else 'sa'}, "{forms[0]}", b, {'None' if sb is None else 'sb'}, "{forms[1]}", c, lhs_k_pack={pack[0]}, rhs_k_pack={pack[1]})
        tl.store(out + {places((m, n))}, r)
        """, {"out": expected}, {"x": a, "y": b, "u": u, "v": v, "z": np.zeros((m, n), np.float32) if acc is None else acc}, bound=5e-3, **options)


def factors(rows, k, seed):
    return np.random.default_rng(seed).integers(125, 130, (rows, k // 32)).astype(np.uint8)


@pytest.mark.parametrize("forms", [(a, b) for a in FORMATS[:3] for b in FORMATS[:3]])
@pytest.mark.parametrize("shape", [(16, 128, 16), (64, 128, 32), (16, 512, 16), (32, 64, 128), (64, 256, 64)])
def test_scaled_shapes(machine, forms, shape):
    """Rule I7: every run of 32 along K has its own factor, at all places of a tile; the accumulator is added."""
    m, k, n = shape
    acc = np.random.default_rng(3).integers(-4, 5, (m, n)).astype(np.float32)
    check_scaled(machine, forms, shape, (factors(m, k, 1), factors(n, k, 2)), acc=acc)


@pytest.mark.parametrize("forms", [("e4m3", "e4m3"), ("e2m1", "e2m1"), ("e5m2", "e2m1")])
def test_scaled_by_wide_instructions(machine, forms):
    """Rule I7: the same where AMD's matrix instructions of 32 rows are asked for."""
    check_scaled(machine, forms, (64, 256, 64), (factors(64, 256, 1), factors(64, 256, 2)), matrix_instr_nonkdim=32)


@pytest.mark.parametrize("forms, pack", [(("e2m1", "e2m1"), (False, False)), (("e2m1", "e2m1"), (False, True)), (("e2m1", "e2m1"), (True, False)),
                                         (("e2m1", "e4m3"), (False, True)), (("e5m2", "e2m1"), (True, False))])
@pytest.mark.parametrize("shape", [(32, 128, 64), (16, 32, 16)])
def test_scaled_packs(machine, forms, pack, shape):
    """Rule I7: two e2m1 in a byte along M or N."""
    m, k, n = shape
    check_scaled(machine, forms, shape, (factors(m, k, 1), factors(n, k, 2)), pack=pack)


@pytest.mark.parametrize("side", ["left", "right", "both"])
@pytest.mark.parametrize("shape", [(16, 128, 16), (64, 128, 64), (32, 64, 32)])
def test_scaled_nan_factors(machine, side, shape):
    """Rule I7: a factor of 255 is NaN, in its row or column alone; also of numbers that are 0."""
    m, k, n = shape
    sa, sb = factors(m, k, 1), factors(n, k, 2)
    if side != "right":
        sa[3, -1] = sa[m - 1, 0] = 255
    if side != "left":
        sb[n - 2, 0] = 255

    def zeros(a, b, wide_a, wide_b):
        a[m - 1], wide_a[m - 1] = 0, 0
        return a, b, wide_a, wide_b

    check_scaled(machine, ("e4m3", "e2m1"), shape, (sa, sb), zeros)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_scaled_special_numbers(machine, value):
    """Rule I7: NaN of e4m3, NaN and infinity of e5m2 go through."""
    left = "e5m2" if np.isinf(value) else "e4m3"

    def special(a, b, wide_a, wide_b):
        dtype = NUMPY["float8e5" if left == "e5m2" else "float8e4nv"]
        a[5, 40], wide_a[5, 40] = np.array(value, dtype).view(np.uint8), value
        b[:, 40] = np.array(1, NUMPY["float8e5"]).view(np.uint8)
        wide_b[:, 40] = 1
        return a, b, wide_a, wide_b

    check_scaled(machine, (left, "e5m2"), (16, 128, 16), (factors(16, 128, 1), factors(16, 128, 2)), special)


def test_scaled_extreme_factors(machine):
    """Rule I7: 0 is 2^-127; 253 is 2^126, times 3 still in the range of fp32."""
    m, k, n = 16, 128, 16
    tiny, huge = np.zeros((m, k // 32), np.uint8), np.full((n, k // 32), 253, np.uint8)
    check_scaled(machine, ("e4m3", "e4m3"), (m, k, n), (tiny, huge))


def test_scaled_constant_zero_factors(machine):
    """Rule I7: two constant factors of 0 make 2^-254 of all, which is 0 in fp32."""
    a, _ = scaled_operand("e4m3", 16, 128, 17)
    machine.check(f"""
        a = tl.load(x + {places(a.shape)})
        s = tl.zeros((16, 4), tl.uint8)
        tl.store(out + {places((16, 16))}, tl.abs(tl.dot_scaled(a, s, "e4m3", tl.trans(a), s, "e4m3")))
        """, {"out": np.zeros((16, 16), np.float32)}, {"x": a})


def test_scaled_loop(machine):
    """Rule I7: products of a loop add up; operands are read transposed, K has a tail that masks cut off."""
    m, k, n, rest = 16, 448, 16, 512
    a, wide_a = scaled_operand("e4m3", m, k, 7)
    b, wide_b = scaled_operand("e2m1", n, k, 8)
    sa, sb = factors(m, k, 1), factors(n, k, 2)
    machine.check(f"""
        i, j = tl.arange(0, {m}), tl.arange(0, 128)
        h, g = tl.arange(0, 64), tl.arange(0, 4)
        total = tl.zeros(({m}, {n}), tl.float32)
        for first in range(0, {rest}, 128):
            a = tl.load(x + i[:, None] * {k} + first + j, first + j < {k}, 0)
            b = tl.load(y + i[:, None] * {k // 2} + first // 2 + h, first // 2 + h < {k // 2}, 0)
            at = i[:, None] * {k // 32} + first // 32 + g
            inside = first // 32 + g < {k // 32}
            total = tl.dot_scaled(a, tl.load(u + at, inside, 127), "e4m3", tl.trans(b), tl.load(v + at, inside, 127), "e2m1", total)
        tl.store(out + {places((m, n))}, total)
        """, {"out": scaled_product(wide_a, wide_b, sa, sb).astype(np.float32)}, {"x": a, "y": b, "u": sa, "v": sb}, bound=5e-3)


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
