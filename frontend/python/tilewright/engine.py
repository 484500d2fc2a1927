"""The process's compiler and devices: made on first use, shared by all kernels."""
import functools
import threading

from . import _native
from .errors import from_result, from_runtime

_lock = threading.Lock()


@functools.lru_cache(maxsize=None)
def compiler():
    """The compiler of this process."""
    return _native.Compiler()


@functools.lru_cache(maxsize=None)
def _device(target):
    return _native.Device(target)


def device(vendor):
    """The opened device of a vendor."""
    with _lock:
        try:
            return _device(vendor)
        except _native.RuntimeFailure as failure:
            raise from_runtime(failure) from None


def compile_text(tree, kernel, signature, target, options, stages):
    """Compiles a SourceTree; returns the native result or raises CompilationError."""
    result = compiler().compile(tree.text, tree.file, kernel, signature, target, options, tree.modules, stages)
    if result.status != 0:
        raise from_result(result)
    return result
