"""`jit`: a Python function as a kernel, compiled for the arguments it is launched with."""
import functools
import inspect

from . import _native, arrays, engine
from .descriptor import TensorDescriptor
from .errors import LaunchError, from_runtime
from .language import constexpr
from .source import SourceTree
from .specialize import annotated_type, signature_entries

#: Compile options, which a kernel with **META does not take for constants of its own.
_COMPILE_OPTIONS = {"num_warps", "num_stages", "num_ctas", "maxnreg", "enable_fp_fusion", "math", "debug", "check", "raise",
                    "target_info"}
#: Accepted for compatibility, without meaning here.
_IGNORED_OPTIONS = {"warmup", "stream", "launch_pdl", "launch_cooperative_grid", "waves_per_eu",
                    "matrix_instr_nonkdim", "kpack", "instrumentation_mode", "num_buffers_warp_spec",
                    "num_consumer_groups", "reg_dec_producer", "reg_inc_consumer"}
STAGES = ("ast", "tile", "kernel", "loops", "llvm", "asm")


class Parameter:
    """One parameter of a kernel: how its values specialise the code."""

    def __init__(self, number, parameter, unspecialized):
        self.name = parameter.name
        self.number = number
        annotation = parameter.annotation
        text = "" if annotation is inspect.Parameter.empty else str(getattr(annotation, "__name__", annotation))
        self.is_constexpr = annotation is constexpr or text.split(".")[-1] == "constexpr"
        self.is_const = text.split(".")[-1] == "const" or text.startswith("*k")
        self.fixed_type = None if not text else annotated_type(annotation)
        self.specialize = self.name not in unspecialized and number not in unspecialized
        self.kind = parameter.kind


class Compiled:
    """A kernel compiled for one signature and target.

    `asm` maps stage names ("tile", "kernel", "llvm", "asm", ...) to text, made on first access; `artifact` is the
    content of a .twa file.
    """

    def __init__(self, tree, name, signature, target, options):
        self.name = name
        self.signature = signature
        self.options = dict(options)
        self._tree = tree
        self._requested = target
        self._result = engine.compile_text(tree, name, signature, target, options, [])
        self.target = self._result.target
        self.timings = self._result.timings
        self.remarks = self._result.remarks
        self.asm = _Stages(self)

    @property
    def artifact(self):
        """The bytes of a .twa file, loadable without Python or a compiler."""
        return self._result.artifact

    @functools.cached_property
    def kernel(self):
        """The loaded kernel on this machine's device."""
        device = engine.device(self._requested.split(":")[0])
        try:
            return device.load(self.artifact, self.name)
        except _native.RuntimeFailure as failure:
            raise from_runtime(failure) from None

    def stage(self, stage):
        """Text of one stage."""
        result = engine.compile_text(self._tree, self.name, self.signature, self._requested, self.options, [stage])
        return result.stages.get(stage)


class _Stages(dict):
    """Stage texts by name, compiled when asked for."""

    def __init__(self, compiled):
        super().__init__()
        self._compiled = compiled

    def __missing__(self, stage):
        text = self._compiled.stage(stage)
        if text is None:
            raise KeyError(f"{self._compiled.target} has no stage '{stage}'")
        self[stage] = text
        return text

    def keys(self):
        return STAGES


