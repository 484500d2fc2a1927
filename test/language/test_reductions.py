"""Reductions and scans: operation x element type x shape x axis x form (rules H1 to H8)."""
import numpy as np
import pytest

from dtypes import FLOATS, INTS, NUMBERS, NUMPY, UNSIGNED, kind, samples, wide, width, wrapped

SHAPES = [(32,), (1,), (8, 8), (1, 16), (16, 1), (1, 1), (4, 1, 8), (2, 4, 8), (2, 2, 2, 4)]


def places(shape):
    """Text of a tile of row-major offsets."""
    return f"tl.reshape(tl.arange(0, {int(np.prod(shape))}), {list(shape)})"


def values_of(dtype, shape, seed=0):
    """Whole numbers small enough that every partial sum is exact in every float type; ints of the full range."""
    if kind(dtype) == 2:
        return np.random.default_rng(seed).integers(-3, 4, shape).astype(NUMPY[dtype])
    return samples(dtype, shape, seed)


def sum_type(dtype):
    """Rule H1."""
    if kind(dtype) == 2 or width(dtype) >= 32:
        return dtype
    return "uint32" if dtype in UNSIGNED or dtype == "int1" else "int32"


def extreme_type(dtype):
    """Rule H2 (probe 7: also u8 and i1 give int32)."""
    if width(dtype) >= 32:
        return dtype
    return "float32" if kind(dtype) == 2 else "int32"


def reduction_body(expression, shape, result, out_shape, extra=""):
    target = f"out + {places(out_shape)}" if out_shape else "out"
    return f"{extra}a = tl.load(x + {places(shape)})\nr = {expression}\ntl.static_assert(r.dtype == tl.{result})\ntl.store({target}, r)\n"


def axes(shape):
    return [None, *range(len(shape)), -1]


TABLE = [pytest.param(dtype, shape, axis, id=f"{dtype}-{'x'.join(map(str, shape))}-{axis}")
         for position, dtype in enumerate(["int1", *NUMBERS]) for number, shape in enumerate(SHAPES) for axis in axes(shape)
         if (position + number) % 3 == 0 or dtype in ("float32", "int32") or len(shape) == 1]


def fold(function, values, axis, keep):
    return np.asarray(function(values, axis=axis, keepdims=keep))


@pytest.mark.parametrize("dtype, shape, axis", TABLE)
def test_sum(machine, dtype, shape, axis):
    a, result = values_of(dtype, shape, 1), sum_type(dtype)
    keep = len(shape) % 2 == 0
    exact = fold(np.sum, wide(a), axis, keep)
    expected = wrapped(exact, result) if kind(result) == 1 else exact.astype(NUMPY[result])
    machine.check(reduction_body(f"tl.sum(a, axis={axis}, keep_dims={keep})", shape, result, expected.shape),
                  {"out": expected}, {"x": a})


@pytest.mark.parametrize("name", ["max", "min"])
@pytest.mark.parametrize("dtype, shape, axis", TABLE)
def test_extreme(machine, name, dtype, shape, axis):
    a, result = samples(dtype, shape, 2), extreme_type(dtype)
    keep = len(shape) % 2 == 1
    exact = fold(getattr(np, name), wide(a), axis, keep)
    expected = wrapped(exact, result) if kind(result) == 1 else exact.astype(NUMPY[result])
    machine.check(reduction_body(f"tl.{name}(a, axis={axis}, keep_dims={keep})", shape, result, expected.shape),
                  {"out": expected}, {"x": a})


INDEXED = [pytest.param(dtype, shape, axis, id=f"{dtype}-{'x'.join(map(str, shape))}-{axis}")
           for dtype in ("int8", "int32", "uint32", "int64", "float16", "bfloat16", "float32", "float64")
           for shape in ((32,), (8, 8), (16, 1), (1, 16), (2, 4, 8)) for axis in range(len(shape))]


