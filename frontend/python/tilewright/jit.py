"""`jit`: a Python function as a kernel, compiled for the arguments it is launched with."""
from __future__ import annotations

import difflib
import functools
import inspect
import itertools
import json
import operator
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, overload

from . import _native, engine, places
from .annotations import Grid, Launchable
from .compiled import Compiled
from .errors import CompilationError, CompilationWarning, LaunchError, from_runtime
from .language import constexpr, dtype
from .lines import remember
from .source import SourceTree
from .specialize import annotated_type, signature_entries


#: Compile options, which a kernel with **META does not take for constants of its own.
_COMPILE_OPTIONS = {"num_warps", "num_stages", "num_ctas", "maxnreg", "enable_fp_fusion", "math", "debug", "check", "raise", "ir",
                    "target_info", "trace"}
#: Accepted for compatibility, without meaning here.
_IGNORED_OPTIONS = {"warmup", "stream", "launch_pdl", "launch_cooperative_grid", "waves_per_eu",
                    "matrix_instr_nonkdim", "kpack", "instrumentation_mode", "num_buffers_warp_spec",
                    "num_consumer_groups", "reg_dec_producer", "reg_inc_consumer"}
#: Those of them that a vendor's compiler takes.
_VENDOR_OPTIONS = {"amd": {"waves_per_eu", "matrix_instr_nonkdim", "kpack"}, "simulate": {"matrix_instr_nonkdim", "kpack"}}


#: Those that no backend would take, of whom nothing is said.
_SILENT_OPTIONS = {"warmup", "stream"}
#: (vendor, option) of what a backend of this process has not known.
_UNKNOWN_OPTIONS = set()

#: What an interpreted kernel is looked at for: what no right kernel does.
_INTERPRETER_CHECKS = "bounds,overflow,races,uninit"


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

    @property
    def fixed_kind(self):
        """"int" or "float" where the annotation fixes a type."""
        if self.fixed_type is None:
            return ""
        return "float" if "p" in self.fixed_type or "b" in self.fixed_type else "int"


