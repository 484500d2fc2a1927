"""`triton.compiler.compiler`: a kernel with a signature as something to compile."""
import tilewright
from tilewright.specialize import constant_text
from tilewright.triton.absent import text_for

from ..backends.compiler import GPUTarget
from ..runtime.driver import driver
from ..runtime.jit import CompiledKernel

LazyDict = dict


def triton_key():
    """A text that changes with the compiler."""
    return f"tilewright-{tilewright.__version__}"


class ASTSource:
    """A kernel, its argument types by name ("x": "*fp32", "n": "i32"), constants, and facts by argument position."""

    def __init__(self, fn, signature, constexprs=None, attrs=None, constants=None):
        self.fn = fn
        self.name = fn.__name__
        self.signature = dict(signature)
        self.constants = {**(constexprs or {}), **(constants or {})}
        self.attrs = dict(attrs) if isinstance(attrs, dict) else {}

    def text(self):
        """The signature in Tilewright's form."""
        constants = {key if isinstance(key, str) else self.fn.arg_names[key[0] if isinstance(key, tuple) else key]: value
                     for key, value in self.constants.items()}
        entries = []
        for position, name in enumerate(self.fn.arg_names):
            if name in constants:
                entries.append(f"{name}={constant_text(name, constants[name], self.fn.module_of)}")
            elif name in self.signature:
                facts = self.attrs.get((position,), self.attrs.get(position, ()))
                multiple = any(fact[0] == "tt.divisibility" and fact[1] % 16 == 0 for fact in facts)
                entries.append(f"{name}:{self.signature[name]}" + ("[:16]" if multiple else ""))
        return ", ".join(entries)


def compile(src, target=None, options=None, **kwargs):
    """Compiles an ASTSource for a GPUTarget or a Tilewright target, the current device's by default; gives a CompiledKernel."""
    if target is None and driver.default is not driver.host:
        target = driver.default.get_current_target()
    if isinstance(target, GPUTarget):
        vendor = {"cuda": "nvidia", "hip": "amd"}.get(target.backend, target.backend)
        arch = f"sm_{target.arch}" if vendor == "nvidia" and isinstance(target.arch, int) else target.arch
        target = f"{vendor}:{arch}" if arch else vendor
    options = dict(options or {})
    return CompiledKernel(src.fn, src.fn.compile(src.text(), target or "cpu", options), options)


def make_backend(target):
    """Triton's backends do not exist here."""
    raise NotImplementedError(text_for("a backend object", "`triton.compile` or `tilewright.compile`; `tilewright targets` lists targets"))
