"""The process's compiler and devices: made on first use, shared by all kernels."""
from __future__ import annotations

import functools
import json
import re
import sys
import threading

from . import _native, cache
from .errors import TilewrightError, from_result, from_runtime

_lock = threading.Lock()
#: Capabilities of plugin.h.
_CAP_ARCH = 1
_CAP_UNIFIED_MEMORY = 17
_devices = {}


@functools.lru_cache(maxsize=None)
def compiler():
    """The compiler of this process."""
    return _native.Compiler(settings=cache.compiler_settings())


cache.on_change(compiler.cache_clear)


def vendor_of(target):
    """"spirv" of "spirv", "spirv:opencl2.0", "spirv+sg8" and "spirv@1"."""
    return re.match(r"\w*", target)[0]


@functools.lru_cache(maxsize=None)
def native_target(vendor, ordinal=0):
    """The target for a device of this machine, as in "nvidia:sm_90a"; the vendor alone where the device is no GPU, or
    cannot say, or is not here."""
    if vendor in ("cpu", "reference", "spirv"):
        return vendor
    compiler().prepare(vendor)  # its plugin loads while the device is opened
    try:
        _, _, arch = device(vendor, ordinal).capability(_CAP_ARCH)
    except TilewrightError:
        return vendor
    # Code for one architecture alone may use what its successors lack.
    spellings = [f"{vendor}:{arch}a", f"{vendor}:{arch}"] if arch else []
    return next((spelling for spelling in spellings if compiler().resolve_target(spelling)), vendor)


def device(vendor, ordinal=0):
    """The opened device of a vendor."""
    with _lock:
        opened = _devices.get((vendor, ordinal))
        if opened is None:
            try:
                opened = _devices[vendor, ordinal] = _native.Device(f"{vendor}@{ordinal}" if ordinal else vendor)
            except _native.RuntimeFailure as failure:
                raise from_runtime(failure) from None
        return opened


@functools.lru_cache(maxsize=None)
def shares_host_memory(target, ordinal=0):
    """Whether kernels for a target reach the memory of the process, as its device says of itself. Of a device that is not
    here nothing is known, and that is reported when it is needed."""
    vendor = vendor_of(target)
    try:
        _, shared, _ = device(vendor, ordinal).capability(_CAP_UNIFIED_MEMORY)
    except TilewrightError:
        return vendor == "spirv"
    # Code for OpenCL without addresses takes handles, which memory of the host has none of.
    return bool(shared) and (vendor != "spirv" or "+svm" in (compiler().resolve_target(target) or "+svm"))


def synchronize() -> None:
    """Waits for the launches of this process on the streams that are current, and raises what device code of an earlier
    launch reported: a failed `device_assert`, say. Without this call such an error is raised by the next launch."""
    for (vendor, ordinal), opened in list(_devices.items()):
        stream = _native.torch_stream(ordinal) if vendor == "nvidia" and "torch" in sys.modules else None
        try:
            opened.synchronize(stream)
        except _native.RuntimeFailure as failure:
            raise from_runtime(failure) from None


def compile_text(tree, kernel, signature, target, options, stages):
    """Compiles a SourceTree; returns the native result or raises CompilationError."""
    result = compiler().compile(tree.text, tree.file, kernel, signature, target, options, tree.modules, stages,
                                cache.is_compiling_forbidden())
    if result.status != 0:
        raise from_result(result)
    cache.warn_of(result.diagnostics)
    return result


def fits(tree, kernel, signature, target, options):
    """The answer of tw_compiler_fits for a SourceTree, as a dict."""
    return json.loads(compiler().fits(tree.text, tree.file, kernel, signature, target, options, tree.modules))
