"""Matrix products. Elements are small whole numbers, so that sums are exact in any order."""
import elements
import memory
from elements import FP8
from tree import Expr, call, infix, number

from . import operation

DOT_TYPES = ["int8", "float16", "bfloat16", "float32", "float64", *FP8]


def small(g, dtype, shape):
    """A tile of whole numbers from 0 to 7 (0 and 1 where the type has no others), loaded or computed."""
    if dtype == elements.LEGACY:
        bits = infix("&", g.operand("int32", shape), number("1"), "int32", shape)
        return g.converted(bits, dtype)
    if dtype == "int8" and g.chance(0.5):
        return g.operand(dtype, shape)
    if g.chance(0.6):
        return g.bind(memory.load(g, dtype, shape, recipe="small"))
    source = g.pick(["int32", "int16", "uint8"])
    return g.converted(infix("&", g.operand(source, shape), number("7"), source, shape), dtype)


def accumulator(g, dtype):
    if dtype == "int8":
        return "int32"
    if dtype == "float64":
        return dtype
    return "float16" if (dtype == "float16" or dtype in FP8) and g.chance(0.3) else "float32"


@operation("tl.dot", DOT_TYPES)
def dot(g, dtype):
    m, n, k = g.pick([1, 4, 8, 16, 32]), g.pick([1, 4, 8, 16]), g.pick([2, 4, 16, 16, 32])
    batch = (g.pick([2, 4]),) if g.chance(0.2) else ()
    other = g.pick(FP8) if dtype in FP8 and g.chance(0.3) else dtype
    left, right = small(g, dtype, (*batch, m, k)), small(g, other, (*batch, k, n))
    if g.chance(0.25):
        transposed = small(g, other, (*batch, n, k))
        right = call("tl.trans", [transposed], other, (*batch, k, n))
        right = g.bind(right) if g.chance(0.5) else right
    result, args, tail = accumulator(g, dtype), [left, right], []
    if g.chance(0.4):
        shape = (*batch, m, n)
        start = g.operand("int32", shape) if result == "int32" else small(g, result, shape)
        args.append(start)
    if result == "float16" or g.chance(0.3):
        tail.append(f"out_dtype=tl.{result}")
    if g.chance(0.4):
        tail.append(g.pick(["input_precision='ieee'", "allow_tf32=False", "input_precision='tf32x3'", "max_num_imprecise_acc=0"]))
    return call("tl.dot", args, result, (*batch, m, n), tail=", ".join(tail))


FORMATS = {"e4m3": "float8e4nv", "e5m2": "float8e5", "bf16": "bfloat16", "fp16": "float16", "e2m1": "uint8"}


@operation("tl.dot_scaled", list(FORMATS.values()))
def dot_scaled(g, dtype):
    left_format = next(key for key, value in FORMATS.items() if value == dtype)
    right_format = g.pick(FORMATS)
    m, n, k = g.pick([2, 8, 16]), g.pick([2, 8, 16]), g.pick([32, 64])
    left = scaled_operand(g, left_format, (m, k // 2 if left_format == "e2m1" else k))
    right = scaled_operand(g, right_format, (k // 2 if right_format == "e2m1" else k, n))
    scales = [g.bind(memory.load(g, "uint8", (extent, k // 32), recipe="scale")) if g.chance(0.7) else number("None")
              for extent in (m, n)]
    form = f"tl.dot_scaled({{0}}, {{1}}, '{left_format}', {{2}}, {{3}}, '{right_format}')"
    return Expr("tl.dot_scaled", form, [left, scales[0], right, scales[1]], "float32", (m, n))


def scaled_operand(g, kind, shape):
    return g.operand("uint8", shape) if kind == "e2m1" else small(g, FORMATS[kind], shape)