@pytest.mark.parametrize("name", ["argmax", "argmin"])
@pytest.mark.parametrize("dtype, shape, axis", INDEXED)
def test_arg(machine, name, dtype, shape, axis):
    """Ties go to the lowest index; the values repeat, so that there are some."""
    a = np.random.default_rng(3).integers(0, 4, shape).astype(NUMPY[dtype])
    expected = np.asarray(getattr(np, name)(wide(a).astype(np.float64), axis=axis)).astype(np.int32)
    machine.check(reduction_body(f"tl.{name}(a, {axis})", shape, "int32", expected.shape), {"out": expected}, {"x": a})


@pytest.mark.parametrize("name", ["max", "min"])
@pytest.mark.parametrize("dtype, shape, axis", INDEXED)
def test_return_indices(machine, name, dtype, shape, axis):
    """With indices only bf16 is widened, as in Triton's standard library."""
    a = np.random.default_rng(4).integers(0, 4, shape).astype(NUMPY[dtype])
    expected = np.asarray(getattr(np, "arg" + name)(wide(a).astype(np.float64), axis=axis)).astype(np.int32)
    exact = np.asarray(getattr(np, name)(wide(a).astype(np.float64), axis=axis))
    result = "float32" if dtype == "bfloat16" else dtype
    target = places(expected.shape) if expected.shape else "0"
    machine.check(f"""
        a = tl.load(x + {places(shape)})
        value, index = tl.{name}(a, {axis}, return_indices=True)
        tl.static_assert(value.dtype == tl.{result})
        tl.static_assert(index.dtype == tl.int32)
        tl.store(v + {target}, value)
        tl.store(out + {target}, index)
        """, {"out": expected, "v": exact.astype(NUMPY[result])}, {"x": a})


# Probe 5 with the documented choice: NaN never wins, ties take the lowest index, index 0 if all are NaN.
NAN = np.nan
ARG_EDGES = {"nan-first": ([NAN, 1, 3, 2], 2, 1), "nan-second": ([1, NAN, 3, 2], 2, 0), "nan-last": ([2, 1, 3, NAN], 2, 1),
             "all-nan": ([NAN] * 4, 0, 0), "ties": ([1, 5, 5, 1], 1, 0), "zeros": ([-0.0, 0.0, -0.0, 0.0], 0, 0),
             "inf-nan": ([np.inf, NAN, 0, NAN], 0, 2), "all-inf": ([-np.inf] * 4, 0, 0)}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("edge", list(ARG_EDGES))
def test_arg_edges(machine, edge, dtype):
    values, most, least = ARG_EDGES[edge]
    a = np.array(values).astype(NUMPY[dtype])
    machine.check("a = tl.load(x + tl.arange(0, 4))\ntl.store(out, tl.argmax(a, 0))\ntl.store(out + 1, tl.argmin(a, 0))",
                  {"out": np.array([most, least], np.int32)}, {"x": a})


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint32", "uint64"])
@pytest.mark.parametrize("shape, axis", [((32,), 0), ((4, 8), 0), ((4, 8), 1), ((2, 4, 4), 1), ((8, 8), None)])
def test_xor_sum(machine, dtype, shape, axis):
    a, result = samples(dtype, shape, 5), sum_type(dtype)
    exact = np.bitwise_xor.reduce(a.astype(np.int64 if dtype != "uint64" else np.uint64).reshape(-1 if axis is None else shape),
                                  axis=axis or 0)
    expected = wrapped(wide(np.asarray(exact)), result)
    body = f"a = tl.load(x + {places(shape)})\ntl.store(out{' + ' + places(expected.shape) if expected.shape else ''}, tl.xor_sum(a, {axis}))"
    machine.check(body, {"out": expected if width(dtype) >= 32 else wrapped(wide(np.asarray(exact)), "int32")}, {"x": a})


