"""Atomic operations: on elements of one's own, whose old values are known, and on shared counters, whose are not."""
import elements
import memory
from elements import SINGLES, WIDE_INTS
from tree import EXACT, LOCAL, call, infix, name, number

from . import family, operation

ORDERS = ["", "", "sem='relaxed'", "sem='release'", "sem='acquire'", "scope='sys'"]
#: Atomic within a program only: for addresses of one's own.
OWN_ORDERS = [*ORDERS, "sem='acq_rel', scope='cta'"]


def atomic(g, dtype, op):
    """Old values are used when no other element or program touches the address."""
    shape = g.shape()
    owned = elements.is_float(dtype) or op == "tl.atomic_xchg" or g.chance(0.6)
    value = g.operand(dtype, g.narrower(shape) if g.chance(0.3) else shape)
    if owned:
        at = memory.index(g, shape, scattered=g.chance(0.3))
        condition, count = memory.mask(g, at, shape)
    else:
        at = memory.Index(g.below(8, shape, "int32"), 8, [], False)
        condition, count = (g.operand("int1", shape) if g.chance(0.4) else None), 8
        if condition is not None and condition.level > EXACT:
            condition = None
    rounds = g.program.math == "accurate" and elements.is_float(dtype) and op == "tl.atomic_add"
    level = LOCAL if rounds else max(value.level, EXACT)
    array = g.parameter("inout", dtype=dtype, count=count, level=level)
    args = [memory.pointer(array.name, at, dtype), value]
    tail = g.pick(OWN_ORDERS if owned else ORDERS)
    if condition is not None:
        tail = "mask={2}" + (", " if tail else "") + tail
    made = call(op, args, dtype, shape, tail=tail, level=value.level)
    if condition is not None:
        made.args.append(condition)
    if not owned:
        g.effect(made)
        return None
    return made


family(["tl.atomic_add"], [*WIDE_INTS, *SINGLES, "float16", "bfloat16"], atomic)
family(["tl.atomic_max", "tl.atomic_min"], [*WIDE_INTS, *SINGLES], atomic)
family(["tl.atomic_and", "tl.atomic_or", "tl.atomic_xor"], WIDE_INTS, atomic)
family(["tl.atomic_xchg"], [*WIDE_INTS, *SINGLES], atomic)


@operation("tl.atomic_cas", ["int16", "uint16", *WIDE_INTS, *SINGLES, "float16", "bfloat16"])
def exchange(g, dtype):
    """Compares with a value that many elements have."""
    shape = g.shape()
    at = memory.index(g, shape)
    array = g.parameter("inout", dtype=dtype, count=at.extent, recipe="few")
    expected = g.operand(dtype, shape) if g.chance(0.3) else number(g.pick("01"))
    return call("tl.atomic_cas", [memory.pointer(array.name, at, dtype), expected, g.operand(dtype, shape)], dtype, shape,
                tail=g.pick(OWN_ORDERS))
