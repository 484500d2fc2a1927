"""Which options a row of the suite takes at which turn of a run that varies them."""
import math
import zlib


def options_of(texts):
    """Launch options from KEY=VALUE texts; whole numbers become integers."""
    pairs = (text.split("=", 1) for text in texts)
    return {key: int(value) if value.isdecimal() else value for key, value in pairs}


def cell(sizes, start, turn):
    """Indices along axes of these sizes at a turn, when turn 0 is at the mixed-radix number `start`. All axes step together,
    so that as many turns as the longest axis has values take every value of every axis (a Latin square, where two axes are
    equally long); they slip by one where they would meet again, so that the product of the sizes takes every combination."""
    indices, before = [], 1
    for size in sizes:
        step = turn % (before * size)
        indices.append((start // before + step + step // math.lcm(before, size)) % size)
        before *= size
    return indices


def configuration(row, target, varied, turn):
    """(target, options) of the row of that name under texts such as "num_warps=1,2,4": where it starts is a hash, so that one
    turn has each combination on a fair part of every table."""
    axes = [(key, values.split(",")) for key, values in (text.split("=", 1) for text in varied)]
    chosen = cell([len(values) for _, values in axes], zlib.crc32(row.encode()), turn)
    options = options_of(f"{key}={values[index]}" for (key, values), index in zip(axes, chosen))
    return options.pop("target", target), options
