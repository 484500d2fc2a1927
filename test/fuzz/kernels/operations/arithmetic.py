"""Operators, comparisons, conversions and selections."""
import elements
from elements import ALL, ALL_FLOATS, BITS, INTS, WIDE_INTS
from tree import Expr, call, conditional, infix, method, number, prefix

from . import family, operation


def second(g, dtype, shape, division=False):
    """(right operand, result type): of the same type, of another one that mixes, or a number."""
    choice = g.rng.random()
    narrow = shape if g.chance(0.6) else g.narrower(shape)
    if choice < 0.2:
        text, rank = elements.literal(g.rng, dtype)
        return number(text), elements.with_literal(dtype, rank, division)
    other = dtype
    if choice < 0.5:
        fits = [d for d in ALL if elements.mixes(dtype, d) and (not division or elements.divides(dtype, d))]
        other = g.pick(fits)
    return g.operand(other, narrow), elements.promoted(dtype, other, division)


def pair(g, dtype, division=False):
    """(left, right, result type, shape) of an operator, either way round."""
    shape = g.shape()
    left = g.operand(dtype, shape if g.chance(0.8) else g.narrower(shape))
    right, result = second(g, dtype, shape, division)
    both = g.common(left.shape, right.shape)
    if g.chance(0.3):
        left, right = right, left
    return left, right, result, both


def operator(g, dtype, op):
    left, right, result, shape = pair(g, dtype, op in ("/", "//", "%"))
    return g.graded(infix(op, left, right, result, shape))


family(["+", "-", "*"], ALL, operator)
family(["/"], ALL, operator)
family(["//"], BITS, lambda g, d, op: integer_only(g, d, op))
family(["%"], ALL, lambda g, d, op: operator(g, d, op) if elements.is_float(d) else integer_only(g, d, op))
family(["&", "|", "^", "<<", ">>"], BITS, lambda g, d, op: integer_only(g, d, op))


def integer_only(g, dtype, op):
    """An operator whose operands are both integers."""
    shape = g.shape()
    fits = [d for d in BITS if op in ("&", "|", "^", "<<", ">>") or elements.divides(dtype, d)]
    other = g.pick(fits) if g.chance(0.3) else dtype
    left = g.operand(dtype, shape)
    if g.chance(0.25):
        text = g.pick("01234") if op in ("<<", ">>") and dtype != "int1" else elements.literal(g.rng, dtype)[0]
        right, result = number(text), dtype
    else:
        right, result = g.operand(other, g.narrower(shape) if g.chance(0.3) else shape), elements.promoted(dtype, other)
    return infix(op, left, right, result, g.common(left.shape, right.shape))


def comparison(g, dtype, op):
    left, right, _, shape = pair(g, dtype)
    return infix(op, left, right, "int1", shape)


family(["==", "!=", "<", "<=", ">", ">="], ALL, comparison)
family(["and", "or"], ["int1"], lambda g, d, op: infix(op, *(g.operand(d, s) for s in [g.shape()] * 2), d, g.base))


def logical(g, dtype, op):
    shape = g.shape()
    return infix(op, g.operand(dtype, shape), g.operand(dtype, shape), dtype, shape)


family(["and", "or"], ["int1"], logical)
family(["not"], ["int1"], lambda g, d, op: prefix(op, g.operand(d, g.shape()), d))
family(["unary -"], [d for d in ALL if d != "int1"], lambda g, d, op: relabelled(prefix("-", g.operand(d, g.shape()), d), op))
family(["~"], BITS, lambda g, d, op: prefix(op, g.operand(d, g.shape()), d))


def relabelled(value, op):
    value.op = op
    return value


def named(g, dtype, op):
    """tl.add and its like."""
    left, right, result, shape = pair(g, dtype)
    return g.graded(call(op, [left, right], result, shape, tail="sanitize_overflow=False" if g.chance(0.3) else ""))


family(["tl.add", "tl.sub", "tl.mul"], ALL, named)


def extremum_type(left, right):
    wide = ["float32" if d == "bfloat16" else d for d in (left, right)]
    return elements.promoted(*wide)


def extremum(g, dtype, op):
    shape = g.shape()
    other = g.pick([d for d in ALL if elements.mixes(extremum_type(dtype, dtype), d)]) if g.chance(0.3) else dtype
    tail = "propagate_nan=tl.PropagateNan.ALL" if op.startswith("tl.") and g.chance(0.3) else ""
    return call(op, [g.operand(dtype, shape), g.operand(other, g.narrower(shape) if g.chance(0.3) else shape)],
                extremum_type(dtype, other), shape, op.removeprefix("py."), tail)


family(["tl.maximum", "tl.minimum", "py.max", "py.min"], ALL, extremum)


