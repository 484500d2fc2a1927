"""Types that the package's annotations share."""
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

#: Anything with `data_ptr()` and `dtype` (torch), or `__array_interface__` (NumPy).
Array: TypeAlias = Any
#: Programs on one to three axes, or a function of all arguments by name that gives them.
Grid: TypeAlias = int | Sequence[int] | Callable[[Mapping[str, Any]], int | Sequence[int]]
#: What `kernel[grid]` gives: a function of the kernel's arguments and launch options.
Launcher: TypeAlias = Callable[..., Any]

if TYPE_CHECKING:

    class Launchable:
        """What is launched as `object[grid](...)`."""

        def __getitem__(self, grid: Grid) -> Launcher: ...
else:
    from ._native import Launchable as Launchable
