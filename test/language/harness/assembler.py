"""A machine that compiles and assembles what tests launch, and runs nothing: for GPU targets without their GPU."""
import json
import re
import shutil
import struct
import subprocess
import tempfile

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
    """Compiles for `target` and checks what its assembler says; under `alike` instead that the artifact is the same with
    those options."""

    def __init__(self, target, options=None, alike=None):
        super().__init__(target, options, alike=alike)

    def request_of(self, function, arguments, options):
        """(signature, options) that a launch with these arguments would compile for."""
        bound, options = function._bound((), {**arguments, **options})
        signature, _ = signature_entries(function.params, [bound[name] for name in function.arg_names], function._module_of)
        return signature, function._options_for(self.target, engine.vendor_of(self.target), options)

    def launch_once(self, function, grid, arguments, options):
        """Compiles what a launch with these arguments would run; the arrays stay as they are."""
        checked = _CHECKS[engine.vendor_of(self.target)]
        signature, options = self.request_of(function, arguments, options)
        try:
            result = engine.compile_text(function.tree, function.fn.__name__, signature, self.target, options, [checked.stage])
        except tw.CompilationError as error:
            if error.code in _LACKS:
                pytest.skip(f"docs/targets.md: {error.diagnostics[0][2]}")
            raise
        if not self.alike:
            checked(result)
        elif self.compiled_alike(function, signature, options) != result.artifact:
            raise BadCode(f"{function.fn.__name__}: another artifact with {self.alike}")
        return _Compiled(result, signature)

    def compiled_alike(self, function, signature, options):
        """The artifact of the same kernel under `alike`; a refusal is a difference."""
        try:
            return engine.compile_text(function.tree, function.fn.__name__, signature, self.target, {**options, **self.alike}, []).artifact
        except tw.CompilationError as error:
            raise BadCode(f"{function.fn.__name__}: refused with {self.alike} only: {error}") from None


def payload_of(artifact):
    """The first payload of an artifact's bytes, see docs/formats.md."""
    header, entry = 64, 32
    offset, size = struct.unpack_from("<QQ", artifact, header + entry + 8)
    return artifact[offset:offset + size]


def _check_ptxas(result):
    if "ptxas" not in result.stages:
        pytest.skip("ptxas is not installed (CUDA toolkit)")
    log = result.stages["ptxas"]
    if _SERIALIZED.search(log):
        raise BadCode(f"ptxas: {log}")


def _check_code_object(result):
    """The object says what its kernels use, within what a work-group may have, and every instruction is one."""
    resources = json.loads(result.stages["resources"])
    if not resources:
        raise BadCode("the code object has no metadata")
    for name, used in resources.items():
        limit = 160 * 1024 if ":gfx950" in result.target else 64 * 1024
        if used["lds_bytes"] > limit:
            raise BadCode(f"{name}: {used['lds_bytes']} bytes of LDS, {limit} exist")
    tool = shutil.which("llvm-objdump-22")
    if not tool:
        pytest.skip("llvm-objdump-22 is not installed")
    with tempfile.NamedTemporaryFile(suffix=".hsaco") as file:
        file.write(payload_of(bytes(result.artifact)))
        file.flush()
        text = subprocess.run([tool, "-d", file.name], capture_output=True, text=True, check=True).stdout
    if "<unknown>" in text or "s_endpgm" not in text:
        raise BadCode(f"llvm-objdump does not understand the code:\n{text[:2000]}")


_check_ptxas.stage = "ptxas"
_check_code_object.stage = "resources"

#: By vendor: looks at what was compiled, with the stage that it needs.
_CHECKS = {"nvidia": _check_ptxas, "amd": _check_code_object}


class _Compiled:
    """What tests read of a compiled kernel."""

    def __init__(self, result, signature):
        self.signature = signature
        self.target, self.artifact, self.remarks = result.target, result.artifact, result.remarks
        self.asm = result.stages
