"""Runs kernels given as text and compares what they write with expected arrays.

A kernel's parameters are the names of `inputs`, `outputs` and `constants`; its text is the body only. Outputs start as
a bit pattern between guard zones, so that a missing or a stray write shows.
"""
import ctypes
import functools
import linecache
import textwrap

import ml_dtypes  # noqa: F401  (registers the small float types with NumPy)
import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl
from tilewright.engine import vendor_of

from dtypes import NUMPY

GUARD = 64
COMPARED = set()  # kernels that were compiled once more
FILL = 0xA5
_NAMES = {"tw": tw, "tl": tl}


@functools.lru_cache(maxsize=None)
def module(text):
    """Namespace of a module given as text; the text is kept where `inspect` finds it."""
    name = f"<language suite {abs(hash(text)):x}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names = dict(_NAMES, __name__="language_suite")
    exec(compile(text, name, "exec"), names)
    return names


def kernel(body, parameters, constants=(), head=""):
    """A kernel with a body in text; `head` holds definitions before it, helpers or globals."""
    signature = ", ".join([*parameters, *(f"{name}: tl.constexpr" for name in constants)])
    text = f"{textwrap.dedent(head)}\n@tw.jit\ndef kernel({signature}):\n{textwrap.indent(textwrap.dedent(body), '    ')}\n"
    return module(text)["kernel"]


def guarded(initial):
    """(array, whole buffer): a copy of `initial` with guard bytes on both sides, aligned to 64."""
    size = initial.nbytes
    buffer = np.full(size + 3 * GUARD, FILL, np.uint8)
    start = GUARD + (-(buffer.ctypes.data + GUARD)) % GUARD
    view = buffer[start:start + size].view(initial.dtype).reshape(initial.shape)
    view[...] = initial
    return view, buffer, (start, start + size)


def fresh(dtype, shape):
    """An output array before the launch: every byte is the fill pattern (1 for bool)."""
    dtype = NUMPY.get(dtype, dtype) if isinstance(dtype, str) else np.dtype(dtype)
    if dtype == bool:
        return np.ones(shape, bool)
    return np.full(int(np.prod(shape)) * dtype.itemsize, FILL, np.uint8).view(dtype).reshape(shape)


def shows_fill(expected):
    """Whether elements of an expected output are those of `fresh`, as where nothing is stored."""
    return expected.dtype == bool or (_bytes(np.ascontiguousarray(expected)).reshape(-1, expected.itemsize) == FILL).all(axis=1).any()


