"""Where compiled kernels are kept, and whether kernels may be compiled.

Kernels are kept in a folder of the user (`folder()`), one file for each source, signature, options, target and build of the
compiler, and found there by every later process. Environment variables set the start: TILEWRIGHT_CACHE is the folder, or
`off`; TILEWRIGHT_CACHE_SHARED lists folders that are only read. docs/cache.md has the rules.
"""
from __future__ import annotations

import dataclasses
import os
import pathlib
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from . import _native

_OFF = ("off", "0", "")


class CacheWarning(UserWarning):
    """The cache cannot be used; kernels are compiled anew in each process."""


@dataclasses.dataclass(frozen=True)
class _Settings:
    folder: str
    shared: tuple = ()
    megabytes: float = 4096


def _from_environment():
    folder = os.environ.get("TILEWRIGHT_CACHE")
    shared = os.environ.get("TILEWRIGHT_CACHE_SHARED", "")
    if folder is None:
        folder = _native.default_cache_folder()
    return _Settings("" if folder in _OFF else folder, tuple(part for part in shared.split(os.pathsep) if part))


_settings = None
#: Called when the settings change.
_listeners = []


def _current():
    global _settings
    if _settings is None:
        _settings = _from_environment()
    return _settings


def on_change(function: Callable[[], Any]) -> None:
    """Has `function()` called whenever the settings change."""
    _listeners.append(function)


def folder() -> pathlib.Path | None:
    """The folder that compiled kernels are kept in as a path, or None without one."""
    return pathlib.Path(_current().folder) if _current().folder else None


def configure(folder: Any = ..., shared: Any = ..., megabytes: Any = ...) -> None:
    """Changes where compiled kernels are kept, for kernels compiled from now on.

    `folder`: a path that only the user can write, or None to keep nothing; `shared`: folders that are only read; `megabytes`:
    what the folder may hold before the least recently used kernels are removed (0: without limit). What is left out stays.
    """
    global _settings
    changes = {}
    if folder is not ...:
        changes["folder"] = "" if folder is None else os.fspath(folder)
    if shared is not ...:
        changes["shared"] = tuple(os.fspath(path) for path in shared)
    if megabytes is not ...:
        changes["megabytes"] = float(megabytes)
    _settings = dataclasses.replace(_current(), **changes)
    for listener in _listeners:
        listener()


def compiler_settings() -> list[tuple[str, Any]]:
    """The settings as options of the native compiler."""
    settings = _current()
    rows = [("cache_shared", path) for path in settings.shared]
    if settings.folder:
        rows += [("cache_folder", settings.folder), ("cache_megabytes", settings.megabytes)]
    return rows


def warn_of(diagnostics: Iterable[tuple]) -> None:
    """Passes on what a compile said about the cache."""
    for code, severity, message, hint, *_ in diagnostics:
        if severity == 2 and 7200 <= code < 7300:
            warnings.warn(f"TW{code}: {message}\n  hint: {hint}", CacheWarning, stacklevel=3)


#: Whether only kernels from the cache may be used, innermost `no_jit` last.
_forbidden = []


def is_compiling_forbidden() -> bool:
    """Whether `no_jit` holds."""
    return bool(_forbidden)


class no_jit:
    """From here on kernels are only taken from the cache: `tw.no_jit()` for the rest of the process, `with tw.no_jit():` for a
    block. A kernel that is not there raises CacheError (TW7204), which names the key and how the nearest entry differs.
    """

    def __init__(self):
        _forbidden.append(self)

    def __enter__(self) -> no_jit:
        return self

    def __exit__(self, *_: Any) -> None:
        self.end()

    def end(self) -> None:
        """Lets kernels be compiled again."""
        if self in _forbidden:
            _forbidden.remove(self)
