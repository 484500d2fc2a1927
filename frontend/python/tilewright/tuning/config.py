"""One choice of constants and launch options."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


class Config:
    """Values of constants (`kwargs`) and launch options; `pre_hook(arguments by name)` is called before each launch."""

    def __init__(self, kwargs: Mapping[str, Any], num_warps: int = 4, num_stages: int = 3, num_ctas: int = 1, maxnreg: int | None = None,
                 pre_hook: Callable[[dict[str, Any]], Any] | None = None, ir_override: Any = None):
        self.kwargs = dict(kwargs)
        self.num_warps = num_warps
        self.num_stages = num_stages
        self.num_ctas = num_ctas
        self.maxnreg = maxnreg
        self.pre_hook = pre_hook
        self.ir_override = ir_override

    def all_kwargs(self) -> dict[str, Any]:
        """All values to pass at the launch."""
        options = {"num_warps": self.num_warps, "num_stages": self.num_stages, "num_ctas": self.num_ctas,
                   "maxnreg": self.maxnreg}
        return {**self.kwargs, **{key: value for key, value in options.items() if value is not None}}

    def __repr__(self):
        return f"Config({self})"

    def __str__(self):
        return ", ".join(f"{key}: {value}" for key, value in self.all_kwargs().items())