COMBINE = """
@tw.jit
def product(a, b):
    return a * b

@tw.jit
def either(a, b):
    return a | b

@tw.jit
def larger(a, b):
    return tl.where(a > b, a, b)

@tw.jit
def linear(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2

@tw.jit
def best(v1, i1, v2, i2):
    take = (v1 > v2) | ((v1 == v2) & (i1 < i2))
    return tl.where(take, v1, v2), tl.where(take, i1, i2)

@tw.jit
def welford(m1, q1, n1, m2, q2, n2):
    delta = m2 - m1
    n = n1 + n2
    return m1 + delta * (n2 / n), q1 + q2 + delta * delta * n1 * (n2 / n), n
"""
FOLDS = {"product": np.multiply.reduce, "either": np.bitwise_or.reduce, "larger": np.maximum.reduce}


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint32", "float32", "float64"])
@pytest.mark.parametrize("name", list(FOLDS))
@pytest.mark.parametrize("shape, axis", [((16,), 0), ((4, 8), 0), ((4, 8), 1), ((8, 1), 0), ((2, 4, 4), 2)])
@pytest.mark.parametrize("keep", [False, True])
def test_reduce_custom(machine, name, dtype, shape, axis, keep):
    if name == "either" and kind(dtype) == 2:
        name = "larger"
    low = -2 if name != "either" else 0
    a = np.random.default_rng(6).integers(max(low, 0) if dtype[0] == "u" else low, 3, shape).astype(NUMPY[dtype])
    expected = np.asarray(FOLDS[name](a, axis=axis, keepdims=keep, dtype=a.dtype))
    machine.check(reduction_body(f"tl.reduce(a, {axis}, {name}, keep_dims={keep})", shape, dtype, expected.shape),
                  {"out": expected}, {"x": a}, head=COMBINE)


@pytest.mark.parametrize("shape, axis", [((16,), 0), ((4, 8), 0), ((4, 8), 1), ((2, 8, 2), 1)])
@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
def test_reduce_pairs(machine, dtype, shape, axis):
    a = np.random.default_rng(7).integers(0, 5, shape).astype(NUMPY[dtype])
    index = np.argmax(a, axis=axis)
    target = places(index.shape) if index.shape else "0"
    line = [1] * len(shape)
    line[axis] = shape[axis]
    machine.check(f"""
        a = tl.load(x + {places(shape)})
        i = tl.broadcast_to(tl.reshape(tl.arange(0, {shape[axis]}), {line}), {list(shape)})
        value, index = tl.reduce((a, i), {axis}, best)
        tl.store(v + {target}, value)
        tl.store(out + {target}, index)
        """, {"v": np.max(a, axis=axis), "out": index.astype(np.int32)}, {"x": a}, head=COMBINE)


@pytest.mark.parametrize("shape, axis", [((64,), 0), ((8, 16), 1), ((8, 16), 0)])
def test_reduce_triples(machine, shape, axis):
    """Welford's mean and variance."""
    a = np.random.default_rng(8).normal(3, 2, shape).astype(np.float32)
    mean, square = np.mean(a.astype(np.float64), axis=axis), np.var(a.astype(np.float64), axis=axis) * a.shape[axis]
    target = places(np.shape(mean)) if np.shape(mean) else "0"
    machine.check(f"""
        a = tl.load(x + {places(shape)})
        mean, square, count = tl.reduce((a, tl.zeros_like(a), tl.zeros_like(a) + 1), {axis}, welford)
        tl.store(m + {target}, mean)
        tl.store(q + {target}, square)
        """, {"m": np.asarray(mean).astype(np.float32), "q": np.asarray(square).astype(np.float32)}, {"x": a},
                  bound=1e-3, head=COMBINE)


def reversed_scan(function, a, axis, reverse):
    if reverse:
        return np.flip(function(np.flip(a, axis), axis=axis), axis)
    return function(a, axis=axis)


SCANS = [pytest.param(dtype, shape, axis, reverse, id=f"{dtype}-{'x'.join(map(str, shape))}-{axis}-{reverse}")
         for dtype in ("int1", "int8", "int16", "int32", "int64", "uint8", "uint32", "float16", "bfloat16", "float32", "float64")
         for shape, axis in (((32,), 0), ((1,), 0), ((8, 8), 0), ((8, 8), 1), ((16, 1), 0), ((2, 4, 8), 1), ((2, 4, 8), -1))
         for reverse in (False, True)]


