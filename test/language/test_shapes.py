"""Shapes: broadcasting, views, permutations, joins, gathers, sorting, histograms (rules F1 to F5, M2)."""
import itertools

import numpy as np
import pytest

from dtypes import FP8, NUMBERS, NUMPY, kind, samples, wide
from test_reductions import places

ALL = ["int1", *NUMBERS, *FP8]


def moved(machine, expression, expected, inputs, shape, **options):
    """Loads x with a shape, evaluates, stores the outcome row-major."""
    expected = np.ascontiguousarray(expected)
    target = f"out + {places(expected.shape)}" if expected.shape else "out"
    machine.check(f"a = tl.load(x + {places(shape)})\nr = {expression}\ntl.static_assert(r.dtype == a.dtype)\ntl.store({target}, r)",
                  {"out": expected}, inputs, **options)


BROADCASTS = [((8,), (1,)), ((1,), (8,)), ((4, 8), (8,)), ((4, 8), (1, 8)), ((4, 8), (4, 1)), ((4, 1), (1, 8)),
              ((1, 8), (4, 1)), ((1, 1), (4, 8)), ((2, 4, 8), (8,)), ((2, 4, 8), (4, 1)), ((2, 1, 8), (4, 1)),
              ((2, 1, 1), (1, 4, 1)), ((1, 4, 1), (2, 1, 8)), ((8,), (2, 4, 1)), ((2, 2, 2, 2), (2, 1, 2)), ((1,), (2, 1, 4, 1))]


@pytest.mark.parametrize("left, right", BROADCASTS, ids=str)
@pytest.mark.parametrize("operator", ["+", "<", "where", "maximum"])
@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_broadcast(machine, operator, left, right, dtype):
    """Rule F2: ranks are padded on the left, extents of 1 repeat."""
    a, b = samples(dtype, left, 1), samples(dtype, right, 2)
    with np.errstate(all="ignore"):
        expected = {"+": lambda: a + b, "<": lambda: a < b, "where": lambda: np.where(a < b, a, b),
                    "maximum": lambda: np.maximum(a, b)}[operator]()
    text = {"+": "a + b", "<": "a < b", "where": "tl.where(a < b, a, b)", "maximum": "tl.maximum(a, b)"}[operator]
    machine.check(f"a = tl.load(x + {places(left)})\nb = tl.load(y + {places(right)})\ntl.store(out + {places(expected.shape)}, {text})",
                  {"out": expected}, {"x": a, "y": b})


@pytest.mark.parametrize("left, right", [((8,), (4,)), ((4, 8), (4,)), ((4, 8), (8, 4)), ((2, 4, 8), (2, 4))], ids=str)
def test_shapes_that_do_not_broadcast(machine, left, right):
    machine.refuse(f"a = {places(left)}\nb = {places(right)}\nc = a + b", 2032, 3)


RESHAPES = [((16,), (4, 4)), ((4, 4), (16,)), ((4, 8), (8, 4)), ((4, 8), (2, 2, 8)), ((2, 4, 8), (8, 8)), ((2, 4, 8), (64,)),
            ((8,), (1, 8)), ((8,), (8, 1)), ((1, 1), (1,)), ((1,), (1, 1, 1)), ((2, 2, 2, 2), (4, 4)), ((8, 1, 4), (2, 16))]


@pytest.mark.parametrize("shape, target", RESHAPES, ids=str)
@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "int64"])
@pytest.mark.parametrize("form", ["tl.reshape(a, {})", "a.reshape({})", "tl.reshape(a + a * 0, *{})"])
def test_reshape(machine, shape, target, dtype, form):
    a = samples(dtype, shape, 3)
    moved(machine, form.format(list(target)), a.reshape(target), {"x": a}, shape)


PERMUTATIONS = [(shape, dims) for shape in ((4, 8), (2, 4, 8), (2, 4, 1, 8)) for dims in itertools.permutations(range(len(shape)))]


@pytest.mark.parametrize("shape, dims", PERMUTATIONS, ids=str)
@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "float64"])
def test_permute(machine, shape, dims, dtype):
    a = samples(dtype, shape, 4)
    form = "tl.permute(a, {})" if dtype in ("int8", "float32") else "tl.trans(a, {})"
    arguments = ", ".join(map(str, dims)) if dtype == "float16" else str(list(dims))
    moved(machine, form.format(arguments), a.transpose(dims), {"x": a}, shape)


