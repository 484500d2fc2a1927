"""The module `triton`, as Tilewright provides it: Triton 3.6's host interface over Tilewright's compiler and runtime."""
from tilewright import cdiv, next_power_of_2

from . import language
from .errors import TritonError
from .runtime import Config, Heuristics, InterpreterError, JITFunction, KernelInterface, OutOfResources, autotune, heuristics
from .runtime.allocation import set_allocator
from .runtime.jit import MockTensor, TensorWrapper, constexpr_function, jit, reinterpret
from .compiler import CompilationError, compile
from . import backends, compiler, knobs, runtime, testing, tools

__version__ = "3.6.0"

__all__ = [
    "CompilationError", "Config", "Heuristics", "InterpreterError", "JITFunction", "KernelInterface", "MockTensor", "OutOfResources",
    "TensorWrapper", "TritonError", "autotune", "cdiv", "compile", "compiler", "constexpr_function", "heuristics", "jit",
    "knobs", "language", "next_power_of_2", "reinterpret", "runtime", "set_allocator", "testing", "tools"
]
