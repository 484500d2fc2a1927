"""Changes of a program that must not change one bit of what it writes, each applied at a random place."""
import copy
import dataclasses
import random
import re

import elements
from tree import (ATOM, Assign, Effect, Expr, Helper, If, Loop, Parameter, Printer, Raw, call, expressions, infix, method, name,
                  number, prefix, statements, unshare)

TRUTH = "always3"


@dataclasses.dataclass
class Mutant:
    """A changed program and how to print and compile it."""

    program: object
    full: bool = False
    renames: dict = dataclasses.field(default_factory=dict)
    options: dict = dataclasses.field(default_factory=dict)

    def text(self):
        text = Printer(full=self.full).program(self.program)
        for old, new in self.renames.items():
            text = re.sub(rf"\b{old}\b", new, text)
        return text


MUTATIONS = {}


def mutation(change):
    """Registers `change(rng, program)`, which changes a copy in place; False: no place was found."""
    MUTATIONS[change.__name__] = change
    return change


def mutate(program, kind=None):
    """(name, Mutant) of the program's own mutation or of the one that is named; None: there is no place for it."""
    key = f"{program.seed}:{program.number}:mutant"
    kinds = [kind] if kind else random.Random(key).sample(sorted(MUTATIONS), len(MUTATIONS))
    for chosen in kinds:
        mutant = Mutant(copy.deepcopy(program))
        unshare(mutant.program.body)
        if MUTATIONS[chosen](random.Random(f"{key}:{chosen}"), mutant) is not False:
            return chosen, mutant
    return None


def further(program, count):
    """Names of some mutations, chosen by the program."""
    return random.Random(f"{program.seed}:{program.number}:further").sample(sorted(MUTATIONS), count)


# Places


def truth_argument(program):
    """A run-time argument that is 3, which the compiler does not know."""
    if not any(p.name == TRUTH for p in program.parameters):
        program.parameters.append(Parameter(TRUTH, "scalar", "int32", value=3))
    return name(TRUTH, "int32")


def truth(rng, program):
    """A condition that holds in every program, for reasons from plain to odd."""
    argument = truth_argument(program)
    choices = [infix(">", argument, number("0"), "int1", ()), infix("==", argument, number("3"), "int1", ()),
               infix(">=", call("tl.program_id", [number("0")], "int32"), number("0"), "int1", ()),
               infix("<", call("tl.program_id", [number("0")], "int32"), call("tl.num_programs", [number("0")], "int32"), "int1", ()),
               infix("!=", infix("|", argument, number("4"), "int32", ()), number("0"), "int1", ())]
    return rng.choice(choices)


def returns(statement):
    return any(isinstance(inner, Raw) for body in statement.bodies() for place in statements(body) for inner in [place[0][place[1]]])


def types_of(statement):
    """[(name, dtype, shape)] of what an assignment binds; None when it is no tile."""
    value = statement.value
    types = value.parts or ((value.dtype, value.shape),)
    if len(types) != len(statement.names) or any(not d or d.startswith("*") for d, _ in types):
        return None
    return [(text, *kind) for text, kind in zip(statement.names, types)]


def movable(statement):
    """Whether a statement may stand under a condition or in a loop."""
    if isinstance(statement, Assign):
        return types_of(statement) is not None
    return not isinstance(statement, Raw) and not returns(statement)


def positions(program, accept=lambda statement: True):
    return [place for place in statements(program.body) if accept(place[0][place[1]])]


def bound_before(program, body, position):
    """Names that are assigned before a place, in the order of the text."""
    names = set()
    for where, index in statements(program.body):
        if where is body and index == position:
            return names
        statement = where[index]
        if isinstance(statement, Assign):
            names.update(statement.names)
    return names


def wrap(rng, mutant, make):
    """Moves a few statements into `make(list)`; names that they bind first get a value before."""
    places = positions(mutant.program, movable)
    if not places:
        return False
    body, first = rng.choice(places)
    last = first + 1
    while last < len(body) and last - first < 3 and movable(body[last]) and rng.random() < 0.5:
        last += 1
    known, before = bound_before(mutant.program, body, first), []
    for statement in body[first:last]:
        for text, dtype, shape in types_of(statement) if isinstance(statement, Assign) else []:
            if text not in known:
                known.add(text)
                zero = Expr("tl.full", f"tl.full([{', '.join(map(str, shape))}], 0, tl.{dtype})", [], dtype, shape)
                before.append(Assign([text], zero))
    body[first:last] = [*before, make(body[first:last])]
    return True


# Control flow


@mutation
def always_true_branch(rng, mutant):
    condition = truth(rng, mutant.program)
    if rng.random() < 0.4:
        return wrap(rng, mutant, lambda body: If(prefix("not", condition, "int1"), [Raw("pass")], body))
    return wrap(rng, mutant, lambda body: If(condition, body, []))


