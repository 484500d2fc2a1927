"""Says how far tuning is: to listeners, and on a terminal as a bar where tqdm is installed."""
from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable
from typing import Any

_listeners = []


@dataclasses.dataclass(frozen=True)
class State:
    """How far the tuning of one kernel for one key is."""

    kernel: str
    done: int
    total: int
    #: The configuration measured last, as text, and its milliseconds; None where it does not work.
    config: str
    milliseconds: float | None
    best: str | None
    best_milliseconds: float | None
    seconds_left: float


def on_progress(listener: Callable[[State], Any] | None) -> None:
    """Calls `listener(State)` after each configuration; gives a function that ends this."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


class Progress:
    """Counts the configurations of one tuning."""

    def __init__(self, kernel, total):
        self._kernel, self._total, self._done = kernel, total, 0
        self._best, self._best_time = None, None
        self._start = time.monotonic()
        self._bar = self._make_bar()

    def _make_bar(self):
        if not sys.stderr.isatty():
            return None
        try:
            from tqdm import tqdm
        except ImportError:
            return None
        return tqdm(total=self._total, desc=f"tuning {self._kernel}", leave=False, file=sys.stderr)

    def step(self, config, milliseconds):
        """A configuration was measured, or found not to work (None)."""
        self._done += 1
        if milliseconds is not None and (self._best_time is None or milliseconds < self._best_time):
            self._best, self._best_time = config, milliseconds
        if self._bar is not None:
            if self._best is not None:
                self._bar.set_postfix_str(f"best {self._best_time:.4g} ms ({self._best})")
            self._bar.update()
        left = (time.monotonic() - self._start) / self._done * (self._total - self._done)
        state = State(self._kernel, self._done, self._total, config, milliseconds, self._best, self._best_time, left)
        for listener in list(_listeners):
            listener(state)

    def close(self):
        """Removes the bar."""
        if self._bar is not None:
            self._bar.close()
