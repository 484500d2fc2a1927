"""Launches under `import triton` take Tilewright's fast path, around a kernel too, unless a hook or a library wants to see them."""
import numpy as np
import pytest

import tilewright.triton

tilewright.triton.install()

import triton
import triton.language as tl


@triton.jit
def filled(x, n, value, BLOCK: tl.constexpr, TWICE: tl.constexpr = False):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, value * (2 if TWICE else 1) + BLOCK, mask=i < n)


def tuned(fn):
    return triton.autotune([triton.Config({"BLOCK": 4})], key=["n"])(fn)


def completed(fn):
    return triton.heuristics({"TWICE": lambda named: named["value"] > 5})(fn)


@pytest.fixture(params=["kernel", "tuned", "completed", "tuned over completed", "completed over tuned"])
def launch(request):
    """A function that launches with a value and gives (what was written, what it should be)."""
    kernel, x = filled, np.zeros(16, np.float32)
    for word in reversed(request.param.split(" over ")):
        kernel = {"kernel": lambda fn: fn, "tuned": tuned, "completed": completed}[word](kernel)
    options = {} if "tuned" in request.param else {"BLOCK": 4}

    def launch(value):
        kernel[(4, )](x, 16, value, **options)
        return list(x), [value * (2 if "completed" in request.param and value > 5 else 1) + 4] * 16

    return launch


def test_known_launches_call_no_python_of_ours(launch, monkeypatch):
    for value in (3, 7):
        launch(value)
    for kind in (triton.JITFunction, triton.runtime.Autotuner):
        monkeypatch.setattr(kind, "launch_any", None)
    for value in (3, 7, 4, 8):
        written, expected = launch(value)
        assert written == expected


def test_hooks_see_every_launch(launch):
    seen = []
    for value in (3, 7):
        launch(value)
    filled.add_pre_run_hook(lambda *args, **kwargs: seen.append((args[1:], sorted(kwargs))))
    try:
        for value in (3, 7):
            written, expected = launch(value)
            assert written == expected
    finally:
        filled.pre_run_hooks = []
    launch(3)
    assert [args for args, _ in seen] == [(16, 3), (16, 7)] and all("BLOCK" in names for _, names in seen)


def test_a_run_that_is_replaced_sees_every_launch(launch, monkeypatch):
    """As profilers do: `JITFunction.run` becomes another function, in which `warmup` is always given."""
    seen, original = [], triton.JITFunction.run
    launch(3)

    def run(self, *args, grid, warmup, **kwargs):
        seen.append(args[2])
        return original(self, *args, grid=grid, warmup=warmup, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(triton.JITFunction, "run", run)
        written, expected = launch(9)
        assert written == expected and seen == [9]
    launch(3)
    assert seen == [9]
