"""A machine that compiles and assembles what tests launch, and runs nothing: for GPU targets without their GPU."""
import re

import pytest

import tilewright as tw
from tilewright import engine
from tilewright.specialize import signature_entries

from runner import Machine

#: ptxas says with these that it gave up the order that the code asks for.
_SERIALIZED = re.compile(r"C75\d\d")


#: What a target does not have: inline assembly of others, library functions, clocks, functions on f64.
_LACKS = {4127, 4128, 4129, 4140}


class BadCode(Exception):
    """The assembler warned of something that must not be."""


class Assembler(Machine):
    """Compiles for `target`, with the assembler's log."""

    def __init__(self, target):
        super().__init__(target, {})

    def launch_once(self, function, grid, arguments, options):
        """Compiles what a launch with these arguments would run; the arrays stay as they are."""
        options = {key: value for key, value in options.items() if value is not None}
        bound, options = function._bound((), {**arguments, **options})
        values = [bound[name] for name in function.arg_names]
        signature, _ = signature_entries(function.params, values, function._module_of)
        if function.debug:
            options["debug"] = True
        try:
            result = engine.compile_text(function.tree, function.fn.__name__, signature, self.target, options, ["ptxas"])
        except tw.CompilationError as error:
            if error.code in _LACKS:
                pytest.skip(f"docs/targets.md: {error.diagnostics[0][2]}")
            raise
        if "ptxas" not in result.stages:
            pytest.skip("ptxas is not installed (CUDA toolkit)")
        log = result.stages["ptxas"]
        if _SERIALIZED.search(log):
            raise BadCode(f"ptxas: {log}")
        return _Compiled(result, signature)


class _Compiled:
    """What tests read of a compiled kernel."""

    def __init__(self, result, signature):
        self.signature = signature
        self.target, self.artifact, self.remarks = result.target, result.artifact, result.remarks
        self.asm = result.stages
