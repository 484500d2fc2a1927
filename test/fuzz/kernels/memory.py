"""Addresses that cannot miss: index tiles, masks, loads, and stores that no other element or program touches.

An access belongs to a region of its array for each program. Its index is injective and its greatest value is known, so
arrays are exactly as large as the elements that masks let through.
"""
import dataclasses

import elements
from tree import CLOSE, EXACT, LOCAL, Effect, call, infix, method, name, number, suffix


@dataclasses.dataclass
class Index:
    """`expr` counts elements from the start of an array; all lie below `extent`."""

    expr: object
    extent: int
    #: (index along an axis, broadcast into place; extent of the axis; unit in elements)
    axes: list
    dense: bool


def spread(expr, axis, rank):
    """A 1-D index in the place of one axis of a tile."""
    if rank == 1:
        return expr
    places = ", ".join(":" if i == axis else "None" for i in range(rank))
    return suffix("subscript", expr, f"[{places}]", expr.dtype, tuple(expr.shape[0] if i == axis else 1 for i in range(rank)))


def programs(g):
    """(linear id of the program, number of programs)."""
    grid, expr = g.program.grid, None
    for axis, extent in enumerate(grid):
        own = call("tl.program_id", [number(str(axis))], "int32")
        if expr is None:
            expr = own
            continue
        scale = number(str(extent)) if g.chance(0.6) else call("tl.num_programs", [number(str(axis))], "int32")
        expr = infix("+", infix("*", expr, scale, "int32", ()), own, "int32", ())
    count = 1
    for extent in grid:
        count *= extent
    return expr, count


def constant(g, value):
    """An int32 known here: a literal, a run-time argument, or a constexpr."""
    if value > 1 and g.chance(0.25):
        return name(g.parameter("scalar", dtype="int32", value=value).name, "int32")
    if g.chance(0.1):
        return name(g.parameter("constant", value=value).name, None)
    return number(str(value))


def scaled(g, expr, factor):
    if factor == 1 and g.chance(0.8):
        return expr
    return infix("*", expr, constant(g, factor), "int32", expr.shape)


def inner_index(g, shape):
    """(offset within a region, its size, axes, whether it fills the region)."""
    rank, dense = len(shape), True
    order = list(range(rank))
    if g.chance(0.25):
        g.rng.shuffle(order)
    total, size, axes = None, 1, []
    for axis in reversed(order):
        extent = shape[axis]
        along = call("tl.arange", [number("0"), number(str(extent))], "int32", (extent,))
        if g.chance(0.1):
            along = infix("-", number(str(extent - 1)), along, "int32", (extent,))
        if extent > 1 and g.chance(0.08):
            along = infix("^", along, number(str(g.rng.randrange(extent))), "int32", (extent,))
        along = spread(along, axis, rank)
        axes.append((along, extent, size))
        term = scaled(g, along, size)
        total = term if total is None else infix("+", term, total, "int32", g.common(term.shape, total.shape))
        size *= extent
        if g.chance(0.15):
            size += g.pick([1, 3, 8])
            dense = False
    return total, size, axes, dense


def index(g, shape, scattered=False):
    """An index of a tile into an array with a region for each program."""
    own, count = programs(g)
    if not shape:
        return Index(own, count, [], True)
    inner, size, axes, dense = inner_index(g, shape)
    if scattered and dense and size & (size - 1) == 0 and size > 1:
        odd = 2 * g.rng.randrange(size) + 1
        inner = infix("*", inner, number(str(odd)), "int32", inner.shape)
        inner = infix("&", infix("+", inner, number(str(g.rng.randrange(size))), "int32", inner.shape),
                      number(str(size - 1)), "int32", inner.shape)
    base = infix("*", own, constant(g, size), "int32", ())
    parts = (base, inner) if g.chance(0.7) else (inner, base)
    return Index(infix("+", *parts, "int32", inner.shape), count * size, axes, dense)


