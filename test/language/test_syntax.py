"""Constructs of Python inside kernels, each with Python's own answer where Python can give it."""
import textwrap

import numpy as np
import pytest

from runner import module

# Bodies of `def f(n, out)`: Python runs them with a list, the compiler with stores. All arithmetic is on positive ints.
PYTHON = {
    "augmented": "a = n\na += 3\na *= 2\na -= 1\na //= 2\na %= 7\na |= 8\na &= 13\na ^= 3\na <<= 2\na >>= 1\nput(0, a)",
    "unpack": "a, b = n, n + 1\na, b = b, a\n(c, d), e = (a, b), 5\nput(0, a * 100 + b * 10 + c)\nput(1, d + e)",
    "chain": "a = b = n * 2\nput(0, a + b)",
    "nested loops": "t = n\nfor i in range(n):\n    for j in range(i, n):\n        t += i * j\n        if j % 2 == 0:\n            t += 1\nput(0, t)",
    "loop after loop": "t = n\nfor i in range(n):\n    t += i\nfor i in range(n, 0, -1):\n    t += t % i\nput(0, t)",
    "while in for": "t = n\nfor i in range(1, n):\n    k = i + 0\n    while k > 0:\n        k = k // 2\n        t += 1\nput(0, t)",
    "if chain": "t = n\nif n > 10:\n    t = 1 + n\nelif n > 5:\n    t = 2 + n\nelif n == 3:\n    t = 3 + n\nelse:\n    t = 4 + n\nput(0, t)",
    "if in loop": "a = n\nb = n\nfor i in range(12):\n    if i % 3 == 0:\n        a, b = b, a + i\n    elif i % 3 == 1:\n        b = a - b\n    else:\n        if a > b:\n            a -= 1\nput(0, a)\nput(1, b)",
    "ternary": "put(0, n if n > 4 else 2 * n)\nput(1, 1 if n > 100 else (2 if n > 6 else 3))",
    "logic": "put(0, 1 if n > 2 and n < 9 or n == 50 else 0)\nput(1, 1 if not (n > 2) or n == 7 else 0)",
    "collatz": "k = n + 20\ns = 0 * n\nwhile k != 1:\n    if k % 2 == 0:\n        k = k // 2\n    else:\n        k = 3 * k + 1\n    s += 1\nput(0, s)",
    "gcd": "a = n * 12\nb = 30 + 0 * n\nwhile b > 0:\n    a, b = b, a % b\nput(0, a)",
    "fibonacci": "a, b = 0 * n, n // n\nfor i in range(n):\n    a, b = b, a + b\nput(0, a)\nput(1, b)",
    "binary search": "low, high = 0 * n, n * n\nwhile low < high:\n    middle = (low + high) // 2\n    if middle * middle < 50:\n        low = middle + 1\n    else:\n        high = middle\nput(0, low)",
    "semicolons": "a = n; b = a + 1; put(0, a * b)",
    "annotated": "a: int = n + 1\nput(0, a)",
    "parentheses": "a = (n +\n     2 *\n     3)\nput(0, a)",
    "backslash": "a = n + \\\n    2\nput(0, a)",
    "comments": "# one\na = n  # two\n\n\n# three\nput(0, a)  # four",
    "docstring": '"""Text."""\nput(0, n)',
    "pass": "if n > 100:\n    pass\nelse:\n    pass\nfor i in range(n):\n    pass\nput(0, n)",
    "literals": "put(0, n + 0x10 + 0b11 + 0o7 + 1_000)\nput(1, n + int(3.0))",
    "min max": "put(0, min(n, 4) + max(n, 9) + abs(-n))\nput(1, min(n, 3, 8) + max(1, n, 2))",
    "deep": "t = n\nfor a in range(2):\n    for b in range(2):\n        for c in range(2):\n            if a == b:\n                if b == c:\n                    t += 1\n                else:\n                    t += 10\nput(0, t)",
    "dead loop": "t = n\nfor i in range(n, 0):\n    t = t * 0\nwhile t < 0:\n    t += 1\nput(0, t)",
    "swap in loop": "a, b, c = n, n + 1, n + 2\nfor i in range(n):\n    a, b, c = c, a, b\nput(0, a)\nput(1, b)",
    "carried through if": "t = n\nu = n\nfor i in range(6):\n    if i > 2:\n        t += u\n    u = t - u\nput(0, t)\nput(1, u)",
    "loop variable later": "t = 0 * n\nfor i in range(n):\n    k = i * i\n    t += k\nput(0, t)",
}


@pytest.mark.parametrize("n", [7, 3])
@pytest.mark.parametrize("name", list(PYTHON))
def test_as_python(machine, name, n):
    """The same statements by CPython."""
    body, found = PYTHON[name], {}
    names = {}
    exec("def f(n, put):\n" + textwrap.indent(body, "    "), names)
    names["f"](n, lambda place, value: found.__setitem__(place, value))
    expected = np.array([found[k] for k in range(len(found))], np.int32)
    machine.check(body.replace("put(", "put(out, "), {"out": expected}, {"n": n}, head="@tw.jit\ndef put(out, place: tl.constexpr, value):\n    tl.store(out + place, value)\n")


