"""Placeholders for names of the kernel language, which have a meaning inside kernels only."""
from __future__ import annotations

import functools
import re
from collections.abc import Callable

from .. import _native


@functools.lru_cache(maxsize=None)
def _texts():
    """What the stub beside this file, made from docs/language, says of each function."""
    import ast
    import pathlib
    stub = pathlib.Path(__file__).with_name("__init__.pyi")
    tree = ast.parse(stub.read_text(encoding="utf-8") if stub.exists() else "")
    return {node.name: ast.get_docstring(node) for node in tree.body if isinstance(node, ast.FunctionDef)}


class _Text:
    """The `__doc__` of a Name, read when somebody asks."""

    def __get__(self, name, owner):
        if name is None:
            return "A function or namespace of the kernel language, e.g. `tl.load` or `tl.math.exp2`."
        text = _texts().get(name.__tilewright_name__) or "A function of the kernel language; docs/language.md is its reference."
        return f"{name._header}\n\n{text}" if name._header else None


class Name:
    __doc__ = _Text()

    def __init__(self, module, name, header=""):
        self.__module__ = module
        self.__tilewright_name__ = name
        self._header = header

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Name(self.__module__, f"{self.__tilewright_name__}.{name}")

    def __call__(self, *args, **kwargs):
        raise RuntimeError(f"{self.__tilewright_name__} has a meaning inside kernels only: "
                           "call it from a function decorated with @jit")

    def __repr__(self):
        return f"<{self.__module__}.{self.__tilewright_name__}>"


#: Names that kernels use and no list of functions has.
_PRIVATE_NAMES = {"_log2", "_unwrap_if_constexpr", "_unwrap_shape"}
NAMESPACES = {"core", "extra", "libdevice", "math", "random", "standard", "target", "target_info", "PropagateNan",
              "TRITON_MAX_TENSOR_NUMEL"}


@functools.lru_cache(maxsize=None)
def _functions(prefix):
    """The compiler's own list: names below a prefix such as "tl.", with their headers ("tl.load(pointer, mask=None)")."""
    lines = _native.names(prefix).splitlines()
    return {re.split(r"[.(]", line[len(prefix):], maxsplit=1)[0]: line for line in lines}


def names_of(module: str, prefix: str | None = None) -> Callable[[str], Name]:
    """A module's `__getattr__`, which gives placeholders: for the compiler's names below `prefix`, or for any public name.

    Libraries ask with `hasattr` for names that other versions of Triton have.
    """

    def get(name):
        if prefix is None or name.startswith("_"):
            known = not name.startswith("_") or name in _PRIVATE_NAMES
        else:
            known = name in _functions(prefix) or (prefix == "tl." and name in NAMESPACES)
        if not known:
            raise AttributeError(f"module '{module}' has no attribute '{name}'")
        return Name(module, name, _functions(prefix).get(name, "") if prefix else "")

    return get
