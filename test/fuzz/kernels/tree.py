"""The form in which kernels are generated, changed and shrunk: typed expressions and statements, printed as text.

An expression knows its type and how exactly targets have to agree on it. Parentheses appear only where the precedence
of Python asks for them, so that the parser is tested too; `Printer(full=True)` writes all of them.
"""
import dataclasses

#: Precedence of what cannot be torn apart: names, calls, subscripts.
ATOM = 100
UNARY = 80
PRECEDENCE = {
    "*": 70, "/": 70, "//": 70, "%": 70, "+": 60, "-": 60, "<<": 50, ">>": 50, "&": 40, "^": 35, "|": 30, "<": 20,
    "<=": 20, ">": 20, ">=": 20, "==": 20, "!=": 20, "and": 12, "or": 10
}
TERNARY = 5

#: Levels of agreement between targets: the same bits; within some units in the last place; only within one target.
EXACT, CLOSE, LOCAL = 0, 1, 2


@dataclasses.dataclass
class Expr:
    """`form` is text with {0}, {1} ... for the operands; `needs` is the least precedence of each operand's text."""

    op: str
    form: str
    args: list
    dtype: str = None
    shape: tuple = ()
    level: int = EXACT
    precedence: int = ATOM
    needs: tuple = ()
    #: Types of the elements where the expression is a tuple: (dtype, shape) each.
    parts: tuple = ()

    @property
    def is_leaf(self):
        return not self.args

    def walk(self):
        """This expression and all below it."""
        yield self
        for argument in self.args:
            yield from argument.walk()


def worst(args):
    """Level of a result of exact work on operands: what differs a little may differ much afterwards."""
    return LOCAL if any(argument.level > EXACT for argument in args) else EXACT


def name(text, dtype, shape=(), level=EXACT):
    """A variable, or an element of a tuple."""
    return Expr("name", text, [], dtype, tuple(shape), level)


def number(text, dtype=None):
    """A literal; a negative one binds like a unary minus."""
    return Expr("literal", text, [], dtype, (), EXACT, UNARY if text.startswith("-") else ATOM)


def infix(op, left, right, dtype, shape):
    precedence = PRECEDENCE[op]
    # Comparisons would chain, so both sides stand in parentheses.
    needs = (precedence + 1, precedence + 1) if precedence == 20 else (precedence, precedence + 1)
    return Expr(op, f"{{0}} {op} {{1}}", [left, right], dtype, shape, worst([left, right]), precedence, needs)


def prefix(op, operand, dtype):
    text = f"{op} {{0}}" if op.isalpha() else f"{op}{{0}}"
    precedence = 15 if op == "not" else UNARY
    return Expr(op, text, [operand], dtype, operand.shape, operand.level, precedence, (precedence,))


def call(op, args, dtype=None, shape=(), spelled=None, tail="", level=None, parts=()):
    """A call; `tail` is text after the operands, such as keyword arguments."""
    slots = ", ".join(f"{{{i}}}" for i in range(len(args)))
    text = f"{spelled or op}({slots}{', ' if tail and args else ''}{tail})"
    return Expr(op, text, list(args), dtype, tuple(shape), worst(args) if level is None else level, parts=parts)


def method(op, receiver, args, dtype=None, shape=(), spelled=None, tail="", level=None, parts=()):
    """A call of a method of a tensor."""
    slots = ", ".join(f"{{{i + 1}}}" for i in range(len(args)))
    text = f"{{0}}.{spelled or op.split('.')[-1]}({slots}{', ' if tail and args else ''}{tail})"
    operands = [receiver, *args]
    return Expr(op, text, operands, dtype, tuple(shape), worst(operands) if level is None else level,
                needs=(ATOM, *[0] * len(args)), parts=parts)


def suffix(op, operand, text, dtype, shape):
    """Text right after an operand, such as a subscript."""
    return Expr(op, "{0}" + text, [operand], dtype, tuple(shape), operand.level, needs=(ATOM,))


def conditional(condition, left, right):
    return Expr("ternary", "{1} if {0} else {2}", [condition, left, right], left.dtype, left.shape,
                worst([condition, left, right]), TERNARY, (TERNARY + 1, TERNARY + 1, TERNARY + 1))


@dataclasses.dataclass
class Assign:
    """`a, b = value`; several names take the parts of a tuple."""

    names: list
    value: Expr

    def bodies(self):
        return []


@dataclasses.dataclass
class Effect:
    """An expression for what it does: a store, an atomic."""

    value: Expr

    def bodies(self):
        return []


@dataclasses.dataclass
class If:
    condition: Expr
    body: list
    orelse: list

    def bodies(self):
        return [self.body, self.orelse] if self.orelse else [self.body]


