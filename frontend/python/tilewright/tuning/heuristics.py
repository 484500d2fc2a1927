"""`heuristics`, and what it shares with `autotune`: standing around a kernel."""
from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import _native
from ..annotations import Grid, Launchable


class Wrapper(Launchable):
    """A decorator's object around a kernel; subclasses define `run`."""

    _dispatcher: Any = None

    def __init__(self, fn: Any, arg_names: Sequence[str]):
        self.fn = fn
        self.arg_names = list(arg_names)

    @property
    def __tilewright_inner__(self):
        return getattr(self.fn, "__tilewright_inner__", self.fn)

    def _launcher(self, grid):
        return lambda *args, **kwargs: self.run(*args, grid=grid, **kwargs)

    def named(self, args: Sequence, kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """All arguments of a call by name."""
        return {**dict(zip(self.arg_names, args)), **kwargs}


class Heuristics(Wrapper):
    """Computes constants from the other arguments before a launch."""

    def __init__(self, fn: Any, arg_names: Sequence[str], values: Mapping[str, Callable[[dict[str, Any]], Any]]):
        super().__init__(fn, arg_names)
        self.values = values

    def _completed(self, args, kwargs):
        kwargs = dict(kwargs)
        for name, value in self.values.items():
            kwargs[name] = value(self.named(args, kwargs))
        return kwargs

    def __repr__(self):
        return f"<{', '.join(self.values)} computed for {self.fn!r}>"

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        self.__dict__.pop("_dispatcher", None)

    @functools.cached_property
    def _dispatcher(self):
        """The fast path. None around objects of libraries, which define `run` alone."""
        if not isinstance(self.fn, Launchable) or type(self.values) is not dict:
            return None
        completion = _native.Completion(self.fn, self.arg_names, self.values)
        completion.guard(type(self), Heuristics._run)
        return completion

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Adds the computed constants and launches."""
        return self.fn.run(*args, **self._completed(args, kwargs))

    _run = run

    def _specialized(self, args, kwargs):
        """The Call that a launch with these arguments makes, as of JITFunction."""
        return self.fn._specialized(args, self._completed(args, kwargs))

    def warmup(self, *args: Any, grid: Grid, **kwargs: Any) -> Any:
        """Compiles without launching."""
        return self.fn.warmup(*args, grid=grid, **self._completed(args, kwargs))

    def bind(self, grid: Grid, *args: Any, **kwargs: Any) -> Callable[[], None]:
        """A launch made ready, as JITFunction.bind."""
        return self.fn.bind(grid, *args, **self._completed(args, kwargs))

    def signature_of(self, *args: Any, **kwargs: Any) -> tuple[str, str, dict[str, Any]]:
        """What a launch compiles for, as JITFunction.signature_of."""
        return self.fn.signature_of(*args, **self._completed(args, kwargs))


def heuristics(values: Mapping[str, Callable[[dict[str, Any]], Any]]) -> Callable[[Any], Heuristics]:
    """Decorator: `values` maps names of constants to functions of all arguments by name, called at each launch in this order.

    What a function gives is remembered where its code can read nothing but numbers, texts and whether arguments are None.
    """
    return lambda fn: Heuristics(fn, fn.arg_names, values)
