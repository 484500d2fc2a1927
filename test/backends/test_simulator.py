"""The lane simulator: right programs give NumPy's numbers, and faults made on purpose are found where they are.

The language suite runs on it as a stage of `./tw check`; here are the machine's own findings.
"""
import re

import ml_dtypes
import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl

OWN = ["simulate:wave32", "simulate:wave64"]
#: Chips whose hooks are their vendor's; a family each.
AMD = ["simulate:gfx90a", "simulate:gfx942", "simulate:gfx950", "simulate:gfx1100", "simulate:gfx1201"]


@tw.jit
def product_kernel(x, y, out, n):
    i = tl.arange(0, 32)
    total = tl.zeros((32, 32), tl.float32)
    for turn in range(n):
        k = turn * 32 + i
        total = tl.dot(tl.load(x + i[:, None] * 128 + k[None, :]), tl.load(y + k[:, None] * 32 + i[None, :]), total)
    tl.store(out + i[:, None] * 32 + i[None, :], total)


@tw.jit
def exchange_kernel(x, out):
    i = tl.arange(0, 512)
    v = tl.load(x + i)
    turned = tl.reshape(tl.trans(tl.reshape(v, (16, 32))), (512,))
    tl.store(out + i, turned * tl.sum(v) + tl.cumsum(v))


@tw.jit
def turned_operand_kernel(x, out, n):
    """One tile is both operands, one of them converted: the product reads the other one from a buffer that is used in turn."""
    i = tl.arange(0, 16)
    total = tl.zeros((16, 16), tl.float32)
    for _ in range(n):
        tile = tl.load(x + i[:, None] * 16 + i[None, :])
        total = tl.dot(tile, tl.trans(tile), total)
    tl.store(out + i[:, None] * 16 + i[None, :], total)


def multiply(target, **options):
    """(what the kernel wrote, what NumPy says)."""
    random = np.random.default_rng(1)
    x, y = (random.integers(-4, 5, shape).astype(np.float16) for shape in ((32, 128), (128, 32)))
    out = np.full((32, 32), np.nan, np.float32)
    product_kernel[(1,)](x, y, out, 4, target=target, **options)
    tw.synchronize()
    return out, x.astype(np.float32) @ y.astype(np.float32)


def exchange(target, **options):
    x = np.random.default_rng(2).integers(0, 9, 512).astype(np.float32)
    out = np.full(512, np.nan, np.float32)
    exchange_kernel[(1,)](x, out, target=target, **options)
    tw.synchronize()
    return out, x.reshape(16, 32).T.reshape(-1) * x.sum() + np.cumsum(x)


@pytest.mark.parametrize("run", [multiply, exchange])
@pytest.mark.parametrize("warps", [1, 2, 4])
@pytest.mark.parametrize("profile", OWN + AMD)
def test_right_programs(profile, warps, run):
    out, expected = run(profile, num_warps=warps)
    assert (out == expected).all()


@pytest.mark.parametrize("profile", OWN + AMD)
def test_operand_that_is_converted(profile):
    x = np.random.default_rng(3).integers(-4, 5, (16, 16)).astype(np.float16)
    out = np.zeros((16, 16), np.float32)
    turned_operand_kernel[(1,)](x, out, 3, target=profile)
    tw.synchronize()
    assert (out == 3 * (x.astype(np.float32) @ x.T.astype(np.float32))).all()


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("run, name", [(multiply, "product_kernel"), (exchange, "exchange_kernel")])
@pytest.mark.parametrize("profile", OWN)
def test_barrier_left_out(profile, run, name, number):
    """Each of the barriers is needed, and each is missed at a line of the kernel."""
    with pytest.raises(tw.LaunchError, match=r"TW604[12]: .*test_simulator\.py:(\d+): thread") as caught:
        run(profile, drop_barrier=number)
    kernel = globals()[name].fn.__code__
    line = int(re.search(r"test_simulator\.py:(\d+)", str(caught.value))[1])
    assert kernel.co_firstlineno < line <= kernel.co_firstlineno + 9


@pytest.mark.parametrize("profile", AMD)
def test_barrier_left_out_of_amd(profile):
    """Exchanges of AMD's hooks need no shared memory for some of them, so a kernel has fewer barriers."""
    with pytest.raises(tw.LaunchError, match="TW6041: .*with no barrier between"):
        exchange(profile, drop_barrier=1)


@tw.jit
def own_store_kernel(x, out):
    i = tl.arange(0, 512)
    tl.store(x + i, i)
    tl.store(out + i, tl.load(x + 511 - i))


