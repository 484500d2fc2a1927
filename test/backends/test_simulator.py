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