@pytest.mark.parametrize("form", ["tl.trans(a)", "a.T", "a.trans()", "tl.permute(a, 1, 0)"])
@pytest.mark.parametrize("shape", [(4, 8), (1, 8), (8, 1), (16, 16)], ids=str)
def test_transpose(machine, form, shape):
    a = samples("float32", shape, 5)
    moved(machine, form, a.T, {"x": a}, shape)


@pytest.mark.parametrize("shape", [(2, 4, 8), (1, 8, 2)], ids=str)
def test_trans_swaps_the_last_two(machine, shape):
    a = samples("int32", shape, 5)
    moved(machine, "tl.trans(a)", a.swapaxes(-1, -2), {"x": a}, shape)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
@pytest.mark.parametrize("dtype", ["int8", "float32"])
def test_expand_dims(machine, axis, dtype):
    a = samples(dtype, (4, 8), 6)
    moved(machine, f"tl.expand_dims(a, {axis})", np.expand_dims(a, axis), {"x": a}, (4, 8))


INDICES = {"None": ((8,), "a[None]"), "row": ((8,), "a[None, :]"), "column": ((8,), "a[:, None]"), "same": ((8,), "a[:]"),
           "middle": ((4, 8), "a[:, None, :]"), "last": ((4, 8), "a[:, :, None]"), "first": ((4, 8), "a[None, :, :]"),
           "both": ((8,), "a[None, :, None]"), "three": ((8,), "a[None, None, :]"), "ellipsis-free": ((4, 8), "a[:, :]")}


@pytest.mark.parametrize("name", list(INDICES))
def test_index(machine, name):
    """Rule F3, with NumPy's meaning."""
    shape, expression = INDICES[name]
    a = samples("int32", shape, 7)
    moved(machine, expression, eval(expression, {"a": a}), {"x": a}, shape)


@pytest.mark.parametrize("shape, target", [((1,), (8,)), ((1, 8), (4, 8)), ((4, 1), (4, 8)), ((1, 1), (2, 4)), ((2, 1, 4), (2, 8, 4))],
                         ids=str)
@pytest.mark.parametrize("form", ["tl.broadcast_to(a, {})", "tl.broadcast_to(a, *{})", "a.broadcast_to({})"])
def test_broadcast_to(machine, shape, target, form):
    a = samples("float32", shape, 8)
    moved(machine, form.format(list(target)), np.broadcast_to(a, target), {"x": a}, shape)


@pytest.mark.parametrize("shape, dim", [((8,), 0), ((8,), None), ((4, 8), 0), ((4, 8), 1), ((4, 8), -1), ((2, 4, 8), 1), ((1, 8), 0),
                                        ((2, 4, 8), None)])
@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "int64"])
def test_flip(machine, shape, dim, dtype):
    """The last dimension unless one is given."""
    a = samples(dtype, shape, 9)
    moved(machine, "tl.flip(a)" if dim is None else f"tl.flip(a, {dim})", np.flip(a, -1 if dim is None else dim), {"x": a}, shape)


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("shape", [(8,), (4, 8), (1,), (2, 1, 4)], ids=str)
def test_join_and_split(machine, dtype, shape):
    a, b = samples(dtype, shape, 10), samples(dtype, shape, 11)
    at = places(shape)
    machine.check(f"""
        a, b = tl.load(x + {at}), tl.load(y + {at})
        j = tl.join(a, b)
        tl.store(out + {places((*shape, 2))}, j)
        p, q = tl.split(j)
        tl.store(left + {at}, p)
        tl.store(right + {at}, q)
        """, {"out": np.stack([a, b], -1), "left": a, "right": b}, {"x": a, "y": b})


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "int64", "bfloat16"])
@pytest.mark.parametrize("shape", [(8,), (4, 8), (1,)], ids=str)
def test_interleave(machine, dtype, shape):
    a, b = samples(dtype, shape, 12), samples(dtype, shape, 13)
    at, wide_shape = places(shape), (*shape[:-1], 2 * shape[-1])
    machine.check(f"tl.store(out + {places(wide_shape)}, tl.interleave(tl.load(x + {at}), tl.load(y + {at})))",
                  {"out": np.stack([a, b], -1).reshape(wide_shape)}, {"x": a, "y": b})


def test_join_of_scalars(machine):
    machine.check("tl.store(out + tl.arange(0, 2), tl.join(tl.load(x), tl.load(x + 1)))\np, q = tl.split(tl.load(x + tl.arange(0, 2)))\n"
                  "tl.store(out + 2, p)\ntl.store(out + 3, q)", {"out": np.array([5, 7, 5, 7], np.int32)}, {"x": np.array([5, 7], np.int32)})


