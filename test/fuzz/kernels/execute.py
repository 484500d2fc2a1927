"""Runs programs in this process and compares what they wrote."""
import linecache

import numpy as np

import elements
import tilewright as tw
import tilewright.language as tl
from tilewright import engine
from device import HOSTS, Placed
from tree import CLOSE, EXACT, LOCAL, Printer

GUARD, FILL = 64, 0xA5


def random_bits(rng, dtype, count):
    """Any bit patterns: NaN, infinities, subnormal numbers."""
    return rng.integers(0, 256, count * dtype.itemsize, dtype=np.uint8).view(dtype)


def data(parameter, seed):
    """Initial elements of an array."""
    rng = np.random.default_rng([seed, *parameter.name.encode()])
    dtype, count = elements.storage(parameter.dtype), parameter.count
    if parameter.role == "out":
        return np.ones(count, bool) if dtype == bool else np.full(count * dtype.itemsize, FILL, np.uint8).view(dtype)
    if dtype == bool:
        return rng.integers(0, 2, count).astype(bool)
    if parameter.recipe == "small":
        return rng.integers(0, 8, count).astype(dtype)
    if parameter.recipe == "few":
        return rng.integers(0, 2, count).astype(dtype)
    if parameter.recipe == "scale":
        return rng.integers(124, 131, count).astype(dtype)
    if dtype.kind in "iu":
        return integers(rng, dtype, count)
    return floats(rng, dtype, count)


def integers(rng, dtype, count):
    info = np.iinfo(dtype)
    values = np.where(rng.random(count) < 0.5, random_bits(rng, dtype, count), rng.integers(0, 10, count).astype(dtype))
    edges = np.array([info.min, info.max, 0, 1, info.max - 1, 2], dtype)
    return np.where(rng.random(count) < 0.1, rng.choice(edges, count), values).astype(dtype)


def floats(rng, dtype, count):
    moderate = (rng.integers(-64, 65, count) / 8.0).astype(dtype)
    normal = rng.normal(size=count).astype(dtype)
    values = np.where(rng.random(count) < 0.5, moderate, normal)
    # One array in three has special values.
    rate = rng.choice([0.0, 0.0, 0.15])
    return np.where(rng.random(count) < rate, random_bits(rng, dtype, count), values).astype(dtype)


def module(text):
    """Namespace of a module given as text, known to `inspect`."""
    label = f"<fuzz {abs(hash(text)):x}>"
    linecache.cache[label] = (len(text), None, text.splitlines(keepends=True), label)
    names = {"tw": tw, "tl": tl, "__name__": "fuzzed"}
    exec(compile(text, label, "exec"), names)
    return names, label


class StrayWrite(Exception):
    """A kernel wrote outside of its arrays."""


def guarded(initial):
    """(array, whole buffer): a copy with guard bytes around it, aligned to 64."""
    buffer = np.full(initial.nbytes + 3 * GUARD, FILL, np.uint8)
    start = GUARD + (-(buffer.ctypes.data + GUARD)) % GUARD
    view = buffer[start:start + initial.nbytes].view(initial.dtype)
    view[...] = initial
    return view, buffer, start


def run(program, target, text=None, **options):
    """Compiles and launches; gives the arrays that the program may write, as they are after."""
    names, label = module(text or Printer().program(program))
    arguments, held = {}, {}
    for parameter in program.parameters:
        if parameter.role in ("scalar", "constant"):
            arguments[parameter.name] = parameter.value
            continue
        held[parameter.name] = guarded(data(parameter, program.seed * 1000003 + program.number))
        arguments[parameter.name] = held[parameter.name][0]
    vendor = engine.vendor_of(target)
    placed = {}
    if vendor not in HOSTS:
        placed = {name: Placed(buffer, start, view, vendor) for name, (view, buffer, start) in held.items()}
    try:
        with np.errstate(all="ignore"):
            own = program.options if vendor != "reference" else {}
            names["kernel"][program.grid](**{**arguments, **placed}, target=target, **{"math": program.math, **own, **options})
    finally:
        linecache.cache.pop(label, None)
    for name, array in placed.items():
        array.read_back(held[name][1])
    results = {}
    for parameter in program.parameters:
        if parameter.name not in held:
            continue
        view, buffer, start = held[parameter.name]
        if (buffer[:start] != FILL).any() or (buffer[start + view.nbytes:] != FILL).any():
            raise StrayWrite(f"{parameter.name}: wrote outside of the array")
        if parameter.role != "in":
            results[parameter.name] = view
    return results


def same_bits(left, right):
    """Elementwise equality of bits, where all NaN are one."""
    raw = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[left.dtype.itemsize]
    equal = left.view(raw) == right.view(raw)
    if left.dtype.kind not in "iub":
        equal |= np.isnan(left.astype(np.float64)) & np.isnan(right.astype(np.float64))
    return equal


def ordered(values):
    """Floats as integers in their order."""
    raw = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}[values.dtype.itemsize]
    bits = values.view(raw).astype(object)
    return np.where(bits < 0, -(bits & ((1 << (8 * values.dtype.itemsize - 1)) - 1)), bits)


def difference(parameter, left, right, within_target=False):
    """What differs in an output, or None."""
    if parameter.level == LOCAL and not within_target:
        return None
    equal = same_bits(left, right)
    if parameter.level == CLOSE and not within_target and not equal.all():
        both = ~(np.isnan(left.astype(np.float64)) | np.isnan(right.astype(np.float64)))
        steps = np.abs(ordered(left) - ordered(right))
        equal |= both & (steps <= parameter.ulps).astype(bool)
    if equal.all():
        return None
    at = int(np.flatnonzero(~equal)[0])
    return f"{parameter.name}[{at}] of {parameter.dtype}: {left[at]!r} and {right[at]!r} ({int((~equal).sum())} elements)"


def compare(program, left, right, within_target=False):
    """The first difference between two runs, or None."""
    for parameter in program.parameters:
        if parameter.name in left:
            found = difference(parameter, left[parameter.name], right[parameter.name], within_target)
            if found:
                return found
    return None