STATIC = {
    "static_range": ("t = 0\nfor k in tl.static_range(4):\n    z = tl.zeros((2 ** k,), tl.int32)\n    t += z.shape[0]\ntl.store(out, t)", [15]),
    "static_range of two": ("t = 0\nfor k in tl.static_range(3, 9, 2):\n    t += k\ntl.store(out, t)", [15]),
    "static_range down": ("t = 0\nfor k in tl.static_range(5, 0, -1):\n    t = t * 10 + k\ntl.store(out, t)", [54321]),
    "shape index": ("z = tl.zeros((4, 8), tl.int32)\nA: tl.constexpr = z.shape[0]\ntl.store(out, A * 10 + z.shape[1])", [48]),
    "numel": ("z = tl.zeros((4, 8), tl.int32)\ntl.store(out, z.numel)", [32]),
    "dtype queries": ("t: tl.constexpr = tl.float16\ntl.store(out, (1 if t.is_floating() else 0) + (10 if t.is_fp16() else 0) + t.primitive_bitwidth * 100)", [1611]),
    "element type": ("T: tl.constexpr = out.dtype.element_ty\ntl.static_assert(T == tl.int32)\ntl.store(out, T.primitive_bitwidth)", [32]),
    "value of a type": ("T: tl.constexpr = out.dtype.element_ty\ntl.static_assert(T.value.is_int())\ntl.store(out, T.value.int_bitwidth)", [32]),
    "f-string": ('B: tl.constexpr = 5\ntl.static_assert(B == 5, f"B is {B}")\nNAME: tl.constexpr = f"x{B}"\ntl.static_assert(NAME == "x5")\ntl.store(out, 1)', [1]),
    "constexpr call": ("a = tl.constexpr(6)\nb: tl.constexpr = a\ntl.store(out, b)", [6]),
    "constexpr functions": ("tl.store(out, tw.cdiv(10, 3) + tw.next_power_of_2(100))", [132]),
    "tl.cdiv": ("n = 10\ntl.store(out, tl.cdiv(n, 3) + tl.cdiv(100, 7))", [19]),
    "tuple index": ("p = (3, (4, 5), 6)\ntl.store(out, p[0] * 100 + p[1][1] * 10 + p[-1])", [356]),
    "tuple sum": ("p = (1, 2) + (3,)\ntl.store(out, p[0] + p[1] * 10 + p[2] * 100)", [321]),
    "list literal": ("z = tl.zeros([2] + [4], tl.int32)\ntl.store(out, z.shape[0] * 10 + z.shape[1])", [24]),
    "string branch": ('MODE: tl.constexpr = "mean"\nif MODE == "sum":\n    tl.store(out, 1)\nelif MODE == "mean":\n    tl.store(out, 2)\nelse:\n    tl.static_assert(False)', [2]),
    "constexpr logic": ("A: tl.constexpr = 4\nB: tl.constexpr = None\nif A > 2 and not (B is not None):\n    tl.store(out, 1)\nelse:\n    tl.store(out, 2)", [1]),
    "float constants": ("m = -float('inf')\nv = tl.zeros((4,), tl.float32) + m\ntl.store(out, tl.sum((v < -1e30).to(tl.int32), 0))", [4]),
    "keyword arguments": ("tl.store(pointer=out, value=tl.sum(input=tl.arange(start=0, end=8), axis=0), mask=None)", [28]),
    "method chains": ("tl.store(out, tl.arange(0, 8).to(tl.float32).sum(0).to(tl.int32) + tl.arange(0, 8).max(0))", [35]),
    "operators on shapes": ("z = tl.zeros((8, 4), tl.int32)\nN: tl.constexpr = z.shape[0] // z.shape[1]\nw = tl.arange(0, N * 2)\ntl.store(out, tl.sum(w, 0))", [6]),
    "nested functions": ("tl.store(out, outer(3))", [19]),
    "function as value": ("tl.store(out, apply(square, 5) + apply(FUNCTION, 2))", [29]),
    "defaults": ("tl.store(out, defaults(1) + defaults(1, b=5) + defaults(a=2, c=1))", [(1 + 10) + (1 + 5) + (2 + 10 + 1)]),
    "star": ("p = (1, 2, 3)\ntl.store(out, three(*p))", [123]),
    "class": ("tl.store(out, Space.triple(4))", [12]),
    "early return": ("tl.store(out, 1)\nif tl.program_id(0) == 0:\n    return\ntl.store(out, 2)", [1]),
    "list comprehension": ("p: tl.constexpr = [k * k for k in (1, 2, 3)]\ntl.store(out, p[2])", [9]),
}
HEAD = """
@tw.jit
def square(v):
    return v * v

@tw.jit
def inner(v):
    return v + 1

@tw.jit
def outer(v):
    return inner(v) * 4 + inner(inner(0)) + 1

@tw.jit
def apply(f: tl.constexpr, v):
    return f(v)

@tw.jit
def defaults(a, b=10, c: tl.constexpr = 0):
    return a + b + c

@tw.jit
def three(a, b, c):
    return a * 100 + b * 10 + c

FUNCTION = square

class Space:
    @staticmethod
    @tw.jit
    def triple(v):
        return v * 3
"""