@pytest.mark.parametrize("dtype", ["int8", "float32", "int64"])
def test_cat(machine, dtype):
    a, b = samples(dtype, 8, 14), samples(dtype, 8, 15)
    got = machine.run("i = tl.arange(0, 8)\ntl.store(out + tl.arange(0, 16), tl.cat(tl.load(x + i), tl.load(y + i), can_reorder=True))",
                      {"out": np.zeros(16, NUMPY[dtype])}, {"x": a, "y": b})["out"]
    np.testing.assert_array_equal(np.sort(got), np.sort(np.concatenate([a, b])))


@pytest.mark.parametrize("shape, indices, axis", [((8,), (8,), 0), ((16,), (4,), 0), ((4, 8), (4, 2), 1), ((8, 4), (2, 4), 0),
                                                  ((4, 8), (4, 16), -1), ((2, 4, 8), (2, 8, 8), 1)])
@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "int64"])
@pytest.mark.parametrize("index", ["int32", "int64"])
def test_gather(machine, shape, indices, axis, dtype, index):
    a = samples(dtype, shape, 16)
    i = np.random.default_rng(17).integers(0, shape[axis], indices).astype(NUMPY[index])
    machine.check(f"tl.store(out + {places(indices)}, tl.gather(tl.load(x + {places(shape)}), tl.load(y + {places(indices)}), {axis}))",
                  {"out": np.take_along_axis(a, i.astype(int), axis)}, {"x": a, "y": i})


@pytest.mark.parametrize("shape", [(1,), (2,), (8,), (64,), (4, 8), (16, 2), (2, 4, 8)], ids=str)
@pytest.mark.parametrize("dtype", ["int8", "int32", "uint32", "int64", "float16", "float32", "float64"])
@pytest.mark.parametrize("descending", [False, True])
def test_sort(machine, shape, dtype, descending):
    """Rule M2: along the last dimension."""
    a = samples(dtype, shape, 18)
    expected = np.sort(a, -1)
    moved(machine, f"tl.sort(a, descending={descending})", expected[..., ::-1] if descending else expected, {"x": a}, shape)


def network(a, stages, descending):
    """Compare-exchanges of the stages of a bitonic network (Batcher, 1968) along the last dimension: NaN swaps with nothing."""
    a, index = a.copy(), np.arange(a.shape[-1])
    for stage in stages:
        for stride in (1 << step for step in reversed(range(stage))):
            first = index[index & stride == 0]
            down = (first >> stage & 1 != 0) != descending
            low, high = a[..., first].copy(), a[..., first | stride].copy()
            swap = np.where(down, low < high, low > high)
            a[..., first], a[..., first | stride] = np.where(swap, high, low), np.where(swap, low, high)
    return a


#: More than threads take in registers: their exchanges are a loop, unlike those of the rows above.
LONG = [("int8", (512,), False), ("float16", (8, 128), True), ("float32", (4, 4, 64), False), ("int64", (1024,), True)]


@pytest.mark.parametrize("dtype, shape, descending", LONG, ids=str)
def test_sort_of_many_elements(machine, dtype, shape, descending):
    """Rule M2, in one warp; NaN among floats."""
    a = samples(dtype, shape, 18)
    if a.dtype.kind == "f":
        a.reshape(-1)[::97] = np.nan
    stages = range(1, shape[-1].bit_length())
    moved(machine, f"tl.sort(a, descending={descending})", network(a, stages, descending), {"x": a}, shape, num_warps=1)
    moved(machine, f"tl.bitonic_merge(a, descending={descending})", network(a, stages[-1:], descending), {"x": a}, shape, num_warps=1)


@pytest.mark.parametrize("shape, k", [((512,), 16), ((8, 128), 8)], ids=str)
def test_topk_of_many_elements(machine, shape, k):
    a = samples("float32", shape, 19)
    moved(machine, f"tl.topk(a, {k})", np.sort(a, -1)[..., ::-1][..., :k], {"x": a}, shape, num_warps=1)


@pytest.mark.parametrize("shape, k", [((8,), 1), ((8,), 2), ((64,), 8), ((4, 16), 4), ((4, 16), 16)])
@pytest.mark.parametrize("dtype", ["int32", "float16", "float32", "int64"])
def test_topk(machine, shape, k, dtype):
    a = samples(dtype, shape, 19)
    moved(machine, f"tl.topk(a, {k})", np.sort(a, -1)[..., ::-1][..., :k], {"x": a}, shape)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64"])
