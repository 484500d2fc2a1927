"""What functions of `heuristics` give is remembered only where it can depend on nothing but the arguments that are compared."""
import functools
import itertools
import math
import random
import sys

import numpy as np
import pytest

import tilewright as tw
from tilewright import _native
from tilewright.tuning.pure import reads

LIMIT, TABLE, NAME, FACTORS = 64, {"limit": 64}, "n", (2, 3)


class Shown(_native.Launchable):
    """A kernel that gives what it is launched with."""

    _dispatcher, arg_names = None, ["n", "m", "x"]

    def _launcher(self, grid):
        return lambda *args, **kwargs: kwargs


def computed(*functions):
    """A function of n, m, x, k: what each function gives in a launch, the first known to the second as `first`."""
    launchable = tw.heuristics(dict(zip(("first", "second"), functions)))(Shown())

    def launch(n=1, m=2, x=None, k=0):
        given = launchable[(1, )](n, m, x, k=k)
        return [given[name] for name in ("first", "second")[:len(functions)]]

    return launch


def calls_of(function, launch):
    """How often Python enters the function while `launch()` runs."""
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event == "call" and frame.f_code is function.__code__

    sys.setprofile(note)
    try:
        launch()
    finally:
        sys.setprofile(None)
    return count


def several(named):
    n = named["n"]
    if n is None:
        return 1
    if n < 16 and not named["k"]:
        return max(n, LIMIT)
    return min(LIMIT, tw.next_power_of_2(n)) if named["x"] is None else math.ceil(n / 3)


PURE = [
    lambda named: 128, lambda named: named["n"] % named["m"] == 0, lambda named: named["x"] is not None, several,
    lambda named: tw.cdiv(named["n"], named["m"] or 1) * FACTORS[0], lambda named: named["k"] in (0, 1, "a"),
    lambda named: 4 if named["n"] and named["n"] > 2 else named["m"], lambda named: named["x"] is None or named["k"] == 3,
    lambda named: -named["n"] // 2 << 1, lambda named: abs(named["n"]) != LIMIT, lambda named: named["n"] is True,
    lambda named: 1 / named["n"] < 0, lambda named: max
]


@pytest.mark.filterwarnings("ignore:.*encountered")
@pytest.mark.parametrize("function", PURE, ids=range(len(PURE)))
def test_pure_functions_are_called_once_for_each_value(function):
    """What they give is what a call gives, for values that are equal and differ in type, sign or identity, too."""
    assert reads(function) is not None
    launch = computed(function)
    values = [0, 1, True, False, 1.0, 0.0, -0.0, 2.5, float("nan"), None, 2**70, 2**70 + 1, "a", np.int64(3), 17, 64, -5]
    for n, m, x, k in itertools.islice(itertools.cycle(itertools.product(values, values, (None, np.zeros(1)), (0, 3))), 0, 2000, 3):
        try:
            expected = function({"n": n, "m": m, "x": x, "k": k})
        except Exception as error:
            with pytest.raises(type(error)):
                launch(n, m, x, k)
            continue
        got, = launch(n, m, x, k)
        assert type(got) is type(expected) and repr(got) == repr(expected), (n, m, x, k)


def test_known_values_are_not_computed_again():
    for function in PURE[:-1]:
        launch = computed(function)
        for n in (20, 30):
            launch(n)
        assert calls_of(function, lambda: [launch(n) for n in (20, 30, 20)]) == 0
    assert calls_of(PURE[-1], lambda: computed(PURE[-1])()) == 1  # gives no number


class Settings:
    limit = 64


def with_default(named, seen=[]):
    return named["n"] + 1


def generator(named):
    yield named["n"]


def with_try(named):
    try:
        return named["n"] + 1
    except TypeError:
        return 0


def with_global(named):
    global written
    written = named["n"]
    return 1


def closing(start):
    return lambda named: named["n"] + start


