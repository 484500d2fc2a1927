"""`heuristics`, and what it shares with `autotune`: standing around a kernel."""
from .. import _native


class Wrapper:
    """A decorator's object around a kernel; subclasses define `run`."""

    def __init__(self, fn, arg_names):
        self.fn = fn
        self.arg_names = list(arg_names)

    @property
    def __tilewright_inner__(self):
        return getattr(self.fn, "__tilewright_inner__", self.fn)

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.run(*args, grid=grid, **kwargs)

    def named(self, args, kwargs):
        """All arguments of a call by name."""
        return {**dict(zip(self.arg_names, args)), **kwargs}


class Heuristics(Wrapper):
    """Computes constants from the other arguments before a launch."""

    def __init__(self, fn, arg_names, values):
        super().__init__(fn, arg_names)
        self.values = values

    def _completed(self, args, kwargs):
        kwargs = dict(kwargs)
        for name, value in self.values.items():
            kwargs[name] = value(self.named(args, kwargs))
        return kwargs

    def __getitem__(self, grid):
        # The same as `run`, unless a subclass has another.
        return _native.completer(self, self.fn[grid], grid) if type(self).run is Heuristics.run else super().__getitem__(grid)

    def run(self, *args, **kwargs):
        """Adds the computed constants and launches."""
        return self.fn.run(*args, **self._completed(args, kwargs))

    def _specialized(self, args, kwargs):
        """The Call that a launch with these arguments makes, as of JITFunction."""
        return self.fn._specialized(args, self._completed(args, kwargs))

    def warmup(self, *args, grid, **kwargs):
        """Compiles without launching."""
        return self.fn.warmup(*args, grid=grid, **self._completed(args, kwargs))

    def bind(self, grid, *args, **kwargs):
        """A launch made ready, as JITFunction.bind."""
        return self.fn.bind(grid, *args, **self._completed(args, kwargs))

    def signature_of(self, *args, **kwargs):
        """What a launch compiles for, as JITFunction.signature_of."""
        return self.fn.signature_of(*args, **self._completed(args, kwargs))


def heuristics(values):
    """Decorator: `values` maps names of constants to functions of all arguments by name."""
    return lambda fn: Heuristics(fn, fn.arg_names, values)
