"""Makes the program of a number: a share of all (operation, element type) pairs, then some random ones."""
import functools
import random

import memory
import operations
from generator import Generator

#: Pairs that a program has to use, before the random ones.
SHARE = 4
#: Operations that cannot stand inside of loops and branches.
OUTERMOST = {"return", "tl.make_tensor_descriptor"}
#: Operations that take many lines: less often at random.
HEAVY = {"tl.sort", "tl.topk", "tl.bitonic_merge", "tl.dot", "tl.dot_scaled", "libdevice.j0", "libdevice.j1", "libdevice.lgamma",
         "libdevice.tgamma", "libdevice.erfinv", "tl.philox", "tl.randn4x"}


def pairs():
    """Every (operation, element type) that the generator knows."""
    return [(op, dtype) for op, row in operations.TABLE.items() for dtype in row.dtypes]


@functools.lru_cache(maxsize=None)
def _shuffled(seed):
    order = pairs()
    random.Random(seed).shuffle(order)
    return order


@functools.lru_cache(maxsize=None)
def _light():
    return [pair for pair in pairs() if pair[0] not in HEAVY]


class Grower(Generator):
    """A generator that knows the table."""

    def grow(self, op, dtype):
        """Adds one use of an operation, and keeps what it gives."""
        value = operations.TABLE[op].build(self, dtype)
        self.cover(op, dtype)
        if value is not None:
            self.keep(value)
        while self.later:
            memory.store(self, self.later.pop())

    def fill(self, count):
        """Adds random operations; fewer and simpler ones inside of loops."""
        for _ in range(count):
            op, dtype = self.pick(_light())
            if self.depth and (op in OUTERMOST or "descriptor" in op or self.depth > 2):
                continue
            self.grow(op, dtype)


def make(number, seed):
    """The program of a number."""
    grower = Grower(number, seed)
    order = _shuffled(seed)
    for position in range(number * SHARE, (number + 1) * SHARE):
        grower.grow(*order[position % len(order)])
    grower.fill(grower.rng.randint(0, 2))
    if not any(p.role in ("out", "inout") for p in grower.program.parameters):
        memory.store(grower, grower.bind(grower.operand("float32", grower.base)))
    return grower.program


def single(op, dtype, number=0, seed=0):
    """A program around one pair: a probe of what the compiler accepts."""
    grower = Grower(number, seed)
    grower.grow(op, dtype)
    return grower.program
