"""What compiling a kernel for one signature and target gives."""
from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import _native, engine
from .errors import CompilationWarning, from_runtime

if TYPE_CHECKING:
    from .source import SourceTree


#: Severities of base.h.
_REMARK, _WARNING = 0, 2
STAGES = ("ast", "tile", "kernel", "loops", "llvm", "asm")


class Compiled:
    """A kernel compiled for one signature and target.

    `asm` maps stage names ("tile", "kernel", "llvm", "asm", ...) to text, made on first access; `artifact` is the
    content of a .twa file.
    """

    def __init__(self, tree: SourceTree, name: str, signature: str, target: str, options: Mapping[str, Any]):
        self.name = name
        self.signature = signature
        self.options = dict(options)
        self._tree = tree
        self._requested = target
        self._kernels = {}
        self._result = engine.compile_text(tree, name, signature, target, options, [])
        self.target = self._result.target
        self.timings = self._result.timings
        self.remarks = self._result.remarks
        #: Whether nothing was compiled.
        self.is_from_cache = self._result.is_from_cache
        self.asm = _Stages(self)
        self._pass_on()

    def __repr__(self):
        return f"<{self.name} compiled for {self.target}: {self.signature}>"

    def _pass_on(self):
        """Gives Python the compile's warnings, each at its line of the kernel, and prints what `static_print` said. A kernel
        from the cache warns, too, but was not compiled and so prints nothing."""
        for code, severity, message, hint, file, line, _ in self._result.diagnostics:
            if severity == _WARNING and not 7200 <= code < 7300:  # those are the cache's, see cache.warn_of
                text = f"TW{code}: {message}" + (f"\n  hint: {hint}" if hint else "")
                warnings.warn_explicit(text, CompilationWarning, file or self._tree.file, line)
            elif severity == _REMARK and not code and not self.is_from_cache:
                print(message)

    @property
    def artifact(self) -> bytes:
        """The bytes of a .twa file, loadable without Python or a compiler."""
        return self._result.artifact

    def kernel_on(self, vendor: str, ordinal: int = 0) -> _native.Kernel:
        """The loaded kernel on a device of this machine."""
        kernel = self._kernels.get((vendor, ordinal))
        if kernel is None:
            device = engine.device(vendor, ordinal)
            try:
                kernel = self._kernels[vendor, ordinal] = device.load(self.artifact, self.name)
            except _native.RuntimeFailure as failure:
                raise from_runtime(failure) from None
        return kernel

    @property
    def kernel(self) -> _native.Kernel:
        """The loaded kernel on this machine's first device."""
        return self.kernel_on(engine.vendor_of(self._requested))

    def stage(self, name: str) -> str | None:
        """Text of one stage, None where the target has no such stage."""
        return self.stages([name]).get(name)

    def stages(self, names: Iterable[str]) -> dict[str, str]:
        """{name: text} of those stages that the target has."""
        result = engine.compile_text(self._tree, self.name, self.signature, self._requested, self.options, list(names))
        return {name: text for name, text in result.stages.items() if name in names}

    def resources(self) -> dict[str, Any]:
        """What a program uses, as `tilewright.fits` says it: {} where the target does not tell."""
        kernels = engine.fits(self._tree, self.name, self.signature, self._requested, self.options).get("kernels", [])
        return next((row for row in kernels if row["kernel"] == self.name), {})


class _Stages(Mapping):
    """Stage texts by name, compiled when asked for; iteration gives the stages that the target has, in order."""

    def __init__(self, compiled):
        self._compiled = compiled
        self._texts = {}

    def __getitem__(self, stage):
        text = self._texts.get(stage) or self._compiled.stages([stage]).get(stage)
        if text is None:
            raise KeyError(f"{self._compiled.target} has no stage '{stage}'; its stages are {', '.join(self)}")
        self._texts[stage] = text
        return text

    def _all(self):
        if not self._texts.keys() >= set(STAGES):
            self._texts.update(self._compiled.stages(STAGES))
        return [stage for stage in STAGES if stage in self._texts]

    def __iter__(self):
        return iter(self._all())

    def __len__(self):
        return len(self._all())
