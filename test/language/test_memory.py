"""Loads and stores: element type x rank x mask x other, strides, scalars, block pointers, descriptors (rules G1 to G7)."""
import numpy as np
import pytest

from dtypes import FP8, NUMBERS, NUMPY, converted, samples
from runner import fresh
from test_reductions import places

ALL = ["int1", *NUMBERS, *FP8]
RANKS = {1: (64,), 2: (8, 16), 3: (4, 2, 8)}


def masks(shape):
    """A box, as kernels have them, and a pattern that is none."""
    size = int(np.prod(shape))
    return {"box": np.arange(size).reshape(shape) < size - 5,
            "pattern": np.random.default_rng(1).integers(0, 2, shape).astype(bool),
            "none": np.zeros(shape, bool)}


MASK_TEXT = {"box": "at < n - 5", "pattern": "tl.load(m + at)", "none": "at < 0"}


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("rank", list(RANKS))
@pytest.mark.parametrize("mask", ["box", "pattern", "none"])
@pytest.mark.parametrize("other", [None, 1, "tile"])
def test_masked_load(machine, dtype, rank, mask, other):
    """Without `other` masked-off elements are 0 (probe 1, rule G2); `other` is cast to the element type (G1)."""
    shape = RANKS[rank]
    a, active = samples(dtype, shape, 3), masks(shape)[mask]
    fill = 0 if other is None else 1 if other == 1 else np.arange(a.size).reshape(shape) % 2
    expected = np.where(active, a, converted(np.broadcast_to(fill, shape).astype(np.int32), dtype))
    other_text = "" if other is None else ", other=1" if other == 1 else ", other=at % 2"
    machine.check(f"""
        at = {places(shape)}
        tl.store(out + at, tl.load(x + at, mask={MASK_TEXT[mask]}{other_text}))
        """, {"out": expected.astype(NUMPY[dtype])}, {"x": a, "m": active, "n": a.size})


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("rank", list(RANKS))
@pytest.mark.parametrize("mask", ["box", "pattern", "none"])
def test_masked_store(machine, dtype, rank, mask):
    """Where the mask is false nothing is written."""
    shape = RANKS[rank]
    a, active = samples(dtype, shape, 4), masks(shape)[mask]
    machine.check(f"""
        at = {places(shape)}
        tl.store(out + at, tl.load(x + at), mask={MASK_TEXT[mask]})
        """, {"out": np.where(active, a, fresh(dtype, shape))}, {"x": a, "m": active, "n": a.size})


STRIDES = [(16, 1), (1, 8), (32, 2), (17, 1), (0, 1), (16, 0), (-16, 1), (16, -1), (3, 5)]


@pytest.mark.parametrize("dtype", ["int8", "int32", "float16", "float32", "float64"])
@pytest.mark.parametrize("strides", STRIDES, ids=str)
@pytest.mark.parametrize("masked", [False, True])
def test_strides(machine, dtype, strides, masked):
    """Rows and columns by run-time strides, also 0 and negative ones."""
    base, start = samples(dtype, 1024, 5), 512
    i, j = np.arange(8)[:, None], np.arange(8)[None, :]
    expected = base[start + i * strides[0] + j * strides[1]]
    if masked:
        expected = np.where((i < 5) & (j < 7), expected, np.zeros((), NUMPY[dtype]))
    mask = ", mask=(i[:, None] < r) & (i[None, :] < c)" if masked else ""
    machine.check(f"""
        i = tl.arange(0, 8)
        v = tl.load(x + s + i[:, None] * p + i[None, :] * q{mask})
        tl.store(out + i[:, None] * 8 + i[None, :], v)
        """, {"out": expected}, {"x": base, "s": start, "p": strides[0], "q": strides[1], "r": 5, "c": 7})


