"""What a run of a kernel went through, line by line."""
from __future__ import annotations

import linecache
from collections.abc import KeysView, Mapping
from typing import Any

from . import show
from .values import assign, names_of


class Frame:
    """A function that is running: the kernel, or a helper that it called. `values` maps names, or parts of names, to Values."""

    def __init__(self, function: str, file: str, line: int, depth: int):
        self.function, self.file, self.depth = function, file, depth
        #: The line that is reached.
        self.line = line
        self.values = {}
        #: The Line that is going on.
        self.current = None
        #: The breakpoints whose condition holds.
        self.held = set()

    def __repr__(self):
        return f"<{self.function} at line {self.line}>"

    def names(self) -> dict[str, Any]:
        """Plain objects by name: NumPy arrays and scalars, constants, tuples."""
        return names_of(self.values)


class Line:
    """One visit of a line by one program. `line["x"]` is what x was when the line had run, as a NumPy array or scalar.

    `number`, `source`, `file`, `function`, `depth` (calls between the kernel and it), `program` (three ids); `changed` maps the names
    that the line bound to Values.
    """

    def __init__(self, frame: Frame, program: tuple[int, int, int], pointers: show.Pointers):
        self.number, self.function, self.file, self.depth = frame.line, frame.function, frame.file, frame.depth
        self.program = program
        self.changed = {}
        self._values = dict(frame.values)
        self._pointers = pointers

    @property
    def source(self) -> str:
        """The line's text."""
        return linecache.getline(self.file, self.number).rstrip()

    def bind(self, changes: Mapping[str, Value]) -> None:
        """The line has bound names."""
        assign(self.changed, changes)
        assign(self._values, changes)

    def names(self) -> dict[str, Any]:
        """All names of the function with their plain objects."""
        return names_of(self._values)

    def keys(self) -> KeysView[str]:
        """The names that the line knew."""
        return self.names().keys()

    def __contains__(self, name: object) -> bool:
        return name in self._values or name in self.names()

    def __getitem__(self, name: str) -> Any:
        if name in self._values:
            return self._values[name].data
        names = self.names()
        if name not in names:
            raise KeyError(f"expected a name that line {self.number} of {self.function} knows, got '{name}': it knows "
                           + ", ".join(names))
        return names[name]

    def masked(self, name: str) -> Any:
        """What a name was, as a NumPy masked array: elements that a load left out by its mask are masked."""
        return self._values[name].masked

    def heading(self) -> tuple[str, str]:
        """The line with its number, and the margin for what stands below it."""
        source, code = self.source, self.source.lstrip()
        indent = "    " * self.depth + source[:len(source) - len(code)]
        return f"{self.number:5d} | {indent}{code}", f"      | {indent}  "

    def values(self) -> list[str]:
        """Lines of text that show what the line bound."""
        return [text for name, value in self.changed.items() for text in show.lines_of(name, value, self._pointers)]

    def __str__(self):
        heading, margin = self.heading()
        return "\n".join([heading, *(margin + text for text in self.values())])

    def __repr__(self):
        return f"<line {self.number} of {self.function}, program {self.program}: {', '.join(self.changed) or 'nothing bound'}>"


class Trace:
    """The lines that the programs of a launch ran, in order: `trace.lines`, `trace.at(12)["x"]`."""

    def __init__(self, pointers: show.Pointers):
        self.pointers = pointers
        self.lines = []
        #: The functions that were running when the launch ended early, outermost first; else empty.
        self.frames = []
        #: Whether the launch was ended at a prompt.
        self.is_stopped = False

    def visits(self, line: int | str, program: tuple[int, ...] | None = None) -> list[Line]:
        """The Lines of a number, or whose source holds a text, of one program or all."""
        return [entry for entry in self.lines if (entry.number == line if isinstance(line, int) else line in entry.source)
                and program in (None, entry.program[:len(program or ())])]

    def at(self, line: int | str, visit: int = -1, program: tuple[int, ...] | None = None) -> Line:
        """One visit of a line (by default the last), found as by `visits`. KeyError where there is none."""
        found = self.visits(line, program)
        try:
            return found[visit]
        except IndexError:
            reached = sorted({entry.number for entry in self.lines})
            raise KeyError(f"expected a line that was reached, got {line!r} with {len(found)} visits: lines reached are "
                           + ", ".join(map(str, reached))) from None

    def of(self, name: str) -> list[tuple[Line, Any]]:
        """(Line, value) of each time that a name was bound."""
        return [(entry, entry[name]) for entry in self.lines if any(path == name or path.startswith((name + "[", name + "."))
                                                                     for path in entry.changed)]

    def __str__(self):
        texts, program = [], None
        for entry in self.lines:
            if entry.program != program:
                program = entry.program
                texts.append(f"program {program}")
            texts.append(str(entry))
        return "\n".join(texts)

    def __repr__(self):
        programs = len({entry.program for entry in self.lines})
        return f"<trace of {len(self.lines)} lines, {programs} program{'s' * (programs != 1)}>"
