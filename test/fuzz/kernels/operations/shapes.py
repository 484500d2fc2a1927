"""Changes of shape and of the order of elements."""
from elements import ALL
from tree import call, method, name, number, suffix

from . import family, operation


def listed(shape):
    return "[" + ", ".join(map(str, shape)) + "]"


def regrouped(g, shape):
    """Another shape of as many elements."""
    count = 1
    for extent in shape:
        count *= extent
    extents = []
    for _ in range(g.pick([0, 0, 1, 1, 2, 3])):
        room = [e for e in (1, 1, 2, 4, 8) if e <= count]
        extents.append(g.pick(room))
        count //= extents[-1]
    extents.append(count)
    g.rng.shuffle(extents)
    return tuple(extents)


def reshape(g, dtype, op):
    shape = g.tile_shape()
    value, target = g.operand(dtype, shape), regrouped(g, shape)
    if g.chance(0.5):
        return method(op, value, [], dtype, target, tail=listed(target) if g.chance(0.5) else ", ".join(map(str, target)))
    return call(op, [value], dtype, target, tail=listed(target))


family(["tl.reshape", "tl.view"], ALL, reshape)


def permute(g, dtype, op):
    shape = g.tile_shape()
    if len(shape) == 1:
        shape = g.random_shape(g.pick([2, 3, 4]))
    value, order = g.operand(dtype, shape), list(range(len(shape)))
    if op == "tl.trans" and g.chance(0.4):
        result = (*shape[:-2], shape[-1], shape[-2])
        if len(shape) == 2 and g.chance(0.5):
            return suffix(op, value, ".T", dtype, result)
        return call(op, [value], dtype, result)
    g.rng.shuffle(order)
    result = tuple(shape[i] for i in order)
    dims = ", ".join(map(str, order))
    if g.chance(0.5):
        return method(op, value, [], dtype, result, tail=dims)
    return call(op, [value], dtype, result, tail=f"({dims})")


family(["tl.trans", "tl.permute"], ALL, permute)


@operation("tl.expand_dims", ALL)
def expand(g, dtype):
    shape = g.random_shape(g.pick([1, 2, 3]))
    axis = g.rng.randrange(len(shape) + 1)
    result = (*shape[:axis], 1, *shape[axis:])
    written = axis if g.chance(0.6) else axis - len(result)
    return call("tl.expand_dims", [g.operand(dtype, shape)], dtype, result, tail=str(written))


@operation("subscript", ALL)
def subscript(g, dtype):
    shape = g.random_shape(g.pick([1, 1, 2, 3]))
    places, result, position = [], [], 0
    while position < len(shape) or (g.chance(0.3) and len(result) < 5):
        if position < len(shape) and g.chance(0.6):
            places.append(":")
            result.append(shape[position])
            position += 1
        else:
            places.append("None")
            result.append(1)
        if len(result) >= 5:
            break
    while position < len(shape):
        places.append(":")
        result.append(shape[position])
        position += 1
    return suffix("subscript", g.operand(dtype, shape), f"[{', '.join(places)}]", dtype, tuple(result))


@operation("tl.unsqueeze", ALL)
def unsqueeze(g, dtype):
    shape = g.random_shape(g.pick([1, 2, 3]))
    axis = g.rng.randrange(len(shape) + 1)
    return call("tl.unsqueeze", [g.operand(dtype, shape)], dtype, (*shape[:axis], 1, *shape[axis:]), tail=str(axis))


@operation("tl.squeeze", ALL)
def squeeze(g, dtype):
    shape = g.random_shape(g.pick([1, 2]))
    axis = g.rng.randrange(len(shape) + 1)
    return call("tl.squeeze", [g.operand(dtype, (*shape[:axis], 1, *shape[axis:]))], dtype, shape, tail=str(axis))


@operation("tl.broadcast_to", ALL)
def broadcast_to(g, dtype):
    shape = g.tile_shape()
    source = tuple(1 if g.chance(0.4) else e for e in shape)
    value = g.operand(dtype, source)
    if g.chance(0.2):
        value = g.operand(dtype, ())
    if g.chance(0.5):
        return call("tl.broadcast_to", [value], dtype, shape, tail=listed(shape))
    return call("tl.broadcast_to", [value], dtype, shape, tail=", ".join(map(str, shape)))


