"""Follows a launch step by step: records, shows, and stops where it was asked to."""
from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from . import show
from .trace import Frame, Line
from .values import Value, root_of


#: What expressions raise where a name is not bound yet, or to something of another kind.
_NOT_YET = (NameError, KeyError, AttributeError, TypeError, IndexError)


class Quit(Exception):
    """Ends the launch."""


class Stop:
    """Where the kernel waits: at a line that has not run yet, or behind an assignment. `frame["x"]` of it is `names()["x"]`.

    `reason` says why, `frames` are the running functions, outermost first, `program` the ids.
    """

    def __init__(self, follower: Follower, reason: str):
        self.reason = reason
        self.frames = follower.frames
        self.program = follower.program
        self.trace = follower.trace
        self.breakpoints = follower.breakpoints

    @property
    def frame(self) -> Frame:
        """The function that waits."""
        return self.frames[-1]

    def names(self) -> dict[str, Any]:
        """Plain objects by name, of the function that waits."""
        return self.frame.names()


class Breakpoint:
    """Where to stop: a line (12, or "file.py:12"), a variable or function by name, an expression that becomes true, or a function of
    the Frame that gives a bool."""

    def __init__(self, where):
        self.where = where
        self.file, self.line, self.name, self.condition = None, None, None, None
        self.hits = 0
        file, _, number = str(where).rpartition(":")
        if isinstance(where, int) and not isinstance(where, bool):
            self.line = where
        elif callable(where):
            self.condition = where
        elif not isinstance(where, str):
            raise TypeError(f"expected a line, a name, a condition or a function as breakpoint, got {where!r}")
        elif file and number.isdigit():
            self.file, self.line = file, int(number)
        elif where.isidentifier():
            self.name = where
        else:
            code = compile(where, "<breakpoint>", "eval")
            self.condition = lambda frame: eval(code, {"np": np, **frame.names()})

    def is_at_line(self, frame):
        """Whether the line that is reached is the one."""
        return self.line == frame.line and (self.file is None or frame.file == self.file
                                            or os.path.basename(frame.file) == self.file)

    def becomes_true(self, frame):
        """Whether the condition holds in a function and did not before; one that cannot be evaluated yet does not hold."""
        if self.condition is None:
            return False
        try:
            holds = bool(np.any(self.condition(frame)))
        except _NOT_YET:
            holds = False
        was = self in frame.held
        (frame.held.add if holds else frame.held.discard)(self)
        return holds and not was

    def __str__(self):
        return self.where if isinstance(self.where, str) else f"line {self.line}" if self.line else repr(self.where)