class Machine:
    """The target under test and how arrays reach it.

    `options` are given to every launch. With `also` each launch is made once more, on copies and with those options on
    top, and has to write the same bytes. With `alike` each kernel is compiled once more, with those options on top, and has
    to give the same artifact. Under check=uninit outputs that a row does not fill are memory that nothing
    has written.
    """

    def __init__(self, target, options=None, also=None, alike=None):
        self.target = target
        self.options, self.also, self.alike = options or {}, also or {}, alike or {}
        self.tracks_writes = "uninit" in str(self.options.get("check", ""))

    @functools.cached_property
    def memory(self):
        """What brings arrays to the device; None where kernels reach NumPy arrays as they are."""
        return memory_of(self.target)

    @property
    def on_host(self):
        """Whether kernels reach NumPy arrays as they are."""
        return self.memory is None

    def launch(self, function, grid, arguments, options):
        """Launches with NumPy arrays, which come back changed in place; returns the compiled kernel."""
        options = {**self.options, **options}
        if not self.also:
            return self.launch_once(function, grid, arguments, options)
        copies = Copies()
        again = {name: copies.of(value) for name, value in arguments.items()}
        compiled = self.launch_once(function, grid, arguments, options)
        self.launch_once(function, grid, again, {**options, **self.also})
        for name, value in arguments.items():
            if isinstance(value, (np.ndarray, tw.DeviceArray)):
                compare_bytes(content(value), content(again[name]), f"{name} with {self.also}")
        return compiled

    def launch_once(self, function, grid, arguments, options):
        """One launch."""
        if not self.memory:
            return self.compare_artifacts(function[grid](**arguments, **options, target=self.target))
        memory = self.memory()
        moved = {name: memory.of(value) for name, value in arguments.items()}
        compiled = function[grid](**moved, **options, target=self.target)
        tw.synchronize()
        memory.read_back()
        return self.compare_artifacts(compiled)

    def compare_artifacts(self, compiled):
        """Compiles a kernel once more under `alike`; returns it as it was."""
        if self.alike and compiled not in COMPARED:
            COMPARED.add(compiled)  # kept, so that no other one takes its place
            options = {**compiled.options, **self.alike}
            again = type(compiled)(compiled._tree, compiled.name, compiled.signature, compiled._requested, options)
            assert again.artifact == compiled.artifact, f"{compiled.name}: another artifact with {self.alike}"
        return compiled

    def run(self, body, outputs, inputs=None, constants=None, grid=(1,), head="", order=None, unwritten=(), **options):
        """Launches a kernel; `outputs` maps names to arrays as they are before. Returns them as they are after. Those in
        `unwritten` are not filled where the target tracks that."""
        inputs, constants = inputs or {}, constants or {}
        names = order or [*inputs, *outputs]
        function = kernel(body, names, constants, head)
        vendor = vendor_of(self.target)
        unfilled = {name: tw.empty(outputs[name].shape, outputs[name].dtype, vendor) for name in unwritten if self.tracks_writes}
        held = {name: guarded(np.asarray(initial)) for name, initial in outputs.items() if name not in unfilled}
        arguments = {**inputs, **unfilled, **{name: view for name, (view, _, _) in held.items()}, **constants}
        self.launch(function, grid, arguments, options)
        for name, (_, buffer, (start, end)) in held.items():
            outside = np.concatenate([buffer[:start], buffer[end:]])
            assert (outside == FILL).all(), f"{name}: wrote outside of the array"
        return {name: content(unfilled[name]) if name in unfilled else held[name][0] for name in outputs}

    def check(self, body, expected, inputs=None, constants=None, ulps=0, bound=None, initial=None, **options):
        """Launches a kernel whose outputs are `expected`: equal (NaN equals NaN), or within `ulps` or `bound`."""
        expected = {name: np.asarray(value) for name, value in expected.items()}
        before = {name: fresh(value.dtype, value.shape) for name, value in expected.items()}
        before.update(initial or {})
        unwritten = [name for name, value in expected.items() if name not in (initial or {}) and not shows_fill(value)]
        got = self.run(body, before, inputs, constants, unwritten=unwritten, **options)
        for name, value in expected.items():
            compare(got[name], value, ulps, bound, name)

    def refuse(self, body, code, line=None, parameters="x:*fp32, n:i32", head=""):
        """Compiles a body that must be rejected with `code` at a line of the body (1 is the first)."""
        names = [entry.split(":")[0].split("=")[0].strip() for entry in split_signature(parameters)]
        constants = [entry.split("=")[0].strip() for entry in split_signature(parameters) if "=" in entry]
        function = kernel(body, [name for name in names if name not in constants], constants, head)
        with pytest.raises(tw.CompilationError) as caught:
            function.compile(parameters, self.target)
        codes = [entry[0] for entry in caught.value.diagnostics]
        assert code in codes, f"expected TW{code}, got {caught.value}"
        if line is not None:
            first = function.fn.__code__.co_firstlineno + 1
            found = [entry[5] - first for entry in caught.value.diagnostics if entry[0] == code]
            assert line in found, f"expected TW{code} at line {line} of the body, got {found}"

    def accept(self, body, parameters="x:*fp32, n:i32", head=""):
        """Compiles a body that must be accepted; its static assertions are the check."""
        entries = split_signature(parameters)
        constants = [entry.split("=")[0].strip() for entry in entries if "=" in entry]
        names = [entry.split(":")[0].strip() for entry in entries if "=" not in entry]
        return self.compare_artifacts(kernel(body, names, constants, head).compile(parameters, self.target))


