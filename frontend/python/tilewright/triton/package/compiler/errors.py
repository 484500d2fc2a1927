"""`triton.compiler.errors`: errors in a kernel's source. They all are Tilewright's CompilationError."""
from tilewright import CompilationError, TilewrightError as TritonError

CompileTimeAssertionFailure = CompilationError
UnsupportedLanguageConstruct = CompilationError

__all__ = ["CompilationError", "CompileTimeAssertionFailure", "TritonError", "UnsupportedLanguageConstruct"]
