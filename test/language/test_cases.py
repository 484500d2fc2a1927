"""The case kinds: what public bug reports of tile compilers teach, each over its kind, named after the case.

C33 (fp8 casts) is in test_casts, C45 (old values of atomics) in test_atomics, C47 (spin locks) also in test_rules_operations.
"""
import numpy as np
import pytest

from dtypes import NUMPY, samples
from test_reductions import places


@pytest.mark.parametrize("rows, columns", [(4, 4), (8, 2), (3, 16), (1, 1)])
@pytest.mark.parametrize("prologue", [True, False])
def test_c01(machine, rows, columns, prologue):
    """A switch read at run time guards stores and a return that never happens; the row sums stay."""
    a, v = np.ones((rows, columns), np.float32), np.ones(columns, np.float32)
    guard = """
        yes, no = tl.split(tl.load(switch + tl.arange(0, 2)) != 0)
        if yes:
            tl.store(scratch + row, 1.0, mask=no)
        if no:
            tl.store(scratch + row, 2.0)
            return
        tl.store(scratch + row, 3.0, mask=no & yes)
        """ if prologue else ""
    body = f"""
        row = tl.program_id(0){guard}
        j = tl.arange(0, 16)
        p = tl.load(x + row * n + j, mask=j < n, other=0.0) * tl.load(v + j, mask=j < n, other=0.0)
        tl.store(out + row, tl.sum(p, 0))
        """
    machine.check(body, {"out": a @ v, "scratch": np.zeros(rows, np.float32)},
                  {"x": a, "v": v, "switch": np.array([1, 0], np.int32), "n": columns}, grid=(rows,),
                  initial={"scratch": np.zeros(rows, np.float32)})


@pytest.mark.parametrize("hint", ["tl.assume(n < 0)", "tl.assume(pid == 5)", "tl.multiple_of(n, 4096)", "pass"])
@pytest.mark.parametrize("grid", [(4, 4, 4), (3, 2, 1)])
def test_c03(machine, hint, grid):
    """A hint in a branch that is never taken constrains nothing."""
    total = int(np.prod(grid)) * 48
    machine.check(f"""
        pid = tl.program_id(0)
        if n == 12345:
            {hint}
        i = tl.arange(0, 64)
        s = tl.sum(tl.load(x + i, mask=i < n, other=0), 0)
        tl.atomic_add(out, s, sem="relaxed")
        """, {"out": np.array([total], np.int32)}, {"x": np.ones(48, np.int32), "n": 48}, grid=grid, initial={"out": np.zeros(1, np.int32)})


@pytest.mark.parametrize("step", [-8, -1, -3, -100])
@pytest.mark.parametrize("start, stop", [(88, -1), (10, 0), (0, 10), (5, 5)])
def test_c05(machine, step, start, stop):
    """Descending loops with a run-time step that read an array."""
    a = np.arange(128, dtype=np.int32)
    machine.check("total = 0\nfor k in range(a, b, s):\n    total += tl.load(x + k)\ntl.store(out, total)",
                  {"out": np.array([sum(a[k] for k in range(start, stop, step))], np.int32)}, {"x": a, "a": start, "b": stop, "s": step})


def test_c05_step_of_zero(machine):
    machine.refuse("for k in range(0, n, 0):\n    tl.store(x, 1.0)", 2122, 1)


@pytest.mark.parametrize("a, b, c", [(1, 5, 3), (1, 2, 3), (3, 2, 1), (2, 2, 2)])
def test_c07(machine, a, b, c):
    """Chained comparisons of constants and scalars; `for` and `while` agree on the same helper."""
    head = "@tw.jit\ndef residue(v, m):\n    return (v * 7 + 3) % m\n"
    expected = sum((k * 7 + 3) % 5 for k in range(12))
    machine.check(f"""
        tl.store(out, 1 if a < b < c else 0)
        tl.store(out + 1, 1 if {a} < {b} < {c} else 0)
        tl.store(out + 2, 1 if a <= b <= c else 0)
        first = 0
        for k in range(12):
            first += residue(k, 5)
        second = 0
        j = 0
        while j < 12:
            second += residue(j, 5)
            j += 1
        tl.store(out + 3, first)
        tl.store(out + 4, second)
        """, {"out": np.array([a < b < c, a < b < c, a <= b <= c, expected, expected], np.int32)}, {"a": a, "b": b, "c": c}, head=head)


