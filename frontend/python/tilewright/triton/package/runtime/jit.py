"""`triton.runtime.jit`: kernels with the attributes that libraries read."""
import collections.abc
import functools
import hashlib
import inspect
import re
import sys
import textwrap

import tilewright
from tilewright import arrays
from tilewright.jit import Compiled, JITFunction as _JITFunction
from tilewright.lines import remember, source_lines
from tilewright.testing import has_cuda


class KernelInterface:
    """Base of everything that is launched as `kernel[grid](...)`; subclasses define `run`."""

    @property
    def __tilewright_inner__(self):
        """The kernel below wrappers, as other kernels call it."""
        inner = self
        while not isinstance(inner, JITFunction) and hasattr(inner, "fn"):
            inner = inner.fn
        return inner

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)

    def warmup(self, *args, grid, **kwargs):
        """Compiles without launching."""
        return self.run(*args, grid=grid, warmup=True, **kwargs)

    def run(self, *args, grid, warmup=False, **kwargs):
        """Launches; subclasses say how."""
        raise NotImplementedError(f"expected {type(self).__name__} to define run()")


class KernelParam:
    """One parameter of a kernel as libraries see it."""

    def __init__(self, number, parameter, ours, unspecialized, unaligned):
        self.num = number
        self.name = parameter.name
        self._param = parameter
        self.is_constexpr = ours.is_constexpr
        self.is_const = ours.is_const
        self.do_not_specialize = number in unspecialized or parameter.name in unspecialized
        self.do_not_specialize_on_alignment = number in unaligned or parameter.name in unaligned
        self.number, self.specialize, self.kind = ours.number, ours.specialize, ours.kind
        self.fixed_type, self.fixed_kind = ours.fixed_type, ours.fixed_kind

    @property
    def annotation(self):
        """The annotation as text, "" without one."""
        text = self._param.annotation
        return "" if text is inspect.Parameter.empty else str(getattr(text, "__name__", text))

    @property
    def default(self):
        """The default value, `inspect.Parameter.empty` without one."""
        return self._param.default

    @property
    def has_default(self):
        """Whether there is a default value."""
        return self._param.default is not inspect.Parameter.empty