def split_signature(text):
    """Entries of a signature; commas inside brackets do not separate."""
    entries, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character in "([<") - (character in ")]>")
        if character == "," and depth == 0:
            entries.append(text[start:position].strip())
            start = position + 1
    return [entry for entry in [*entries, text[start:].strip()] if entry]


class Copies:
    """Copies of arrays that alias and are aligned as the arrays are; other values stay unchanged."""

    def __init__(self):
        self.buffers = {}

    def of(self, value):
        """The copy of one value; of memory that nothing has written, as much of it."""
        if isinstance(value, tw.DeviceArray):
            return tw.empty(value.shape, value.dtype, value.device.type)
        if not isinstance(value, np.ndarray):
            return value
        base = value
        while isinstance(base.base, np.ndarray):
            base = base.base
        low, high = np.byte_bounds(base)
        if (low, high) not in self.buffers:
            buffer = np.empty(high - low + 3 * GUARD, np.uint8)
            start = (low - buffer.ctypes.data) % GUARD
            self.buffers[low, high] = buffer[start:start + high - low]
            self.buffers[low, high][...] = np.frombuffer((ctypes.c_char * (high - low)).from_address(low), np.uint8)
        offset = value.__array_interface__["data"][0] - low
        return np.ndarray(value.shape, value.dtype, self.buffers[low, high], offset, value.strides)


def content(array):
    """An array as NumPy has it."""
    return array.numpy() if isinstance(array, tw.DeviceArray) else array


def compare_bytes(got, expected, name):
    """Asserts equality of all bits, but for those of NaN."""
    same = _bytes(np.ascontiguousarray(got)).reshape(*got.shape, -1) == \
        _bytes(np.ascontiguousarray(expected)).reshape(*got.shape, -1)
    equal = same.all(axis=-1)
    if got.dtype.kind not in "iub":
        equal |= np.isnan(got.astype(np.float64)) & np.isnan(expected.astype(np.float64))
    assert equal.all(), f"{name}: {got[~equal]} is not {expected[~equal]}"


def _bytes(array):
    return array.reshape(-1).view(np.uint8)


@functools.lru_cache(maxsize=None)
def memory_of(target):
    """What brings arrays to a target's device; None where kernels reach NumPy arrays as they are."""
    vendor = vendor_of(target)
    if vendor in ("cpu", "reference"):
        return None
    if vendor == "nvidia":
        return functools.partial(DeviceMemory, pytest.importorskip("torch"))
    return None if reaches_host(target) else functools.partial(BufferMemory, vendor)


def reaches_host(target):
    """Whether a kernel of the target can write an array of NumPy's."""
    out = np.zeros(1, np.int32)
    try:
        kernel("tl.store(out, 7)", ["out"])[(1,)](out=out, target=target)
    except tw.LaunchError:
        return False
    return out[0] == 7


class MovedArrays:
    """Arrays in other memory, bit for bit, with what surrounds them: those that share memory share it there."""

    def __init__(self):
        self.regions = {}

    def of(self, value):
        """What stands for an array, also inside tuples; other values unchanged."""
        if isinstance(value, tuple):
            items = [self.of(item) for item in value]
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
        if not isinstance(value, np.ndarray):
            return value
        base = value
        while isinstance(base.base, np.ndarray):
            base = base.base
        address = value.__array_interface__["data"][0]
        if not value.flags.c_contiguous or not base.flags.c_contiguous:
            base = value
        start = base.__array_interface__["data"][0]
        lead = start % GUARD  # alignment is part of what a kernel is specialised for
        if start not in self.regions:
            self.regions[start] = (base, lead, self.upload(lead, _bytes(np.ascontiguousarray(base))))
        return self.part(self.regions[start][2], lead + address - start, value)

    def read_back(self):
        """Copies everything that may be written to the arrays."""
        for base, lead, region in self.regions.values():
            if base.flags.writeable and base.flags.c_contiguous:
                _bytes(base)[...] = self.download(region)[lead:]


