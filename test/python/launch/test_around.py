"""The fast path around a kernel: `autotune` and `heuristics` launch what Python would, whatever is changed meanwhile."""
import concurrent.futures

import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl


@tw.jit
def filled(x, n, value, BLOCK: tl.constexpr, TWICE: tl.constexpr = False):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, value * (2 if TWICE else 1) + BLOCK, mask=i < n)


@tw.jit
def defaulted(x, n, value, BLOCK: tl.constexpr = 16, TWICE: tl.constexpr = False):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, value * (2 if TWICE else 1) + BLOCK, mask=i < n)


@tw.jit
def added(x, n, value, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i, mask=i < n) + value, mask=i < n)


class Chosen(tw.Autotuner):
    """Takes configurations by a table from n, and counts how often it is asked."""

    def __init__(self, fn, names=("n", ), configs=(tw.Config({"BLOCK": 4}), tw.Config({"BLOCK": 8}))):
        super().__init__(fn, fn.arg_names, configs, names)
        self.asked = []

    def _choose(self, args, grid, kwargs, named):
        self.asked.append(named["n"])
        return self.configs[named["n"] > 8]


def by_block(meta):
    return (tw.cdiv(meta["n"], meta["BLOCK"]), )


@pytest.mark.parametrize("inner", [lambda fn: fn, tw.heuristics({"TWICE": lambda named: False})], ids=["kernel", "completed"])
def test_tuned_launches_take_the_configuration_of_each_value_of_the_key(inner):
    tuned, x = Chosen(inner(filled)), np.zeros(16, np.float32)
    for n in (8, 16, 8, 9, 16, 8):
        x[:] = 0
        tuned[by_block](x, n, 3)
        np.testing.assert_array_equal(x, np.where(np.arange(16) < n, 3 + (8 if n > 8 else 4), 0))
        assert tuned.best_config is tuned.configs[n > 8]
    assert tuned.asked == [8, 16, 9]
    tuned[by_block](x, value=5, n=8)
    for _ in range(2):
        tuned[by_block](x.astype(np.int32), 8, 3)  # another type of array is another key
    assert tuned.asked == [8, 16, 9, 8] and x[0] == 9


def test_tuned_launches_forget_what_the_cache_forgets():
    tuned, x = Chosen(filled), np.zeros(16, np.float32)
    for _ in range(3):
        tuned[by_block](x, 8, 3)
    key, = tuned.cache
    tuned.cache[key] = tuned.configs[1]
    tuned[by_block](x, 8, 3)
    assert x[0] == 11 and tuned.best_config is tuned.configs[1]
    tuned.cache = {}
    tuned[by_block](x, 8, 3)
    assert x[0] == 7 and tuned.asked == [8, 8]


def test_tuned_launches_follow_configurations_that_are_changed():
    """The fast path knows the parameters that configurations give: here others give other ones."""
    tuned, x = Chosen(defaulted, configs=[tw.Config({}, num_warps=4)] * 2), np.zeros(16, np.float32)

    def check(expected):
        for _ in range(3):
            x[:] = 0
            tuned[by_block](x, 16, 3)
            np.testing.assert_array_equal(x, expected)

    check(3 + 16)
    tuned.configs = [tw.Config({"BLOCK": 4})] * 2
    tuned.cache.clear()
    check(3 + 4)
    tuned.cache[next(iter(tuned.cache))] = tw.Config({"BLOCK": 8, "TWICE": True})
    check(6 + 8)


def test_threads_tune_one_after_another():
    """A kernel whose launches say which thread's arrays they got; what is restored is one thread's own."""
    tuned = tw.autotune([tw.Config({"BLOCK": 4}), tw.Config({"BLOCK": 8})], key=["n"], warmup=1, rep=1, restore_value=["x"])(added)

    def launch(n):
        x = np.full(16, n, np.float32)
        for count in (1, 2, 3):
            tuned[by_block](x, n, n)
            np.testing.assert_array_equal(x, np.where(np.arange(16) < n, n * (1 + count), n))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(launch, n) for n in range(1, 9)]:
            done.result()
    assert len(tuned.cache) == 8