class JITFunction(_JITFunction, KernelInterface):
    """A kernel, or a function that kernels call."""

    def __init__(self, fn, version=None, do_not_specialize=None, do_not_specialize_on_alignment=None, debug=None,
                 noinline=None, repr=None, launch_metadata=None):
        unspecialized, unaligned = list(do_not_specialize or ()), list(do_not_specialize_on_alignment or ())
        self._hooks = []
        super().__init__(fn, unspecialized, unaligned, bool(debug))
        self.params = [KernelParam(ours.number, parameter, ours, unspecialized, unaligned)
                       for ours, parameter in zip(self.params, self.signature.parameters.values())]
        self.module = fn.__module__
        self.__globals__ = fn.__globals__
        self.version = version
        self.noinline = bool(noinline)
        self.launch_metadata = launch_metadata
        self.do_not_specialize = unspecialized
        self.do_not_specialize_on_alignment = unaligned
        self.constexprs = [parameter.num for parameter in self.params if parameter.is_constexpr]
        self.device_caches = {}
        self._repr = repr

    _launcher = KernelInterface.__getitem__

    def make_dispatcher(self):
        """As Tilewright's; while there are hooks, every launch goes through Python."""
        dispatcher = super().make_dispatcher()
        dispatcher.watch(self._hooks)
        return dispatcher

    @property
    def _own_run(self):
        return JITFunction._run

    @property
    def pre_run_hooks(self):
        """The list of functions that are called as `hook(*args, **kwargs)` before every launch."""
        return self._hooks

    @pre_run_hooks.setter
    def pre_run_hooks(self, hooks):
        self._hooks[:] = hooks

    def repr(self, *args):
        """The kernel's name for profilers."""
        return self._repr(*args) if self._repr else self.fn.__name__

    @functools.cached_property
    def raw_src(self):
        """The source lines with decorators."""
        return source_lines(self.fn)[0]

    @functools.cached_property
    def starting_line_number(self):
        """Line of the first decorator in the file."""
        return source_lines(self.fn)[1]

    @functools.cached_property
    def src(self):
        """The source text from `def` on."""
        text = textwrap.dedent("".join(self.raw_src))
        return text[re.search(r"^def\s+\w+\s*\(", text, re.MULTILINE).start():]

    @property
    def cache_key(self):
        """A hash of the kernel's text with all helpers and captured values."""
        tree = self.tree
        return hashlib.sha256(repr((tree.text, tree.modules)).encode()).hexdigest()

    hash = cache_key

    def module_of(self, function):
        """Name of the source module of another kernel, for signatures that mention it."""
        return self.tree.module_of(function)

    def add_pre_run_hook(self, hook):
        """Calls `hook(*args, **kwargs)` before every launch."""
        self.pre_run_hooks.append(hook)

    def run(self, *args, grid, warmup=False, **kwargs):
        """Compiles for these arguments if needed, launches, and gives the compiled kernel."""
        if not warmup:
            return super().run(*args, grid=grid, **kwargs)
        self._call_hooks(args, kwargs)
        return CompiledKernel(self, super().run(*args, grid=grid, warmup=True, **kwargs), kwargs)

    _run = run

    @staticmethod
    def _current_device():
        """Where Triton launches kernels without arrays: torch's current device, or None where it has none."""
        return sys.modules["torch"].cuda.current_device() if has_cuda() else None

    def _call_hooks(self, args, kwargs):
        for hook in self._hooks:
            hook(*args, **kwargs)

    def launch_any(self, grid, args, kwargs, dispatcher=None):
        """As Tilewright's, with the result that Triton gives."""
        self._call_hooks(args, kwargs)
        compiled, kernel, captured = super().launch_any(grid, args, dict(kwargs), dispatcher)
        return CompiledKernel(self, compiled, kwargs), kernel, captured

    def warmup(self, *args, grid, **kwargs):
        """Compiles for these arguments, which may be dtypes in place of tensors."""
        return self.run(*map(MockTensor.wrap_dtype, args), grid=grid, warmup=True,
                        **{key: MockTensor.wrap_dtype(value) for key, value in kwargs.items()})

    def __call__(self, *args, **kwargs):
        raise RuntimeError(f"'{self.fn.__name__}' is a kernel: launch it as {self.fn.__name__}[grid](...), "
                           "or call it from another kernel")

    def __repr__(self):
        return f"JITFunction({self.module}:{self.fn.__qualname__})"


class CompiledKernel:
    """A compiled kernel, launchable again with all arguments in order."""

    n_max_threads = 1024

    def __init__(self, function, compiled, kwargs):
        self.src = function
        self.function = 0
        self.compiled = compiled
        self.name = compiled.name
        self._options = {key: value for key, value in kwargs.items() if key not in function.arg_names}
        self.metadata = Metadata(compiled)
        self.asm = Texts(compiled)

    def __getattr__(self, name):
        return getattr(self.compiled, name)

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.src.run(*args, grid=grid, **{**self._options, **kwargs})

    def _init_handles(self):
        """Kernels are loaded when they are first launched; what programs ask for after this is known before."""

    @property
    def n_regs(self):
        """Registers of a thread as the compiler estimates them before the device's own assembler counts; 0 in host memory."""
        return self.metadata.resources.get("registers_estimate", 0)

    #: Only the device's own assembler knows, and is not asked.
    n_spills = 0


class Texts(collections.abc.Mapping):
    """Texts of a compiled kernel by Triton's names where the language is the same, and by Tilewright's stages."""

    def __init__(self, compiled):
        self._stages = compiled.asm
        own = {"nvidia": {"ptx": "asm"}, "amd": {"amdgcn": "asm"}}.get(compiled.target.partition(":")[0], {})
        self._names = {"llir": "llvm", **own}

    def __getitem__(self, name):
        return self._stages[self._names.get(name, name)]

    def __iter__(self):
        stages = list(self._stages)
        return iter([*stages, *(name for name, stage in self._names.items() if stage in stages)])

    def __len__(self):
        return len(list(iter(self)))


