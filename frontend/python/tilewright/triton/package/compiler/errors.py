"""`triton.compiler.errors`: errors in a kernel's source. They all are Tilewright's CompilationError."""
from tilewright import CompilationError

CompileTimeAssertionFailure = CompilationError
UnsupportedLanguageConstruct = CompilationError
