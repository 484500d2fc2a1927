"""Grows one kernel: which values are in scope, where operands come from, and what becomes of results.

The rows of `operations` build expressions with the services of this class. Every choice comes from one random number
generator that is seeded with the run's seed and the program's number, so a program can be made again alone.
"""
import contextlib
import dataclasses
import random

import elements
import memory
from tree import (CLOSE, EXACT, LOCAL, Assign, Effect, Parameter, Program, call, infix, method, name, number, prefix,
                  worst)

#: Operators between two values of one type that keep the type.
KEEPING = {1: ["+", "-", "*", "&", "|", "^"], 2: ["+", "-", "*"], 0: ["&", "|", "^"]}


class Generator:
    def __init__(self, number_, seed):
        self.rng = random.Random(f"{seed}:{number_}")
        self.program = Program(number_, seed, [], [], [], (1,))
        self.statements = self.program.body
        self.scopes = [[]]
        self.counter = 0
        #: Loops and branches around the place where statements are added.
        self.depth = 0
        self.later = []
        #: Whether operands may come from results that targets agree on only roughly.
        self.allows_rough = self.rng.random() < 0.1
        if self.rng.random() < 0.2:
            self.program.math = "accurate"
        # LLVM's effort changes no meaning, and little effort makes more programs.
        self.program.options["opt_level"] = self.pick([0, 0, 0, 1, 2, 2])
        self.program.grid = self.rng.choice([(1,), (1,), (2,), (3,), (2, 2), (1, 3), (2, 1, 2)])
        #: Elements of the largest tile: the reference target works one element at a time.
        self.largest = self.pick([32, 64, 256, 256, 256, 1024])
        self.base = self.random_shape()

    # Choices

    def chance(self, probability):
        return self.rng.random() < probability

    def pick(self, items):
        return self.rng.choice(list(items))

    def fresh(self, stem="v"):
        self.counter += 1
        return f"{stem}{self.counter}"

    def random_shape(self, rank=None, largest=None):
        """A shape of rank 0 to 4; extents of 1 are frequent."""
        largest = min(largest or self.largest, self.largest)
        rank = self.pick([0, 1, 1, 1, 2, 2, 2, 3, 4]) if rank is None else rank
        extents = []
        for _ in range(rank):
            room = [e for e in (1, 2, 4, 8, 16, 32, 64, 128) if e <= largest]
            extents.append(self.pick(room))
            largest //= extents[-1]
        return tuple(extents)

    def shape(self, rank=None):
        """Mostly the program's own shape, so that values meet."""
        if rank is None:
            return self.base if self.chance(0.75) else self.random_shape()
        return self.base if len(self.base) == rank and self.chance(0.75) else self.random_shape(rank)

    def tile_shape(self):
        return self.shape() or self.random_shape(self.pick([1, 2]))

    def narrower(self, shape):
        """A shape that broadcasts to `shape`."""
        if self.chance(0.3):
            return ()
        extents = [1 if self.chance(0.4) else extent for extent in shape]
        return tuple(extents[self.pick([0, 0, 1]) if extents and extents[0] == 1 else 0:])

    @staticmethod
    def common(*shapes):
        """The shape that several broadcast to (rule F2)."""
        rank = max(map(len, shapes))
        padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
        return tuple(max(extents) for extents in zip(*padded))

    # Scope

    @property
    def variables(self):
        return [variable for scope in self.scopes for variable in scope]

    @contextlib.contextmanager
    def inside(self, body):
        """Statements go to `body`; names bound there are gone afterwards."""
        outer, self.statements = self.statements, body
        self.scopes.append([])
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1
            self.scopes.pop()
            self.statements = outer

    def add(self, statement):
        self.statements.append(statement)

    def bind(self, value, stem="v"):
        """Assigns an expression to a new variable and returns it."""
        text = self.fresh(stem)
        self.add(Assign([text], value))
        variable = name(text, value.dtype, value.shape, value.level)
        self.scopes[-1].append(variable)
        return variable

    def bind_parts(self, value):
        """Assigns a tuple to new variables."""
        names = [self.fresh() for _ in value.parts]
        self.add(Assign(names, value))
        made = [name(text, dtype, shape, value.level) for text, (dtype, shape) in zip(names, value.parts)]
        self.scopes[-1].extend(made)
        return made

    def parameter(self, role, **fields):
        """A new kernel parameter."""
        stem = {"in": "x", "out": "o", "inout": "b", "scalar": "n", "constant": "C"}[role]
        self.program.parameters.append(Parameter(self.fresh(stem), role, **fields))
        return self.program.parameters[-1]

    def define(self, text):
        """Adds a function to the module, once."""
        if text not in self.program.head:
            self.program.head.append(text)

    def cover(self, op, dtype):
        self.program.covered.add((op, dtype))

    # Operands

    def usable(self, dtype, shape, level=EXACT):
        return [v for v in self.variables if v.dtype == dtype and v.shape == tuple(shape) and v.level <= level]

    def operand(self, dtype, shape, depth=0):
        """A value of exactly this type: a variable, an expression, or a load."""
        shape = tuple(shape)
        level = LOCAL if self.allows_rough and self.chance(0.5) else EXACT
        known = self.usable(dtype, shape, level)
        if known and self.chance(0.75):
            return dataclasses.replace(self.pick(known))
        if depth < 3 and self.chance(0.35):
            return self.nested(dtype, shape, depth + 1)
        if depth < 3 and self.chance(0.15):
            other = self.pick([v for v in self.variables if v.shape == shape and v.level == EXACT] or [None])
            if other is not None and other.dtype in elements.ALL:
                return self.converted(other, dtype)
        return self.loaded(dtype, shape)

    def nested(self, dtype, shape, depth):
        """An expression of operators over operands of one type, so that texts with precedence arise."""
        if dtype == "int1" and self.chance(0.5):
            other = self.pick(elements.NUMBERS)
            return infix(self.pick(["<", "<=", ">", ">=", "==", "!="]), self.operand(other, shape, depth),
                         self.operand(other, shape, depth), "int1", shape)
        if dtype != "int1" and self.chance(0.2):
            unary = self.pick(["-", "~"] if elements.kind(dtype) == 1 else ["-"])
            return prefix(unary, self.operand(dtype, shape, depth), dtype)
        op = self.pick(KEEPING[elements.kind(dtype)])
        left, right = self.operand(dtype, shape, depth), self.operand(dtype, shape, depth)
        if self.chance(0.2) and dtype not in elements.FP8:
            right = number(elements.literal(self.rng, dtype)[0])
        value = infix(op, left, right, dtype, shape)
        return self.graded(value)

    def graded(self, value):
        """In accurate mode float arithmetic is promised within 2 units in the last place only."""
        if self.program.math == "accurate" and elements.is_float(value.dtype):
            value.level = LOCAL if worst(value.args) > EXACT else CLOSE
        return value

    def approximate(self, value):
        """The result of a function that is promised within 2 units in the last place; portable mode promises bits."""
        if self.program.math != "portable":
            value.level = LOCAL if worst(value.args) > EXACT else CLOSE
        return value

    def loose(self, value):
        """The result of several such functions."""
        if self.program.math != "portable":
            value.level = LOCAL
        return value

    def converted(self, value, dtype):
        """`value` converted to `dtype`."""
        if value.dtype == dtype:
            return value
        return method("tensor.to", value, [], dtype, value.shape, "to", f"tl.{dtype}")

    def kept(self, value, dtype):
        """`value` with a type that a loop or branch keeps."""
        return self.converted(value, dtype)

    def loaded(self, dtype, shape):
        """A load into a new variable."""
        return self.bind(memory.load(self, dtype, tuple(shape)))

    def clean(self, value):
        """`value` without NaN, whose sign and payload mean nothing."""
        if not elements.is_float(value.dtype) or value.dtype == elements.LEGACY:
            return value
        held = value if value.is_leaf else self.bind(value)
        test = infix("==", held, held, "int1", held.shape)
        return call("tl.where", [test, held, number("1.0")], held.dtype, held.shape)

    def below(self, bound, shape, dtype=None):
        """Integers from 0 up to a power of two, as indices."""
        dtype = dtype or self.pick(["int32", "int32", "int64", "uint8" if bound <= 128 else "int16"])
        return infix("&", self.operand(dtype, shape), number(str(bound - 1)), dtype, shape)

    def scalar(self, low=0, high=5):
        """A run-time int32 whose value is known here: (expression, value)."""
        value = self.rng.randint(low, high)
        existing = [p for p in self.program.parameters if p.role == "scalar" and p.dtype == "int32" and p.value == value]
        if not existing or self.chance(0.3):
            existing = [self.parameter("scalar", dtype="int32", value=value)]
        return name(self.pick(existing).name, "int32"), value

    def condition(self):
        """A scalar i1 that is exact: from arguments, the program's id, or data."""
        if self.chance(0.5):
            left, value = self.scalar(0, 20)
            right = number(str(max(0, value + self.pick([-1, 0, 1]))))
        elif self.chance(0.6):
            axis = self.rng.randrange(len(self.program.grid))
            left, right = call("tl.program_id", [number(str(axis))], "int32"), number(self.pick("012"))
        else:
            dtype = self.pick(elements.INTS)
            left, right = self.operand(dtype, ()), number(self.pick(["0", "1", "3"]))
            if left.level > EXACT:
                return self.condition()
        return infix(self.pick(["<", "<=", ">", ">=", "==", "!="]), left, right, "int1", ())

    # Results

    def keep(self, value):
        """Binds a result and stores it: what is not stored is not tested."""
        for part in self.bind_parts(value) if value.parts else [self.bind(value)]:
            memory.store(self, part)

    def effect(self, value):
        self.add(Effect(value))

    def effect_later(self, variable):
        """Stores a variable after the operation that is being grown."""
        self.later.append(variable)