def test_tuned_launches_refuse_what_a_configuration_gives():
    tuned, x = Chosen(filled), np.zeros(16, np.float32)
    tuned[by_block](x, 8, 3)
    for _ in range(2):
        with pytest.raises(tw.LaunchError, match="TW6060"):
            tuned[by_block](x, 8, 3, BLOCK=8)
        tuned[by_block](x, 8, 3, TWICE=True)
        assert x[0] == 10
        tuned[by_block](x, 8, 3)
        assert x[0] == 7


def test_hooks_of_configurations_are_called_at_every_launch():
    seen, x = [], np.zeros(16, np.float32)
    tuned = Chosen(filled, configs=[tw.Config({"BLOCK": 4}, pre_hook=lambda named: seen.append(named["n"]))])
    for n in (8, 8, 4):
        tuned[by_block](x, n, 3)
    assert seen == [8, 8, 4]


@pytest.mark.parametrize("order", ["tuned over completed", "completed over tuned", "completed twice"])
def test_computed_constants_are_computed_at_every_launch(order):
    x, calls = np.zeros(16, np.float32), []

    def twice(named):
        calls.append(sorted(named))
        named.clear()  # what it gets is its own
        return x[15] > 0

    values = {"TWICE": twice}
    if order == "tuned over completed":
        kernel = Chosen(tw.heuristics(values)(filled))
    elif order == "completed over tuned":
        kernel = tw.heuristics(values)(Chosen(filled))
    else:
        kernel = tw.heuristics({"TWICE": twice, "BLOCK": lambda named: 4 if named["n"] <= 8 else 8})(filled)
    for round in range(2):
        for last in (0, 1):
            x[:] = last
            kernel[by_block](x, 8, 3)
            np.testing.assert_array_equal(x[:8], (6 if last else 3) + 4)
    kernel[by_block](x, 12, value=3)
    np.testing.assert_array_equal(x[:12], 14)
    assert len(calls) == 5 and all({"x", "n", "value"} <= set(names) for names in calls)


def test_errors_of_computed_constants_come_out():
    completed = tw.heuristics({"TWICE": lambda named: named["no such argument"]})(filled)
    for _ in range(2):
        with pytest.raises(KeyError, match="no such argument"):
            completed[by_block](np.zeros(16, np.float32), 8, 3, 4)


def test_a_constant_that_is_given_and_computed_is_computed():
    x = np.zeros(16, np.float32)
    completed = tw.heuristics({"TWICE": lambda named: not named["TWICE"]})(filled)
    completed[by_block](x, 8, 3, 4, TWICE=False)
    assert x[0] == 10


class Logged(tw.Autotuner):
    """A library's tuner with a `run` of its own."""

    def run(self, *args, **kwargs):
        logged.append(sorted(kwargs))
        return super().run(*args, **kwargs)


logged = []


def around(order, values, configs):
    if order == "tuned over completed":
        return tw.autotune(configs, key=["n"])(tw.heuristics(values)(filled))
    return tw.heuristics(values)(tw.autotune(configs, key=["n"])(filled))


ORDERS = ["tuned over completed", "completed over tuned"]


@pytest.mark.parametrize("order", ORDERS)
def test_known_launches_around_a_kernel_call_no_python_of_ours(order, monkeypatch):
    kernel, x = around(order, {"TWICE": lambda named: named["value"] > 5}, [tw.Config({"BLOCK": 4})]), np.zeros(16, np.float32)
    for value in (3, 7):
        kernel[(4, )](x, 16, value)
    for kind in (tw.JITFunction, tw.Autotuner):
        monkeypatch.setattr(kind, "launch_any", None)
    for value, expected in ((3, 3 + 4), (7, 14 + 4)):
        kernel[(4, )](x, 16, value)
        np.testing.assert_array_equal(x, expected)


