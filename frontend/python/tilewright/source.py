"""Turns Python functions into source modules for the compiler.

The compiler reads text, never Python objects. For each kernel or helper this makes a module of its own: the function's
source at its original line, and on the first line imports and constants for the globals that it mentions.
"""
import ast
import builtins
import functools
import inspect
import re
import textwrap
import types

from . import language
from .errors import CompilationError
from .language import dtype
from .specialize import plain_constant

_DTYPE_NAMES = {value: name for name, value in vars(language).items() if isinstance(value, dtype)}
#: Modules that kernels may use by name; values are the names the compiler knows.
_KNOWN_MODULES = re.compile(r"^(tilewright|triton)(\.|$)|^math$")


def _mentioned_names(function):
    """Names that the function's code and nested code look up outside of itself."""
    names, pending = set(), [function.__code__]
    while pending:
        code = pending.pop()
        names.update(code.co_names)
        names.update(code.co_freevars)
        pending.extend(constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return names


def _lookup(function):
    """(name, value, how to read it again) of the closure and global variables that the function mentions."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    for name in sorted(_mentioned_names(function)):
        if name in cells:
            read = functools.partial(getattr, cells[name], "cell_contents", None)
        elif name in function.__globals__:
            read = functools.partial(function.__globals__.get, name)
        else:
            continue
        yield name, read(), read


class SourceUnit:
    """One function as a module: its text and the variables that the text holds.

    `decorator` says what it is: "jit", "constexpr_function", or "" for what only the latter call.
    """

    def __init__(self, function, decorator="jit"):
        self.function = function
        self.decorator = decorator
        self.name = function.__name__
        self.file = inspect.getsourcefile(function) or "<unknown>"
        try:
            lines, self.line = inspect.getsourcelines(function)
        except OSError as error:
            raise CompilationError(f"TW2001: the source of '{self.name}' is not available: {error}\n"
                                   "  hint: define kernels in a file or a notebook cell", 2001) from None
        self._text = textwrap.dedent("".join(lines))
        self._tree = ast.parse(self._text).body[0]
        #: (value, how to read it again) of every variable that became part of the text.
        self.captured = []

    def definition(self):
        """The function's text from `def` on, decorated as a kernel, with its line number in the file."""
        lines = self._text.splitlines(keepends=True)
        start = self._tree.lineno - 1
        return "".join(lines[start:]), self.line + start

    def globals_line(self, tree):
        """One line of imports and constants; `tree` names the modules of helpers."""
        parts = []
        for name, value, read in _lookup(self.function):
            is_builtin = name in vars(builtins) and vars(builtins)[name] is value
            text = None if is_builtin else _global_text(name, value, tree, _attributes_of(self._tree, name))
            if self.decorator != "jit" and inspect.isfunction(value):
                text = f"from {tree.module_of(value, '')} import {value.__name__} as {name}"
            if text:
                parts.append(text)
                if not isinstance(value, types.ModuleType):
                    self.captured.append((value, read))
        return "; ".join(parts)


def _attributes_of(tree, name):
    """Names that a syntax tree reads as attributes of a variable."""
    return {node.attr for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name}


def _global_text(name, value, tree, attributes=frozenset()):
    """The statement that makes a captured value known under a name, or None for what kernels cannot use.

    `attributes` are the names that the kernel reads from the value, in case it is a module.
    """
    value = getattr(value, "__tilewright_inner__", value)
    # `@tl.constexpr` on a function: what it computes is known where its arguments are.
    if type(value).__name__ == "constexpr" and inspect.isfunction(value.value):
        return f"from {tree.module_of(value.value, 'constexpr_function')} import {value.value.__name__} as {name}"
    if hasattr(value, "__tilewright_function__"):
        target = value.__tilewright_function__
        decorator = getattr(value, "__tilewright_decorator__", "jit")
        return f"from {tree.module_of(target, decorator)} import {target.__name__} as {name}"
    if isinstance(value, types.ModuleType):
        helper = value.__name__ if _KNOWN_MODULES.match(value.__name__) else tree.module_of_module(value, attributes)
        return f"import {helper} as {name}" if helper else None
    module = getattr(value, "__module__", None) or ""
    if _KNOWN_MODULES.match(module) and hasattr(value, "__tilewright_name__"):
        return f"from {module} import {value.__tilewright_name__} as {name}"
    if isinstance(value, dtype):
        return f"from {dtype.__module__} import {_DTYPE_NAMES[value]} as {name}"
    if isinstance(value, type):
        helper = tree.module_of_class(value)
        return f"import {helper} as {name}" if helper else None
    constant = _constant_text(value)
    return None if constant is None else f"{name} = {constant}"


def _constant_text(value):
    """Python text of a constant that kernels may capture, or None."""
    value = getattr(value, "value", value) if type(value).__name__ == "constexpr" else value
    if isinstance(value, (bool, int, str, float)) or hasattr(value, "__array_interface__"):
        value = plain_constant(value)
    if value is None or isinstance(value, (bool, int, str)):
        return repr(value)
    if isinstance(value, float):
        return f"float({str(value)!r})" if value != value or value in (float("inf"), -float("inf")) else repr(value)
    if isinstance(value, (tuple, list)):
        parts = [_constant_text(entry) for entry in value]
        return None if None in parts else "(" + "".join(part + ", " for part in parts) + ")"
    return None


class SourceTree:
    """A kernel with all helpers it reaches: the kernel's text and (module name, text) pairs."""

    def __init__(self, function):
        self._modules = {}
        self._texts = []
        self._files = {}
        self._captured = []
        self.file = inspect.getsourcefile(function) or "<unknown>"
        self.text = self._render(SourceUnit(function))

    @property
    def modules(self):
        """(name, file, text) of every helper module."""
        return [(name, self._files.get(name, self.file), text) for name, text in self._texts]

    def is_current(self):
        """Whether every captured variable still has the value that is in the text."""
        return all(read() is value for value, read in self._captured)

    def module_of(self, function, decorator="jit"):
        """Name of the module that holds a helper; makes the module on first use."""
        if function not in self._modules:
            name = self._modules[function] = f"tilewright_captured_{len(self._modules)}"
            unit = SourceUnit(function, decorator)
            self._files[name] = unit.file
            self._texts.append((name, self._render(unit)))
        return self._modules[function]

    def module_of_class(self, cls):
        """Name of the module that holds a class's kernels and constants; None for a class without kernels."""
        if cls not in self._modules:
            members = {name: getattr(value, "__func__", value) for name, value in vars(cls).items()
                       if not name.startswith("__")}
            if not any(hasattr(value, "__tilewright_function__") for value in members.values()):
                return None
            name = self._modules[cls] = f"tilewright_captured_{len(self._modules)}"
            parts = [_global_text(member, value, self) for member, value in members.items()]
            self._texts.append((name, "; ".join(part for part in parts if part) + "\n"))
        return self._modules[cls]

    def module_of_module(self, module, attributes):
        """Name of the source module with those attributes of a Python module that kernels can use; None without any."""
        key = (module, frozenset(attributes))
        if key not in self._modules:
            parts = [_global_text(name, getattr(module, name), self) for name in sorted(attributes)
                     if hasattr(module, name)]
            text = "; ".join(part for part in parts if part)
            if not text:
                return None
            name = self._modules[key] = f"tilewright_captured_{len(self._modules)}"
            self._texts.append((name, text + "\n"))
        return self._modules[key]

    def _render(self, unit):
        definition, line = unit.definition()
        head = unit.globals_line(self)
        self._captured += unit.captured
        # Line 1 holds the globals, the line before the function its decorator, so that positions stay true.
        padding = "\n" * max(line - 3, 0)
        decorator = f"@{unit.decorator}" if unit.decorator else ""
        return f"{head}\n{padding}{decorator}\n{definition}"