class JITFunction(Launchable):
    """A kernel: `kernel[grid](*args, **options)` launches it, calling it from another kernel inlines it."""

    def __init__(self, function: Callable, do_not_specialize: Iterable[str | int] = (),
                 do_not_specialize_on_alignment: Iterable[str | int] = (), debug: bool = False, interpret: bool = False):
        self.fn = function
        self.debug = debug
        self.interpret = interpret
        self.__tilewright_function__ = function
        functools.update_wrapper(self, function)
        remember(function)
        unspecialized = set(do_not_specialize) | set(do_not_specialize_on_alignment)
        self.signature = inspect.signature(function)
        self.params = [Parameter(i, p, unspecialized) for i, p in enumerate(self.signature.parameters.values())]
        self.arg_names = [parameter.name for parameter in self.params]
        self.cache = {}
        #: Options that this kernel was launched with, and that mean nothing where it ran.
        self._noticed = set()
        self._dispatcher = self.make_dispatcher()

    def make_dispatcher(self) -> _native.Dispatcher:
        """The fast path: known argument classes to loaded kernels."""
        rows = [(parameter.name, source.default, parameter.is_constexpr, parameter.specialize, parameter.fixed_kind)
                for parameter, source in zip(self.params, self.signature.parameters.values())]
        by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        positional = sum(parameter.kind in by_position for parameter in self.params)
        dispatcher = _native.Dispatcher(rows, positional, inspect.Parameter.empty)
        if any(parameter.kind not in (*by_position, inspect.Parameter.KEYWORD_ONLY) for parameter in self.params):
            dispatcher.disable()
        dispatcher.guard(type(self), self._own_run)
        return dispatcher

    def __call__(self, *args, **kwargs):
        raise LaunchError(f"TW6054: '{self.fn.__name__}' is a kernel: launch it as "
                          f"{self.fn.__name__}[grid](...), or call it from another kernel", 6054)

    def __repr__(self):
        parameters = (f"{parameter.name}: constexpr" if parameter.is_constexpr else parameter.name for parameter in self.params)
        return f"<kernel {self.fn.__name__}({', '.join(parameters)})>"

    @property
    def _own_run(self):
        """The `run` that the fast path stands for; where a class has another, that is called."""
        return JITFunction._run

    def _launcher(self, grid):
        return lambda *args, **kwargs: self.run(*args, grid=grid, **kwargs)

    #: What gives the number of torch's device for a launch without arrays; None: the host's processor takes it.
    _current_device = None

    @functools.cached_property
    def tree(self) -> SourceTree:
        """The source text of the kernel with its helpers."""
        return SourceTree(self.fn)

    def _module_of(self, function):
        """Name of the source module that holds another function."""
        return self.tree.module_of(function)

    def _bound(self, args, kwargs):
        """(arguments by name, options) of a call; refuses missing and repeated arguments."""
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
            unknown = options.keys() - _COMPILE_OPTIONS - _IGNORED_OPTIONS
            raise LaunchError(f"TW6055: {self.fn.__name__}: {error}{_misspelt(unknown, names)}", 6055) from None
        # A constant that is misspelt would change what the kernel computes; options of backends do not.
        unknown = options.keys() - _COMPILE_OPTIONS - _IGNORED_OPTIONS
        hint = _misspelt({name for name in unknown if not name.islower() or _nearest(name, names)}, names)
        if hint:
            raise LaunchError(f"TW6055: {self.fn.__name__}: expected parameters and launch options{hint}", 6055)
        bound.apply_defaults()
        return bound.arguments, options

    def _request(self, args, kwargs):
        """(signature, target, options, arguments by name, values to pass, place) of a launch."""
        if not self.tree.is_current():
            self.cache, self.tree = {}, SourceTree(self.fn)
        target = kwargs.pop("target", None)
        if "interpret" not in self.arg_names and kwargs.pop("interpret", self.interpret):
            target, kwargs = "reference", {"check": _INTERPRETER_CHECKS, **kwargs}
        arguments, options = self._bound(args, kwargs)
        values = [arguments[name] for name in self.arg_names]
        for parameter in self.params:
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                arguments = {**arguments, **arguments[parameter.name]}
        place = places.place_of(self.arg_names, values, target, self._current_device)
        options = self._options_for(place.target, place.vendor, options)
        signature, runtime = signature_entries(self.params, values, self._module_of)
        return signature, place.target, options, arguments, runtime, place

    def _options_for(self, target, vendor, options):
        """The options of a launch that this target knows, with the kernel's own; says once which others are ignored."""
        options = {**({"debug": True} if self.debug else {}), **options}
        ignored = _IGNORED_OPTIONS - _VENDOR_OPTIONS.get(vendor, set())
        ignored |= {option for owner, option in _UNKNOWN_OPTIONS if owner == vendor}
        for name in sorted(options.keys() & ignored - _SILENT_OPTIONS):
            if options[name] is not None:
                self._notice(name, target)
        return {k: v for k, v in options.items() if k not in ignored and v is not None}

    def _specialized(self, args, kwargs):
        """The Call that a launch with these arguments makes, compiled if needed."""
        signature, target, options, *rest = self._request(args, kwargs)
        return Call(self._compiled(signature, target, options, rest[-1].vendor), *rest)

    def _compiled(self, signature, target, options, vendor):
        """The kernel compiled as `compile` does, without the options that the backend turns out not to know."""
        while True:
            try:
                return self.compile(signature, target, options)
            except CompilationError as error:
                name = _unknown_option(error)
                if name not in options or name in _COMPILE_OPTIONS:
                    raise
                _UNKNOWN_OPTIONS.add((vendor, name))
                self._notice(name, target)
                options = {key: value for key, value in options.items() if key != name}

    def _notice(self, name, target):
        """Says once of this kernel that an option is ignored."""
        if name in self._noticed:
            return
        self._noticed.add(name)
        near = _nearest(name, _COMPILE_OPTIONS)
        hint = f"did you mean '{near}'?" if near else "remove it, or give it for targets that have it only"
        warnings.warn_explicit(f"TW4107: '{self.fn.__name__}': option '{name}' means nothing to target {target} and is ignored\n"
                               f"  hint: {hint}", CompilationWarning, self.tree.file, self.fn.__code__.co_firstlineno)

    def run(self, *args: Any, grid: Grid, warmup: bool = False, **kwargs: Any) -> Any:
        """Compiles for the arguments if needed and launches over `grid` (ints, a tuple, or a function of the
        arguments by name); returns the compiled kernel. The launch goes to the stream that torch has current for the
        arrays' device and is not waited for; without torch's arrays, or in host memory, it has ended at return."""
        if warmup:
            return self._specialized(args, kwargs).compiled
        return _native.launcher(self._dispatcher, self, grid)(*args, **kwargs)

    _run = run

    def launch_any(self, grid: Grid, args: tuple, kwargs: dict[str, Any], dispatcher: _native.Dispatcher | None = None) -> tuple:
        """A launch that the fast path does not know: (result, loaded kernel, variables that its text holds). The next
        call of the dispatcher (this kernel's own by default) whose arguments are of the same classes will do the same
        without asking, unless the kernel is None: where a variable may change in place, or the current device decides, each
        launch asks."""
        call = self._specialized(args, kwargs)
        kernel = call.launch(grid)
        for parameter in self.params:
            value = call.arguments.get(parameter.name)
            if parameter.is_constexpr and _stands_for_itself(value):
                (dispatcher or self._dispatcher).add_identity_type(type(value))
        is_asked_again = self.tree.mutable or call.place.is_current_device
        return call.compiled, None if is_asked_again else kernel, self.tree.captured

    def bind(self, grid: Grid, *args: Any, **kwargs: Any) -> Callable[[], None]:
        """A launch made ready: what it returns launches over `grid` with these arguments when it is called, on the
        stream that is current then. Holds the arguments; contents of arrays may change, their memory may not."""
        return self._specialized(args, kwargs).prepare(grid)

    def compile(self, signature: str, target: str = "cpu", options: Mapping[str, Any] | None = None) -> Compiled:
        """The kernel compiled for a signature such as "x:*fp32, n:i32, BLOCK=1024", from this function's cache."""
        key = (signature, target, tuple(sorted((options or {}).items())))
        compiled = self.cache.get(key)
        if compiled is None:
            compiled = self.cache[key] = Compiled(self.tree, self.fn.__name__, signature, target, options or {})
        return compiled

    def variants(self) -> list[Compiled]:
        """What this process has compiled or found of the kernel, as Compiled objects."""
        return list(self.cache.values())

    def precompile(self, targets: str | Sequence[str], signatures: str | Sequence[str], constants: Mapping[str, Sequence] | None = None,
                   **options: Any) -> list[Compiled]:
        """Compiles for every target and signature on any machine, so that a cache folder holds them for later processes.

        `targets` and `signatures` are texts or lists of them, as `tw.compile` takes; `constants` maps names of constants to
        lists of values, of which every combination is added to each signature. Gives the Compiled objects.
        """
        targets = [targets] if isinstance(targets, str) else targets
        signatures = [signatures] if isinstance(signatures, str) else signatures
        names, ranges = list(constants or {}), list((constants or {}).values())
        texts = [", ".join([signature, *(f"{name}={value!r}" for name, value in zip(names, values))])
                 for signature in signatures for values in itertools.product(*ranges)]
        return [self.compile(text, target, options) for target in targets for text in texts]

    def signature_of(self, *args: Any, **kwargs: Any) -> tuple[str, str, dict[str, Any]]:
        """(signature, target, options) that a launch with these arguments compiles for, as `tw.compile` takes them."""
        return self._request(args, kwargs)[:3]

    def warmup(self, *args: Any, grid: Grid, **kwargs: Any) -> Any:
        """Compiles without launching."""
        return self.run(*args, grid=grid, warmup=True, **kwargs)