@pytest.mark.parametrize("size", [4, 16, 128, 1024])
@pytest.mark.parametrize("pattern", ["all", "random", "none"])
def test_c09(machine, size, pattern):
    """Compaction: a prefix sum over i1 counts (probe 18)."""
    flags = {"all": np.ones(size, bool), "none": np.zeros(size, bool), "random": samples("int1", size, 3)}[pattern]
    a = np.arange(100, 100 + size, dtype=np.int32)
    expected = np.full(size, -1, np.int32)
    expected[:flags.sum()] = a[flags]
    machine.check(f"""
        i = tl.arange(0, {size})
        take = tl.load(f + i)
        at = tl.cumsum(take, 0) - 1
        tl.store(out + at, tl.load(x + i), mask=take)
        tl.store(count, tl.sum(take, 0))
        """, {"out": expected, "count": np.array([flags.sum()], np.uint32)}, {"x": a, "f": flags}, initial={"out": np.full(size, -1, np.int32)})


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize("text", ["tl.where(i < 4, acc, 0.0) + v", "acc * 0.5 + v", "acc + v * 2", "acc - 1.0 + v"])
def test_c11(machine, dtype, text):
    """Literals adopt the tile's type, so a loop-carried accumulator keeps it."""
    a = np.arange(8).astype(NUMPY[dtype])
    acc, i = np.zeros(8, NUMPY[dtype]), np.arange(8)
    for _ in range(3):
        acc = eval(text.replace("tl.where", "np.where"), {"np": np, "acc": acc.astype(np.float64), "v": a.astype(np.float64), "i": i}).astype(NUMPY[dtype])
    machine.check(f"i = tl.arange(0, 8)\nv = tl.load(x + i)\nacc = tl.zeros((8,), v.dtype)\nfor k in range(3):\n    acc = {text}\ntl.store(out + i, acc)",
                  {"out": acc}, {"x": a})


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_c11_relu6(machine, dtype):
    a = np.linspace(-4, 10, 8).astype(NUMPY[dtype])
    machine.check("i = tl.arange(0, 8)\nacc = tl.load(x + i)\nfor k in range(2):\n    acc = tl.minimum(tl.maximum(acc, 0.0), 6.0)\ntl.store(out + i, acc)",
                  {"out": np.clip(a, 0, 6)}, {"x": a})


SCALARS = [("float16", 42.0), ("bfloat16", 1.5), ("float16", 65504.0), ("float32", 1.5), ("float64", 1e300), ("float64", 0.1), ("int8", -128), ("int8", 127),
           ("int16", -32768), ("int32", -2**31), ("int64", -2**63), ("uint8", 255), ("uint16", 65535), ("uint32", 2**32 - 1), ("uint64", 2**64 - 1),
           ("int64", 2**63 - 1), ("bfloat16", -2.0**100)]


@pytest.mark.parametrize("dtype, value", SCALARS)
def test_c13(machine, dtype, value):
    """Scalar arguments of every type at extreme values."""
    from runner import module
    function = module(f"@tw.jit\ndef kernel(out, v: tl.{dtype}):\n    tl.static_assert(v.dtype == tl.{dtype})\n    tl.store(out, v)\n")["kernel"]
    out = np.zeros(1, NUMPY[dtype])
    machine.launch(function, (1,), {"out": out, "v": value}, {})
    assert out[0] == NUMPY[dtype].type(value)


@pytest.mark.parametrize("width", [1 << k for k in range(13)])
@pytest.mark.parametrize("warps", [1, 4, 8])
@pytest.mark.parametrize("loop", [True, False])
def test_c15(machine, width, warps, loop):
    """A prefix sum of ones along axis 1 for every width, inside a loop and outside."""
    trips = 2 if loop else 1
    start = "for k in range(0, n):" if loop else "if n > 0:\n            k = 0"
    machine.check(f"""
        j = tl.arange(0, {width})
        {start}
            ones = tl.load(x + j[None, :], mask=j[None, :] < {width}, other=0)
            tl.store(out + k * {width} + j[None, :], tl.cumsum(ones, 1))
        """, {"out": np.tile(np.arange(1, width + 1, dtype=np.int32), (trips, 1))}, {"x": np.ones(width, np.int32), "n": trips}, num_warps=warps)


