"""Kernels of `.twa` and `.twb` files: launched without the compiler, which may not even be installed."""
from __future__ import annotations

import json
import os
import pathlib
import struct

from . import _native, arrays, engine, places
from .annotations import Grid, Launcher
from .errors import CacheError, LaunchError, from_runtime


#: Names of TW_DTYPE_* in order of their numbers.
_DTYPES = ("none", "i1", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "fp16", "bf16", "fp32", "fp64", "fp8e4nv", "fp8e5",
           "fp8e4b8", "fp8e5b16", "fp8e4b15")


class _Loaded:
    """A kernel on a device of this machine; `arguments` lists its run-time arguments as (name, type), pointers as "*fp32"."""

    def __init__(self, content: bytes, name: str, device: str):
        vendor, _, number = device.partition("@")
        self._vendor, self._ordinal = engine.vendor_of(vendor), int(number or 0)
        try:
            self._kernel = self._find(engine.device(self._vendor, self._ordinal), content, name)
        except _native.RuntimeFailure as failure:
            raise from_runtime(failure) from None
        self._read_only = _read_only_pointers(content, name)
        self.arguments = [(name, "*" * is_pointer + _DTYPES[dtype]) for name, dtype, is_pointer in self._kernel.arguments()]

    def __repr__(self):
        arguments = ", ".join(f"{name}: {kind}" for name, kind in self.arguments)
        return f"<{type(self).__name__}({arguments}) on {self._vendor}@{self._ordinal}>"

    def _call(self, args, kwargs, launch):
        """Calls `launch(values, stream)` with the arguments of a call as the runtime takes them."""
        names = [name for name, _ in self.arguments]
        values = dict(zip(names, args))
        repeated = sorted(set(values) & set(kwargs))
        values.update(kwargs)
        if len(args) > len(names) or repeated or set(values) != set(names):
            raise LaunchError(f"TW6055: expected the arguments {', '.join(names)}, got {len(args)} by position and "
                              f"{', '.join(kwargs) or 'none'} by name", 6055)
        ordered = [values[name] for name in names]
        place = places.place_of(names, ordered, f"{self._vendor}@{self._ordinal}")
        for (name, kind), value in zip(self.arguments, ordered):
            if kind.startswith("*") and name not in self._read_only and arrays.is_array(value) and not arrays.is_writable(value):
                raise LaunchError(f"TW6064: expected an array that may be written for '{name}' ({kind}), got a read-only one\n"
                                  f"  hint: pass a copy, or compile the kernel with '{name}:*k{kind[1:]}'", 6064)
        packed = tuple(_packed(name, kind, value) for (name, kind), value in zip(self.arguments, ordered))
        try:
            return launch(packed, place.stream())
        except _native.RuntimeFailure as failure:
            raise from_runtime(failure) from None


def _read_only_pointers(content, name):
    """Names of the pointers that no kernel called `name` ("": of any name) writes through, from the manifest (docs/formats.md)."""
    start, size = struct.unpack_from("<QQ", content, 72)
    manifest = json.loads(bytes(content[start:start + size]))
    if "variants" in manifest:
        found = [{entry.partition(":")[0].strip() for entry in variant["signature"].split(",") if ":*k" in entry.replace(" ", "")}
                 for variant in manifest["variants"] if not name or variant["kernel"] == name]
    else:
        found = [{kernel["parameters"][fact["argument"]]["name"] for fact in kernel["facts"] if fact["kind"] == "readonly"}
                 for kernel in manifest["kernels"] if not name or kernel["name"] == name]
    return set.intersection(*found) if found else set()


class LoadedKernel(_Loaded):
    """A kernel of an artifact: `kernel[grid](*args)` takes the run-time arguments in order or by name."""

    @staticmethod
    def _find(device, content, name):
        return device.load(content, name)

    def __getitem__(self, grid: Grid) -> Launcher:
        axes = tuple(grid) if isinstance(grid, (tuple, list)) else (grid,)
        if not 1 <= len(axes) <= 3:
            raise LaunchError(f"TW6056: expected a grid of 1 to 3 axes, got {len(axes)}", 6056)
        axes = (*axes, 1, 1)[:3]
        return lambda *args, **kwargs: self._call(args, kwargs,
                                                  lambda packed, stream: self._kernel.launch(*axes, packed, stream))


class BundleKernel(_Loaded):
    """A kernel of a bundle: `kernel(*args)` takes the run-time arguments in order or by name, picks the variant and its grid,
    and gives the variant's number among those of this device."""

    @staticmethod
    def _find(device, content, name):
        return device.load_bundle(content, name)

    def __call__(self, *args, **kwargs):
        return self._call(args, kwargs, self._kernel.launch)


def _packed(name, kind, value):
    """A value as the runtime takes it; refuses what is not of the argument's type."""
    if kind.startswith("*"):
        if not arrays.is_array(value) or arrays.dtype_name(value) != kind[1:]:
            found = arrays.dtype_name(value) if arrays.is_array(value) else type(value).__name__
            raise LaunchError(f"TW6052: expected an array of {kind[1:]} for '{name}', got {found}", 6052)
        address, _, high = arrays.address_range(value)
        return address, high - address
    is_float = kind.startswith(("fp", "bf"))
    if arrays.is_array(value) or not hasattr(value, "__float__" if is_float else "__index__"):
        raise LaunchError(f"TW6053: expected a number of type {kind} for '{name}', got {type(value).__name__}", 6053)
    return float(value) if is_float else value.__index__()


def load(artifact: str | os.PathLike | bytes, kernel: str = "", device: str = "cpu") -> LoadedKernel | BundleKernel:
    """A kernel of a `.twa` or `.twb` file, ready to launch on a device of this machine ("cpu", "nvidia", "nvidia@1"): a LoadedKernel or
    a BundleKernel.

    `artifact` is a path or the bytes; `kernel` may be left out where there is one. Nothing is compiled. What the code relies on
    (alignment, values, arrays that do not overlap) is checked at each launch.
    """
    if isinstance(artifact, (str, os.PathLike)):
        path = pathlib.Path(artifact)
        try:
            artifact = path.read_bytes()
        except OSError as error:
            raise CacheError(f"TW7107: cannot read '{path}': {error.strerror}", 7107) from None
    kind = BundleKernel if artifact[:4] == b"TWB1" else LoadedKernel
    return kind(artifact, kernel, device)
