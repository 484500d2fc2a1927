"""Values, and launches of one kernel on a target and on the reference, for the tests that compare the two.

`portable` has to give the same bits (NaN is NaN); `accurate` at most 2 ulp an operation, and the same bits where one
rounding defines the result.
"""
import pathlib
import sys

import ml_dtypes
import numpy as np
import pytest

import tilewright as tw
from tilewright import engine

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "language" / "harness"))
from dtypes import FP8, NUMPY, kind, limits  # noqa: E402
from runner import compare_bytes, distance, kernel  # noqa: E402


def edges(dtype):
    """Values at which formats, roundings and branches of formulas change."""
    if dtype == "int1":
        return np.array([False, True])
    if kind(dtype) == 1:
        low, high = limits(dtype)
        values = {0, 1, 2, 3, 7, 100, low, low + 1, high, high - 1, high // 2, high // 2 + 1}
        values |= {-value for value in values if low <= -value <= high}
        return np.array(sorted(values), dtype=object).astype(NUMPY[dtype])
    info = np.finfo(NUMPY[dtype]) if dtype in ("float16", "float32", "float64") else ml_dtypes.finfo(NUMPY[dtype])
    tiny, small, high, step = (float(v) for v in (info.smallest_subnormal, info.smallest_normal, info.max, info.eps))
    values = [0.0, tiny, 3 * tiny, small - tiny, small, high, high / 2, 1, 1 - step / 2, 1 + step, 0.5, 1.5, 2, 2.5, 3, 0.7071, 0.69314,
              1.5707964, 3.1415927, 10, 88.5, 100.25, 127.5, 255, 65504, 1e5, 2.0**31, 2.0**32, 2.0**63, 1e-3, 1e-8, 1e30, 1e-40]
    values = np.array([*values, *(-v for v in values), np.inf, -np.inf, np.nan])
    return np.minimum(np.abs(values), high).astype(NUMPY[dtype]) * np.sign(values).astype(NUMPY[dtype]) if dtype in FP8 else values.astype(NUMPY[dtype])


def anything(dtype, count, seed):
    """Random bits, and for floats as many values near one."""
    rng = np.random.default_rng(seed)
    if dtype == "int1":
        return rng.integers(0, 2, count).astype(bool)
    values = rng.integers(0, 256, count * NUMPY[dtype].itemsize, dtype=np.uint8).view(NUMPY[dtype])
    if kind(dtype) == 2:
        values[::2] = (rng.standard_normal(count) * 8).astype(NUMPY[dtype])[::2]
    return values.copy()


def column(dtype, count, seed=0):
    """Edges first, then anything."""
    values = anything(dtype, count, seed)
    first = edges(dtype)[:count]
    values[:len(first)] = first
    return values


def crossed(left, right, count, seed=0):
    """Two columns: every edge with every edge, as far as they go, then anything."""
    a, b = anything(left, count, seed), anything(right, count, seed + 1)
    p, q = edges(left), edges(right)
    rows = np.random.default_rng(seed).permutation(len(p) * len(q))[:count * 3 // 4]
    a[:len(rows)], b[:len(rows)] = p[rows // len(q)], q[rows % len(q)]
    return a, b


def moderate(dtype, shape, seed):
    """Values whose sums stay finite."""
    rng = np.random.default_rng(seed)
    if kind(dtype) == 1:
        return anything(dtype, int(np.prod(shape)), seed).reshape(shape)
    return rng.standard_normal(shape).astype(NUMPY[dtype])


def launch(body, inputs, outputs, target, mode, constants=None, head=""):
    """Arrays that a kernel of given text writes."""
    function = kernel(body, [*inputs, *outputs], constants or {}, head)
    held = {name: np.zeros(shape, NUMPY[dtype]) for name, (dtype, shape) in outputs.items()}
    function[(1,)](**inputs, **held, **(constants or {}), target=target, math=mode)
    return held


@pytest.fixture(params=["cpu", "spirv"])
def agree(request):
    """`Agreement` of a target with the reference; a reported skip where the target cannot run."""
    try:
        engine.device(request.param)
    except tw.TilewrightError as error:
        pytest.skip(f"target '{request.param}' cannot run here: {error}")
    return Agreement(request.param)


class Agreement:
    """Compares a target with the reference in both modes."""

    def __init__(self, target):
        self.target = target

    def __call__(self, body, inputs, outputs, ulps=0, modes=("portable", "accurate"), head="", bound=None):
        """Launches on both. `ulps` is what `accurate` may be off; with `bound`, an array, it may be off by that much."""
        for mode in modes:
            want, got = (launch(body, inputs, outputs, target, mode, head=head) for target in ("reference", self.target))
            for name, (dtype, _) in outputs.items():
                context = f"{name}, {mode}"
                if mode == "portable" or kind(dtype) < 2 or (ulps == 0 and bound is None):
                    compare_bytes(got[name], want[name], context)
                elif bound is not None:
                    within(got[name], want[name], bound, context)
                else:
                    near(got[name], want[name], ulps, inputs, context)


def near(got, want, ulps, inputs, context):
    """Asserts a distance in units in the last place; says where the worst one is."""
    steps = distance(got, want)
    worst = np.unravel_index(np.argmax(steps), steps.shape)
    at = {key: value[worst] for key, value in inputs.items() if value.shape == steps.shape}
    assert steps.max() <= ulps, f"{context}: {got[worst]!r} is {steps.max()} ulp from {want[worst]!r} at {at}"


def within(got, want, bound, context):
    """Asserts a distance; where the bound is not finite, overflow may come earlier or later."""
    got, want = got.astype(np.float64), want.astype(np.float64)
    fine = (np.abs(got - want) <= bound) | (got == want) | (np.isnan(got) & np.isnan(want)) | ~np.isfinite(bound)
    assert fine.all(), f"{context}: {got[~fine][:4]} is not {want[~fine][:4]} (within {np.broadcast_to(bound, got.shape)[~fine][:4]})"
