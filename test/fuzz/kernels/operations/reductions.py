"""Reductions, scans and counts."""
import elements
from elements import ALL, BITS, INTS
from tree import LOCAL, Expr, call, method, name, number

from . import family, operation

#: Associative and commutative functions: name -> (text, whether floats may use it).
COMBINES = {
    "sum": "def combine_sum(a, b):\n    return a + b\n",
    "product": "def combine_product(a, b):\n    return a * b\n",
    "exclusive": "def combine_exclusive(a, b):\n    return a ^ b\n",
    "larger": "def combine_larger(a, b):\n    return tl.where(a > b, a, b)\n",
    "smaller": "def combine_smaller(a, b):\n    return b if b < a else a\n",
}
#: Associative only: for scans.
ORDERED = {"first": "def combine_first(a, b):\n    return a\n", "last": "def combine_last(a, b):\n    return b\n"}
PAIRS = {
    "best": ("def combine_best(a, i, b, j):\n    takes = (a > b) | ((a == b) & (i < j))\n"
             "    return tl.where(takes, a, b), tl.where(takes, i, j)\n"),
    "both": "def combine_both(a, i, b, j):\n    return a + b, i ^ j\n",
}
RECURRENCE = {"linear": "def combine_linear(a, i, b, j):\n    return a * b, i * b + j\n"}


def combine(g, texts):
    """Name of a combine function, defined once."""
    key = g.pick(texts)
    g.define("@tw.jit\n" + texts[key])
    return key, name(f"combine_{key}", None)


def place(g, shape, needs_axis=False):
    """(axis or None, keyword text, shape that is left)."""
    keeps = g.chance(0.25)
    if not needs_axis and g.chance(0.3):
        return None, "keep_dims=True" if keeps else "", (1,) * len(shape) if keeps else ()
    axis = g.rng.randrange(len(shape))
    left = (*shape[:axis], *((1,) if keeps else ()), *shape[axis + 1:])
    written = axis if g.chance(0.7) else axis - len(shape)
    return axis, f"axis={written}" + (", keep_dims=True" if keeps else ""), left


def ordered(g, value):
    """Float sums depend on the order, which only the portable mode states."""
    if elements.is_float(value.dtype) and g.program.math == "accurate":
        value.level = LOCAL
    return value


def spoken(g, op, value, tail, dtype, shape, parts=()):
    if g.chance(0.3):
        return method(op, value, [], dtype, shape, tail=tail, parts=parts)
    return call(op, [value], dtype, shape, tail=tail, parts=parts)


def summed(dtype):
    if elements.kind(dtype) < 2 and elements.width(dtype) < 32:
        return "int32" if dtype in elements.SIGNED else "uint32"
    return dtype


@operation("tl.sum", ALL)
def total(g, dtype):
    shape = g.tile_shape()
    _, tail, left = place(g, shape)
    result = summed(dtype)
    if g.chance(0.15):
        result = g.pick([d for d in elements.NUMBERS if elements.kind(d) == 2 or elements.kind(dtype) < 2])
        tail += (", " if tail else "") + f"dtype=tl.{result}"
    return ordered(g, spoken(g, "tl.sum", g.operand(dtype, shape), tail, result, left))


def widened(dtype):
    if elements.width(dtype) >= 32:
        return dtype
    return "float32" if elements.is_float(dtype) else "int32"


def extremum(g, dtype, op):
    shape = g.tile_shape()
    if g.chance(0.3):
        _, tail, left = place(g, shape, needs_axis=True)
        kept = "float32" if dtype == "bfloat16" else dtype
        return spoken(g, op, g.operand(dtype, shape), tail + ", return_indices=True", None, (),
                      parts=((kept, left), ("int32", left)))
    _, tail, left = place(g, shape)
    return spoken(g, op, g.operand(dtype, shape), tail, widened(dtype), left)


family(["tl.max", "tl.min"], ALL, extremum)


def position(g, dtype, op):
    shape = g.tile_shape()
    _, tail, left = place(g, shape, needs_axis=True)
    return spoken(g, op, g.operand(dtype, shape), tail, "int32", left)