@pytest.mark.parametrize("dtype, shape, axis, reverse", SCANS)
def test_cumsum(machine, dtype, shape, axis, reverse):
    """Small ints widen as in sum, bf16 gives fp32 (probe 7)."""
    a = values_of(dtype, shape, 9)
    result = "float32" if dtype == "bfloat16" else sum_type(dtype)
    exact = reversed_scan(np.cumsum, wide(a), axis, reverse)
    expected = wrapped(exact, result) if kind(result) == 1 else exact.astype(NUMPY[result])
    machine.check(reduction_body(f"tl.cumsum(a, {axis}, reverse={reverse})", shape, result, shape), {"out": expected},
                  {"x": a})


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint32", "float32", "float64"])
@pytest.mark.parametrize("shape, axis", [((16,), 0), ((4, 8), 0), ((4, 8), 1), ((2, 4, 4), 2)])
@pytest.mark.parametrize("reverse", [False, True])
def test_cumprod(machine, dtype, shape, axis, reverse):
    a = np.random.default_rng(10).choice([1, 2], shape).astype(NUMPY[dtype])
    expected = reversed_scan(np.cumprod, a, axis, reverse).astype(NUMPY[dtype])
    machine.check(reduction_body(f"tl.cumprod(a, {axis}, reverse={reverse})", shape, dtype, shape), {"out": expected},
                  {"x": a})


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("shape, axis", [((32,), 0), ((1,), 0), ((4, 8), 0), ((4, 8), 1), ((8, 1), 0), ((2, 4, 4), -2)])
@pytest.mark.parametrize("reverse", [False, True])
def test_scan_pairs(machine, dtype, shape, axis, reverse):
    """The recurrence h = a h + b (cases C17): reverse is flip, scan, flip; the combination is not commutative."""
    rng = np.random.default_rng(11)
    a, b = rng.choice([-1, 0, 1, 2], shape, p=[.3, .1, .3, .3]).astype(NUMPY[dtype]), rng.integers(-3, 4, shape).astype(NUMPY[dtype])
    p, q = (np.moveaxis(np.flip(v, axis) if reverse else v, axis, 0).copy() for v in (a, b))
    for step in range(1, len(p)):
        q[step] = q[step - 1] * p[step] + q[step]
        p[step] = p[step - 1] * p[step]
    p, q = (np.moveaxis(v, 0, axis) for v in (p, q))
    p, q = (np.flip(v, axis) if reverse else v for v in (p, q))
    machine.check(f"""
        at = {places(shape)}
        u, v = tl.associative_scan((tl.load(x + at), tl.load(y + at)), {axis}, linear, reverse={reverse})
        tl.store(p + at, u)
        tl.store(q + at, v)
        """, {"p": np.ascontiguousarray(p), "q": np.ascontiguousarray(q)}, {"x": a, "y": b}, head=COMBINE)


@pytest.mark.parametrize("name", ["either", "larger", "product"])
@pytest.mark.parametrize("shape, axis", [((32,), 0), ((4, 8), 1), ((4, 8), 0)])
@pytest.mark.parametrize("reverse", [False, True])
def test_scan_custom(machine, name, shape, axis, reverse):
    a = np.random.default_rng(12).integers(-2, 5, shape).astype(np.int32)
    function = {"either": np.bitwise_or, "larger": np.maximum, "product": np.multiply}[name].accumulate
    machine.check(reduction_body(f"tl.associative_scan(a, {axis}, {name}, reverse={reverse})", shape, "int32", shape),
                  {"out": np.ascontiguousarray(reversed_scan(function, a, axis, reverse))}, {"x": a}, head=COMBINE)


@pytest.mark.parametrize("shape, dim", [((4, 8), 0), ((4, 8), 1), ((16,), 0)])
def test_softmax(machine, shape, dim):
    a = np.random.default_rng(13).normal(0, 3, shape).astype(np.float32)
    e = np.exp(a.astype(np.float64) - a.max(axis=dim, keepdims=True))
    machine.check(reduction_body(f"tl.softmax(a, {dim})", shape, "float32", shape),
                  {"out": (e / e.sum(axis=dim, keepdims=True)).astype(np.float32)}, {"x": a}, ulps=8)
