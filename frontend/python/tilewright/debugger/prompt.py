"""The prompt of the debugger: the commands of Python's pdb, for tiles."""
import cmd
import linecache
import os
import traceback

import numpy as np

from . import show
from .values import Value


class Prompt(cmd.Cmd):
    """Asks at each stop. Called with a Stop, it gives what the kernel does next: "step", "next", "return", "continue" or "quit"."""

    prompt = "(tile) "

    def __init__(self, namespace, stdin=None, stdout=None):
        super().__init__(stdin=stdin, stdout=stdout)
        self.use_rawinput = stdin is None
        self._namespace = namespace
        self._answer = None
        self._displayed = []
        self._is_failed = False

    def __call__(self, stop, is_failed=False):
        self._stop, self._level, self._answer = stop, len(stop.frames) - 1, None
        self._is_failed = is_failed
        self._show_place()
        for expression in self._displayed:
            self._print_expression(expression)
        try:
            self.cmdloop()
        except KeyboardInterrupt:
            return "quit"
        return self._answer

    #--- What is used by the commands ---

    @property
    def _frame(self):
        return self._stop.frames[self._level]

    def _say(self, text):
        self.stdout.write(text + "\n")

    def _show_place(self):
        frame, stop = self._frame, self._stop
        self._say(f"> {os.path.basename(frame.file)}({frame.line}) {frame.function}, program {stop.program}"
                  + (f": {stop.reason}" if stop.reason else ""))
        self._say("-> " + linecache.getline(frame.file, frame.line).strip())

    def _go(self, answer):
        if self._is_failed and answer != "quit":
            self._say("the launch has failed: there is no next line (q ends)")
            return False
        self._answer = answer
        return True

    def _print_expression(self, text):
        known = self._frame.values.get(text)
        if known is None:
            try:
                data = eval(text, {**self._namespace, "np": np, **self._frame.names()})
            except Exception as error:
                self._say("*** " + traceback.format_exception_only(error)[-1].strip())
                return
            known = Value(str(data.dtype) if isinstance(data, (np.ndarray, np.generic)) else "", data)
        for line in show.lines_of(text, known, self._stop.trace.pointers):
            self._say(line)

    def emptyline(self):
        return self.onecmd(self.lastcmd) if self.lastcmd else False

    def default(self, line):
        if line == "EOF":
            return self._go("quit")
        return self._print_expression(line)

    #--- Going on ---

    def do_step(self, _):
        """s(tep): run to the next line, into helpers."""
        return self._go("step")

    def do_next(self, _):
        """n(ext): run to the next line of this function."""
        return self._go("next")

    def do_return(self, _):
        """r(eturn): run until this function has returned."""
        return self._go("return")

    def do_continue(self, _):
        """c(ontinue): run to the next breakpoint."""
        return self._go("continue")

    def do_quit(self, _):
        """q(uit): end the launch. What it has stored stays."""
        return self._go("quit")

    #--- Looking ---

    def do_p(self, text):
        """p EXPRESSION: a value; variables are NumPy arrays, so p x[2:4, :8], p np.isnan(acc).any()."""
        self._print_expression(text)

    def do_locals(self, _):
        """locals: everything that this function has bound."""
        for path, value in self._frame.values.items():
            for line in show.lines_of(path, value, self._stop.trace.pointers):
                self._say(line)

    def do_display(self, text):
        """display EXPRESSION: print it now and at every stop; without one, what is displayed."""
        if not text:
            return self._say(", ".join(self._displayed) or "nothing is displayed")
        self._displayed.append(text)
        return self._print_expression(text)

    def do_undisplay(self, text):
        """undisplay EXPRESSION: no longer print it at every stop; without one, none."""
        self._displayed = [entry for entry in self._displayed if text and entry != text]

    def do_where(self, _):
        """w(here): the calls that led here."""
        for level, frame in enumerate(self._stop.frames):
            mark = ">" if level == self._level else " "
            self._say(f"{mark} {os.path.basename(frame.file)}({frame.line}) {frame.function}")
            self._say("    " + linecache.getline(frame.file, frame.line).strip())

    def _move(self, by):
        level = self._level + by
        if 0 <= level < len(self._stop.frames):
            self._level = level
            return self._show_place()
        return self._say("*** there is no further call")

    def do_up(self, _):
        """u(p): look at the caller."""
        self._move(-1)

    def do_down(self, _):
        """d(own): look at the helper again."""
        self._move(1)

    def do_list(self, _):
        """l(ist): the source around the line."""
        frame = self._frame
        stops = {point.line for point in self._stop.breakpoints}
        for number in range(max(frame.line - 5, 1), frame.line + 6):
            text = linecache.getline(frame.file, number)
            if text:
                mark = "->" if number == frame.line else "B " if number in stops else "  "
                self._say(f"{number:5d} {mark} {text.rstrip()}")

    #--- Breakpoints ---

    def do_break(self, text):
        """b(reak) LINE | FILE:LINE | NAME | CONDITION: stop there too; without one, list them."""
        from .follower import Breakpoint
        points = self._stop.breakpoints
        if text:
            try:
                points.append(Breakpoint(int(text) if text.isdigit() else text))
            except SyntaxError as error:
                self._say(f"*** expected a line, a name or an expression, got {text!r}: {error.msg}")
            return
        for number, point in enumerate(points, 1):
            self._say(f"{number}: {point}, hit {point.hits} time{'s' * (point.hits != 1)}")

    def do_clear(self, text):
        """cl(ear) NUMBER: remove a breakpoint, by its number in the list of `b`; without one, all."""
        points = self._stop.breakpoints
        if not text:
            points.clear()
        elif text.isdigit() and 1 <= int(text) <= len(points):
            del points[int(text) - 1]
        else:
            self._say(f"*** expected a number from 1 to {len(points)}, got {text!r}")

    def do_program(self, _):
        """program: the ids of the program that waits."""
        self._say(str(self._stop.program))

    def do_help(self, name):
        """h(elp) COMMAND: what a command does; without one, of all."""
        if name:
            return super().do_help(name)
        commands = dict.fromkeys(value for name, value in vars(Prompt).items() if name.startswith("do_"))
        return self._say("\n".join(command.__doc__ for command in commands) + "\nanything else is evaluated")

    do_s, do_n, do_r, do_c, do_q = do_step, do_next, do_return, do_continue, do_quit
    do_w, do_u, do_d, do_l, do_b, do_cl, do_pp, do_h = do_where, do_up, do_down, do_list, do_break, do_clear, do_p, do_help