class JITFunction:
    """A kernel: `kernel[grid](*args, **options)` launches it, calling it from another kernel inlines it."""

    def __init__(self, function, do_not_specialize=(), do_not_specialize_on_alignment=(), debug=False):
        self.fn = function
        self.debug = debug
        self.__tilewright_function__ = function
        functools.update_wrapper(self, function)
        unspecialized = set(do_not_specialize) | set(do_not_specialize_on_alignment)
        self.signature = inspect.signature(function)
        self.params = [Parameter(i, p, unspecialized) for i, p in enumerate(self.signature.parameters.values())]
        self.arg_names = [parameter.name for parameter in self.params]
        self.cache = {}

    def __call__(self, *args, **kwargs):
        raise LaunchError(f"TW6054: '{self.fn.__name__}' is a kernel: launch it as "
                          f"{self.fn.__name__}[grid](...), or call it from another kernel", 6054)

    def __getitem__(self, grid):
        return functools.partial(self.run, grid=grid)

    @functools.cached_property
    def tree(self):
        """The source text of the kernel with its helpers."""
        return SourceTree(self.fn)

    def _module_of(self, function):
        """Name of the source module that holds another function."""
        return self.tree.module_of(function)

    def bind(self, args, kwargs):
        """(values in parameter order, options) of a call; refuses missing and repeated arguments."""
        names = set(self.arg_names)
        accepts_any = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in self.params)
        options = {key: value for key, value in kwargs.items() if key not in names}
        own = {key: value for key, value in kwargs.items() if key in names}
        meta = {}
        if accepts_any:
            meta = {k: v for k, v in options.items() if k not in _COMPILE_OPTIONS and k not in _IGNORED_OPTIONS}
            options = {k: v for k, v in options.items() if k not in meta}
        try:
            bound = self.signature.bind(*args, **own, **meta)
        except TypeError as error:
            raise LaunchError(f"TW6055: {self.fn.__name__}: {error}", 6055) from None
        bound.apply_defaults()
        return bound.arguments, options

    def run(self, *args, grid, target=None, warmup=False, **kwargs):
        """Compiles for the arguments if needed and launches over `grid` (ints, a tuple, or a function of the
        arguments by name); returns the compiled kernel."""
        if not self.tree.is_current():
            self.cache, self.tree = {}, SourceTree(self.fn)
        arguments, options = self.bind(args, kwargs)
        values = [arguments[name] for name in self.arg_names]
        for parameter in self.params:
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                arguments = {**arguments, **arguments[parameter.name]}
        options = {k: v for k, v in {**({"debug": True} if self.debug else {}), **options}.items()
                   if k not in _IGNORED_OPTIONS and v is not None}
        if target is None:
            memory = (v.base if isinstance(v, TensorDescriptor) else v for v in values)
            target = next((arrays.device_vendor(v) for v in memory if arrays.is_array(v)), "cpu")
        signature, runtime = signature_entries(self.params, values, self._module_of)
        compiled = self.compile(signature, target, options)
        if warmup:
            return compiled
        self._launch(compiled, grid, arguments, runtime)
        return compiled

    def compile(self, signature, target="cpu", options=None):
        """The kernel compiled for a signature such as "x:*fp32, n:i32, BLOCK=1024", from this function's cache."""
        key = (signature, target, tuple(sorted((options or {}).items())))
        compiled = self.cache.get(key)
        if compiled is None:
            compiled = self.cache[key] = Compiled(self.tree, self.fn.__name__, signature, target, options or {})
        return compiled

    def warmup(self, *args, grid, **kwargs):
        """Compiles without launching."""
        return self.run(*args, grid=grid, warmup=True, **kwargs)

    @staticmethod
    def _launch(compiled, grid, arguments, runtime):
        if callable(grid):
            grid = grid(dict(arguments))
        axes = (grid,) if hasattr(grid, "__index__") else grid
        if not isinstance(axes, (tuple, list)) or not all(hasattr(axis, "__index__") for axis in axes):
            raise LaunchError(f"TW6056: expected a grid of integers, got {grid!r}", 6056)
        # Axes of one program behind the third mean nothing; Triton does not look at them.
        if not axes or any(axis != 1 for axis in axes[3:]):
            raise LaunchError(f"TW6056: expected a grid of 1 to 3 axes, got {len(axes)}", 6056)
        x, y, z = (*axes, 1, 1)[:3]
        try:
            compiled.kernel.launch(x, y, z, runtime, True)
        except _native.RuntimeFailure as failure:
            raise from_runtime(failure) from None


def jit(function=None, *, version=None, repr=None, launch_metadata=None, do_not_specialize=None,
        do_not_specialize_on_alignment=None, debug=None, noinline=None):
    """Makes a kernel of a function; usable bare, with options, or as a call.

    `do_not_specialize` lists parameters (names or positions) whose values never become facts or constants.
    """
    if function is None:
        return functools.partial(jit, do_not_specialize=do_not_specialize,
                                 do_not_specialize_on_alignment=do_not_specialize_on_alignment, debug=debug)
    if isinstance(function, JITFunction):
        return function
    if not inspect.isfunction(function) or function.__name__ == "<lambda>":
        raise TypeError(f"expected a function defined with def, got {function!r}")
    return JITFunction(function, do_not_specialize or (), do_not_specialize_on_alignment or (), bool(debug))


def compile(kernel, signature, target="cpu", **options):
    """Compiles a kernel for a signature and target on any machine; gives an object with `asm` and `artifact`."""
    return kernel.compile(signature, target, options)