def test_unsigned_positions(machine, dtype):
    """Indices and bins whose top bit is set are no negative numbers."""
    i = np.array([200, 3, 255, 128], NUMPY[dtype])
    table = np.arange(256, dtype=np.int32) * 3
    machine.check("i = tl.load(x + tl.arange(0, 4))\ntl.store(out + tl.arange(0, 4), tl.gather(tl.load(y + tl.arange(0, 256)), i, 0))\n"
                  "tl.store(counts + tl.arange(0, 256), tl.histogram(i, 256))",
                  {"out": table[i.astype(int)], "counts": np.bincount(i.astype(int), minlength=256).astype(np.int32)}, {"x": i, "y": table})


@pytest.mark.parametrize("bins", [1, 2, 8, 16, 64])
@pytest.mark.parametrize("size", [1, 8, 128])
@pytest.mark.parametrize("dtype", ["int32", "int64", "uint32"])
def test_histogram(machine, bins, size, dtype):
    a = np.random.default_rng(20).integers(0, bins, size).astype(NUMPY[dtype])
    machine.check(f"tl.store(out + tl.arange(0, {bins}), tl.histogram(tl.load(x + tl.arange(0, {size})), {bins}))",
                  {"out": np.bincount(a.astype(int), minlength=bins).astype(np.int32)}, {"x": a})


@pytest.mark.parametrize("dtype", ["int32", "int64", "float16", "bfloat16", "float32", "float64", "int8", "uint8", "int1"])
@pytest.mark.parametrize("form", ["tl.full({shape}, 1, tl.{dtype})", "tl.zeros({shape}, tl.{dtype})", "tl.zeros({shape}, dtype=tl.{dtype}) + 1",
                                  "tl.full({shape}, v, tl.{dtype})", "tl.zeros_like(a)", "tl.full({shape}, 1.0, dtype=tl.{dtype})"])
@pytest.mark.parametrize("shape", [(8,), (2, 4)], ids=str)
def test_creation(machine, dtype, form, shape):
    expected = {"zeros({shape}, tl": 0, "zeros_li": 0}
    value = next((v for key, v in expected.items() if key in form), 1)
    if dtype == "int1" and "+ 1" in form:
        form = "tl.full({shape}, True, tl.{dtype})"
    a = samples(dtype, shape, 21)
    moved(machine, form.format(shape=list(shape), dtype=dtype), np.full(shape, value).astype(NUMPY[dtype]), {"x": a, "v": 1 + 0}, shape)


@pytest.mark.parametrize("start, end", [(0, 1), (0, 8), (8, 16), (3, 7), (-4, 4), (-8, 0), (5, 6), (0, 1024), (100, 228)])
def test_arange(machine, start, end):
    machine.check(f"tl.store(out + tl.arange(0, {end - start}), tl.arange({start}, {end}))", {"out": np.arange(start, end, dtype=np.int32)})


@pytest.mark.parametrize("sizes", [(4, 4, 2), (5, 3, 2), (8, 8, 8), (7, 2, 4)], ids=str)
def test_swizzle2d(machine, sizes):
    """As documented upstream: columns of blocks of size_g rows."""
    rows, columns, group = sizes
    expected = np.zeros((rows * columns, 2), np.int32)
    for number in range(rows * columns):
        first = number // (group * columns) * group
        height = min(rows - first, group)
        local = number % (group * columns)
        expected[number] = first + local % height, local // height
    machine.check("""
        k = tl.program_id(0)
        i, j = tl.swizzle2d(k // c, k % c, r, c, g)
        tl.store(out + 2 * k, i)
        tl.store(out + 2 * k + 1, j)
        """, {"out": expected}, {"r": rows, "c": columns, "g": group}, grid=(rows * columns,))


def test_reshape_of_rows_in_another_order(machine):
    """Rows by an index, as a tile of higher rank whose first dimension goes by an index too."""
    x = np.arange(4 * 32, dtype=np.int64).reshape(4, 32)
    rows = np.arange(4) ^ 3
    kept = np.where((rows >= 1)[:, None], x[rows], 0)
    expected = np.empty((2, 2, 32), np.int64)
    expected[np.arange(2) ^ 1] = (kept * kept).reshape(2, 2, 32)
    machine.check("""
        row = tl.arange(0, 4) ^ 3
        a = tl.load(x + row[:, None] * 32 + tl.arange(0, 32)[None, :], mask=row[:, None] >= n, other=0)
        first = (tl.arange(0, 2) ^ 1)[:, None, None] * 64
        place = first + tl.arange(0, 2)[None, :, None] * 32 + tl.arange(0, 32)[None, None, :]
        tl.store(out + place, (a * a).reshape(2, 2, 32))
        """, {"out": expected}, {"x": x, "n": 1})