@mutation
def loop_of_one_iteration(rng, mutant):
    argument = truth_argument(mutant.program)
    end = infix("-", argument, number("2"), "int32", ())
    iterable = rng.choice([Expr("range", "range({0})", [end]), Expr("range", "range(1)", []), Expr("range", "range({0}, 4)", [argument]),
                           Expr("range", "tl.range(1, 0, -1)", []), Expr("range", "range(0, {0}, 4)", [argument])])
    return wrap(rng, mutant, lambda body: Loop("turn", iterable, body))


@mutation
def swapped_equal_branch(rng, mutant):
    places = positions(mutant.program, movable)
    if not places:
        return False
    body, at = rng.choice(places)
    left = call("tl.program_id", [number("0")], "int32")
    condition = infix(rng.choice(["==", ">", "<="]), left, number(rng.choice("01")), "int1", ())
    body[at] = If(condition, [body[at]], [copy.deepcopy(body[at])])


@mutation
def negated_branch(rng, mutant):
    places = positions(mutant.program, lambda s: isinstance(s, If) and s.condition.dtype == "int1" and not returns(s))
    if not places:
        return False
    body, at = rng.choice(places)
    statement = body[at]
    test = statement.condition
    body[at] = If(prefix("not", test, "int1"), statement.orelse or [Raw("pass")], statement.body)


@mutation
def assume_in_dead_code(rng, mutant):
    argument = truth_argument(mutant.program)
    scalars = [p for p in mutant.program.parameters if p.role == "scalar" and p.name != TRUTH]
    subject = name(rng.choice(scalars).name, "int32") if scalars and rng.random() < 0.6 else call("tl.program_id", [number("0")], "int32")
    lie = call("tl.assume", [infix(rng.choice(["==", ">", "<"]), subject, number("-7"), "int1", ())])
    body, at = rng.choice(positions(mutant.program))
    body.insert(at, If(infix("<", argument, number("0"), "int1", ()), [Effect(lie)], []))


# Memory


@mutation
def unused_load(rng, mutant):
    arrays = [p for p in mutant.program.parameters if p.role in ("in", "inout")]
    if not arrays:
        return False
    source = rng.choice(arrays)
    pointer = name(source.name, f"*{source.dtype}")
    if rng.random() < 0.5:
        value = call("tl.load", [pointer], source.dtype)
    else:
        index = call("tl.arange", [number("0"), number("16")], "int32", (16,))
        address = infix("+", pointer, index, f"*{source.dtype}", (16,))
        value = call("tl.load", [address, infix("<", index, number(str(source.count)), "int1", (16,))], source.dtype, (16,))
    body, at = rng.choice(positions(mutant.program))
    body.insert(at, Assign(["unused"], value))


def all_nodes(program):
    """(statement place, node) of every expression."""
    for body, at in statements(program.body):
        for top in expressions(body[at]):
            for node in top.walk():
                yield (body, at), node


@mutation
def mask_and_true(rng, mutant):
    nodes = [n for _, n in all_nodes(mutant.program)
             if n.op in ("tl.load", "tl.store") and n.args and (n.args[0].dtype or "").startswith("*")]
    if not nodes:
        return False
    node, condition = rng.choice(nodes), truth(rng, mutant.program)
    at = 1 if node.op == "tl.load" else 2
    if len(node.args) > at:
        mask = node.args[at]
        node.args[at] = infix("&", *rng.sample([mask, condition], 2), "int1", mask.shape)
    else:
        node.form = node.form.replace(f"{{{at - 1}}}", f"{{{at - 1}}}, {{{at}}}")
        node.args.append(condition)
        node.needs = tuple(node.needs) + (0,) if node.needs else ()


# Text


@mutation
def renamed_variable(rng, mutant):
    names = sorted({text for body, at in positions(mutant.program) if isinstance(body[at], Assign) for text in body[at].names})
    if not names:
        return False
    for old in rng.sample(names, min(len(names), 3)):
        mutant.renames[old] = rng.choice(["value_of_", "_", "len", "tl_", "\u00e9", "If", "matchcase", "x"]) + old.upper() + "_"


@mutation
def full_parentheses(rng, mutant):
    mutant.full = True


def as_sum(rng, text):
    """A literal as compile-time arithmetic of the same value."""
    if text in ("True", "False"):
        return "(1 < 2)" if text == "True" else "(2 < 1)"
    if "." in text:
        half = float(text) / 2
        return f"({half} + {half})"
    value, part = int(text), rng.randint(0, 9)
    # Compile-time division rounds down, -(2k + 1) // 2 to -k - 1; the remainder has the divisor's sign.
    return rng.choice([f"({value - part} + {part})", f"({value + part + 1} + -{2 * part + 1} // 2)", f"({value - 3} - (-7 % -4))",
                       f"({value - 3} + -{4 * part + 1} % 4)", f"({value + part} - {part} ** 1)"])


@mutation
def split_constant(rng, mutant):
    literals = [n for _, n in all_nodes(mutant.program) if n.op == "literal" and n.form != "None"]
    if not literals:
        return False
    for node in rng.sample(literals, min(len(literals), 8)):
        if node.precedence != ATOM or node.form[0] != "(":
            node.form, node.precedence = as_sum(rng, node.form), ATOM


