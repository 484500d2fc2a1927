"""How tuning is done in this process."""
from __future__ import annotations

import dataclasses
import os


@dataclasses.dataclass
class _Settings:
    measure: bool = dataclasses.field(default_factory=lambda: os.environ.get("TILEWRIGHT_AUTOTUNE") != "first")
    #: Compiles at the same time; None: as many as the machine has processors.
    jobs: int | None = None


settings = _Settings()


def configure(measure: bool | None = None, jobs: int | None = None) -> None:
    """Sets what is given: whether configurations are measured (False: the first that compiles is taken), and how many are
    compiled at the same time."""
    if measure is not None:
        settings.measure = bool(measure)
    if jobs is not None:
        settings.jobs = int(jobs)
