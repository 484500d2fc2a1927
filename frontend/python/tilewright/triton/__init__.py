"""Makes `import triton` mean Tilewright, so that programs written for Triton run unchanged.

    import tilewright.triton
    tilewright.triton.install()      # before the first `import triton`

    python -m tilewright.triton script.py arguments   # the same for a whole script

The package under the name `triton` reports version 3.6.0. What has no counterpart here fails with an error (TW6065) that says what to use instead.
Kernels without arrays run on torch's current CUDA device where there is one, as with Triton.
"""
from __future__ import annotations

import importlib.abc
import importlib.util
import pathlib
import sys

from .absent import AbsentModules

_PACKAGE = pathlib.Path(__file__).resolve().parent / "package"


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the top package `triton` beside this file; its submodules follow from the package's path."""

    def find_spec(self, name, path=None, target=None):
        if name != "triton":
            return None
        return importlib.util.spec_from_file_location(name, _PACKAGE / "__init__.py",
                                                      submodule_search_locations=[str(_PACKAGE)])


def is_installed() -> bool:
    """Whether `import triton` gives Tilewright in this process."""
    return any(isinstance(finder, _Finder) for finder in sys.meta_path)


def install() -> None:
    """Lets every later `import triton` give Tilewright; safe to repeat.

    Raises ImportError when another `triton` was imported before, because its kernels would not be ours.
    """
    loaded = sys.modules.get("triton")
    if loaded is not None and pathlib.Path(getattr(loaded, "__file__", None) or ".").resolve().parent != _PACKAGE:
        raise ImportError("expected no 'triton' in this process yet, got the one of "
                          f"{getattr(loaded, '__file__', 'an unknown place')}: call tilewright.triton.install() first")
    if not is_installed():
        sys.meta_path.insert(0, _Finder())
        sys.meta_path.append(AbsentModules())


def uninstall() -> None:
    """Undoes install(); modules that were already imported keep what they have."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Finder | AbsentModules)]
    for name in [name for name in sys.modules if name == "triton" or name.startswith("triton.")]:
        del sys.modules[name]