class Metadata:
    """Launch options of a compiled kernel."""

    def __init__(self, compiled):
        self._compiled = compiled
        self.name = compiled.name
        self.num_warps = compiled.options.get("num_warps", 4)
        self.num_stages = compiled.options.get("num_stages", 3)
        self.num_ctas = compiled.options.get("num_ctas", 1)

    @functools.cached_property
    def resources(self):
        """What a program uses, as Tilewright names it."""
        return self._compiled.resources()

    @property
    def shared(self):
        """Bytes of shared memory; 0 in host memory."""
        return self.resources.get("shared_bytes", 0)


def jit(fn=None, *, version=None, repr=None, launch_metadata=None, do_not_specialize=None,
        do_not_specialize_on_alignment=None, debug=None, noinline=None):
    """Makes a kernel of a function: `@triton.jit`, `@triton.jit(...)` or `triton.jit(function)`."""

    def decorate(function):
        if isinstance(function, JITFunction):
            return function
        if not inspect.isfunction(function):
            raise TypeError(f"expected a function defined with def, got {function!r}")
        return JITFunction(function, version, do_not_specialize, do_not_specialize_on_alignment, debug, noinline, repr,
                           launch_metadata)

    return decorate if fn is None else decorate(fn)


class ConstexprFunction:
    """A function of compile-time values: called by the host as any function, by kernels while they are compiled."""

    __tilewright_decorator__ = "constexpr_function"

    def __init__(self, function):
        self.fn = function
        self.__tilewright_function__ = function
        functools.update_wrapper(self, function)
        remember(function)

    def __call__(self, *args, **kwargs):
        plain = [getattr(value, "value", value) if isinstance(value, tilewright.language.constexpr) else value
                 for value in args]
        return self.fn(*plain, **kwargs)

    def __get__(self, owner, kind=None):
        return self if owner is None else functools.partial(self, owner)


def constexpr_function(function):
    """Marks a function that computes compile-time values from compile-time values."""
    return ConstexprFunction(function)


class MockTensor:
    """Stands for a tensor of a dtype when a kernel is only compiled."""

    def __init__(self, dtype, shape=None):
        self.dtype = dtype
        self.shape = shape or [1]

    @staticmethod
    def wrap_dtype(value):
        """A dtype as a tensor of it; other values as they are."""
        is_dtype = type(value).__name__ == "dtype" and type(value).__module__.split(".")[0] in ("torch", "tilewright")
        return MockTensor(value) if is_dtype else value

    def data_ptr(self):
        """An aligned address that is never read."""
        return 0

    def element_size(self):
        """Bytes of an element; only used for extents."""
        return 1

    def stride(self):
        """Strides of a contiguous tensor."""
        strides = [1]
        for extent in reversed(self.shape[1:]):
            strides.insert(0, strides[0] * extent)
        return tuple(strides)


class TensorWrapper:
    """A tensor seen with another dtype of the same size."""

    def __init__(self, base, dtype):
        self.base = base
        self.dtype = dtype
        self.data = base.data
        self.device = base.device
        self.shape = base.shape

    def data_ptr(self):
        """Address of the first element."""
        return self.base.data_ptr()

    def stride(self, *args):
        """Strides of the tensor."""
        return self.base.stride(*args)

    def element_size(self):
        """Bytes of an element."""
        return self.base.element_size()

    def __str__(self):
        return f"TensorWrapper[{self.dtype}]({self.base})"


def reinterpret(tensor, dtype):
    """The tensor with another dtype of the same width."""
    base = tensor.base if isinstance(tensor, TensorWrapper) else tensor
    if getattr(base, "dtype", None) == dtype:
        return base
    if not arrays.is_array(base):
        raise TypeError(f"expected a tensor to reinterpret, got {type(tensor).__name__}")
    return TensorWrapper(base, dtype)