@pytest.mark.parametrize("profile", OWN + AMD)
def test_own_stores(profile):
    """A program sees what it stored, whichever thread did; the barrier that this needs is missed."""
    x, out = np.zeros(512, np.int32), np.zeros(512, np.int32)
    own_store_kernel[(1,)](x, out, target=profile)
    tw.synchronize()
    assert (out == np.arange(512)[::-1]).all()
    with pytest.raises(tw.LaunchError, match="TW6041: .* global memory that .* at line .* with no barrier between"):
        own_store_kernel[(1,)](x, out, target=profile, drop_barrier=1)
        tw.synchronize()


@pytest.mark.parametrize("profile", OWN)
def test_wait_left_out(profile):
    with pytest.raises(tw.LaunchError, match="TW6042: .* a copy of thread .* is under way that nobody waited for"):
        multiply(profile, drop_wait=1)


@pytest.mark.parametrize("profile", OWN)
def test_wrong_fragment(profile):
    """Lanes that hold each other's rows: the numbers are wrong, and nothing else."""
    out, expected = multiply(profile, wrong_fragment=1)
    assert not (out == expected).all()


@tw.jit
def ragged_product_kernel(x, y, out, m, n, k, stride, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns, deep = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    total = tl.zeros((M, N), tl.float32)
    for start in range(0, k, K):
        at = start + deep
        left = tl.load(x + rows[:, None] * stride + at[None, :], mask=(rows[:, None] < m) & (at[None, :] < k), other=0.0)
        right = tl.load(y + at[:, None] * stride + columns[None, :], mask=(at[:, None] < k) & (columns[None, :] < n), other=0.0)
        total = tl.dot(left, right, total)
    tl.store(out + rows[:, None] * stride + columns[None, :], total, mask=(rows[:, None] < m) & (columns[None, :] < n))


def multiply_ragged(target, tile, size, dtype, **options):
    """(what the kernel wrote into a matrix of -1, what NumPy says); rows are 128 apart, their ends NaN."""
    m, n, k = size
    random = np.random.default_rng(m + n + k)
    x, y = (np.full((128, 128), np.nan, dtype) for _ in range(2))
    x[:m, :k], y[:k, :n] = random.integers(-3, 4, (m, k)), random.integers(-3, 4, (k, n))
    out = np.full((128, 128), -1, np.float32)
    ragged_product_kernel[(1,)](x, y, out, m, n, k, 128, *tile, target=target, **options)
    tw.synchronize()
    expected = np.full((128, 128), -1, np.float32)
    expected[:m, :n] = x[:m, :k].astype(np.float32) @ y[:k, :n].astype(np.float32)
    return out, expected


#: Tiles and sizes: whole, with ends of whole vectors, with ragged ends, of one iteration, of none.
RAGGED = [((64, 64, 32), (64, 64, 128)), ((64, 64, 32), (48, 56, 80)), ((64, 64, 32), (63, 33, 79)), ((64, 128, 64), (64, 96, 64)),
          ((64, 64, 32), (64, 64, 0))]


@pytest.mark.parametrize("stages", [1, 2, 3, 4])
@pytest.mark.parametrize("tile, size", RAGGED)
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("direct", [1, 2])
@pytest.mark.parametrize("profile", ["simulate:gfx942", "simulate:gfx950", "simulate:gfx1201"])
def test_operands_copied_ahead(profile, direct, dtype, tile, size, stages):
    """Through registers, and directly to shared memory where a chip has such copies: what is masked off is zero there."""
    out, expected = multiply_ragged(profile, tile, size, dtype, num_stages=stages, direct_copies=direct)
    assert (out == expected).all()


@pytest.mark.parametrize("profile, direct", [("simulate:gfx942", 2), ("simulate:gfx950", 0)])
def test_wait_left_out_of_amd(profile, direct):
    with pytest.raises(tw.LaunchError, match="TW6042: .* a copy of thread .* is under way that nobody waited for"):
        multiply_ragged(profile, (64, 64, 32), (64, 64, 128), np.float16, num_stages=3, direct_copies=direct, drop_wait=1)


@tw.jit
def rows_kernel(x, out, rows, columns, STRIDE, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    r, c = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    inside = (r[:, None] < rows) & (c[None, :] < columns)
    at = r[:, None] * STRIDE + c[None, :]
    tl.store(out + at, tl.load(x + at, mask=inside, other=7) + 1, mask=inside & (c[None, :] != 3))


@tw.jit
def constant_rows_kernel(x, out, rows, columns, STRIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows_kernel(x, out, rows, columns, STRIDE, ROWS, COLUMNS)


@pytest.mark.parametrize("columns", [512, 48, 37])
@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.float32, np.float64])
@pytest.mark.parametrize("kernel, tile", [(constant_rows_kernel, (16, 64)), (rows_kernel, (4, 512)), (rows_kernel, (16, 8192))])
@pytest.mark.parametrize("profile", AMD)
def test_buffers(profile, kernel, tile, dtype, columns):
    """Accesses by buffer instructions, of rows a constant apart, or of one a wave, also in a loop over chunks: lanes that are
    masked off touch nothing."""
    columns = min(columns, tile[1])
    x = np.random.default_rng(columns).integers(-9, 10, (40, 544)).astype(dtype)
    out, expected = np.full_like(x, 99), np.full_like(x, 99)
    kernel[(-(-37 // tile[0]),)](x, out, 37, columns, 544, *tile, target=profile)
    tw.synchronize()
    expected[:37, :columns] = x[:37, :columns] + 1
    expected[:37, 3] = 99
    assert (out == expected).all()


@tw.jit
def null_kernel(addresses, out):
    pointer = tl.load(addresses).to(tl.pointer_type(tl.int32))
    tl.store(out + tl.arange(0, 8), tl.load(pointer + tl.arange(0, 8)))


@pytest.mark.parametrize("profile", OWN)
def test_first_page(profile):
    """A null pointer is no array."""
    with pytest.raises(tw.LaunchError, match="TW6044: .*reaches address"):
        null_kernel[(1,)](np.zeros(1, np.int64), np.zeros(8, np.int32), target=profile)
        tw.synchronize()


@tw.jit
def typed_product_kernel(x, y, out, KIND: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    left, right = tl.load(x + m[:, None] * K + k[None, :]), tl.load(y + k[:, None] * N + n[None, :])
    tl.store(out + m[:, None] * N + n[None, :], tl.dot(left, right, input_precision=KIND))


#: Element types that have matrix instructions, with the precision to ask for.
TYPES = {"float16": "ieee", "bfloat16": "ieee", "int8": "ieee", "float32": "ieee", "float64": "ieee", "tf32": "tf32",
         "float8_e4m3fn": "ieee", "float8_e5m2": "ieee"}


@pytest.mark.parametrize("shape", [(16, 16, 16), (32, 32, 64), (64, 128, 128)])
@pytest.mark.parametrize("name", list(TYPES))
@pytest.mark.parametrize("profile", OWN + AMD)
def test_products(profile, name, shape):
    """Whole numbers, whose products are exact in every type, on every shape of instruction that a target chooses for a tile."""
    rows, columns, depth = shape
    dtype = np.dtype("float32" if name == "tf32" else getattr(ml_dtypes, name, name))
    random = np.random.default_rng(rows + depth)
    x, y = (random.integers(-3, 4, size).astype(dtype) for size in ((rows, depth), (depth, columns)))
    sums = {"int8": np.int32, "float64": np.float64}.get(name, np.float32)
    out = np.zeros((rows, columns), sums)
    typed_product_kernel[(1,)](x, y, out, TYPES[name], rows, columns, depth, target=profile)
    tw.synchronize()
    assert (out == x.astype(np.float64) @ y.astype(np.float64)).all()


@pytest.mark.parametrize("names", [("float8_e4m3fn", "float8_e5m2"), ("float8_e5m2", "float8_e4m3fn"),
                                   ("float8_e4m3fnuz", "float8_e5m2fnuz"), ("float8_e5m2fnuz", "float8_e4m3fnuz")], ids="-".join)
@pytest.mark.parametrize("profile", OWN + AMD)
def test_products_of_two_types(profile, names):
    """Instructions that take bytes of two kinds, the right one first."""
    random = np.random.default_rng(5)
    x, y = (random.integers(-3, 4, (32, 32)).astype(getattr(ml_dtypes, name)) for name in names)
    out = np.zeros((32, 32), np.float32)
    typed_product_kernel[(1,)](x, y, out, "ieee", 32, 32, 32, target=profile)
    tw.synchronize()
    assert (out == x.astype(np.float32) @ y.astype(np.float32)).all()


def test_unknown_profile():
    with pytest.raises(tw.CompilationError, match="TW4101: expected a profile of target simulate, got 'wave48'"):
        multiply("simulate:wave48")
