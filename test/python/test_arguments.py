"""What a launch makes of its arguments and of the variables that a kernel captures."""
import enum

import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl

FACTOR = 2


@tw.jit
def store_kernel(out_ptr, value):
    tl.store(out_ptr, value)


@tw.jit
def fill_kernel(out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, n, mask=offsets < n)


@tw.jit
def factor_kernel(out_ptr):
    tl.store(out_ptr, FACTOR)


@tw.jit
def double_it(x):
    return x * FACTOR


@tw.jit
def helper_kernel(out_ptr):
    tl.store(out_ptr, double_it(tl.load(out_ptr)))


class Size(enum.IntEnum):
    SMALL = 8


@pytest.mark.parametrize("value", [np.int8(-5), np.uint8(250), np.int32(1), np.int64(2**40), np.uint32(4 * 10**9),
                                   np.float16(2.5), np.float32(1.5), np.float64(-0.25), np.bool_(True)])
def test_numpy_scalars_are_numbers(value):
    out = np.zeros(1, np.float64)
    store_kernel[(1,)](out, value)
    assert out[0] == float(value)


def test_arrays_without_axes_are_pointers():
    out = np.zeros((), np.float32)
    store_kernel[(1,)](out, 3)
    assert out == 3


@pytest.mark.parametrize("block", [np.int64(8), Size.SMALL])
def test_integers_of_other_types_are_constants(block):
    out = np.zeros(8, np.int32)
    fill_kernel[(1,)](out, 5, BLOCK=block)
    np.testing.assert_array_equal(out, [5] * 5 + [0] * 3)


def test_empty_arrays_are_accepted():
    empty = np.zeros(0, np.float32)

    @tw.jit
    def copy_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
        offsets = tl.arange(0, BLOCK)
        tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=offsets < n), mask=offsets < n)

    copy_kernel[(1,)](empty, empty, 0, BLOCK=8)
    out = np.full(8, 7, np.float32)
    copy_kernel[(1,)](empty, out, 0, BLOCK=8)
    np.testing.assert_array_equal(out, [7] * 8)


def test_changed_globals_are_seen(monkeypatch):
    out = np.ones(1, np.float32)
    factor_kernel[(1,)](out)
    helper_kernel[(1,)](out)
    assert out[0] == 4
    monkeypatch.setitem(globals(), "FACTOR", 5)
    factor_kernel[(1,)](out)
    assert out[0] == 5
    helper_kernel[(1,)](out)
    assert out[0] == 25


def test_changed_closures_are_seen():
    factor = 3

    @tw.jit
    def kernel(out_ptr):
        tl.store(out_ptr, factor)

    out = np.zeros(1, np.float32)
    kernel[(1,)](out)
    assert out[0] == 3
    factor = 4
    kernel[(1,)](out)
    assert out[0] == 4


@pytest.mark.parametrize("grid", ["a", None, (2.5,), (1, None)])
def test_grids_are_integers(grid):
    with pytest.raises(tw.LaunchError, match="TW6056"):
        store_kernel[grid](np.zeros(1, np.float32), 3)


class Labelled(np.ndarray):
    """An array as NumPy 2 makes it: `device` is a text, whose `index` is a method."""
    device = "cpu"


def test_a_device_may_be_a_text():
    out = np.zeros((), np.float32).view(Labelled)
    store_kernel[(1,)](out, 3, target="reference")
    assert out == 3