def _misspelt(keywords, names):
    """A hint about keywords of a launch that are no parameters, with the parameter that each resembles; "" without any."""
    parts = []
    for keyword in sorted(keywords):
        near = _nearest(keyword, names)
        parts.append(f"'{keyword}' is not a parameter" + (f", did you mean '{near}'?" if near else ""))
    return "\n  hint: " + "; ".join(parts) if parts else ""


def _nearest(word, names):
    """The name that a word resembles, or None."""
    return next(iter(difflib.get_close_matches(word, sorted(names), 1)), None)


def _unknown_option(error):
    """The option that a backend did not know, if that is the error."""
    found = re.search(r"TW4107: unknown option '(\w+)'", str(error))
    return found[1] if found else None


def _stands_for_itself(value):
    """Whether a constant is known by its address, as types and functions are."""
    return hasattr(value, "__tilewright_function__") or isinstance(value, dtype) or str(type(value)) == "<class 'torch.dtype'>"


class Call:
    """One call of a kernel: the compiled code, what is passed, and where it runs."""

    def __init__(self, compiled, arguments, runtime, place):
        self.compiled, self.arguments, self.runtime, self.place = compiled, arguments, runtime, place

    def axes(self, grid):
        """Programs on three axes."""
        if callable(grid):
            grid = grid(dict(self.arguments))
        axes = (grid,) if hasattr(grid, "__index__") else grid
        if not isinstance(axes, (tuple, list)) or not all(hasattr(axis, "__index__") for axis in axes):
            raise LaunchError(f"TW6056: expected a grid of integers, got {grid!r}", 6056)
        # Axes of one program behind the third mean nothing; Triton does not look at them.
        if not axes or any(axis != 1 for axis in axes[3:]):
            raise LaunchError(f"TW6056: expected a grid of 1 to 3 axes, got {len(axes)}", 6056)
        return (*map(operator.index, axes), 1, 1)[:3]

    @property
    def kernel(self):
        """The loaded kernel."""
        return self.compiled.kernel_on(self.place.vendor, self.place.ordinal)

    def launch(self, grid):
        """Launches; returns the loaded kernel."""
        axes, kernel = self.axes(grid), self.kernel
        try:
            kernel.launch(*axes, self.runtime, self.place.stream())
        except _native.RuntimeFailure as failure:
            raise from_runtime(failure) from None
        return kernel

    def prepare(self, grid):
        """A function without arguments that launches."""
        try:
            prepared = self.kernel.prepare(*self.axes(grid), self.runtime, self.place.torch_device)
        except _native.RuntimeFailure as failure:
            raise from_runtime(failure) from None
        return _native.relauncher(prepared, self.arguments)