@pytest.mark.parametrize("name", list(STATIC))
def test_static(machine, name):
    body, expected = STATIC[name]
    machine.check(body, {"out": np.array(expected, np.int32)}, head=HEAD)


CARRIED = {
    "tile": ("acc = tl.zeros((8,), tl.float32)\nfor k in range(n):\n    acc += tl.load(x + k * 8 + i)\ntl.store(out + i, acc)", lambda a: a.sum(0)),
    "pointer": ("p = x + i\nacc = tl.zeros((8,), tl.float32)\nfor k in range(n):\n    acc += tl.load(p)\n    p += 8\ntl.store(out + i, acc)", lambda a: a.sum(0)),
    "scalar pointer": ("p = x\nacc = tl.zeros((8,), tl.float32)\nfor k in range(n):\n    acc = tl.maximum(acc, tl.load(p + i))\n    p = p + 8\ntl.store(out + i, acc)", lambda a: np.maximum(a.max(0), 0)),
    "while tile": ("acc = tl.zeros((8,), tl.float32)\nk = 0\nwhile k < n:\n    acc += tl.load(x + k * 8 + i) * k\n    k += 1\ntl.store(out + i, acc)", lambda a: (a * np.arange(len(a))[:, None]).sum(0)),
    "if tile": ("acc = tl.load(x + i)\nfor k in range(1, n):\n    v = tl.load(x + k * 8 + i)\n    if k % 2 == 0:\n        acc += v\n    else:\n        acc -= v\ntl.store(out + i, acc)", lambda a: (a * np.where(np.arange(len(a)) % 2, -1, 1)[:, None]).sum(0)),
    "two tiles": ("a = tl.zeros((8,), tl.float32)\nb = tl.zeros((8,), tl.float32) + 1\nfor k in range(n):\n    v = tl.load(x + k * 8 + i)\n    a, b = b, a + v\ntl.store(out + i, a * 2 + b)", None),
    "maximum so far": ("m = tl.full((8,), float('-inf'), tl.float32)\ns = tl.zeros((8,), tl.float32)\nfor k in range(n):\n    v = tl.load(x + k * 8 + i)\n    w = tl.maximum(m, v)\n    s = s * tl.exp(m - w) + tl.exp(v - w)\n    m = w\ntl.store(out + i, m + tl.log(s))",
                       lambda a: np.log(np.exp(a.astype(np.float64)).sum(0))),
    "early exit": ("acc = tl.zeros((8,), tl.float32)\nfor k in range(n):\n    v = tl.load(x + k * 8 + i)\n    if tl.sum(v, 0) > 0:\n        acc += v\ntl.store(out + i, acc)", lambda a: a[a.sum(1) > 0].sum(0)),
}


@pytest.mark.parametrize("rows", [0, 1, 2, 7])
@pytest.mark.parametrize("name", list(CARRIED))
def test_carried(machine, name, rows):
    """Tiles and pointers carried through loops and branches."""
    if rows == 0 and name in ("if tile", "scalar pointer", "maximum so far"):
        rows = 3
    body, function = CARRIED[name]
    data = np.random.default_rng(rows).integers(-4, 5, (max(rows, 1), 8)).astype(np.float32)
    a = data[:rows]
    if function is None:
        p, q = np.zeros(8), np.ones(8)
        for row in a:
            p, q = q, p + row
        expected = p * 2 + q
    else:
        expected = function(a)
    machine.check("i = tl.arange(0, 8)\n" + body, {"out": np.asarray(expected, np.float32)}, {"x": data, "n": rows}, bound=1e-5)


def test_meta_arguments(machine):
    """Old kernels take constants by ``**META``."""
    function = module("@tw.jit\ndef kernel(out, n, **META):\n    i = tl.arange(0, META['BLOCK'])\n    tl.store(out + i, i, mask=i < n)\n")["kernel"]
    out = np.zeros(16, np.int32)
    machine.launch(function, (1,), {"out": out, "n": 10, "BLOCK": 16}, {})
    np.testing.assert_array_equal(out, np.where(np.arange(16) < 10, np.arange(16), 0))


@pytest.mark.parametrize("grid", [(1,), (7,), (3, 4), (2, 3, 4), (1, 1, 5)])
def test_grids(machine, grid):
    """Ids and counts on three axes."""
    x, y, z = (*grid, 1, 1)[:3]
    k, j, i = np.meshgrid(np.arange(z), np.arange(y), np.arange(x), indexing="ij")
    machine.check("a, b, c = tl.program_id(0), tl.program_id(axis=1), tl.program_id(2)\n"
                  "at = (c * tl.num_programs(1) + b) * tl.num_programs(axis=0) + a\ntl.store(out + at, a + 100 * b + 10000 * c)\n"
                  "tl.store(count + at, tl.num_programs(2))",
                  {"out": (i + 100 * j + 10000 * k).astype(np.int32), "count": np.full((z, y, x), z, np.int32)}, grid=grid)