class DeviceMemory(MovedArrays):
    """Tensors of PyTorch."""

    def __init__(self, torch):
        super().__init__()
        self.torch = torch

    def upload(self, lead, content):
        tensor = self.torch.empty(lead + content.size, dtype=self.torch.uint8, device="cuda")
        tensor[lead:].copy_(self.torch.from_numpy(content.copy()))
        return tensor

    def part(self, region, offset, value):
        name = "bool" if value.dtype == bool else str(value.dtype)
        return region[offset:offset + value.nbytes].view(getattr(self.torch, name)).reshape(value.shape)

    def download(self, region):
        return region.cpu().numpy()


class BufferMemory(MovedArrays):
    """Allocations of Tilewright's runtime."""

    def __init__(self, vendor):
        super().__init__()
        self.vendor = vendor

    def upload(self, lead, content):
        buffer = tw.empty((lead + content.size,), np.uint8, self.vendor)
        buffer.write(np.concatenate([np.zeros(lead, np.uint8), content]))
        return buffer

    def part(self, region, offset, value):
        return Part(region, offset, value)

    def download(self, region):
        return region.numpy()


class Part:
    """An array inside an allocation, as launches see arrays."""

    def __init__(self, region, offset, value):
        self.region, self.offset = region, offset
        self.dtype, self.shape, self.device = value.dtype, value.shape, region.device
        self.strides = [step // value.itemsize for step in value.strides]

    def data_ptr(self):
        return self.region.data_ptr() + self.offset

    def element_size(self):
        return self.dtype.itemsize

    def stride(self):
        return tuple(self.strides)


def distance(got, expected):
    """Units in the last place of `expected`'s type between two float arrays of the same type; 0 for two NaN."""
    bits = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}[expected.dtype.itemsize]

    def ordered(values):
        raw = np.ascontiguousarray(values).view(bits).astype(object)
        return np.where(raw < 0, -(raw & ((1 << (8 * values.dtype.itemsize - 1)) - 1)), raw)

    wide_got, wide_expected = got.astype(np.float64), expected.astype(np.float64)
    both_nan = np.isnan(wide_got) & np.isnan(wide_expected)
    one_nan = np.isnan(wide_got) ^ np.isnan(wide_expected)
    steps = np.abs(ordered(got) - ordered(expected))
    return np.where(one_nan, 1 << 70, np.where(both_nan, 0, steps))


def compare(got, expected, ulps=0, bound=None, name="out"):
    """Asserts equality, or a distance of at most `ulps` or `bound`."""
    assert got.dtype == expected.dtype and got.shape == expected.shape
    if got.dtype.kind in "iub":
        np.testing.assert_array_equal(got, expected, err_msg=name)
        return
    wide_got, wide_expected = got.astype(np.float64), expected.astype(np.float64)
    if bound is not None:
        np.testing.assert_array_equal(np.isnan(wide_got), np.isnan(wide_expected), err_msg=name)
        assert (np.abs(np.nan_to_num(wide_got - wide_expected)) <= bound).all(), f"{name}: {got} is not {expected}"
        return
    if ulps == 0:
        np.testing.assert_array_equal(wide_got, wide_expected, err_msg=name)
        return
    steps = distance(got, expected)
    worst = int(np.argmax(steps))
    assert steps.max() <= ulps, (f"{name}[{worst}]: got {wide_got.reshape(-1)[worst]!r}, expected "
                                 f"{wide_expected.reshape(-1)[worst]!r}, {steps.max()} ulp away")


def asserts(*conditions):
    """Lines of static assertions."""
    return "".join(f"tl.static_assert({condition})\n" for condition in conditions)
