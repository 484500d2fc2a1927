"""`autotune` and `heuristics`: choosing compile-time values at launch; results that can be kept, merged and pinned.

docs/tuning.md says what is measured and when. TILEWRIGHT_AUTOTUNE=first takes the first configuration that compiles instead of
the fastest one, as `configure(measure=False)` does: results then do not depend on the machine.
"""
from .autotuner import Autotuner, autotune
from .config import Config
from .heuristics import Heuristics, heuristics
from .progress import on_progress
from .results import Results, export, merge, use
from .settings import configure

__all__ = ["Autotuner", "Config", "Heuristics", "Results", "autotune", "configure", "export", "heuristics", "merge",
           "on_progress", "use"]