@mutation
def split_expression(rng, mutant):
    """An inner expression gets a name."""
    spots = []
    for body, at in positions(mutant.program, lambda s: isinstance(s, (Assign, Effect))):
        for top in expressions(body[at]):
            if any(node.op in ("ternary", "tl.reduce", "tl.associative_scan") for node in top.walk()):
                continue
            spots += [(body, at, node, i) for node in top.walk() for i, a in enumerate(node.args)
                      if a.args and a.dtype and not a.dtype.startswith("*") and not a.parts]
    if not spots:
        return False
    body, at, node, i = rng.choice(spots)
    inner = node.args[i]
    node.args[i] = name("part", inner.dtype, inner.shape, inner.level)
    body.insert(at, Assign(["part"], inner))


@mutation
def explicit_promotion(rng, mutant):
    nodes = [n for _, n in all_nodes(mutant.program)
             if n.op in ("+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=") and len(n.args) == 2
             and all(a.dtype in elements.ALL for a in n.args) and n.args[0].dtype != n.args[1].dtype]
    if not nodes:
        return False
    node = rng.choice(nodes)
    common = elements.promoted(node.args[0].dtype, node.args[1].dtype)
    node.args = [a if a.dtype == common else method("tensor.to", a, [], common, a.shape, "to", f"tl.{common}") for a in node.args]


@mutation
def outlined_helper(rng, mutant):
    """An operator moves into a function."""
    nodes = [n for _, n in all_nodes(mutant.program)
             if len(n.args) == 2 and n.form.startswith("{0} ") and all(a.dtype in elements.ALL or a.op == "literal" for a in n.args)
             and n.dtype in elements.ALL]
    if not nodes:
        return False
    node = rng.choice(nodes)
    inner = dataclasses.replace(node, args=[name("left", node.args[0].dtype, node.args[0].shape),
                                            name("right", node.args[1].dtype, node.args[1].shape)])
    mutant.program.helpers.append(Helper("outlined", ["left", "right"], [], [inner]))
    node.form, node.needs, node.precedence, node.op = "outlined({0}, {1})", (), ATOM, "helper"


def permuted(rng, value):
    """Three permutations that are one identity."""
    rank = len(value.shape)
    first, second = (rng.sample(range(rank), rank) for _ in range(2))
    both = [first[axis] for axis in second]
    for order in (first, second, [both.index(axis) for axis in range(rank)]):
        shape = tuple(value.shape[axis] for axis in order)
        value = call("tl.permute", [value], value.dtype, shape, tail=f"({', '.join(map(str, order))},)")
    return value


def regrouped(rng, value):
    """Another shape and back."""
    count = 1
    for extent in value.shape:
        count *= extent
    low = rng.choice([extent for extent in (1, 2, 4, 8) if extent <= count])
    shape = (low, count // low)
    turned = call("tl.reshape", [value], value.dtype, shape, tail=str(list(shape)))
    if rng.random() < 0.5:
        turned = call("tl.trans", [call("tl.trans", [turned], value.dtype, shape[::-1])], value.dtype, shape)
    return call("tl.reshape", [turned], value.dtype, value.shape, tail=str(list(value.shape)))


def toggled(rng, value):
    """Twice the complement, or twice an exclusive or."""
    if value.dtype == "int1" or rng.random() < 0.5:
        return prefix("~", prefix("~", value, value.dtype), value.dtype)
    key = number(str(rng.randint(0, 100)))
    return infix("^", infix("^", value, key, value.dtype, value.shape), key, value.dtype, value.shape)


def shifted(rng, value):
    """Adds and subtracts, which wraps back."""
    key = number(str(rng.randint(1, 100)))
    return infix("-", infix("+", value, key, value.dtype, value.shape), key, value.dtype, value.shape)


def widened(rng, value):
    """A wider type and back."""
    wide = "int64" if elements.kind(value.dtype) < 2 else "float64"
    there = method("tensor.to", value, [], wide, value.shape, "to", f"tl.{wide}")
    return method("tensor.to", there, [], value.dtype, value.shape, "to", f"tl.{value.dtype}")


def selected(rng, value):
    other = number("False" if value.dtype == "int1" else "0")
    return call("tl.where", [number("True"), value, other], value.dtype, value.shape)


@mutation
def round_trip(rng, mutant):
    """A value goes through operations that give it back."""
    places = positions(mutant.program, lambda s: isinstance(s, Assign) and s.value.dtype in elements.ALL and not s.value.parts)
    if not places:
        return False
    body, at = rng.choice(places)
    value = body[at].value
    ways = [widened] if value.dtype not in elements.FP8 else []
    ways += [permuted, permuted, regrouped] if value.shape else []
    ways += [toggled, shifted] if elements.kind(value.dtype) == 1 else []
    ways += [selected] if value.shape else []
    if not ways:
        return False
    body[at].value = rng.choice(ways)(rng, value)


# Options


@mutation
def other_warps(rng, mutant):
    mutant.options = {"num_warps": rng.choice([1, 2, 8, 16]), "num_stages": rng.choice([1, 2, 4])}


@mutation
def other_effort(rng, mutant):
    mutant.options = {"opt_level": rng.choice([0, 1, 3])}