@pytest.mark.parametrize("axis", [0, 1, -1, -2])
@pytest.mark.parametrize("in_place", [True, False])
@pytest.mark.parametrize("reverse", [True, False])
def test_c17(machine, axis, in_place, reverse):
    """A pair scan; in reverse it is flip, scan, flip."""
    head = "@tw.jit\ndef linear(a, b, c, d):\n    return a * c, b * c + d\n"
    rng = np.random.default_rng(1)
    a, b = rng.choice([-1, 1, 2, 0], (4, 8)).astype(np.float32), rng.integers(-2, 3, (4, 8)).astype(np.float32)
    p, q = (np.moveaxis(np.flip(v, axis) if reverse else v, axis, 0).copy() for v in (a, b))
    for k in range(1, len(p)):
        q[k], p[k] = q[k - 1] * p[k] + q[k], p[k - 1] * p[k]
    p, q = (np.ascontiguousarray(np.flip(np.moveaxis(v, 0, axis), axis) if reverse else np.moveaxis(v, 0, axis)) for v in (p, q))
    source = ("out", "second") if in_place else ("x", "y")
    machine.check(f"at = {places((4, 8))}\nu, v = tl.associative_scan((tl.load({source[0]} + at), tl.load({source[1]} + at)), {axis}, linear, reverse={reverse})\n"
                  "tl.store(out + at, u)\ntl.store(second + at, v)", {"out": p, "second": q}, {"x": a, "y": b}, head=head,
                  initial={"out": a, "second": b} if in_place else None)


@pytest.mark.parametrize("shape", [(16, 1), (1, 16), (1, 1), (16, 1, 4), (1, 4, 1), (2, 1, 1)], ids=str)
@pytest.mark.parametrize("name", ["max", "min", "sum", "argmax"])
def test_c19(machine, shape, name):
    """Unit axes, all axes in one kernel."""
    a = samples("float32", shape, 2)
    expected, lines = {}, []
    for axis in range(len(shape)):
        value = np.asarray(getattr(np, name)(a, axis=axis)).astype(np.int32 if name == "argmax" else np.float32)
        expected[f"out{axis}"] = value
        lines.append(f"tl.store(out{axis} + {places(value.shape)}, tl.{name}(a, {axis}))")
    machine.check(f"a = tl.load(x + {places(shape)})\n" + "\n".join(lines), expected, {"x": a})


@pytest.mark.parametrize("count", [1, 3, 33, 48, 49, 63, 100])
def test_c21(machine, count):
    """Other counts than powers of two, also a tile replicated along another axis."""
    a = np.arange(1, count + 1, dtype=np.int32)
    machine.check("""
        i = tl.arange(0, 128)
        v = tl.load(x + i, mask=i < n, other=0)
        tl.store(out, tl.sum(v, 0))
        wide = tl.broadcast_to(v[None, :], (4, 128))
        tl.store(rows + tl.arange(0, 4), tl.sum(wide, 1))
        tl.store(out + 1, tl.sum(wide))
        """, {"out": np.array([a.sum(), 4 * a.sum()], np.int32), "rows": np.full(4, a.sum(), np.int32)}, {"x": a, "n": count})


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("tokens", [1, 2, 5, 8])
@pytest.mark.parametrize("static", [True, False])
def test_c23(machine, axis, tokens, static):
    """A range broadcast over experts and features, reshaped and summed, for fixed and run-time extents."""
    grid = np.where(np.arange(8) < tokens, np.arange(8), 0)[:, None, None] + np.zeros((8, 4, 2), np.int64)
    expected = grid.reshape(4, 8, 2).sum(axis).astype(np.int32)
    limit = str(tokens) if static else "n"
    machine.check(f"""
        t = tl.arange(0, 8)
        v = tl.where(t < {limit}, t, 0)
        cube = tl.broadcast_to(v[:, None, None], (8, 4, 2))
        tl.store(out + {places(expected.shape)}, tl.sum(tl.reshape(cube, (4, 8, 2)), {axis}))
        """, {"out": expected}, {"n": tokens})


@pytest.mark.parametrize("warps", [1, 2, 4, 8])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_c25(machine, warps, dtype):
    """Two products in a row; ones give 8192."""
    one = NUMPY[dtype].type(1)
    machine.check(f"""
        m, d = tl.arange(0, 64), tl.arange(0, 128)
        q = tl.load(x + m[:, None] * 128 + d[None, :])
        k = tl.load(y + d[:, None] * 64 + m[None, :])
        v = tl.load(z + m[:, None] * 128 + d[None, :])
        s = tl.dot(q, k).to(tl.{dtype})
        tl.store(out + m[:, None] * 128 + d[None, :], tl.dot(s, v))
        """, {"out": np.full((64, 128), 8192, np.float32)},
                  {"x": np.full((64, 128), one), "y": np.full((128, 64), one), "z": np.full((64, 128), one)}, num_warps=warps)