def mask(g, at, shape):
    """(condition or None, elements that the array needs)."""
    choice = g.rng.random()
    if choice < 0.4:
        return None, at.extent
    if choice < 0.65 or not shape:
        bound = g.rng.randint(0, at.extent)
        limit = name(g.parameter("scalar", dtype="int32", value=bound).name, "int32") if g.chance(0.7) else number(str(bound))
        held = at.expr if at.expr.is_leaf else g.bind(at.expr, "i")
        at.expr = dataclasses.replace(held)
        return infix("<", dataclasses.replace(held), limit, "int1", held.shape), max(bound, 1)
    if choice < 0.85:
        condition = None
        for along, extent, _ in g.rng.sample(at.axes, g.rng.randint(1, len(at.axes))):
            limit, _ = g.scalar(0, extent + 1)
            test = infix(g.pick(["<", "<", "<", ">="]), along, limit, "int1", along.shape)
            condition = test if condition is None else infix("&", condition, test, "int1", g.common(condition.shape, test.shape))
        return condition, at.extent
    condition = g.operand("int1", g.narrower(shape))
    return (condition, at.extent) if condition.level == EXACT else (None, at.extent)


def pointer(base, at, dtype):
    """base + index."""
    return infix("+", name(base, f"*{dtype}"), at.expr, f"*{dtype}", at.expr.shape)


HINTS = ["cache_modifier='.cg'", "cache_modifier='.ca'", "eviction_policy='evict_last'", "eviction_policy='evict_first'",
         "volatile=True"]


def load(g, dtype, shape, recipe="any"):
    """A load of a tile from an array of its own, or from one that another load reads too."""
    raw = "uint8" if dtype == elements.LEGACY else dtype
    at = index(g, shape)
    condition, count = mask(g, at, shape)
    shared = [p for p in g.program.parameters if p.role == "in" and p.dtype == raw and p.count >= count and p.recipe == recipe]
    source = g.pick(shared) if shared and g.chance(0.3) else g.parameter("in", dtype=raw, count=count, recipe=recipe)
    args, tail = [pointer(source.name, at, raw)], []
    if condition is not None:
        args.append(condition)
        if recipe != "any":
            # A scale of 0 is 2^-127: products of two of them would underflow, which targets may do before or after a sum.
            args.append(number("127" if recipe == "scale" else "0"))
        elif g.chance(0.6):
            args.append(number(elements.literal(g.rng, raw)[0]) if g.chance(0.7) else g.operand(raw, g.narrower(shape)))
    if g.chance(0.15):
        tail.append(g.pick(HINTS))
    g.cover("tl.load", dtype)
    value = call("tl.load", args, raw, shape, tail=", ".join(tail))
    return reinterpreted(value, dtype) if dtype != raw else value


def reinterpreted(value, dtype):
    return method("tensor.to", value, [], dtype, value.shape, "to", f"tl.{dtype}, bitcast=True")


def store(g, value):
    """Stores a value to an array of its own."""
    target = value.dtype
    if value.level == EXACT and g.chance(0.15):
        target = g.pick(elements.ALL)
        if target == elements.LEGACY:
            target = value.dtype
    raw = "uint8" if target == elements.LEGACY else target
    if value.dtype == elements.LEGACY and target == elements.LEGACY:
        value = reinterpreted(value, "uint8")
    at = index(g, value.shape, scattered=g.chance(0.15))
    condition, count = mask(g, at, value.shape)
    level = max(value.level, EXACT if condition is None else condition.level)
    ulps = 2 if level == CLOSE else 0
    output = g.parameter("out", dtype=raw, count=count, level=level if target == value.dtype or level == EXACT else LOCAL,
                         ulps=ulps)
    args = [pointer(output.name, at, raw), value, *([condition] if condition is not None else [])]
    g.cover("tl.store", target)
    g.add(Effect(call("tl.store", args, None, tail=g.pick(["", "", "", "cache_modifier='.wb'"]))))
