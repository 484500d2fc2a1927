"""Control flow: loops, branches, helper functions, early returns, facts."""
import dataclasses

import elements
import generator
import memory
from elements import ALL, INTS
from tree import EXACT, LOCAL, Assign, Expr, Helper, If, Loop, Raw, call, conditional, infix, name, number

from . import family, operation


def carried_level(g, dtype):
    return LOCAL if g.program.math == "accurate" and elements.is_float(dtype) else EXACT


def start(g, dtype, shape, stem="a"):
    """A variable that a loop or branch changes."""
    value = g.operand(dtype, shape)
    text = g.fresh(stem)
    g.add(Assign([text], value))
    return name(text, dtype, shape, max(value.level, carried_level(g, dtype)))


def update(g, variable, body):
    """Changes a variable in a body: something before, then a step that keeps its type."""
    rough, g.allows_rough = g.allows_rough, False
    with g.inside(body):
        if g.chance(0.35):
            g.fill(1)
        step = infix(g.pick(generator.KEEPING[elements.kind(variable.dtype)]), dataclasses.replace(variable),
                     g.operand(variable.dtype, variable.shape), variable.dtype, variable.shape)
        if g.chance(0.2):
            step = call("tl.where", [g.operand("int1", variable.shape), step, dataclasses.replace(variable)], variable.dtype, variable.shape)
        g.add(Assign([variable.form], step))
    g.allows_rough = rough


def ranges(g):
    """The iterable of a loop of a few trips, in many forms."""
    end, value = g.scalar(0, 4)
    choice = g.rng.random()
    if choice < 0.35:
        return Expr("range", "range({0})", [end])
    if choice < 0.5:
        return Expr("range", "range({0}, {1})", [number("2"), infix("+", end, number("2"), "int32", ())])
    if choice < 0.65:
        return Expr("range", "range({0}, {1}, {2})", [number("0"), infix("*", end, number("3"), "int32", ()), number(g.pick(["2", "3", "5"]))])
    if choice < 0.8:
        return Expr("range", "range({0}, {1}, {2})", [end, number("-1"), number(g.pick(["-1", "-2"]))])
    return Expr("range", "range({0}, {1}, {2})", [number("0"), number("6"), memory.constant(g, g.pick([2, 3, 4]))])


def counted(g, dtype, op):
    """for over range, tl.range and tl.static_range."""
    shape = g.shape()
    total, counter, body = start(g, dtype, shape), g.fresh("k"), []
    if op == "tl.static_range":
        first = g.pick(["{0}", "1, {0}"])
        iterable = Expr(op, f"tl.static_range({first})", [number(g.pick("123"))])
    else:
        iterable = ranges(g)
        if op == "tl.range":
            iterable.form = "tl." + iterable.form
            if g.chance(0.4):
                iterable.form = iterable.form[:-1] + g.pick([", num_stages=2)", ", loop_unroll_factor=2)", ", flatten=True)"])
    update(g, total, body)
    g.add(Loop(counter, iterable, body))
    return dataclasses.replace(total)


family(["for", "tl.range", "tl.static_range"], ALL, counted)


@operation("while", ALL)
def repeated(g, dtype):
    shape = g.shape()
    total, counter, body = start(g, dtype, shape), g.fresh("k"), []
    end, _ = g.scalar(0, 4)
    g.add(Assign([counter], number("0")))
    update(g, total, body)
    held = name(counter, "int32")
    body.append(Assign([counter], infix("+", held, number("1"), "int32", ())))
    g.add(Loop("", infix("<", held, end, "int1", ()), body))
    return dataclasses.replace(total)


@operation("if", ALL)
def branch(g, dtype):
    shape = g.shape()
    total, body, orelse = start(g, dtype, shape), [], []
    update(g, total, body)
    if g.chance(0.6):
        update(g, total, orelse)
    g.add(If(g.condition(), body, orelse))
    return dataclasses.replace(total)


