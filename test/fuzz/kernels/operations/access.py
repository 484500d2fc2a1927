"""Patterns of access: block pointers, descriptors, carried pointers, stores that are read back."""
import elements
import memory
from elements import ALL, WIDE_INTS
from tree import Assign, Expr, Loop, call, infix, name, number

from . import family, operation

STORABLE = [d for d in ALL if d != elements.LEGACY]


@operation("tl.load", ALL)
def load(g, dtype):
    return memory.load(g, dtype, g.shape())


@operation("tl.store", ALL)
def store(g, dtype):
    memory.store(g, g.bind(g.operand(dtype, g.shape())))


def parent(g, block):
    """(extents, strides in elements, array size): programs own blocks along the first axis."""
    count = memory.programs(g)[1]
    extents = [max(1, count * block[0] - g.pick([0, 0, 1, block[0] // 2]))]
    extents += [max(1, e + g.pick([0, 0, -1, 3, e])) for e in block[1:]]
    strides, size = [0] * len(block), 1
    for axis in reversed(range(len(block))):
        strides[axis] = size
        size *= extents[axis]
    return extents, strides, size


def joined(values):
    return "(" + ", ".join(f"{{{i}}}" for i in values) + ",)"


def block_pointer(g, array, block, extents, strides, offsets):
    rank = len(block)
    args = [*(memory.constant(g, e) for e in extents), *(memory.constant(g, s) for s in strides), *offsets]
    order = ", ".join(str(i) for i in reversed(range(rank)))
    form = (f"tl.make_block_ptr(base={array}, shape={joined(range(rank))}, strides={joined(range(rank, 2 * rank))}, "
            f"offsets={joined(range(2 * rank, 3 * rank))}, block_shape=({', '.join(map(str, block))},), order=({order},))")
    text = g.fresh("p")
    g.add(Assign([text], Expr("tl.make_block_ptr", form, args)))
    return text


def own_offsets(g, block):
    """Offsets of this program's block: the first axis by its id."""
    own, _ = memory.programs(g)
    first = infix("*", own, number(str(block[0])), "int32", ())
    return [first, *(number("0") for _ in block[1:])]


def small_block(g, dtype, rank=None):
    block = list(g.random_shape(rank or g.pick([1, 2, 2, 3]), 128))
    return tuple(block)


def block_load(g, dtype, moves):
    block = small_block(g, dtype)
    extents, strides, size = parent(g, block)
    array = g.parameter("in", dtype=dtype, count=size)
    offsets = own_offsets(g, block)
    if len(block) > 1 and not moves and g.chance(0.4):
        offsets[-1], _ = g.scalar(-2, 4)
    text = block_pointer(g, array.name, block, extents, strides, offsets)
    if moves:
        steps = [number("0"), *(g.scalar(0, 3)[0] for _ in block[1:])]
        moved = g.fresh("p")
        g.add(Assign([moved], Expr("tl.advance", f"tl.advance({text}, {joined(range(len(block)))})", steps)))
        text = moved
    padding = g.pick(["'zero'", "'zero'", "'nan'"]) if elements.is_float(dtype) else "'zero'"
    checks = ", ".join(map(str, range(len(block))))
    return Expr("tl.load", f"tl.load({text}, boundary_check=({checks},), padding_option={padding})", [], dtype, block)


@operation("tl.make_block_ptr", STORABLE)
def block(g, dtype):
    if g.chance(0.7):
        return block_load(g, dtype, moves=False)
    shape = small_block(g, dtype)
    extents, strides, size = parent(g, shape)
    value = g.operand(dtype, shape)
    array = g.parameter("out", dtype=dtype, count=size, level=value.level, ulps=2)
    text = block_pointer(g, array.name, shape, extents, strides, own_offsets(g, shape))
    checks = ", ".join(map(str, range(len(shape))))
    g.effect(Expr("tl.store", f"tl.store({text}, {{0}}, boundary_check=({checks},))", [value], level=value.level))
    return None


@operation("tl.advance", STORABLE)
def advanced(g, dtype):
    return block_load(g, dtype, moves=True)


def descriptor(g, dtype, role, block=None, pads=False, **fields):
    """(name of a descriptor, block shape): rows of 16 bytes, programs own row blocks."""
    bytes_ = max(1, elements.width(dtype) // 8)
    least = max(1, 16 // bytes_)
    block = block or (*g.random_shape(g.pick([0, 1, 1, 2]), 8), least * g.pick([1, 2]))
    extents, _, _ = parent(g, block)
    if len(block) > 1:
        extents[-1] = max(least, extents[-1])
    strides, size = [0] * len(block), 1
    for axis in reversed(range(len(block))):
        strides[axis] = size
        size *= extents[axis]
        if axis == len(block) - 1:
            size = -(-size // least) * least
    array = g.parameter(role, dtype=dtype, count=size, **fields)
    args = [memory.constant(g, e) for e in extents] + [memory.constant(g, s) for s in strides[:-1]]
    rank = len(block)
    shape = "[" + ", ".join(f"{{{i}}}" for i in range(rank)) + "]"
    units = "[" + "".join(f"{{{i}}}, " for i in range(rank, 2 * rank - 1)) + "1]"
    padding = ", padding_option='nan'" if pads else ""
    text = g.fresh("d")
    g.add(Assign([text], Expr("tl.make_tensor_descriptor",
                              f"tl.make_tensor_descriptor({array.name}, {shape}, {units}, [{', '.join(map(str, block))}]{padding})",
                              args)))
    return text, block


@operation("tl.make_tensor_descriptor", STORABLE)
def made(g, dtype):
    return described(g, dtype)


@operation("descriptor.load", STORABLE)
def described(g, dtype, function=False):
    pads = elements.is_float(dtype) and g.chance(0.3)
    text, shape = descriptor(g, dtype, "in", pads=pads)
    offsets = own_offsets(g, shape)
    if len(shape) > 1 and g.chance(0.4):
        offsets[-1], _ = g.scalar(-2, 4)
    slots = ", ".join(f"{{{i}}}" for i in range(len(shape)))
    form = f"tl.load_tensor_descriptor({text}, [{slots}])" if function else f"{text}.load([{slots}])"
    return Expr("descriptor.load", form, offsets, dtype, shape)


@operation("descriptor.store", STORABLE)
def stored(g, dtype, function=False):
    probe = (*g.random_shape(g.pick([0, 1]), 8), max(1, 16 * 8 // max(8, elements.width(dtype))))
    value = g.operand(dtype, probe)
    text, shape = descriptor(g, dtype, "out", block=probe, level=value.level, ulps=2)
    slots = ", ".join(f"{{{i}}}" for i in range(len(shape)))
    value_slot = f"{{{len(shape)}}}"
    form = f"tl.store_tensor_descriptor({text}, [{slots}], {value_slot})" if function else f"{text}.store([{slots}], {value_slot})"
    g.effect(Expr("descriptor.store", form, [*own_offsets(g, shape), value]))
    return None


ATOMIC = {"descriptor.atomic_add": WIDE_INTS, "descriptor.atomic_max": WIDE_INTS, "descriptor.atomic_min": WIDE_INTS,
          "descriptor.atomic_and": WIDE_INTS, "descriptor.atomic_or": WIDE_INTS, "descriptor.atomic_xor": WIDE_INTS}


def combined(g, dtype, op):
    """An atomic operation on a block of one's own."""
    block = (*g.random_shape(g.pick([0, 1]), 8), 16 * 8 // elements.width(dtype))
    value = g.operand(dtype, block)
    text, shape = descriptor(g, dtype, "inout", block=block, level=value.level)
    slots = ", ".join(f"{{{i}}}" for i in range(len(shape)))
    g.effect(Expr(op, f"{text}.{op.split('.')[1]}([{slots}], {{{len(shape)}}})", [*own_offsets(g, shape), value]))
    return None


for _op, _dtypes in ATOMIC.items():
    family([_op], _dtypes, combined)


@operation("descriptor.scatter", STORABLE)
def scattered(g, dtype):
    """Writes rows in another order; every program has its own descriptor and rows."""
    least = max(1, 16 // max(1, elements.width(dtype) // 8))
    rows = 8
    own, count = memory.programs(g)
    value = g.operand(dtype, (rows, least))
    array = g.parameter("out", dtype=dtype, count=count * rows * least, level=value.level, ulps=2)
    text = g.fresh("d")
    g.add(Assign([text], Expr("tl.make_tensor_descriptor", f"tl.make_tensor_descriptor({array.name}, [{count * rows}, {least}], "
                              f"[{least}, 1], [1, {least}])", [])))
    lane = call("tl.arange", [number("0"), number(str(rows))], "int32", (rows,))
    order = infix("^", lane, number(str(g.rng.randrange(rows))), "int32", (rows,))
    index = infix("+", infix("*", own, number(str(rows)), "int32", ()), order, "int32", (rows,))
    g.effect(Expr("descriptor.scatter", f"{text}.scatter({{0}}, {{1}}, {{2}})", [value, index, number("0")]))
    return None


@operation("tl.load_tensor_descriptor", STORABLE)
def loaded_by_function(g, dtype):
    return described(g, dtype, function=True)


@operation("tl.store_tensor_descriptor", STORABLE)
def stored_by_function(g, dtype):
    return stored(g, dtype, function=True)


@operation("descriptor.gather", STORABLE)
def gathered(g, dtype):
    least = max(1, 16 // max(1, elements.width(dtype) // 8))
    text, shape = descriptor(g, dtype, "in", block=(1, least * g.pick([1, 2])))
    rows = g.pick([8, 16])
    index = infix("&", g.operand("int32", (rows,)), number("3"), "int32", (rows,))
    return Expr("descriptor.gather", f"{text}.gather({{0}}, {{1}})", [index, number("0")], dtype, (rows, shape[1]))


@operation("scratch", STORABLE)
def scratch(g, dtype):
    """Stores, then loads in another order: a program sees its own stores."""
    shape = g.tile_shape()
    size = 1
    for extent in shape:
        size *= extent
    own, count = memory.programs(g)
    value = g.operand(dtype, shape)
    array = g.parameter("inout", dtype=dtype, count=count * size, level=value.level)
    inner, total = plain_index(g, shape)
    base = infix("*", own, number(str(size)), "int32", ())
    address = infix("+", base, inner, "int32", shape)
    if g.chance(0.5):
        # Read before the store, used after it.
        before = call("tl.load", [memory.pointer(array.name, memory.Index(address, total, [], True), dtype)], dtype, shape, level=value.level)
        g.effect_later(g.bind(before))
    g.effect(call("tl.store", [memory.pointer(array.name, memory.Index(address, total, [], True), dtype), value]))
    turned = infix("+", base, infix("^", inner, number(str(g.rng.randrange(size))), "int32", shape), "int32", shape)
    if g.chance(0.5):
        turned = infix("+", base, infix("-", number(str(size - 1)), inner, "int32", shape), "int32", shape)
    return call("tl.load", [memory.pointer(array.name, memory.Index(turned, total, [], True), dtype)], dtype, shape, level=value.level)


def plain_index(g, shape):
    """Row-major index of a tile, bound to a variable, and its extent."""
    total, size = None, 1
    for axis in reversed(range(len(shape))):
        along = call("tl.arange", [number("0"), number(str(shape[axis]))], "int32", (shape[axis],))
        term = infix("*", memory.spread(along, axis, len(shape)), number(str(size)), "int32",
                     tuple(shape[axis] if i == axis else 1 for i in range(len(shape))))
        total = term if total is None else infix("+", term, total, "int32", g.common(term.shape, total.shape))
        size *= shape[axis]
    return g.bind(total, "i"), size


@operation("streamed", STORABLE)
def streamed(g, dtype):
    """A loop that carries a pointer and an accumulator over the parts of an array."""
    shape = g.tile_shape()
    own, count = memory.programs(g)
    inner, size = plain_index(g, shape)
    steps, trips = g.scalar(0, 4)
    stride = size + g.pick([0, 0, 4])
    limit = None
    array = g.parameter("in", dtype=dtype, count=max(1, count * max(trips, 1) * stride))
    start = infix("*", own, number(str(max(trips, 1) * stride)), "int32", ())
    pointer, total, counter = g.fresh("p"), g.fresh("a"), g.fresh("k")
    g.add(Assign([pointer], infix("+", name(array.name, f"*{dtype}"), infix("+", start, inner, "int32", shape), f"*{dtype}", shape)))
    # Accurate sums of floats may differ from target to target.
    level = 2 if elements.is_float(dtype) and g.program.math == "accurate" else 0
    g.add(Assign([total], g.operand(dtype, shape)))
    body, args = [], [name(pointer, f"*{dtype}", shape)]
    if g.chance(0.5):
        limit, _ = g.scalar(0, size)
        bound = infix("-", limit, infix("*", name(counter, "int32"), number("3"), "int32", ()), "int32", ())
        args.append(infix("<", inner, bound, "int1", shape))
    part = call("tl.load", args, dtype, shape)
    op = g.pick({0: ["&", "|", "^"], 1: ["+", "-", "^"], 2: ["+", "-"]}[elements.kind(dtype)])
    body.append(Assign([total], infix(op, name(total, dtype, shape), part, dtype, shape)))
    body.append(Assign([pointer], infix("+", name(pointer, f"*{dtype}", shape), memory.constant(g, stride), f"*{dtype}", shape)))
    first = "" if g.chance(0.5) else "0, "
    g.add(Loop(counter, Expr("tl.range", g.pick(["range", "tl.range"]) + f"({first}{{0}})", [steps]), body))
    return name(total, dtype, shape, level)