C27 = {
    "chained": "acc = tl.dot(a, b, acc)\n    acc = tl.dot(c, d, acc)", "sum": "acc += tl.dot(a, b) + tl.dot(c, d)",
    "two": "acc = tl.dot(a, b, acc)\n    other = tl.dot(c, d, other)", "nested": "acc = tl.dot(c, d, tl.dot(a, b, acc))",
    "plus": "acc += tl.dot(a, b)\n    acc += tl.dot(c, d)"
}


@pytest.mark.parametrize("name", list(C27))
@pytest.mark.parametrize("rows", [16, 64, 128])
def test_c27(machine, name, rows):
    """A B + C D over a loop of K in five formulations."""
    rng = np.random.default_rng(5)
    a, c = (rng.integers(-2, 3, (rows, 64)).astype(np.float16) for _ in range(2))
    b, d = (rng.integers(-2, 3, (64, 32)).astype(np.float16) for _ in range(2))
    machine.check(f"""
i, j, l = tl.arange(0, {rows}), tl.arange(0, 32), tl.arange(0, 16)
acc = tl.zeros(({rows}, 32), tl.float32)
other = tl.zeros(({rows}, 32), tl.float32)
for k in tl.range(0, 64, 16, num_stages=3):
    left = i[:, None] * 64 + k + l[None, :]
    right = (k + l[:, None]) * 32 + j[None, :]
    a, b, c, d = tl.load(p + left), tl.load(q + right), tl.load(r + left), tl.load(s + right)
    {C27[name]}
tl.store(out + i[:, None] * 32 + j[None, :], acc + other)
""", {"out": (a.astype(np.float64) @ b + c.astype(np.float64) @ d).astype(np.float32)}, {"p": a, "q": b, "r": c, "s": d})


@pytest.mark.parametrize("n", [8, 24, 40, 56, 1, 17])
@pytest.mark.parametrize("k", [8, 24, 40, 17])
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_c29(machine, n, k, dtype):
    """Extents that do not divide a hardware tile, by masks."""
    rng = np.random.default_rng(6)
    a, b = rng.integers(-2, 3, (16, k)).astype(NUMPY[dtype]), rng.integers(-2, 3, (k, n)).astype(NUMPY[dtype])
    machine.check("""
        i, j, l = tl.arange(0, 16), tl.arange(0, 64), tl.arange(0, 64)
        a = tl.load(x + i[:, None] * k + l[None, :], mask=l[None, :] < k, other=0.0)
        b = tl.load(y + l[:, None] * n + j[None, :], mask=(l[:, None] < k) & (j[None, :] < n), other=0.0)
        tl.store(out + i[:, None] * n + j[None, :], tl.dot(a, b), mask=j[None, :] < n)
        """, {"out": (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32)}, {"x": a, "y": b, "n": n, "k": k})


@pytest.mark.parametrize("rows, columns", [(1, 8), (2, 8), (8, 1), (1, 1), (4, 4)])
@pytest.mark.parametrize("row_limit", [0, 1, 2, 9])
@pytest.mark.parametrize("column_limit", [0, 3, 8])
def test_c35(machine, rows, columns, row_limit, column_limit):
    """Combined masks over unit and other axes: exactly the box is copied."""
    a = np.arange(1, 1 + 16 * 8, dtype=np.float32).reshape(16, 8)
    expected = np.full((16, 8), -1, np.float32)
    start = 1
    i, j = start + np.arange(rows)[:, None], np.arange(columns)[None, :]
    inside = (i < row_limit) & (j < column_limit)
    expected[np.broadcast_to(i, inside.shape)[inside], np.broadcast_to(j, inside.shape)[inside]] = a[np.broadcast_to(i, inside.shape)[inside], np.broadcast_to(j, inside.shape)[inside]]
    machine.check(f"""
        i = (tl.program_id(0) + 1 + tl.arange(0, {rows}))[:, None]
        j = tl.arange(0, {columns})[None, :]
        mask = (i < r) & (j < c)
        tl.store(out + i * 8 + j, tl.load(x + i * 8 + j, mask=mask), mask=mask)
        """, {"out": expected}, {"x": a, "r": row_limit, "c": column_limit}, initial={"out": np.full((16, 8), -1, np.float32)})