@pytest.mark.parametrize("order", ORDERS)
def test_methods_that_are_replaced_are_called(order, monkeypatch):
    """A profiler's way to see launches: `run` of a class, replaced after launches were known."""
    kernel, x, seen = around(order, {"TWICE": lambda named: False}, [tw.Config({"BLOCK": 4})]), np.zeros(16, np.float32), []
    kernel[(4, )](x, 16, 3)
    for kind in (tw.Heuristics, tw.Autotuner, tw.JITFunction):

        def run(self, *args, original=kind.run, kind=kind, **kwargs):
            seen.append(kind)
            return original(self, *args, **kwargs)

        with monkeypatch.context() as patch:
            patch.setattr(kind, "run", run)
            kernel[(4, )](x, 16, 5)
            assert seen == [kind] and x[0] == 9
        kernel[(4, )](x, 16, 3)
        assert seen.pop() is kind and not seen and x[0] == 7


def test_a_run_of_a_subclass_is_called():
    tuned, x = Logged(filled, filled.arg_names, [tw.Config({"BLOCK": 4})], ["n"]), np.zeros(16, np.float32)
    for kernel in (tuned, tw.heuristics({"TWICE": lambda named: False})(tuned)):
        for _ in range(2):
            kernel[(4, )](x, 16, 3)
            assert logged.pop() and not logged and x[0] == 7


def test_computed_constants_follow_functions_and_kernels_that_are_changed():
    x = np.zeros(16, np.float32)
    completed = tw.heuristics({"TWICE": lambda named: False})(filled)

    def launch():
        completed[(4, )](x, 16, 3, 4)
        return x[0]

    assert launch() == 7
    completed.values["TWICE"] = lambda named: True
    assert launch() == 10
    completed.values = {"TWICE": lambda named: False}
    assert launch() == 7
    completed.fn = added
    completed.values = {}
    assert launch() == 7 + 3


def test_functions_that_launch_themselves():
    """A function launches the same kernel with other keywords, and changes the table of functions while it is walked."""
    x, y, depth = np.zeros(16, np.float32), np.zeros(16, np.float32), []

    def twice(named):
        if not depth:
            depth.append(None)
            completed[(4, )](y, n=16, value=1, BLOCK=4)
            completed.values["unused"] = completed.values.pop("unused", lambda named: None)
        return True

    completed = tw.heuristics({"TWICE": twice, "unused": lambda named: None})(filled)
    for value in (3, 4):
        depth.clear()
        completed[(4, )](x, 16, value, 4)
        assert x[0] == 2 * value + 4 and y[0] == 6


def test_options_are_computed_too():
    """`num_warps` is no parameter of the kernel, but one of how it is compiled."""
    x = np.zeros(16, np.float32)
    warps = [4]
    completed = tw.heuristics({"num_warps": lambda named: warps[0]})(filled)
    for warps[0] in (4, 8, 4, 8):
        assert completed[(4, )](x, 16, 3, 4).options == {"num_warps": warps[0]} and x[0] == 7


def test_many_keywords_leave_the_fast_path():
    x = np.zeros(16, np.float32)
    completed = tw.heuristics({f"option_{i}": (lambda named: None) for i in range(40)} | {"TWICE": lambda named: True})(filled)
    for _ in range(2):
        completed[(4, )](x, 16, 3, 4)
        assert x[0] == 10


def test_keywords_that_are_equal_but_not_the_same_text():
    """Names of `**keywords` may be made at run time; an option that is nearly a parameter is refused."""
    x = np.zeros(16, np.float32)
    for _ in range(2):
        filled[(4, )](**{"".join(["BLO", "CK"]): 4, "".join(["val", "ue"]): 3, "x": x, "n": 16, "".join(["num_", "warps"]): 4})
        assert x[0] == 7
        with pytest.raises(tw.LaunchError, match="TW6055"):
            filled[(4, )](x, 16, 3, 4, BLOCKS=4)
