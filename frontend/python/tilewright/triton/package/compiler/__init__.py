"""`triton.compiler`: compiling without launching."""
from .compiler import ASTSource, CompiledKernel, LazyDict, compile, make_backend, triton_key
from .errors import CompilationError, CompileTimeAssertionFailure, UnsupportedLanguageConstruct

__all__ = [
    "ASTSource", "CompilationError", "CompileTimeAssertionFailure", "CompiledKernel", "LazyDict",
    "UnsupportedLanguageConstruct", "compile", "make_backend", "triton_key"
]
