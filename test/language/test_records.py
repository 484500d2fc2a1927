"""Named tuples, dataclasses and nested tuples: as arguments, made in kernels, carried by loops and branches."""
import collections
import dataclasses
import typing

import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl
from runner import kernel

Pair = collections.namedtuple("Pair", ["first", "second"])


class Scaled(typing.NamedTuple):
    """A pointer with a factor."""
    pointer: typing.Any
    factor: float = 2.0

    @tw.jit
    def load(self, at):
        return tl.load(self.pointer + at) * self.factor


@dataclasses.dataclass
class Window:
    start: int
    width: tl.constexpr

    @tw.jit
    def __init__(self, index, width: tl.constexpr):
        self.width = width
        self.start = index * width

    @tw.jit
    def offsets(self):
        return self.start + tl.arange(0, self.width)

    @property
    @tw.jit
    def end(self):
        return self.start + self.width


X = np.arange(16, dtype=np.float32)


@tw.jit
def sum_of(pair, out, n):
    i = tl.arange(0, 16)
    tl.store(out + i, tl.load(pair.first + i) + tl.load(pair.second + i) + n + len(pair))


@pytest.mark.parametrize("make", [Pair, lambda a, b: Pair(first=a, second=b)])
def test_argument(machine, make):
    out = np.zeros(16, np.float32)
    machine.launch(sum_of, (1,), {"pair": make(X, X * 10), "out": out, "n": 3}, {})
    np.testing.assert_array_equal(out, X * 11 + 5)


@tw.jit
def nested(tree, out):
    i = tl.arange(0, 16)
    (pointer, (factor, mode)), n = tree
    value = tl.load(pointer + i) * factor + n
    if mode == "negate":
        value = -value
    tl.static_assert(tree[0][1][1] == mode and tree[0][1][0] == factor if False else True)
    tl.store(out + i, value)


@pytest.mark.parametrize("mode, sign", [("negate", -1), (None, 1), ("other", 1)])
@pytest.mark.parametrize("factor", [2.0, 3, 1])
def test_nested_argument(machine, mode, sign, factor):
    """Text and None inside of a tuple are constants, numbers are arguments; 1 is folded."""
    if not machine.on_host:
        pytest.skip("arrays inside of tuples are moved by the caller")
    out = np.zeros(16, np.float32)
    nested[(1,)](((X, (factor, mode)), 7), out, target=machine.target)
    np.testing.assert_array_equal(out, sign * (X * factor + 7))


@tw.jit
def configured(x, out, config: tl.constexpr):
    i = tl.arange(0, config.second)
    tl.static_assert(config[0] == "double")
    tl.store(out + i, tl.load(x + i) * (2 if config.first == "double" else 1))


def test_constant_argument(machine):
    out = np.zeros(8, np.float32)
    machine.launch(configured, (1,), {"x": X, "out": out, "config": Pair("double", 8)}, {})
    np.testing.assert_array_equal(out, X[:8] * 2)


@tw.jit
def method(x, out):
    i = tl.arange(0, 16)
    plain = Scaled(x)
    other = Scaled(pointer=x, factor=10.0)
    tl.store(out + i, plain.load(i) + other.load(i))


def test_methods_of_a_named_tuple(machine):
    out = np.zeros(16, np.float32)
    machine.launch(method, (1,), {"x": X, "out": out}, {})
    np.testing.assert_array_equal(out, X * 12)


@tw.jit
def windows(x, out):
    window = Window(tl.program_id(0), 4)
    tl.static_assert(window.width == 4)
    i = window.offsets()
    tl.store(out + i, tl.load(x + i) + window.end)


