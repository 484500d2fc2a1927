"""Turns Python functions into source modules for the compiler.

The compiler reads text, never Python objects. For each kernel or helper this makes a module of its own: the function's
source at its original line, and on the first line imports and constants for the globals that it mentions.
"""
import ast
import builtins
import dataclasses
import inspect
import re
import textwrap
import threading
import types

from . import language
from .errors import CompilationError
from .language import dtype
from .lines import source_lines
from .specialize import is_named_tuple, plain_constant

_DTYPE_NAMES = {value: name for name, value in vars(language).items() if isinstance(value, dtype)}
#: A module that the compiler does not have, from which values come that kernels cannot capture.
_HOST = "host_process"
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
    """(name, value, where it stands) of the closure and global variables that the function mentions: a cell, or the
    dictionary of globals."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    for name in sorted(_mentioned_names(function)):
        if name in cells:
            yield name, _read(cells[name], name), cells[name]
        elif name in function.__globals__:
            yield name, function.__globals__[name], function.__globals__


def _missing(function):
    """(globals, name) of what the function mentions and its module does not define; names of attributes are among them."""
    known = {*function.__code__.co_freevars, *function.__globals__}
    return [(function.__globals__, name) for name in _mentioned_names(function) - known]


def _read(holder, name):
    """The value that a variable has now; `holder` is a dictionary, a class or a cell."""
    holder = vars(holder) if isinstance(holder, type) else holder
    return getattr(holder, "cell_contents", None) if isinstance(holder, types.CellType) else holder.get(name)


def _is_mutable(value):
    """Whether a captured constant may change and stay the same object."""
    value = value.value if isinstance(value, language.constexpr) else value
    return isinstance(value, list) or isinstance(value, tuple) and any(map(_is_mutable, value))


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
            lines, self.line = source_lines(function)
        except OSError as error:
            raise CompilationError(f"TW2010: the source of '{self.name}' is not available: {error}\n"
                                   "  hint: define kernels in a file or a notebook cell", 2010) from None
        self._text = textwrap.dedent("".join(lines))
        self._tree = ast.parse(self._text).body[0]

    def definition(self):
        """The function's text from `def` on, decorated as a kernel, with its line number in the file."""
        lines = self._text.splitlines(keepends=True)
        start = self._tree.lineno - 1
        return "".join(lines[start:]), self.line + start

    def globals_line(self, tree):
        """One line of imports and constants; `tree` names the modules of helpers."""
        parts = []
        for name, value, holder in _lookup(self.function):
            is_builtin = name in vars(builtins) and vars(builtins)[name] is value
            text = None if is_builtin else _global_text(name, value, tree, _attributes_of(self._tree, name))
            if self.decorator != "jit" and not self.decorator.startswith("tw.op(") and inspect.isfunction(value):
                text = f"from {tree.module_of(value, '')} import {value.__name__} as {name}"
            if text is None and not is_builtin and not callable(value) and not isinstance(value, types.ModuleType):
                text = f"from {_HOST} import {name}"  # a kernel that reads it is told that its value is not known
            if text and name != self.name:  # a function's own name is itself
                parts.append(text)
                if not isinstance(value, types.ModuleType):
                    tree.capture(value, holder, name)
        tree.missing += _missing(self.function)
        return "; ".join(parts)


def _attributes_of(tree, name):
    """What a syntax tree reads as attributes of a variable: "f" of `name.f`, "inner.f" of `name.inner.f`."""
    found = set()
    for node in ast.walk(tree):
        chain = []
        while isinstance(node, ast.Attribute):
            chain.insert(0, node.attr)
            node = node.value
        if chain and isinstance(node, ast.Name) and node.id == name:
            found.add(".".join(chain))
    return found


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
    if isinstance(value, type) and is_record_class(value):
        return tree.record_import(value, name)
    if isinstance(value, type):
        helper = tree.module_of_class(value)
        return f"import {helper} as {name}" if helper else None
    constant = _constant_text(value)
    head = "import collections; " if constant and "collections.namedtuple(" in constant else ""
    return None if constant is None else f"{head}{name} = {constant}"


def is_record_class(cls):
    """Whether kernels may make instances: named tuples and dataclasses."""
    return (issubclass(cls, tuple) and hasattr(cls, "_fields")) or dataclasses.is_dataclass(cls)


def _named_tuple_text(cls):
    """The call that makes a named tuple anew, or None when a default is no constant."""
    defaults = [_constant_text(cls._field_defaults[field]) for field in cls._fields if field in cls._field_defaults]
    if None in defaults:
        return None
    fields = "".join(f"{field!r}, " for field in cls._fields)
    return f"collections.namedtuple({cls.__name__!r}, ({fields}), defaults=({''.join(d + ', ' for d in defaults)}))"