class Follower:
    """Called at each step of a launch; see `_native.Kernel.launch_traced`.

    `programs` are recorded, shown and stopped in (None: all); `write(line)` takes text (None: nothing is shown);
    `on_stop(Stop)` is asked at breakpoints what to do: "step", "next", "return", "quit", anything else continues.
    """

    def __init__(self, trace, programs, breakpoints, watch, write, on_stop, steps_first):
        self.trace, self.programs, self.breakpoints = trace, programs, breakpoints
        self.write, self.on_stop = write, on_stop
        self.frames = []
        self.program = None
        self.is_selected = False
        self._watched = {expression: None for expression in watch or ()}
        self._shows_all = write is not None and not watch and on_stop is None
        #: Stop at lines of functions that are called at most so deep.
        self._stop_depth = float("inf") if steps_first else -1
        self._is_stepping = False

    def __call__(self, kind, function, file, line, depth, program, values):
        if program != self.program:
            self.program, self.frames = program, []
            self.is_selected = self.programs is None or program in self.programs
            if self.is_selected and self._shows_all:
                self.write(f"program {program}")
        if kind == "call":
            del self.frames[depth:]
            self.frames.append(Frame(function, file, line, depth))
        del self.frames[depth + 1:]
        frame = self.frames[-1]
        changes = {path: Value.of(*rest) for path, *rest in values}
        if kind in ("call", "values"):
            frame.values = {path: value for path, value in frame.values.items()
                            if root_of(path) not in set(map(root_of, changes))} | changes
        if kind == "return":
            self.frames.pop()
        if kind == "line":
            frame.line = line
        if self.is_selected:
            getattr(self, f"_at_{kind}")(frame, line, changes)

    #--- Steps ---

    def _at_call(self, frame, line, changes):
        self._reach(frame, changes)
        points = [(point, "in {}") for point in self.breakpoints if point.name == frame.function]
        self._stop_at(frame, points + self._come_true(frame))

    def _at_line(self, frame, line, changes):
        frame.current = None
        points = [(point, "at {}") for point in self.breakpoints if point.is_at_line(frame)]
        if points or frame.depth <= self._stop_depth:
            self._stop_at(frame, points or [(None, "")])
        self._reach(frame, changes)

    def _at_values(self, frame, line, changes):
        # A loop binds its variable each time; its line was reached once.
        if frame.line != line or frame.current is None or frame.current.changed:
            frame.line = line
            self._reach(frame, changes)
        else:
            frame.current.bind(changes)
            self._show(frame, is_new=False)
        self._look(frame)
        roots = {root_of(path) for path in changes}
        points = [(point, "{} was bound") for point in self.breakpoints if point.name in roots]
        self._stop_at(frame, points + self._come_true(frame))

    def _at_return(self, frame, line, changes):
        if frame.current is not None:
            frame.current.bind(changes)
            self._show(frame, is_new=False)

    #--- Showing ---

    def _reach(self, frame, changes):
        """A line is recorded, with what it has bound already."""
        frame.current = Line(frame, self.program, self.trace.pointers)
        frame.current.bind(changes)
        self.trace.lines.append(frame.current)
        self._show(frame, is_new=True)

    def _show(self, frame, is_new):
        """Writes the line that is going on, or only what it has bound."""
        if self.write is None or not (self._shows_all or frame.depth <= self._stop_depth):
            return
        heading, margin = frame.current.heading()
        # Whoever steps has seen the line at the prompt.
        if is_new and (not self._is_stepping or frame.current.changed):
            self.write(heading)
        for text in frame.current.values():
            self.write(text if self._is_stepping and not is_new else margin + text)

    def _look(self, frame):
        """Shows the watched names and expressions whose values have changed."""
        for expression, before in self._watched.items():
            try:
                now = eval(expression, {"np": np, **frame.names()})
            except _NOT_YET:
                continue
            if before is not None and np.array_equal(before, now, equal_nan=np.asarray(now).dtype.kind == "f"):
                continue
            self._watched[expression] = now
            known = frame.values.get(expression)
            lines = show.lines_of(expression, known or Value(str(np.asarray(now).dtype), now), self.trace.pointers)
            if self.write is not None:
                heading, margin = frame.current.heading()
                self.write(heading)
                for line in lines:
                    self.write(margin + line)

    def never_known(self):
        """The watched expressions that never had a value."""
        return [expression for expression, value in self._watched.items() if value is None]

    #--- Stopping ---

    def _come_true(self, frame):
        return [(point, "{} became true") for point in self.breakpoints if point.becomes_true(frame)]

    def _stop_at(self, frame, points):
        """Asks what to do where there are points, which are (breakpoint or None, why) each."""
        if self.on_stop is None or not points:
            return
        for point, _ in points:
            if point is not None:
                point.hits += 1
        answer = self.on_stop(Stop(self, points[0][1].format(points[0][0])))
        if answer == "quit":
            raise Quit
        self._is_stepping = answer in ("step", "next")
        self._stop_depth = {"step": float("inf"), "next": frame.depth, "return": frame.depth - 1}.get(answer, -1)

    def fail(self):
        """The launch has failed where it is: keeps the running functions, and gives the lines that show where."""
        self.trace.frames = list(self.frames)
        if not self.frames:
            return []
        frame = self.frames[-1]
        line = Line(frame, self.program, self.trace.pointers)
        names = set(re.findall(r"[^\W\d]\w*", line.source))
        heading, margin = line.heading()
        return [f"program {self.program}, {frame.function}", heading,
                *(margin + text for path, value in frame.values.items() if root_of(path) in names
                  for text in show.lines_of(path, value, self.trace.pointers))]