@operation("tl.broadcast", ALL)
def broadcast(g, dtype):
    shape = g.tile_shape()
    left, right = (g.operand(dtype, tuple(1 if g.chance(0.3) else e for e in shape)) for _ in range(2))
    both = g.common(left.shape, right.shape)
    return call("tl.broadcast", [left, right], parts=((dtype, both), (dtype, both)))


@operation("tl.ravel", ALL)
def ravel(g, dtype):
    shape = g.tile_shape()
    count = 1
    for extent in shape:
        count *= extent
    return call("tl.ravel", [g.operand(dtype, shape)], dtype, (count,))


def joined(g, dtype, op):
    shape = g.tile_shape() if op == "tl.interleave" else g.random_shape(g.pick([1, 2, 3]), 128)
    left, right = g.operand(dtype, shape), g.operand(dtype, shape)
    result = (*shape, 2) if op == "tl.join" else (*shape[:-1], 2 * shape[-1])
    return call(op, [left, right], dtype, result)


family(["tl.join", "tl.interleave"], ALL, joined)


@operation("tl.split", ALL)
def split(g, dtype):
    shape = g.random_shape(g.pick([0, 1, 1, 2, 3]), 128)
    return call("tl.split", [g.operand(dtype, (*shape, 2))], parts=((dtype, shape), (dtype, shape)))


@operation("tl.cat", ALL)
def concatenate(g, dtype):
    extent = g.pick([1, 2, 8, 32])
    return call("tl.cat", [g.operand(dtype, (extent,)), g.operand(dtype, (extent,))], dtype, (2 * extent,),
                tail=g.pick(["can_reorder=False", ""]))


@operation("tl.gather", ALL)
def gather(g, dtype):
    shape = g.random_shape(g.pick([1, 1, 2, 3]))
    axis = g.rng.randrange(len(shape))
    picked = g.pick([1, 2, 8, shape[axis]])
    target = (*shape[:axis], picked, *shape[axis + 1:])
    index = g.below(shape[axis], target)
    return call("tl.gather", [g.operand(dtype, shape), index], dtype, target, tail=str(axis))


@operation("tl.flip", ALL)
def flip(g, dtype):
    shape = g.tile_shape()
    axis = g.rng.randrange(len(shape))
    tail = "" if axis == len(shape) - 1 and g.chance(0.4) else str(axis)
    return call("tl.flip", [g.operand(dtype, shape)], dtype, shape, tail=tail)


@operation("tl.sort", ALL)
def sort(g, dtype):
    shape = g.random_shape(g.pick([1, 1, 2]), 64)
    return call("tl.sort", [g.operand(dtype, shape)], dtype, shape, tail=g.pick(["", "descending=True"]))


@operation("tl.topk", ALL)
def largest(g, dtype):
    shape = g.random_shape(g.pick([1, 2]), 64)
    count = g.pick([e for e in (1, 2, 4, 8, 16, 32, 64) if e <= shape[-1]])
    value = g.clean(g.operand(dtype, shape))
    return call("tl.topk", [value], dtype, (*shape[:-1], count), tail=str(count))


@operation("tl.bitonic_merge", ALL)
def merge(g, dtype):
    shape = g.random_shape(1, 32)
    return call("tl.bitonic_merge", [g.operand(dtype, shape)], dtype, shape, tail=g.pick(["", "descending=True"]))


@operation("tensor.item", ALL)
def item(g, dtype):
    return method("tensor.item", g.operand(dtype, (1,) * g.pick([1, 2])), [], dtype, (), "item")


@operation("tl.map_elementwise", ALL)
def map_elements(g, dtype):
    shape = g.shape()
    g.define("@tw.jit\ndef chosen_element(a, b):\n    return b, a\n")
    return call("tl.map_elementwise", [name("chosen_element", None), g.operand(dtype, shape), g.operand(dtype, shape)],
                parts=((dtype, shape), (dtype, shape)))


@operation("tl.swizzle2d", ["int32", "int64"])
def swizzle(g, dtype):
    shape = g.shape()
    rows, columns = (g.below(8, shape, dtype) for _ in range(2))
    sizes = [number(str(g.pick([8, 4]))), number("8"), number(g.pick("124"))]
    held = [g.bind(rows), g.bind(columns)]
    return call("tl.swizzle2d", [*held, *sizes], parts=((dtype, shape), (dtype, shape)))
