"""The harness itself can fail: wrong values, missing and stray writes, kernels that should have been refused."""
import math

import numpy as np
import pytest

import tilewright as tw

from dtypes import NUMPY, promoted, rounded, truncated_to, wrapped
from turns import cell, configuration

STORE = "i = tl.arange(0, 8)\ntl.store(out + i, i)"


def fails(machine, *arguments, **options):
    with pytest.raises(AssertionError):
        machine.check(*arguments, **options)


def test_wrong_value(machine):
    right = np.arange(8, dtype=np.int32)
    machine.check(STORE, {"out": right})
    for place in range(8):
        wrong = right.copy()
        wrong[place] += 1
        fails(machine, STORE, {"out": wrong})


def test_missing_write(machine):
    fails(machine, STORE.replace("i, i)", "i, i, mask=i < 7)"), {"out": np.arange(8, dtype=np.int32)})


@pytest.mark.parametrize("place", [-1, 8, -16, 20])
def test_stray_write(machine, place):
    """Seen between guard zones, or already by the target's own check."""
    with pytest.raises((AssertionError, tw.LaunchError)):
        machine.check(STORE + f"\ntl.store(out + {place}, 5)", {"out": np.arange(8, dtype=np.int32)})


def test_ulps_and_nan(machine):
    one = np.ones(8, np.float32)
    body = "i = tl.arange(0, 8)\ntl.store(out + i, 1.0)"
    machine.check(body, {"out": np.nextafter(one, np.float32(2))}, ulps=1)
    fails(machine, body, {"out": np.nextafter(np.nextafter(one, np.float32(2)), np.float32(2))}, ulps=1)
    fails(machine, body, {"out": one * np.float32(np.nan)}, ulps=100)
    fails(machine, body, {"out": one * np.float32(1.1)}, bound=0.01)


def test_refusals(machine):
    with pytest.raises(pytest.fail.Exception):
        machine.refuse("tl.store(x, 1.0)", 2221)
    with pytest.raises(AssertionError):
        machine.refuse("tl.load(n)", 2222)
    with pytest.raises(AssertionError):
        machine.refuse("a = 1\ntl.load(n)", 2221, 1)


def test_rules_written_here():
    """The second implementation of the rules against numbers worked out by hand."""
    assert promoted("int8", "uint8") == "uint8" and promoted("float16", "int64") == "float16" and promoted("bfloat16", "float16") == "float16"
    assert wrapped([300, -129, 128], "int8").tolist() == [44, 127, -128]
    assert truncated_to(np.array([2.9, -2.9, 1e9, np.nan]), "int8").tolist() == [2, -2, 127, 0]
    assert rounded(np.array([1.0625, 1.0625001, 464.0, 1e9]), "float8e4nv").astype(float).tolist() == [1, 1.125, 448, 448]
    assert rounded(np.array([2049.0, 2051.0, 65520.0, 2.0**-25]), "float16").astype(float).tolist() == [2048, 2052, np.inf, 0]
    assert rounded(np.array([2049.0, 65535.0, -2051.0]), "float16", True).astype(float).tolist() == [2048, 65504, -2050]


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float8e4nv", "float8e5", "float8e4b8", "float8e5b16"])
def test_rounding_agrees_with_ml_dtypes(name):
    """Inside the range of the type the two implementations agree; outside only this one saturates."""
    values = np.random.default_rng(1).normal(size=4096).astype(np.float32) * 16
    np.testing.assert_array_equal(rounded(values, name).astype(float), values.astype(NUMPY[name]).astype(float))


@pytest.mark.parametrize("sizes", [[4, 4], [2, 3], [4, 2], [3, 1, 3], [4, 6, 2], []])
def test_turns(sizes):
    """Every axis takes each of its values in each run of as many turns, wherever a row starts; all turns have each combination
    once, and so have all rows at one turn."""
    longest, every = max(sizes, default=1), math.prod(sizes)
    for start in range(every + 3):
        for first in range(0, every, longest):
            values = [set(axis) for axis in zip(*(cell(sizes, start, first + turn) for turn in range(longest)))]
            assert values == [set(range(size)) for size in sizes]
        assert len({tuple(cell(sizes, start, turn)) for turn in range(every)}) == every
    assert len({tuple(cell(sizes, start, 1)) for start in range(every)}) == every


def test_configuration():
    """Values become options, but for the target."""
    varied = ["target=spirv+sg0,spirv+sg8", "num_warps=1,2", "math=portable"]
    seen = [configuration("row", "spirv", varied, turn) for turn in range(2)]
    assert sorted(target for target, _ in seen) == ["spirv+sg0", "spirv+sg8"]
    assert sorted(options["num_warps"] for _, options in seen) == [1, 2] and all(options["math"] == "portable" for _, options in seen)
