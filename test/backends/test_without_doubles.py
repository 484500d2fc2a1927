"""Division and square root on OpenCL devices without fp64: correctly rounded all the same."""
import pathlib
import sys

import numpy as np
import pytest

import tilewright as tw
from tilewright import engine

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from agreement import column, compare_bytes, crossed, launch  # noqa: E402


@pytest.fixture(autouse=True)
def device():
    """NaN and infinity are meant; a reported skip where there is no device."""
    try:
        engine.device("spirv")
    except tw.TilewrightError as error:
        pytest.skip(f"target 'spirv' cannot run here: {error}")
    with np.errstate(all="ignore"):
        yield


def near_ties(count, seed):
    """Dividends and divisors whose quotients are close to the middle of two numbers, or are denormal."""
    rng = np.random.default_rng(seed)
    divisor = rng.uniform(1, 2, count).astype(np.float32)
    middle = rng.uniform(1, 2, count).astype(np.float32).astype(np.float64) + 2.0**-24
    dividend = (middle * divisor).astype(np.float32)
    scale = np.exp2(rng.integers(-140, -120, count // 2))
    dividend[::2] = (dividend[::2] * scale).astype(np.float32)
    return dividend, divisor


@pytest.mark.parametrize("values", [crossed("float32", "float32", 4096, 2), near_ties(4096, 3)], ids=["edges", "ties"])
@pytest.mark.parametrize("mode", ["portable", "accurate"])
def test_division(mode, values):
    x, y = values
    text = "i = tl.arange(0, 4096)\na, b = tl.load(x + i), tl.load(y + i)\ntl.store(out + i, tl.div_rn(a, b))\ntl.store(own + i, a / b)"
    got = launch(text, {"x": x, "y": y}, {"out": ("float32", 4096), "own": ("float32", 4096)}, "spirv-fp64", mode)
    for name, values in got.items():
        compare_bytes(values, x / y, name)


@pytest.mark.parametrize("mode", ["portable", "accurate"])
def test_square_root(mode):
    x = column("float32", 4096, 4)
    x[2048:] = np.square(np.random.default_rng(5).uniform(1, 4, 2048).astype(np.float32) + np.float32(2.0**-23)) * np.float32(0.999)
    got = launch("i = tl.arange(0, 4096)\na = tl.load(x + i)\ntl.store(out + i, tl.sqrt_rn(a))\ntl.store(own + i, tl.sqrt(a))",
                 {"x": x}, {"out": ("float32", 4096), "own": ("float32", 4096)}, "spirv-fp64", mode)
    for name, values in got.items():
        compare_bytes(values, np.sqrt(x), name)
