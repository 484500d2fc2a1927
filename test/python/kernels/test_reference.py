"""The reference target: kernels of docs/examples against NumPy, and what it checks and refuses."""
import pathlib
import sys

import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "docs" / "examples"))
import cases


@pytest.fixture
def on_reference(examples_on):
    """Kernels of docs/examples run on the reference."""
    examples_on("reference")


def smallest(case):
    """The shape of a case with the fewest elements."""
    return min(case.shapes, key=lambda shape: np.prod([extent for extent in shape if isinstance(extent, int)]))


def rows():
    """One parameter set for each kernel and element type."""
    for case in cases.CASES:
        for dtype in case.dtypes:
            yield pytest.param(case, dtype, id=f"{case.name.replace(' ', '_')}-{dtype}")


@pytest.mark.parametrize("case, dtype", list(rows()))
def test_matches_numpy(case, dtype, on_reference):
    prepared = case.prepare(smallest(case), dtype, np.random.default_rng(7))
    prepared.launch()
    for name, outcome in prepared.outcomes().items():
        if outcome.got.dtype.kind in "iu":
            np.testing.assert_array_equal(outcome.got, outcome.expected, err_msg=name)
        else:
            assert outcome.error(dtype) <= 1.0, name


@tw.jit
def copy_kernel(source, target, n, BLOCK: tl.constexpr):
    """target[:n] = source[:n]."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(target + at, tl.load(source + at, mask=inside), mask=inside)


def copy(n, **options):
    """Copies n of 100 elements; gives the compiled kernel and the result."""
    source, target = np.arange(100, dtype=np.int32), np.full(100, -1, np.int32)
    return copy_kernel[(4,)](source, target, n, BLOCK=32, target="reference", **options), target


def test_accesses_are_not_raised_unless_asked():
    unraised, target = copy(70)
    raised, same = copy(70, **{"raise": 1})
    assert "kernel.gather" in unraised.stage("kernel") and "kernel.load" not in unraised.stage("kernel")
    assert "kernel.load" in raised.stage("kernel") and "kernel.gather" not in raised.stage("kernel")
    np.testing.assert_array_equal(target, np.where(np.arange(100) < 70, np.arange(100), -1))
    np.testing.assert_array_equal(same, target)


@pytest.mark.parametrize("raises", [0, 1])
def test_bounds_are_checked_when_asked(raises):
    _, target = copy(100, check="bounds", **{"raise": raises})
    np.testing.assert_array_equal(target, np.arange(100))
    with pytest.raises(tw.TilewrightError, match=r"TW6032: .*from 0 to 99 of argument 'source', .* got 100"):
        copy(101, check="bounds", **{"raise": raises})


@tw.jit
def gather_kernel(table, at, out):
    i = tl.arange(0, 4)
    tl.store(out + i, tl.gather(tl.load(table + i), tl.load(at + i), 0))


@pytest.mark.parametrize("wrong", [-1, 4, 2**31 - 1])
def test_indices_of_gather_are_checked_when_asked(wrong):
    table, at, out = np.arange(4, dtype=np.int32) * 10, np.array([3, 0, 2, 2], np.int32), np.zeros(4, np.int32)
    gather_kernel[(1,)](table, at, out, target="reference", check="bounds")
    np.testing.assert_array_equal(out, [30, 0, 20, 20])
    at[2] = wrong
    with pytest.raises(tw.TilewrightError, match=f"TW6032: .*from 0 to 3 along axis 0 .* got {wrong}") as caught:
        gather_kernel[(1,)](table, at, out, target="reference", check="bounds")
    assert f"test_reference.py:{gather_kernel.fn.__code__.co_firstlineno + 3}" in str(caught.value)


def test_a_failed_launch_leaves_the_device_usable():
    with pytest.raises(tw.TilewrightError, match="TW6032"):
        copy(128, check="bounds")
    _, target = copy(100)
    np.testing.assert_array_equal(target, np.arange(100))


def test_unknown_check_is_refused():
    with pytest.raises(tw.TilewrightError, match="TW4106"):
        copy(1, check="everything")


@tw.jit
def scaled_index_kernel(target, step, BLOCK: tl.constexpr):
    """Writes 1 at multiples of `step` below 100."""
    at = tl.arange(0, BLOCK) * step
    tl.store(target + at, 1, mask=at < 100)


def test_overflow_of_an_index_is_found_when_asked():
    target = np.zeros(100, np.int32)
    scaled_index_kernel[(1,)](target, 7, BLOCK=8, target="reference", check="bounds,overflow")
    np.testing.assert_array_equal(np.flatnonzero(target), np.arange(0, 56, 7))
    with pytest.raises(tw.TilewrightError, match=r"TW6035: .*32 bits, got 2 \* 1073741824"):
        scaled_index_kernel[(1,)](target, 2**30, BLOCK=4, target="reference", check="overflow")


@tw.jit
def hash_kernel(target, BLOCK: tl.constexpr):
    """Stores products that wrap: legal, for they are values and no addresses."""
    at = tl.arange(0, BLOCK)
    tl.store(target + at, at * 2000000011)


def test_wrapping_values_are_no_overflow():
    target = np.zeros(8, np.int32)
    hash_kernel[(1,)](target, BLOCK=8, target="reference", check="overflow")
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(target, np.arange(8, dtype=np.int32) * np.int32(2000000011))


@tw.jit
def quotient_kernel(a, b, out, BLOCK: tl.constexpr):
    """out = a / b."""
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(a + at) / tl.load(b + at))


def test_the_first_nan_is_found_when_asked():
    zeros, out = np.zeros(4, np.float32), np.ones(4, np.float32)
    nan = np.full(4, np.nan, np.float32)
    quotient_kernel[(1,)](nan, zeros, out, BLOCK=4, target="reference", check="nan")
    assert np.isnan(out).all()
    with pytest.raises(tw.TilewrightError, match="TW6034: .*got NaN from 'arith.divf'"):
        quotient_kernel[(1,)](zeros, zeros, out, BLOCK=4, target="reference", check="nan")


@tw.jit
def described_kernel(out):
    """What the kernel learns about its target."""
    if tl.target.vendor == "cpu":
        tl.store(out, tl.target.limits["vector_bits"])
    else:
        tl.store(out, -1)


def test_the_reference_can_stand_in_for_another_target():
    out = np.zeros(1, np.int32)
    described_kernel[(1,)](out, target="reference")
    assert out[0] == -1
    for target, bits in (("cpu:x86-64-v3", 256), ("cpu:x86-64-v4", 512)):
        described_kernel[(1,)](out, target="reference", target_info=target)
        assert out[0] == bits
    with pytest.raises(tw.TilewrightError, match="TW4106"):
        described_kernel[(1,)](out, target="cpu", target_info="cpu:x86-64-v3")