@pytest.mark.parametrize("limits", [(4, 12), (12, 4), (16, 16), (0, 16), (5, 7, 3, 9)])
@pytest.mark.parametrize("carried", ["mask", "index"])
def test_c37(machine, limits, carried):
    """A mask narrowed in a loop, or an index tile moved in it: the last value counts, not the first."""
    a, count = np.arange(16, dtype=np.float32), len(limits)
    if carried == "mask":
        expected = np.where(np.arange(16) < min(limits), a, -1)
        step = "mask = mask & (i < tl.load(y + k))"
    else:
        expected = np.where(np.arange(16) + sum(limits) < 16, np.roll(np.append(a, [0] * 64), -sum(limits))[:16], -1)
        step = "i = i + tl.load(y + k)\n            mask = i < 16"
    machine.check(f"""
        i = tl.arange(0, 16)
        mask = i < 16
        for k in range(n):
            {step}
        tl.store(out + tl.arange(0, 16), tl.load(x + i, mask=mask, other=-1.0))
        """, {"out": expected.astype(np.float32)}, {"x": a, "y": np.array(limits, np.int32), "n": count})


@pytest.mark.parametrize("length", [32, 1, 63, 64])
@pytest.mark.parametrize("pad", ["nan", "zero"])
def test_c39(machine, length, pad):
    """64 elements from an array of fewer."""
    expected = np.where(np.arange(64) < length, 1.0, np.nan if pad == "nan" else 0).astype(np.float32)
    machine.check(f"""
        p = tl.make_block_ptr(x, (n,), (1,), (0,), (64,), (0,))
        q = tl.make_block_ptr(out, (64,), (1,), (0,), (64,), (0,))
        tl.store(q, tl.load(p, boundary_check=(0,), padding_option="{pad}"))
        """, {"out": expected}, {"x": np.ones(length, np.float32), "n": length})


@pytest.mark.parametrize("row, stride", [(70000, 70000), (2**20, 2**12), (-70000, 70000), (3, 5)])
def test_c41(machine, row, stride):
    """The offset itself is stored: explicit 64-bit casts are never narrowed."""
    machine.check("j = tl.arange(0, 8)\no = r.to(tl.int64) * s + j\ntl.static_assert(o.dtype == tl.int64)\ntl.store(out + j, o)\n"
                  "tl.store(mixed + j, j.to(tl.int64) * s * r)",
                  {"out": row * stride + np.arange(8, dtype=np.int64), "mixed": np.arange(8, dtype=np.int64) * row * stride}, {"r": row, "s": stride})


@pytest.mark.parametrize("size", [8, 64, 1024])
@pytest.mark.parametrize("loop", [True, False])
def test_c43(machine, size, loop):
    """A program sees its own stores, whichever element made them."""
    trips = 4 if loop else 1
    expected = np.arange(size, dtype=np.int32)
    for _ in range(trips):
        expected = expected[::-1] + 1
    machine.check(f"""
        i = tl.arange(0, {size})
        tl.store(out + i, i)
        for k in tl.range(0, {'n' if loop else '1'}, num_stages=3, flatten=True):
            v = tl.load(out + {size - 1} - i)
            tl.store(out + i, v + 1)
        """, {"out": expected}, {"n": trips})


@pytest.mark.parametrize("programs", [1, 16, 128])
@pytest.mark.parametrize("width", [32, 256])
def test_c47(machine, programs, width):
    """Partial sums under a lock: the release covers all earlier stores."""
    a = np.arange(programs * width, dtype=np.float32).reshape(programs, width) % 17
    machine.check(f"""
        row = tl.program_id(0)
        j = tl.arange(0, {width})
        v = tl.load(x + row * {width} + j)
        while tl.atomic_cas(lock + row % 4, 0, 1) == 1:
            pass
        at = out + (row % 4) * {width} + j
        tl.store(at, tl.load(at) + v)
        tl.atomic_xchg(lock + row % 4, 0)
        """, {"out": np.stack([a[k::4].sum(0) if len(a[k::4]) else np.zeros(width, np.float32) for k in range(4)]), "lock": np.zeros(4, np.int32)},
                  {"x": a}, grid=(programs,), initial={"out": np.zeros((4, width), np.float32), "lock": np.zeros(4, np.int32)})


@pytest.mark.parametrize("groups", [1, 4, 9])
def test_c49(machine, groups):
    """A barrier inside a branch that all take; sums of 32 by group (528, 1552, 2576, 3600 for four)."""
    a = np.arange(1, 32 * groups + 1, dtype=np.int32)
    machine.check("""
        g = tl.program_id(0)
        i = tl.arange(0, 32)
        if g < n:
            v = tl.load(x + g * 32 + i)
            tl.debug_barrier()
            tl.store(out + g, tl.sum(v, 0))
            tl.store(copy + g * 32 + i, v)
        """, {"out": a.reshape(groups, 32).sum(1).astype(np.int32), "copy": a}, {"x": a, "n": groups}, grid=(groups,))
