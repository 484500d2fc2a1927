"""Tilewright: tile kernels written once, compiled for any target.

    import tilewright as tw
    import tilewright.language as tl

    @tw.jit
    def add(x, y, out, n, BLOCK: tl.constexpr):
        offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        mask = offsets < n
        tl.store(out + offsets, tl.load(x + offsets, mask) + tl.load(y + offsets, mask), mask)

    add[(tw.cdiv(n, 1024),)](x, y, out, n, BLOCK=1024)   # NumPy arrays or torch CPU tensors

The target follows the arrays (host memory: `cpu`, torch's CUDA tensors: `nvidia`, compiled for their device) or is said with
`target=`. Launches on a GPU go to the stream that torch has current and are not waited for; `synchronize()` raises what they
reported.
"""
from typing import TYPE_CHECKING

from . import cache, tuning
from .artifact import BundleKernel, LoadedKernel, load
from .cache import CacheWarning, no_jit
from .descriptor import TensorDescriptor
from .engine import synchronize
from .errors import CacheError, CompilationError, CompilationWarning, LaunchError, OutOfResources, PluginError, TilewrightError, TuningError
from .host import cdiv, next_power_of_2
from .jit import Compiled, JITFunction, compile, fits, jit, op
from .memory import DeviceArray, empty
from .tuning import Autotuner, Config, Heuristics, autotune, heuristics

if TYPE_CHECKING:  # loaded when they are used, see below
    from . import bench as bench, debugger as debugger, testing as testing
    from .debugger import debug as debug

__version__ = "0.1.0"

__all__ = [
    "Autotuner", "BundleKernel", "CacheError", "CacheWarning", "CompilationError", "CompilationWarning", "Compiled", "Config", "DeviceArray", "Heuristics", "JITFunction",
    "LaunchError", "LoadedKernel", "OutOfResources", "PluginError", "TensorDescriptor", "TilewrightError", "TuningError", "autotune", "bench", "cache", "cdiv", "compile",
    "debug", "debugger", "empty", "fits", "heuristics", "jit", "load", "next_power_of_2", "no_jit", "op", "synchronize", "testing", "tuning"
]

if not TYPE_CHECKING:  # a checker would take it to know every name

    def __getattr__(name):
        """What is not loaded before it is used."""
        if name in ("bench", "testing", "debugger", "debug"):
            import importlib
            module = importlib.import_module(".debugger" if name == "debug" else f".{name}", __name__)
            return module.debug if name == "debug" else module
        raise AttributeError(f"module 'tilewright' has no attribute '{name}'")