@pytest.mark.parametrize("offset", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_offset_types(machine, offset):
    """Rule C7: offsets count elements; unsigned ones are zero-extended."""
    base = np.arange(512, dtype=np.int32)
    numbers = np.array([0, 1, 100, 127] if offset == "int8" else [0, 1, 200, 255], NUMPY[offset])
    machine.check("i = tl.arange(0, 4)\ntl.store(out + i, tl.load(x + tl.load(o + i)))",
                  {"out": base[numbers.astype(int)]}, {"x": base, "o": numbers})


@pytest.mark.parametrize("offset", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
@pytest.mark.parametrize("form", ["x + o", "o + x", "x - o"])
@pytest.mark.parametrize("rank", [0, 1])
def test_addresses(machine, offset, form, rank):
    """Rule C7 without touching memory: the distance in bytes between a pointer and the pointer with an offset."""
    numbers = np.array([5, 127, 0, 100], NUMPY[offset]) if offset == "int8" else np.array([5, 200, 0, 255], NUMPY[offset])
    expected = numbers.astype(np.int64) * 4 * (-1 if "-" in form else 1)
    if rank:
        body = f"i = tl.arange(0, 4)\no = tl.load(y + i)\ntl.store(out + i, ({form}).to(tl.int64) - x.to(tl.int64))"
    else:
        body = f"for k in tl.static_range(4):\n    o = tl.load(y + k)\n    tl.store(out + k, ({form}).to(tl.int64) - x.to(tl.int64))"
    machine.check(body, {"out": expected}, {"x": np.zeros(4, np.int32), "y": numbers})


@pytest.mark.parametrize("dtype", ALL)
def test_scalar_access(machine, dtype):
    """Rule G4: scalar pointers, scalar masks."""
    a = samples(dtype, 4, 6)
    machine.check("""
        tl.store(out, tl.load(x))
        tl.store(out + 1, tl.load(x + 1, mask=n > 3), mask=n > 3)
        tl.store(out + 2, tl.load(x + 2, mask=n > 5, other=0))
        tl.store(out + 3, tl.load(x + 3), mask=n > 5)
        """, {"out": np.array([a[0], a[1], np.zeros((), NUMPY[dtype]), fresh(dtype, 4)[3]]).astype(NUMPY[dtype])},
                  {"x": a, "n": 5})


@pytest.mark.parametrize("value", [-200.0, 3.99, -3.99, 70000.0])
@pytest.mark.parametrize("dtype", ["int32", "float16", "bfloat16", "float32", "float64"])
def test_stored_literal(machine, dtype, value):
    """Rule G5: the number itself is cast, once."""
    machine.check(f"i = tl.arange(0, 8)\ntl.store(out + i, {value})\n",
                  {"out": np.full(8, converted(np.array([value], np.float64), dtype)[0], NUMPY[dtype])})


ACCESS = [(hint, side) for side, hints in (("load", [".ca", ".cg", ".cv"]), ("store", [".wb", ".cg", ".cs", ".wt"]))
          for hint in hints]


@pytest.mark.parametrize("hint, side", ACCESS)
def test_cache_hints(machine, hint, side):
    a = samples("float32", 64, 7)
    load, store = (f', cache_modifier="{hint}"' if side == name else "" for name in ("load", "store"))
    machine.check(f"i = tl.arange(0, 64)\ntl.store(out + i, tl.load(x + i{load}){store})", {"out": a}, {"x": a})


@pytest.mark.parametrize("hint", ["evict_first", "evict_last", "evict_normal"])
@pytest.mark.parametrize("volatile", [False, True])
def test_eviction_hints(machine, hint, volatile):
    a = samples("float32", 64, 8)
    machine.check(f"""
        i = tl.arange(0, 64)
        v = tl.load(x + i, mask=i < 60, eviction_policy="{hint}", volatile={volatile})
        tl.store(out + i, v, eviction_policy="{hint if hint != 'evict_normal' else ''}")
        """, {"out": np.where(np.arange(64) < 60, a, 0)}, {"x": a})


def box(array, offsets, block, pad):
    """The part of an array at offsets, `pad` outside."""
    result = np.full(block, pad, array.dtype)
    for place in np.ndindex(*block):
        index = tuple(int(o) + p for o, p in zip(offsets, place))
        if all(0 <= i < extent for i, extent in zip(index, array.shape)):
            result[place] = array[index]
    return result


BLOCKS_2D = [(checks, offsets, pad) for checks in [(), (0,), (1,), (0, 1), (1, 0)]
             for offsets in [(0, 0), (8, 0), (0, 8), (8, 8), (-3, -2), (20, 0), (1, 3)] for pad in ["", "zero", "nan"]
             if (0 in checks or 0 <= offsets[0] <= 2) and (1 in checks or 0 <= offsets[1] <= 5)]


@pytest.mark.parametrize("checks, offsets, pad", BLOCKS_2D, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_block_pointer(machine, dtype, checks, offsets, pad):
    """Rule G6: only the listed dimensions are guarded (probe 25 for the padding)."""
    a = samples(dtype, (10, 13), 9)
    expected = box(a, offsets, (8, 8), np.nan if pad == "nan" else 0)
    options = (f", boundary_check={checks}" if checks else "") + (f', padding_option="{pad}"' if pad else "")
    machine.check(f"""
        p = tl.make_block_ptr(base=x, shape=(10, 13), strides=(13, 1), offsets=(r, c), block_shape=(8, 8), order=(1, 0))
        q = tl.make_block_ptr(out, (8, 8), (8, 1), (0, 0), (8, 8), (1, 0))
        tl.store(q, tl.load(p{options}))
        """, {"out": expected}, {"x": a, "r": offsets[0], "c": offsets[1]})


@pytest.mark.parametrize("element", ["p.type.element_ty", "p.dtype.element_ty"])
def test_block_pointer_type(machine, element):
    """Rule G6: a block pointer is one pointer, so the type it points to is that of a cast to the elements."""
    a = samples("float16", (8,), 9)
    machine.check(f"""
        p = tl.make_block_ptr(x, (8,), (1,), (0,), (8,), (0,))
        tl.static_assert(p.type.is_ptr())
        tl.store(p, (tl.load(p).to(tl.float32) * 2).to({element}))
        """, {"x": a * 2}, initial={"x": a})


def test_block_pointer_methods(machine):
    """Rule G6: `p.advance(...)` and `p.store(...)` are the functions of these names."""
    a = samples("float32", (16,), 9)
    machine.check("""
        p = tl.make_block_ptr(x, (16,), (1,), (0,), (8,), (0,))
        q = tl.make_block_ptr(out, (8,), (1,), (0,), (8,), (0,))
        q.store(tl.load(p) + tl.load(p.advance((8,))))
        """, {"out": a[:8] + a[8:]}, {"x": a})


@pytest.mark.parametrize("dtype", ["int8", "int32", "float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("offsets", [(0, 0), (4, 8), (-3, 2), (9, 12)], ids=str)
def test_block_pointer_store(machine, dtype, offsets):
    a = samples(dtype, (8, 8), 10)
    expected = fresh(dtype, (10, 13))
    for i, j in np.ndindex(8, 8):
        if 0 <= offsets[0] + i < 10 and 0 <= offsets[1] + j < 13:
            expected[offsets[0] + i, offsets[1] + j] = a[i, j]
    machine.check("""
        i = tl.arange(0, 8)
        p = tl.make_block_ptr(out, (10, 13), (13, 1), (r, c), (8, 8), (0, 1))
        tl.store(p, tl.load(x + i[:, None] * 8 + i[None, :]), boundary_check=(0, 1))
        """, {"out": expected}, {"x": a, "r": offsets[0], "c": offsets[1]})


@pytest.mark.parametrize("extent, block", [(64, 16), (50, 16), (7, 8), (33, 32), (1, 4)])
@pytest.mark.parametrize("order", ["row", "column"])
def test_block_pointer_loop(machine, extent, block, order):
    """Column sums along rows by `advance`, for extents that are no multiple of the block (case C39)."""
    a = np.random.default_rng(11).integers(-4, 5, (extent, 8)).astype(np.float32)
    held = a if order == "row" else np.ascontiguousarray(a.T)
    strides = (8, 1) if order == "row" else (1, extent)
    machine.check(f"""
        p = tl.make_block_ptr(x, (n, 8), (s0, s1), (0, 0), ({block}, 8), {(1, 0) if order == "row" else (0, 1)})
        total = tl.zeros((8,), tl.float32)
        for k in range(0, n, {block}):
            total += tl.sum(tl.load(p, boundary_check=(0,), padding_option="zero"), 0)
            p = tl.advance(p, ({block}, 0))
        tl.store(out + tl.arange(0, 8), total)
        """, {"out": a.sum(0)}, {"x": held, "n": extent, "s0": strides[0], "s1": strides[1]})


@pytest.mark.parametrize("pad", ["zero", "nan"])
@pytest.mark.parametrize("extent", [1, 31, 32, 40, 64])
def test_block_pointer_vector(machine, pad, extent):
    a = np.arange(64, dtype=np.float32)
    expected = np.where(np.arange(64) < extent, a, 0 if pad == "zero" else np.nan)
    machine.check(f"""
        p = tl.make_block_ptr(x, (n,), (1,), (0,), (64,), (0,))
        tl.store(out + tl.arange(0, 64), tl.load(p, boundary_check=(0,), padding_option="{pad}"))
        """, {"out": expected.astype(np.float32)}, {"x": a[:extent].copy(), "n": extent})


DESCRIBED = {1: ((40,), (16,)), 2: ((10, 16), (8, 16)), 3: ((3, 5, 16), (2, 4, 16))}


@pytest.mark.parametrize("dtype", ["int8", "int32", "float16", "bfloat16", "float32", "float8e4nv"])
@pytest.mark.parametrize("rank", list(DESCRIBED))
@pytest.mark.parametrize("place", ["start", "end", "before", "outside"])
def test_descriptor(machine, dtype, rank, place):
    """Rule G7: reads outside give 0, writes outside are dropped."""
    shape, block = DESCRIBED[rank]
    offsets = {"start": (0,) * rank, "end": tuple(e - b // 2 for e, b in zip(shape, block)), "before": (-1,) * rank,
               "outside": tuple(shape)}[place]
    a = samples(dtype, shape, 12)
    strides = [int(np.prod(shape[k + 1:])) for k in range(rank)]
    names = [f"o{k}" for k in range(rank)]
    expected, copy = box(a, offsets, block, 0), fresh(dtype, shape)
    for index in np.ndindex(*shape):
        if all(0 <= i - o < b for i, o, b in zip(index, offsets, block)):
            copy[index] = a[index]
    machine.check(f"""
        source = tl.make_tensor_descriptor(x, shape={list(shape)}, strides={strides}, block_shape={list(block)})
        target = tl.make_tensor_descriptor(y, shape={list(shape)}, strides={strides}, block_shape={list(block)})
        v = source.load([{', '.join(names)}])
        target.store([{', '.join(names)}], v)
        tl.store(out + {places(block)}, v)
        """, {"y": copy, "out": expected}, {"x": a, **dict(zip(names, offsets))})


@pytest.mark.parametrize("dtype", ["float16", "float32", "bfloat16"])
def test_descriptor_nan_padding(machine, dtype):
    a = samples(dtype, (6, 16), 13)
    machine.check(f"""
        d = tl.make_tensor_descriptor(x, shape=[6, 16], strides=[16, 1], block_shape=[8, 16], padding_option="nan")
        tl.store(out + {places((8, 16))}, d.load([0, 0]))
        """, {"out": box(a, (0, 0), (8, 16), np.nan)}, {"x": a})


@pytest.mark.parametrize("size", ["8", "16", "128"])
@pytest.mark.parametrize("length", [1, 5, 64, 100, 257])
@pytest.mark.parametrize("dtype", ["int8", "float32"])
def test_grid_of_blocks(machine, size, length, dtype):
    """The tail of an array over several programs: nothing is written past it."""
    a = samples(dtype, length, 14)
    machine.check(f"""
        at = tl.program_id(0) * {size} + tl.arange(0, {size})
        tl.store(out + at, tl.load(x + at, mask=at < n), mask=at < n)
        """, {"out": a}, {"x": a, "n": length}, grid=(-(-length // int(size)),))


def random_access(seed):
    """(body, output, inputs) of a load with random strides and a random conjunction of bounds on every axis."""
    rng = np.random.default_rng(seed)
    rank = int(rng.integers(1, 4))
    shape = tuple(int(2**rng.integers(0, 4)) for _ in range(rank))
    strides, lows, highs = rng.choice([0, 1, 2, 3, 8, 16, 17, -1, -8, 40], rank), rng.integers(-2, 4, rank), rng.integers(-1, 12, rank)
    base, start, index = np.arange(1200, dtype=np.int32), 500, np.indices(shape)
    mask, terms, lines = np.ones(shape, bool), ["(st > 0)"], []
    for d in range(rank):
        place = "[" + ", ".join(":" if e == d else "None" for e in range(rank)) + "]" if rank > 1 else ""
        lines.append(f"i{d} = tl.arange(0, {shape[d]}){place}")
        i, low, high = index[d], lows[d], highs[d]
        bound, text = [(i < high, "i{0} < h{0}"), ((i >= low) & (i < high), "(i{0} >= l{0}) & (i{0} < h{0})"), (~(i < low), "~(i{0} < l{0})"),
                       (i + low * 2 < high, "i{0} + l{0} * 2 < h{0}"), (low <= i, "l{0} <= i{0}"), ((i < low) | (i > high), "(i{0} < l{0}) | (i{0} > h{0})")][rng.integers(6)]
        mask &= bound
        terms.append(f"({text.format(d)})")
    if rank == 2 and rng.integers(2):
        mask &= index[0] >= index[1]
        terms.append("(i0 >= i1)")
    offsets = start + sum(index[d] * strides[d] for d in range(rank))
    other = int(rng.integers(-1, 3))
    body = "\n".join([*lines, "at = st + " + " + ".join(f"i{d} * s{d}" for d in range(rank)), "mask = " + " & ".join(terms),
                      f"v = tl.load(x + at, mask=mask, other={other})", f"tl.store(out + {places(shape)}, v)"])
    inputs = {"x": base, "st": start}
    for d in range(rank):
        inputs.update({f"s{d}": int(strides[d]), f"l{d}": int(lows[d]), f"h{d}": int(highs[d])})
    return body, np.where(mask, base[offsets], other).astype(np.int32), inputs


@pytest.mark.parametrize("seed", range(120))
def test_random_access(machine, seed):
    """Any conjunction of bounds over any strides."""
    body, expected, inputs = random_access(seed)
    machine.check(body, {"out": expected}, inputs)


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "int64", "int1"])
@pytest.mark.parametrize("shift", [0, 1, 3, 8])
@pytest.mark.parametrize("count", [0, 1, 15, 64])
def test_alignment(machine, dtype, shift, count):
    """Arrays at any element of a buffer, of any length, also none."""
    a = samples(dtype, 80, 15)
    expected = fresh(dtype, 80)
    expected[shift:shift + count] = a[shift:shift + count]
    machine.check(f"i = tl.arange(0, 64)\ntl.store(out + {shift} + i, tl.load(x + i, mask=i < n), mask=i < n)", {"out": expected}, {"x": a[shift:], "n": count})


@pytest.mark.parametrize("distance", [0, 1, 8, 63, 64, -1, -8])
@pytest.mark.parametrize("size", [64, 1024])
def test_overlap(machine, distance, size):
    """One buffer through two pointers: all loads of a statement come before its stores."""
    start = np.arange(3 * size, dtype=np.int32)
    expected = start.copy()
    expected[size + distance:2 * size + distance] = start[size:2 * size] * 2
    machine.check(f"i = tl.arange(0, {size})\nv = tl.load(out + {size} + i)\ntl.store(out + {size + distance} + i, v * 2)", {"out": expected}, initial={"out": start})


@pytest.mark.parametrize("limit", [-2**63, -2**63 + 1, 0, 1, 2, 2**63 - 1])
@pytest.mark.parametrize("compare", ["1 >= limit", "limit < 2", "limit <= 1", "limit - 0 != 1", "1 == limit"])
def test_scalar_mask_at_the_ends(machine, limit, compare):
    """A comparison with a loaded number is exact also where a difference would overflow."""
    x = np.arange(1, 9, dtype=np.int32)
    holds = eval(compare, {"limit": limit})
    machine.check(f"limit = tl.load(n)\ni = tl.arange(0, 8)\ntl.store(out + i, tl.load(x + i, mask={compare}, other=-1))",
                  {"out": x if holds else np.full(8, -1, np.int32)}, {"x": x, "n": np.array([limit], np.int64)})


@pytest.mark.parametrize("number", [0, 1, -1, 2**30, 2**31 - 1, -2**31])
@pytest.mark.parametrize("compare", ["v + v >= v", "v * v > v - w", "v - w < w", "w - 1 < v + 1"])
def test_scalar_mask_of_loaded_sums(machine, number, compare):
    """Sums of loaded numbers alone are no index arithmetic: they wrap (rule C1), also in a mask."""
    x = np.arange(1, 9, dtype=np.int32)
    with np.errstate(over="ignore"):
        holds = eval(compare, {"v": np.array([number], np.int32), "w": np.array([7], np.int32)})[0]
    machine.check(f"v = tl.load(n)\nw = tl.load(n + 1)\ni = tl.arange(0, 8)\ntl.store(out + i, tl.load(x + i, mask={compare}, other=-1))",
                  {"out": x if holds else np.full(8, -1, np.int32)}, {"x": x, "n": np.array([number, 7], np.int32)})


def test_nan_pads_floats_only(machine):
    machine.refuse('d = tl.make_tensor_descriptor(x, [4], [1], [4], padding_option="nan")', 2283, 1, "x:*i32")
    machine.accept('d = tl.make_tensor_descriptor(x, [4], [1], [4], padding_option="nan")', "x:*fp16")