@operation("constexpr if", ALL)
def static_branch(g, dtype):
    """The dead branch is never typed."""
    shape = g.shape()
    value = g.operand(dtype, shape)
    constant = g.parameter("constant", value=g.rng.randint(0, 9))
    text = g.fresh()
    live, dead = [Assign([text], value)], [Raw(f"{text} = tl.nonsense({text}, missing=True)")]
    condition = infix("==", name(constant.name, None), number(str(constant.value)), None, ())
    if g.chance(0.5):
        condition.form, live, dead = "{0} != {1}", dead, live
    g.add(If(condition, live, dead))
    return name(text, dtype, shape, value.level)


def composed(g, values, depth=2):
    """An expression over values of one type, for bodies of helpers."""
    if depth == 0 or g.chance(0.2):
        return dataclasses.replace(g.pick(values))
    dtype, shape = values[0].dtype, values[0].shape
    left, right = composed(g, values, depth - 1), composed(g, values, depth - 1)
    if g.chance(0.2):
        return call("tl.where", [infix("<", left, right, "int1", shape), left, right], dtype, shape)
    if g.chance(0.2) and dtype not in elements.FP8:
        right = number(elements.literal(g.rng, dtype)[0])
    return infix(g.pick(generator.KEEPING[elements.kind(dtype)]), left, right, dtype, shape)


@operation("helper", ALL)
def helper(g, dtype):
    """A function of the module, with one or two results or an early return."""
    shape = g.shape()
    count = g.pick([1, 2, 3])
    inner = [name(f"p{i}", dtype, shape) for i in range(count)]
    made = Helper(g.fresh("helper"), [value.form for value in inner], [], [composed(g, inner)])
    if g.chance(0.4):
        made.body.append(Assign(["q"], composed(g, inner)))
        made.returns = [composed(g, [*inner, name("q", dtype, shape)])]
    args = [g.operand(dtype, shape) for _ in range(count)]
    parts = ()
    if g.chance(0.3):
        made.returns.append(composed(g, inner))
        parts = ((dtype, shape),) * 2
    elif g.chance(0.4):
        made.parameters.append("flag")
        made.body.append(If(name("flag", "int1"), [Raw("return {0}", [composed(g, inner)])], []))
        args.append(g.condition())
    g.program.helpers.append(made)
    level = max([a.level for a in args] + [carried_level(g, dtype)])
    return call("helper", args, None if parts else dtype, () if parts else shape, spelled=made.name, level=level, parts=parts)


@operation("tuple", ALL)
def grouped(g, dtype):
    left, right = g.operand(dtype, g.shape()), g.operand(g.pick(ALL), g.shape())
    text = g.fresh("t")
    g.add(Assign([text], Expr("tuple", "({0}, {1})", [left, right])))
    g.scopes[-1].append(name(f"{text}[1]", right.dtype, right.shape, right.level))
    return name(f"{text}[0]", dtype, left.shape, left.level)


@operation("return", ["int32"])
def early_return(g, dtype):
    if g.depth:
        return None
    g.add(If(g.condition(), [Raw("return")], []))
    return None


def fact(g, dtype, op):
    """True statements about an index."""
    extent = g.pick([4, 16, 32])
    at = call("tl.arange", [number("0"), number(str(extent))], dtype, (extent,))
    factor = {"tl.multiple_of": 1, "tl.max_contiguous": extent, "tl.max_constancy": 1}[op]
    return call(op, [at], dtype, (extent,), tail=f"[{factor}]" if g.chance(0.5) else str(factor))


family(["tl.multiple_of", "tl.max_contiguous", "tl.max_constancy"], ["int32"], fact)


@operation("tl.assume", ["int32"])
def assume(g, dtype):
    value, known = g.scalar(0, 20)
    g.effect(call("tl.assume", [infix(g.pick(["<=", "=="]), value, number(str(known)), "int1", ())]))
    return None


@operation("tl.debug_barrier", ["int32"])
def barrier(g, dtype):
    g.effect(call("tl.debug_barrier", []))
    return None


@operation("tl.program_id", ["int32"])
def program_id(g, dtype):
    return call("tl.program_id", [number(str(g.rng.randrange(3)))], dtype)


@operation("tl.num_programs", ["int32"])
def program_count(g, dtype):
    return call("tl.num_programs", [number(str(g.rng.randrange(3)))], dtype)