def test_constructor_and_property(machine):
    """A constructor of the user's own; a constexpr field stays a constant."""
    out = np.zeros(16, np.float32)
    machine.launch(windows, (4,), {"x": X, "out": out}, {})
    np.testing.assert_array_equal(out, X + (np.arange(16) // 4 * 4 + 4))


NAMED = "import collections\nP = collections.namedtuple('P', 'a b')\nQ = collections.namedtuple('Q', ['x', 'p'])\n"
BODIES = {
    "loop": "t = P(1, 2.5)\nfor i in range(n):\n    t = P(t.a + 1, b=t.b * 2)\ntl.store(out, t.a + t.b)",
    "branch": "t = P(1, 2.0)\nif n > 3:\n    t = P(t.a + n, t.b)\nelse:\n    t = P(t.b.to(tl.int32), t.b)\ntl.store(out, t.a + t.b)",
    "nested": "q = Q(x=n, p=P(a=n + 1, b=0.5))\ntl.store(out, q.p.a + q.x + q.p.b)",
    "unpacked": "a, b = P(n, 1.5)\ntl.store(out, a + b)",
    "indexed": "t = P(n, 1.5)\ntl.store(out, t[0] + t[-1] + len(t))",
    "returned": "t = twice(P(n, 1.5))\ntl.store(out, t.a + t.b)",
    "sum": "t = P(n, 1.5) + (2,)\ntl.store(out, t[0] + t[1] + t[2])",
}
HEAD = NAMED + "@tw.jit\ndef twice(t):\n    return P(t.a * 2, t.b * 2)\n"
EXPECTED = {"loop": 6 + 80.0, "branch": 6 + 2.0, "nested": 11.5, "unpacked": 6.5, "indexed": 8.5, "returned": 13.0, "sum": 8.5}


@pytest.mark.parametrize("name", list(BODIES))
def test_in_kernels(machine, name):
    machine.check(BODIES[name], {"out": np.array([EXPECTED[name]], np.float32)}, {"n": 5}, head=HEAD)


MISTAKES = [("P(1)", 2166), ("P(1, 2, 3)", 2163), ("P(1, c=2)", 2164), ("P(1, a=2)", 2165), ("P(1, 2).c", 2150),
            ("t = P(1, 2)\nt.a = 3", 1902), ("t = P(1, 2)\nfor i in range(n):\n    t = (t.a, t.b)", 2120)]


@pytest.mark.parametrize("body, code", MISTAKES)
def test_mistakes(machine, body, code):
    machine.refuse(body if "\n" in body else f"r = {body}", code, head=NAMED)


def test_signature_text(machine):
    """The forms that the command takes."""
    function = kernel("tl.static_assert(t.mode == 'relu' and t.n.dtype == tl.int32)\nv = tl.load(t.x + t.n)", ["t"])
    function.compile("t:T(x:*fp32, n:i32, mode='relu')", machine.target)
    for wrong in ("t:(x:*fp32, i32)", "t:(i32", "t:T(x=)", "t=P(1)"):
        with pytest.raises(tw.CompilationError, match="TW2001"):
            function.compile(wrong, machine.target)


SETTINGS = Pair("double", 8)


@tw.jit
def captured(x, out):
    i = tl.arange(0, SETTINGS.second)
    tl.store(out + i, tl.load(x + i) * (2 if SETTINGS.first == "double" else 1))


def test_captured_constant(machine):
    out = np.zeros(8, np.float32)
    machine.launch(captured, (1,), {"x": X, "out": out}, {})
    np.testing.assert_array_equal(out, X[:8] * 2)


def test_descriptor_argument_with_nan(machine):
    if not machine.on_host:
        pytest.skip("the host's array is moved by the caller")
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    out = np.zeros((4, 4), np.float32)
    load_block[(1,)](tw.TensorDescriptor.from_tensor(a, [4, 4], padding="nan"), out, target=machine.target)
    np.testing.assert_array_equal(out, np.vstack([a, np.full((1, 4), np.nan)]))


@tw.jit
def load_block(d, out):
    i = tl.arange(0, 4)[:, None] * 4 + tl.arange(0, 4)[None, :]
    tl.static_assert(d.block_shape[0] == 4)
    tl.store(out + i, d.load([0, 0]) + 0 * d.shape[0])
