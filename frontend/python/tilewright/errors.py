"""Exceptions of the package. Every message starts with its code, as in "TW2041: ..."; `tilewright explain` has a page on each."""
from __future__ import annotations

from collections.abc import Iterable


class TilewrightError(Exception):
    """Base of all errors; `code` is the number behind TW (0 when there is none)."""

    def __init__(self, message: str, code: int = 0):
        super().__init__(message)
        self.code = code


class CompilationError(TilewrightError):
    """The kernel's source is wrong for this signature or target; the text shows the line and a caret.

    `diagnostics` lists (code, severity, message, hint, file, line, column) of every error found.
    """

    def __init__(self, message: str, code: int = 0, diagnostics: Iterable[tuple] = ()):
        super().__init__(message, code)
        self.diagnostics = list(diagnostics)


class CompilationWarning(UserWarning):
    """The compiler took a kernel, but something in it has no effect or not the likely one."""


class OutOfResources(CompilationError):
    """The kernel needs more shared memory, registers or threads than the target has."""


class TuningError(OutOfResources):
    """No configuration of an autotuner is left, or none works; the text says of each why."""


class LaunchError(TilewrightError):
    """A launch was refused (arguments, grid) or failed on the device (assertions, traps)."""


class PluginError(TilewrightError):
    """A backend plugin is missing or cannot be used."""


class CacheError(TilewrightError):
    """A cache or artifact file is damaged or cannot be written, or a kernel that may not be compiled is not in the cache."""


class BaselineError(TilewrightError):
    """A file of a benchmark's earlier figures cannot be compared with."""


#: A tile, a block, threads or shared memory are more than the target has; a kernel that a device refuses to prepare.
_OUT_OF_RESOURCES = {4122, 4150, 4152, 6020}


def from_runtime(failure):
    """The exception for a `_native.RuntimeFailure`."""
    code, message, hint = failure.args
    prefix = f"TW{code}: "
    text = message if message.startswith(prefix) else prefix + message
    if hint:
        text += f"\n  hint: {hint}"
    if code in _OUT_OF_RESOURCES:
        return OutOfResources(text, code)
    kind = {5: PluginError, 7: CacheError}.get(code // 1000, LaunchError)
    return kind(text, code)


def from_result(result):
    """The exception for a compile result that failed."""
    errors = [entry for entry in result.diagnostics if entry[1] == 3]
    code = errors[0][0] if errors else 0
    kind = {5: PluginError, 7: CacheError}.get(code // 1000, CompilationError)
    text = result.rendered.strip() or f"compiling failed (status {result.status})"
    if kind is not CompilationError:
        return kind(text, code)
    kind = OutOfResources if code in _OUT_OF_RESOURCES else kind
    return kind(text, code, errors)