def _constant_text(value):
    """Python text of a constant that kernels may capture, or None."""
    value = getattr(value, "value", value) if type(value).__name__ == "constexpr" else value
    if isinstance(value, (bool, int, str, float)) or hasattr(value, "__array_interface__"):
        value = plain_constant(value)
    if value is None or isinstance(value, (bool, int, str)):
        return repr(value)
    if isinstance(value, float):
        return f"float({str(value)!r})" if value != value or value in (float("inf"), -float("inf")) else repr(value)
    if is_named_tuple(value):
        parts = [_constant_text(entry) for entry in value]
        kind = _named_tuple_text(type(value))
        return None if None in parts or not kind else f"{kind}({', '.join(parts)})"
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
        #: Threads that compile a kernel meet here with functions that are its constants.
        self._lock = threading.RLock()
        #: (value, holder, name) of every variable that became part of the text.
        self.captured = []
        #: (value, its text) of those that can change in place.
        self.mutable = []
        #: (dictionary, name) of what was looked for and not there.
        self.missing = []
        self.file = inspect.getsourcefile(function) or "<unknown>"
        self.text = self._render(SourceUnit(function))

    @property
    def modules(self):
        """(name, file, text) of every helper module."""
        return [(name, self._files.get(name, self.file), text) for name, text in self._texts]

    def capture(self, value, holder, name):
        """Notes that the text holds the value of a variable."""
        self.captured.append((value, holder, name))
        if _is_mutable(value):
            self.mutable.append((value, _constant_text(value)))

    def is_current(self):
        """Whether the text would be made the same again: every captured variable has the value that is in it."""
        return (all(_read(holder, name) is value for value, holder, name in self.captured)
                and all(_constant_text(value) == text for value, text in self.mutable)
                and not any(name in holder for holder, name in self.missing))

    def module_of(self, function, decorator="jit"):
        """Name of the module that holds a helper; makes the module on first use."""
        with self._lock:
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
            for member, part in zip(members, parts):
                if part:
                    self.capture(vars(cls)[member], cls, member)
            self._texts.append((name, "; ".join(part for part in parts if part) + "\n"))
        return self._modules[cls]

    def record_import(self, cls, name):
        """The statement that makes a named tuple or dataclass known under a name; with its methods where its source is
        at hand."""
        if cls in self._modules:
            return f"from {self._modules[cls]} import {cls.__name__} as {name}"
        try:
            text = textwrap.dedent(inspect.getsource(cls))
        except (OSError, TypeError):
            kind = _named_tuple_text(cls) if hasattr(cls, "_fields") else None
            return f"import collections; {name} = {kind}" if kind else None
        module = self._modules[cls] = f"tilewright_captured_{len(self._modules)}"
        tree = ast.parse(text)
        heads = ["import typing"]
        for method in vars(cls).values():
            function = getattr(method, "__tilewright_function__", getattr(method, "__func__", method))
            if not inspect.isfunction(function) or function.__module__ != cls.__module__:
                continue
            for variable, value, holder in _lookup(function):
                found = None if value is cls else _global_text(variable, value, self, _attributes_of(tree, variable))
                if found:
                    heads.append(found)
                    self.capture(value, holder, variable)
        self._texts.append((module, "; ".join(dict.fromkeys(heads)) + "\n" + text))
        return f"from {module} import {cls.__name__} as {name}"

    def module_of_module(self, module, attributes):
        """Name of the source module with those attributes of a Python module that kernels can use; None without any."""
        key = (module, frozenset(attributes))
        if key not in self._modules:
            below = {}
            for attribute in attributes:
                first, _, rest = attribute.partition(".")
                below.setdefault(first, set()).update({rest} - {""})
            parts = [_global_text(name, getattr(module, name), self, rest) for name, rest in sorted(below.items())
                     if hasattr(module, name)]
            text = "; ".join(part for part in parts if part)
            for name in below:
                if name in vars(module):
                    self.capture(vars(module)[name], vars(module), name)
                else:
                    self.missing.append((vars(module), name))
            if not text:
                return None
            name = self._modules[key] = f"tilewright_captured_{len(self._modules)}"
            self._texts.append((name, text + "\n"))
        return self._modules[key]

    def _render(self, unit):
        definition, line = unit.definition()
        head = unit.globals_line(self)
        # Line 1 holds the globals, the line before the function its decorator, so that positions stay true. In a notebook's cell
        # the decorator may be line 1; the globals then stand behind the function.
        decorator = f"@{unit.decorator}\n" if unit.decorator else ""
        if line < 3:
            return f"{decorator}{definition}\n{head}\n"
        padding = "\n" * (line - 2 - bool(decorator))
        return f"{head}\n{padding}{decorator}{definition}"