IMPURE = [
    lambda named: random.random(), lambda named: TABLE["limit"], lambda named: Settings.limit, lambda named: named.get("n"),
    lambda named: len(named), lambda named: named[NAME], lambda named: named.pop("n"), lambda named: {**named}["n"],
    lambda named: id(named["n"]), lambda named: named["n"] is named["m"], lambda named: print(named["n"]), with_default, generator,
    with_try, with_global, closing(1), lambda named: [named["n"]][0], lambda named: named["x"].size, lambda named: (lambda: 1)(),
    lambda named: sum(i for i in (1, 2)), lambda *named: 1, lambda named, **more: 1, lambda named: named["k" if named["n"] else "m"],
    lambda named: setattr(Settings, "seen", 1), lambda named: several(named), lambda named: np.log2(named["n"]),
    lambda named: named.setdefault("n", 1), lambda named: not named, lambda named: (named := {"n": 1})["n"],
    lambda named: sys.flags.optimize, lambda named: f"{named['n']}"
]


@pytest.mark.parametrize("function", IMPURE, ids=range(len(IMPURE)))
def test_other_functions_are_called_at_every_launch(function):
    assert reads(function) is None
    launch = computed(function)
    x = np.zeros(4)
    launch(x=x)
    if function is not generator:  # versions of Python differ in when they enter one that nobody asks
        assert calls_of(function, lambda: [launch(x=x) for _ in range(3)]) == 3


def test_callables_that_are_no_functions_are_called_at_every_launch():
    count = itertools.count()

    class Counter:
        def __call__(self, named):
            return next(count)

        def method(self, named):
            return next(count)

    for callable in (Counter(), Counter().method, functools.partial(lambda base, named: next(count), 1)):
        launch = computed(callable)
        first, = launch()
        assert [launch()[0] for _ in range(3)] == [first + 1, first + 2, first + 3]


def test_globals_that_change_are_seen(monkeypatch):
    """A number, a function under its own name, one of a module, a builtin that gets hidden; then as it was."""
    def limit(named):
        return min(LIMIT, named["n"])

    def power(named):
        return tw.next_power_of_2(named["n"])

    launch = computed(limit, power)
    for _ in range(2):
        assert launch(100) == [64, 128]
        with monkeypatch.context() as patch:
            patch.setitem(globals(), "LIMIT", 32)
            patch.setattr(tw, "next_power_of_2", lambda n: 7)
            assert launch(100) == [32, 7]
            patch.setitem(globals(), "min", max)
            assert launch(100) == [100, 7]
            patch.setitem(globals(), "LIMIT", [1])
            with pytest.raises(TypeError):
                launch(100)
            patch.setitem(globals(), "min", lambda limit, n: limit.append(n) or len(limit))
            assert [launch(100)[0] for _ in range(3)] == [2, 3, 4]


def test_code_that_is_replaced_is_seen():
    function = closing.__globals__["several"]
    launch, code = computed(function), function.__code__
    assert launch(8) == [64]
    try:
        function.__code__ = (lambda named: 5).__code__
        assert launch(8) == [5]
    finally:
        function.__code__ = code
    assert launch(8) == [64]


def test_a_value_that_is_no_number_is_read_anew():
    """What an argument holds may change while it is the same object."""
    class Number:
        value = 1

        def __mod__(self, other):
            return self.value % other

    n, launch = Number(), computed(lambda named: named["n"] % named["m"])
    assert launch(n, 10) == [1]
    n.value = 3
    assert launch(n, 10) == [3]


def test_functions_read_what_was_computed_before():
    """Also where one of the two is called and the other is known."""
    state = [0]
    launch = computed(lambda named: named["n"] + state[0], lambda named: named["first"] * 10)
    assert launch(1) == [1, 10]
    state[0] = 5
    assert launch(1) == [6, 60]
    launch = computed(lambda named: named["n"] * 2, lambda named: (named["first"], len(named), state[0]))
    for n in (1, 2, 1):
        assert launch(n) == [2 * n, (2 * n, 5, 5)]


def test_forms_of_calls_are_kept_apart():
    launchable = tw.heuristics({"out": lambda named: named["n"] * 10 + named["m"]})(Shown())
    for _ in range(2):
        for n, m in ((1, 2), (3, 4)):
            given = {"n": n, "m": m}
            assert launchable[(1, )](n, m)["out"] == launchable[(1, )](n, m=m)["out"] == 10 * n + m
            assert launchable[(1, )](m=m, n=n)["out"] == launchable[(1, )](**given)["out"] == 10 * n + m
        with pytest.raises(KeyError, match="'m'"):
            launchable[(1, )](1)
