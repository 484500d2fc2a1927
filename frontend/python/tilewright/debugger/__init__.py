"""`debug`: runs a kernel line by line on target `reference`, on any machine, with its checks on. docs/debugging.md is the guide."""
from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TextIO

from .. import _native, arrays
from ..annotations import Grid
from ..descriptor import TensorDescriptor
from ..errors import TilewrightError, from_runtime
from .follower import Breakpoint, Follower, Quit, Stop
from .prompt import Prompt
from .show import Pointers
from .trace import Frame, Line, Trace
from .values import Value

__all__ = ["Debugged", "Frame", "Line", "Stop", "Trace", "Value", "debug"]


def debug(kernel: Any, breakpoints: bool | int | str | Callable | Iterable = (), programs: int | str | Sequence = (0, 0, 0),
          watch: Iterable[str] | None = None, on_stop: Callable[[Stop], str | None] | None = None, show: bool = True,
          file: TextIO | None = None, check: str | None = None) -> Debugged:
    """Runs a kernel on `reference`, line by line: `tw.debug(kernel)[grid](*args)` prints each line with what it binds, and gives a Trace.

    `breakpoints`: where to stop, True for the first line, or a list of lines (12, "kernel.py:12"), names of variables (stop when bound)
    and functions (when called), expressions that become true ("np.isnan(acc).any()"), and functions of the Frame. With any, a prompt
    with pdb's commands opens at each stop, also in a notebook, and only what is stepped over is printed.
    `programs`: the program to follow, a number or a tuple of ids, a list of such, or "all"; checks are made in all programs.
    `watch`: names and expressions; only lines that change one of them are printed.
    `on_stop`: a function that is asked instead of the prompt; it gets a Stop and gives "step", "next", "return", "quit", or anything
    else to continue. `show=False` prints nothing, `file` takes the text instead of the standard output. `check` is the list of checks
    of target `reference`, by default "bounds,overflow,races,uninit".

    Arrays must be in host memory. A launch that fails raises what it would raise without the debugger, with the Trace as its `trace`.
    """
    return Debugged(kernel, breakpoints, programs, watch, on_stop, show, file, check)


class Debugged:
    """A kernel under the debugger: `debugged[grid](*args)` launches it and gives the Trace."""

    def __init__(self, kernel: Any, breakpoints: Any, programs: Any, watch: Iterable[str] | None,
                 on_stop: Callable[[Stop], str | None] | None, show: bool, file: TextIO | None, check: str | None):
        if not hasattr(kernel, "_specialized"):
            raise TypeError(f"expected a kernel (a function under tw.jit) to debug, got {kernel!r}")
        self._kernel = kernel
        self._steps_first = breakpoints is True
        wanted = () if isinstance(breakpoints, bool) else breakpoints
        self._breakpoints = [Breakpoint(entry) for entry in ([wanted] if isinstance(wanted, (int, str)) or callable(wanted) else wanted)]
        self._programs = _selection(programs)
        self._watch, self._on_stop, self._file, self._check = watch, on_stop, file, check
        self._shows = show

    def __getitem__(self, grid: Grid) -> Callable[..., Trace]:
        return lambda *args, **kwargs: self.run(*args, grid=grid, **kwargs)

    def run(self, *args: Any, grid: Grid, **kwargs: Any) -> Trace:
        """Launches over a grid and gives the Trace; other arguments and options as of the kernel. `target=` says which target the
        kernel sees as `tl.target`."""
        from ..jit import _INTERPRETER_CHECKS
        seen = kwargs.pop("target", None)
        options = {"target": "reference", "trace": True, "check": self._check or _INTERPRETER_CHECKS,
                   **({"target_info": seen} if seen else {})}
        call = self._kernel._specialized(args, {**kwargs, **options})
        axes = call.axes(grid)
        for program in self._programs or ():
            if all(axes) and not all(number < programs for number, programs in zip(program, axes)):
                raise ValueError(f"expected programs of the grid {axes} to follow, got {program}")
        trace = Trace(Pointers(_extents(call.arguments)))
        prompt = self._on_stop
        if prompt is None and (self._breakpoints or self._steps_first):
            prompt = Prompt(_globals_of(self._kernel), stdout=self._file)
        follower = Follower(trace, self._programs, self._breakpoints, self._watch, self._write if self._shows else None, prompt,
                            self._steps_first)
        try:
            call.kernel.launch_traced(*axes, call.runtime, follower)
        except Quit:
            trace.is_stopped = True
            trace.frames = list(follower.frames)
        except _native.RuntimeFailure as failure:
            self._fail(follower, from_runtime(failure), prompt)
        for point in self._breakpoints:
            if not point.hits and self._shows:
                self._write(f"never stopped at {point}")
        for expression in follower.never_known() if self._shows else ():
            self._write(f"never had a value: {expression}")
        return trace

    def _write(self, line):
        print(line, file=self._file or sys.stdout)

    def _fail(self, follower, error, prompt):
        lines = follower.fail()
        error.trace = follower.trace
        if self._shows:
            self._write(str(error).partition("\n")[0])
            for line in lines:
                self._write(line)
        if isinstance(prompt, Prompt) and follower.frames:
            prompt(Stop(follower, "failed"), is_failed=True)
        raise error from None


def _globals_of(kernel):
    """What expressions at the prompt may use beside the kernel's names."""
    return getattr(kernel, "__tilewright_inner__", kernel).fn.__globals__


def _selection(programs):
    """The programs to follow, three ids each; None for all."""
    if isinstance(programs, str):
        if programs != "all":
            raise TypeError(f'expected program ids or "all", got {programs!r}')
        return None
    is_one = isinstance(programs, int) or isinstance(programs, tuple) and all(isinstance(entry, int) for entry in programs)
    rows = [programs] if is_one else programs
    return {(*(row if isinstance(row, tuple) else (row, )), 0, 0)[:3] for row in rows}


def _extents(arguments):
    """(name, address, first byte, byte past the last, bytes of an element) of the arrays of a call."""
    found = []
    for name, value in arguments.items():
        for number, entry in enumerate(value if isinstance(value, tuple) else (value, )):
            entry = entry.base if isinstance(entry, TensorDescriptor) else entry
            if arrays.is_array(entry):
                size = entry.element_size() if hasattr(entry, "element_size") else entry.itemsize
                found.append((f"{name}[{number}]" if isinstance(value, tuple) else name, *arrays.address_range(entry), size))
    return found