@dataclasses.dataclass
class Loop:
    """`for variable in iterable`, or `while iterable` without a variable."""

    variable: str
    iterable: Expr
    body: list

    def bodies(self):
        return [self.body]


@dataclasses.dataclass
class Raw:
    """Lines that mutations leave alone; `{0}` ... are operands."""

    text: str
    args: list = dataclasses.field(default_factory=list)

    def bodies(self):
        return []


@dataclasses.dataclass
class Helper:
    """A function of the module that kernels call; `returns` is a list of expressions."""

    name: str
    parameters: list
    body: list
    returns: list


@dataclasses.dataclass
class Parameter:
    """A kernel parameter. `role`: in, out, inout, scalar, constant. Arrays have `count` elements, numbers a `value`."""

    name: str
    role: str
    dtype: str = None
    count: int = 0
    value: object = None
    recipe: str = "any"
    level: int = EXACT
    ulps: int = 0


@dataclasses.dataclass
class Program:
    number: int
    seed: int
    parameters: list
    helpers: list
    body: list
    grid: tuple
    math: str = "portable"
    options: dict = dataclasses.field(default_factory=dict)
    #: Text of combine functions and globals.
    head: list = dataclasses.field(default_factory=list)
    #: (op, dtype) pairs that the program covers.
    covered: set = dataclasses.field(default_factory=set)


def expressions(statement):
    """The top expressions of one statement, without those of its bodies."""
    if isinstance(statement, (Assign, Effect)):
        return [statement.value]
    if isinstance(statement, If):
        return [statement.condition]
    if isinstance(statement, Loop):
        return [statement.iterable]
    return list(statement.args)


def statements(body):
    """(list, position) of every statement, inner ones too."""
    for position, statement in enumerate(body):
        yield body, position
        for inner in statement.bodies():
            yield from statements(inner)


def unshared(expr):
    """A copy whose every place has a node of its own, so that changing one place leaves the others alone."""
    return dataclasses.replace(expr, args=[unshared(argument) for argument in expr.args])


def unshare(body):
    """Gives every place of the expressions of a body a node of its own."""
    for where, at in statements(body):
        statement = where[at]
        for field in ("value", "condition", "iterable"):
            if hasattr(statement, field):
                setattr(statement, field, unshared(getattr(statement, field)))
        if isinstance(statement, Raw):
            statement.args = [unshared(argument) for argument in statement.args]


class Printer:
    """Turns a program into text."""

    def __init__(self, full=False, asserts=True):
        self.full = full
        self.asserts = asserts

    def text(self, expr, need=0):
        if expr.is_leaf:
            inner = expr.form
        else:
            needs = expr.needs or (0,) * len(expr.args)
            inner = expr.form.format(*(self.text(a, n) for a, n in zip(expr.args, needs)))
        wraps = expr.precedence < need or (self.full and not expr.is_leaf and expr.precedence < ATOM)
        return f"({inner})" if wraps else inner

    def block(self, body):
        """Lines of a body, one step to the right."""
        lines = [line for statement in body for line in self.statement(statement)] or ["pass"]
        return ["    " + line for line in lines]

    def statement(self, statement):
        """Lines of a statement with its bodies."""
        if isinstance(statement, Assign):
            return [f"{', '.join(statement.names)} = {self.text(statement.value)}", *self.assertions(statement)]
        if isinstance(statement, Effect):
            return [self.text(statement.value)]
        if isinstance(statement, If):
            orelse = ["else:", *self.block(statement.orelse)] if statement.orelse else []
            return [f"if {self.text(statement.condition)}:", *self.block(statement.body), *orelse]
        if isinstance(statement, Loop):
            header = f"for {statement.variable} in " if statement.variable else "while "
            return [f"{header}{self.text(statement.iterable)}:", *self.block(statement.body)]
        return statement.text.format(*map(self.text, statement.args)).split("\n")

    def assertions(self, statement):
        """The types that the rules predict, checked by the compiler."""
        value = statement.value
        types = value.parts or (((value.dtype, value.shape),) if value.dtype else ())
        if not self.asserts or len(types) != len(statement.names):
            return
        for target, (dtype, _) in zip(statement.names, types):
            if dtype and not dtype.startswith("*"):
                yield f"tl.static_assert({target}.dtype == tl.{dtype})"

    def program(self, program):
        text = ["from tilewright.language.extra import libdevice", "", *program.head]
        for helper in program.helpers:
            text.append(f"@tw.jit\ndef {helper.name}({', '.join(helper.parameters)}):")
            text += self.block(helper.body) if helper.body else []
            text.append(f"    return {', '.join(self.text(value) for value in helper.returns)}\n")
        names = [p.name + (": tl.constexpr" if p.role == "constant" else "") for p in program.parameters]
        text.append(f"@tw.jit\ndef kernel({', '.join(names)}):")
        text += self.block(program.body)
        return "\n".join(text) + "\n"