@overload
def jit(function: Callable) -> JITFunction: ...


@overload
def jit(function: None = None, **options: Any) -> Callable[[Callable], JITFunction]: ...


def jit(function: Callable | None = None, *, version: Any = None, repr: Any = None, launch_metadata: Any = None,
        do_not_specialize: Iterable[str | int] | None = None, do_not_specialize_on_alignment: Iterable[str | int] | None = None,
        debug: bool | None = None, noinline: bool | None = None, interpret: bool = False) -> Any:
    """Makes a kernel of a function; usable bare, with options, or as a call.

    `do_not_specialize` lists parameters (names or positions) whose values never become facts or constants. `interpret=True`, here or
    at a launch, runs the kernel on target `reference` and stops at accesses out of bounds, reads of what was not written,
    overflow of addresses, and programs that meet in memory without atomics; for arrays in host memory.
    """
    if function is None:
        return functools.partial(jit, do_not_specialize=do_not_specialize, debug=debug, interpret=interpret,
                                 do_not_specialize_on_alignment=do_not_specialize_on_alignment)
    if isinstance(function, JITFunction):
        return function
    if not inspect.isfunction(function) or function.__name__ == "<lambda>":
        raise TypeError(f"expected a function defined with def, got {function!r}")
    return JITFunction(function, do_not_specialize or (), do_not_specialize_on_alignment or (), bool(debug), bool(interpret))


def op(name: str) -> Callable[[Callable], JITFunction]:
    """Makes an op of a function, which plugins may claim by its name "vendor.name@version".

    The body is what the op means, and what targets without a claim compile. Kernels call the function as any other.
    """
    if not isinstance(name, str):
        raise TypeError(f'expected a name such as "vendor.name@1", got {name!r}')

    def decorate(function):
        made = jit(function)
        made.__tilewright_decorator__ = f"tw.op({json.dumps(name)})"
        return made

    return decorate


def compile(kernel: JITFunction, signature: str, target: str = "cpu", **options: Any) -> Compiled:
    """Compiles a kernel for a signature and target on any machine; gives an object with `asm` and `artifact`."""
    return kernel.compile(signature, target, options)


def fits(kernel: JITFunction, signature: str, target: str = "cpu", **options: Any) -> dict[str, Any]:
    """Whether a kernel fits a target, found on any machine and, where the target allows, without generating code.

    Gives a dict: "fits" (bool), "target", "reasons" (dicts with code, message, file, line, notes), "kernels" (dicts with
    kernel, warps, lanes, shared_bytes, shared_limit, registers_estimate, registers_limit) and, where resources do not
    suffice, "alternatives": dicts with the "constants" and "options" of the least change that does.
    """
    return engine.fits(kernel.tree, kernel.fn.__name__, signature, target, options)