family(["tl.argmax", "tl.argmin"], ALL, position)


def bits(g, dtype, op):
    shape = g.tile_shape()
    _, tail, left = place(g, shape)
    return spoken(g, op, g.operand(dtype, shape), tail, dtype, left)


family(["tl.xor_sum", "tl.reduce_or", "tl.reduce_and"], BITS, bits)


def functions_for(dtype, extra):
    """Combine functions that keep the type."""
    allowed = {**COMBINES, **extra}
    if elements.is_float(dtype):
        allowed.pop("exclusive")
    if dtype == "int1":
        allowed = {key: text for key, text in allowed.items() if key in ("exclusive", "first", "last", "sum")}
    return allowed


def tuple_operand(g, dtype, shape):
    other = g.pick(INTS)
    return [g.operand(dtype, shape), g.operand(other, shape)], ((dtype, shape), (other, shape))


@operation("tl.reduce", ALL)
def reduce(g, dtype):
    shape = g.tile_shape()
    axis = g.rng.randrange(len(shape))
    keeps = g.chance(0.2)
    left = (*shape[:axis], *((1,) if keeps else ()), *shape[axis + 1:])
    if g.chance(0.3) and dtype != "int1":
        values, types = tuple_operand(g, dtype, shape)
        _, function = combine(g, PAIRS)
        value = Expr("tl.reduce", f"tl.reduce(({{0}}, {{1}}), {axis}, {{2}}, keep_dims={keeps})", [*values, function],
                     parts=tuple((d, left) for d, _ in types))
        value.level = LOCAL if elements.is_float(dtype) and g.program.math == "accurate" else max(v.level for v in values)
        return value
    _, function = combine(g, functions_for(dtype, {}))
    return ordered(g, Expr("tl.reduce", f"tl.reduce({{0}}, {axis}, {{1}}, keep_dims={keeps})",
                           [g.operand(dtype, shape), function], dtype, left))


@operation("tl.associative_scan", ALL)
def scan(g, dtype):
    shape = g.tile_shape()
    axis = g.rng.randrange(len(shape))
    tail = g.pick(["", ", reverse=True"])
    if g.chance(0.3) and dtype != "int1":
        values, types = tuple_operand(g, dtype, shape)
        if g.chance(0.5) and elements.kind(dtype) == 1:
            values, types = [g.operand(dtype, shape), g.operand(dtype, shape)], ((dtype, shape),) * 2
            _, function = combine(g, RECURRENCE)
        else:
            _, function = combine(g, PAIRS)
        value = Expr("tl.associative_scan", f"tl.associative_scan(({{0}}, {{1}}), {axis}, {{2}}{tail})", [*values, function], parts=types)
        value.level = LOCAL if elements.is_float(dtype) and g.program.math == "accurate" else max(v.level for v in values)
        return value
    _, function = combine(g, functions_for(dtype, ORDERED))
    return ordered(g, Expr("tl.associative_scan", f"tl.associative_scan({{0}}, {axis}, {{1}}{tail})",
                           [g.operand(dtype, shape), function], dtype, shape))


def cumulative(g, dtype, op):
    shape = g.tile_shape()
    axis = g.rng.randrange(len(shape))
    result = summed(dtype) if op == "tl.cumsum" else dtype
    result = "float32" if result == "bfloat16" else result
    tail = f"axis={axis}" + g.pick(["", ", reverse=True"])
    return ordered(g, spoken(g, op, g.operand(dtype, shape), tail, result, shape))


family(["tl.cumsum", "tl.cumprod"], ALL, cumulative)


@operation("tl.histogram", INTS)
def histogram(g, dtype):
    shape = g.random_shape(1)
    bins = g.pick([2, 8, 32])
    values = g.below(bins, shape, dtype)
    if g.chance(0.4):
        condition = g.operand("int1", shape)
        return Expr("tl.histogram", f"tl.histogram({{0}}, {bins}, {{1}})", [values, condition], "int32", (bins,), condition.level)
    return call("tl.histogram", [values], "int32", (bins,), tail=str(bins))