@operation("tl.clamp", ALL_FLOATS)
def clamp(g, dtype):
    shape = g.shape()
    low, high = (number("-1.0"), number("2.0")) if g.chance(0.5) else (g.operand(dtype, shape), g.operand(dtype, g.narrower(shape)))
    return call("tl.clamp", [g.operand(dtype, shape), low, high], extremum_type(dtype, dtype), shape,
                tail="propagate_nan=tl.PropagateNan.ALL" if g.chance(0.3) else "")


@operation("tl.where", ALL)
def where(g, dtype):
    shape = g.shape()
    condition = g.operand("int1", shape if g.chance(0.7) else g.narrower(shape))
    left = g.operand(dtype, shape)
    right, result = second(g, dtype, shape)
    parts = [left, right] if g.chance(0.7) else [right, left]
    return call("tl.where", [condition, *parts], result, shape)


@operation("ternary", ALL)
def ternary(g, dtype):
    shape = g.shape()
    return conditional(g.condition(), g.operand(dtype, shape), g.operand(dtype, shape))


@operation("tl.fma", [d for d in ALL_FLOATS if d != elements.LEGACY])
def fma(g, dtype):
    shape = g.shape()
    other = g.pick([d for d in elements.FLOATS]) if g.chance(0.2) and dtype not in elements.FP8 else dtype
    result = elements.promoted(dtype, other)
    return g.graded(call("tl.fma", [g.operand(dtype, shape), g.operand(other, g.narrower(shape)), g.operand(dtype, shape)], result, shape))


@operation("tl.umulhi", WIDE_INTS)
def high_product(g, dtype):
    shape = g.shape()
    return call("tl.umulhi", [g.operand(dtype, shape), g.operand(dtype, shape)], dtype, shape)


def float_division(g, dtype, op):
    shape = g.shape()
    return g.graded(call(op, [g.operand(dtype, shape), g.operand(dtype, g.narrower(shape))], dtype, shape))


family(["tl.fdiv", "tl.div_rn"], elements.FLOATS, float_division)


def absolute(g, dtype, op):
    shape = g.shape()
    return call(op, [g.operand(dtype, shape)], dtype, shape, op.removeprefix("py."))


family(["tl.abs", "py.abs"], ALL, absolute)


def bit_targets(dtype):
    return [d for d in ALL if elements.width(d) == elements.width(dtype)]


def cast(g, dtype, op):
    """A conversion to any type, a reinterpretation, or a narrowing toward zero."""
    shape, tail = g.shape(), ""
    value = g.operand(dtype, shape)
    if g.chance(0.25):
        target, tail = g.pick(bit_targets(dtype)), ", bitcast=True"
        if elements.kind(target) != 2 or target == elements.LEGACY:
            value = g.clean(value)
        elif elements.is_float(dtype):
            value = g.clean(value)
    else:
        target = g.pick(ALL)
        narrows = elements.is_float(dtype) and elements.is_float(target) and elements.width(target) < elements.width(dtype)
        if narrows and g.chance(0.3):
            tail = f", fp_downcast_rounding='{g.pick(['rtz', 'rtne'])}'"
    if op == "tl.cast":
        return call(op, [value], target, shape, tail=f"tl.{target}{tail}")
    return method(op, value, [], target, shape, "to", f"tl.{target}{tail}")


family(["tensor.to", "tl.cast"], ALL, cast)


@operation("tl.cdiv", INTS)
def ceiling_division(g, dtype):
    shape = g.shape()
    return call("tl.cdiv", [g.operand(dtype, shape), g.operand(dtype, g.narrower(shape))], dtype, shape)


@operation("tl.to_tensor", ALL)
def to_tensor(g, dtype):
    shape = g.shape()
    return call("tl.to_tensor", [g.operand(dtype, shape)], dtype, shape)


@operation("tl.full", ALL)
def full(g, dtype):
    shape = g.shape()
    value = number(elements.literal(g.rng, dtype)[0]) if g.chance(0.6) else g.operand(g.pick(ALL), ())
    extents = ", ".join(map(str, shape))
    return Expr("tl.full", f"tl.full([{extents}], {{0}}, tl.{dtype})", [value], dtype, shape, value.level)


@operation("tl.zeros", ALL)
def zeros(g, dtype):
    shape = g.tile_shape()
    return Expr("tl.zeros", f"tl.zeros([{', '.join(map(str, shape))}], dtype=tl.{dtype})", [], dtype, shape)


@operation("tl.zeros_like", ALL)
def zeros_like(g, dtype):
    shape = g.tile_shape()
    value = g.operand(dtype, shape)
    return call("tl.zeros_like", [value], dtype, shape, level=0)


@operation("tl.arange", ["int32"])
def arange(g, dtype):
    extent = g.pick([1, 2, 8, 32])
    start = g.pick([0, 0, 1, 5, -3])
    return call("tl.arange", [number(str(start)), number(str(start + extent))], dtype, (extent,))
