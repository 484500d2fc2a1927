"""Parts of Triton that have no counterpart here, and what to use instead. docs/triton.md shows the table."""
from __future__ import annotations

import importlib.abc
import sys
from collections.abc import Sequence
from types import ModuleType

#: Modules, each with those below it, to what serves the purpose here.
INSTEAD = {
    "triton._C": "nothing: there is no libtriton; `tilewright.compile` gives a kernel's stages and artifact",
    "triton._internal_testing": "tests of your own; `tilewright.testing` compares and measures",
    "triton._filecheck": "`tilewright compile --emit STAGE`, which prints what FileCheck reads",
    "triton._utils": "functions of your own: they are internals of Triton",
    "triton.backends": "a plugin, see docs/plugins.md; `tilewright targets` lists the targets that are there",
    "triton.compiler": "`triton.compile` or `tilewright.compile`, whose `asm` holds every stage",
    "triton.compiler.make_launcher": "`kernel[grid](...)` or `kernel.bind(grid, ...)`: launchers are not generated here",
    "triton.experimental": "a kernel of `triton.language`: the compiler chooses layouts, shared memory and copies, and "
                           "`tilewright explain --layout` shows them",
    "triton.language": "what docs/language.md lists: kernels are compiled from their text, not run by Python",
    "triton.language.target_info": "a constant of the kernel that the caller sets by `triton.runtime.driver.active.get_current_target()`",
    "triton.profiler": "`torch.profiler` or the vendor's profiler, which see kernels under their names; `triton.testing.do_bench` "
                       "measures one, `tilewright.debug` shows its values",
    "triton.runtime": "`triton.jit`, `triton.autotune` and `triton.runtime.driver.active`",
    "triton.runtime.build": "nothing: no C compiler runs at run time",
    "triton.runtime.interpreter": "`tilewright.jit(interpret=True)`, the launch option `target=\"reference\"` or `tilewright.debug`",
    "triton.runtime._async_compile": "`kernel.precompile(...)` of a `tilewright.jit` kernel; autotuning compiles in parallel by itself",
    "triton.tools": "`tilewright compile` and `tilewright bundle`, which make files that C++ and Python load without a compiler",
    "triton.tools.disasm": "`asm` of a compiled kernel, or `tilewright compile --emit asm`",
    "triton.tools.mxfp": "`ml_dtypes` for conversions on the host",
}


def instead_of(name: str) -> str:
    """What to use in place of a module, from the nearest entry of the table."""
    while name not in INSTEAD and "." in name:
        name = name.rpartition(".")[0]
    return INSTEAD.get(name, "what docs/triton.md lists")


def text_for(thing: str, hint: str) -> str:
    """The text of an error about a part of Triton that is not here."""
    return f"TW6065: {thing} has no counterpart in Tilewright, which runs as 'triton' here\n  hint: use {hint}"


class AbsentModules(importlib.abc.MetaPathFinder):
    """The last finder: refuses submodules of `triton` that no other one has found."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> None:
        """None for other modules, and where a program only asks whether there is one (`importlib.util.find_spec`)."""
        if not name.startswith("triton.") or sys._getframe(2).f_code.co_name == "find_spec":
            return None
        # Without the name, since `from triton import profiler` would swallow an error about `triton.profiler`.
        raise ModuleNotFoundError(text_for(f"the module '{name}'", instead_of(name)))
