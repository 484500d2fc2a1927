"""`autotune`: the fastest of several configurations, found once for each key."""
from __future__ import annotations

import copy
import functools
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from .. import arrays, engine, places
from ..annotations import Grid, Launchable
from ..descriptor import TensorDescriptor
from ..errors import CompilationError, LaunchError, OutOfResources, TuningError
from ..jit import JITFunction
from . import results
from .config import Config
from .heuristics import Heuristics, Wrapper
from .progress import Progress
from .settings import settings


#: What a configuration may fail with while others are tried.
_UNFIT = (CompilationError, OutOfResources)
#: Classes of arguments that are known to have no element type.
_NUMBERS = {int, float, bool, str, type(None)}


def _copy(array):
    """The content of a torch tensor, a NumPy array or a DeviceArray."""
    if hasattr(array, "clone"):
        return array.clone()
    return array.numpy() if hasattr(array, "numpy") else array.copy()


def _assign(array, value):
    if hasattr(array, "copy_"):
        array.copy_(value)
    elif hasattr(array, "write"):
        array.write(value)
    else:
        array[...] = value


def _zero(array):
    if hasattr(array, "zero_"):
        array.zero_()
    else:
        _assign(array, 0)


class Autotuner(Wrapper):
    """Measures the configurations once for each new value of the key and launches with the fastest.

    `cache` maps keys to configurations, `best_config` is the one launched last, `configs_timings` the times in milliseconds (median,
    20 % and 80 % quantile) of the last tuning.
    """

    def __init__(self, fn: Any, arg_names: Sequence[str], configs: Iterable[Config], key: Iterable[str],
                 reset_to_zero: Iterable[str] | None = None, restore_value: Iterable[str] | None = None,
                 pre_hook: Callable | None = None, post_hook: Callable | None = None, prune_configs_by: Mapping[str, Any] | None = None,
                 warmup: float | None = None, rep: float | None = None, use_cuda_graph: bool = False, do_bench: Callable | None = None,
                 cache_results: bool = False):
        super().__init__(fn, arg_names)
        self.configs = list(configs) or [Config({})]
        self.keys = list(key)
        self.cache = {}
        self.reset_to_zero = list(reset_to_zero or ())
        self.restore_value = list(restore_value or ())
        self.user_pre_hook, self.user_post_hook = pre_hook, post_hook
        prune = dict(prune_configs_by or {})
        self.early_config_prune = prune.get("early_config_prune")
        self.perf_model, self.configs_top_k = prune.get("perf_model"), prune.get("top_k", 1.0)
        self.num_warmups, self.num_reps, self.use_cuda_graph = warmup, rep, use_cuda_graph
        self.cache_results = cache_results
        self._do_bench = do_bench
        self._saved = {}
        #: Held while a configuration is chosen: threads would measure each other, and share `nargs` and what is restored.
        self._choosing = threading.RLock()
        #: Launches that were seen before: values and element types as they are -> (key, configuration, its values).
        self._seen = {}
        self._key_positions = [self.arg_names.index(name) if name in self.arg_names else len(self.arg_names)
                               for name in self.keys]
        self.nargs = None
        self.best_config = None
        self.configs_timings = None

    #--- Hooks ---

    def pre_hook(self, kwargs: dict[str, Any], reset_only: bool = False) -> None:
        """Before a measured launch: zeroes the arguments of `reset_to_zero`, saves those of `restore_value`."""
        if self.user_pre_hook is not None:
            self.user_pre_hook(kwargs, reset_only=reset_only)
            return
        for name in self.reset_to_zero:
            _zero(kwargs[name])
        if not reset_only:
            self._saved = {name: _copy(kwargs[name]) for name in self.restore_value}

    def post_hook(self, kwargs: dict[str, Any], exception: BaseException | None) -> None:
        """After a measured launch: gives the arguments of `restore_value` their values back."""
        if self.user_post_hook is not None:
            self.user_post_hook(kwargs, exception=exception)
            return
        for name, value in self._saved.items():
            _assign(kwargs[name], value)
        self._saved = {}

    #--- Choosing ---

    def prune_configs(self, kwargs: dict[str, Any]) -> list[Config]:
        """The configurations that `early_config_prune` keeps, and of those the `top_k` best by `perf_model`."""
        configs = self.configs
        if self.early_config_prune:
            configs = list(self.early_config_prune(configs, self.nargs, **kwargs))
            if not configs:
                raise TuningError("TW6057: expected early_config_prune to keep a configuration, got none", 6057)
        if self.perf_model:
            count = self.configs_top_k
            count = int(len(self.configs) * count) if isinstance(count, float) and count <= 1.0 else int(count)
            if len(configs) > count:
                estimates = {config: self.perf_model(**self.nargs, **kwargs, **config.all_kwargs()) for config in configs}
                configs = sorted(configs, key=estimates.get)[:max(count, 1)]
        return configs

    def key_of(self, named: Mapping[str, Any]) -> tuple:
        """What a configuration is chosen for: the values of the key's arguments, and the types of all arrays."""
        return tuple(named.get(name) for name in self.keys) + tuple(
            str(value.dtype) for value in named.values() if hasattr(value, "dtype"))

    def run(self, *args: Any, grid: Grid, warmup: bool = False, **kwargs: Any) -> Any:
        """Launches with the configuration of these arguments' key, which is measured when the key is new."""
        if warmup:
            return self.warmup(*args, grid=grid, **kwargs)
        shortcut = None if kwargs else self._shortcut(args)
        seen = self._seen.get(shortcut)
        if seen is not None and self.cache.get(seen[0]) is seen[1]:
            self.best_config = seen[1]
            return self._launch(args, grid, seen[2])
        key, config, options = self._decided(args, grid, kwargs)
        if config.pre_hook is None and shortcut is not None:
            self._seen[shortcut] = key, config, options
        return self._launch(args, grid, options)

    _run = run

    def _launch(self, args, grid, options):
        """Launches what it stands around; libraries put objects between that only have `run`."""
        if isinstance(self.fn, Launchable):
            return self.fn[grid](*args, **options)
        return self.fn.run(*args, grid=grid, **options)

    def _decided(self, args, grid, kwargs):
        """(key, configuration, options with what it gives) of a launch that is about to be made; its hook has been called."""
        named = self.named(args, kwargs)
        key = self.key_of(named)
        config = self.cache.get(key)
        if config is None:
            with self._choosing:
                config = self.cache.get(key) or self._choose_for(key, args, grid, kwargs, named)
        self.best_config = config
        options = self._options(config, kwargs)
        if config.pre_hook is not None:
            config.pre_hook({**named, **options})
        return key, config, options

    def _choose_for(self, key, args, grid, kwargs, named):
        """The configuration of a new key, chosen and kept."""
        self.nargs = dict(zip(self.arg_names, args))
        try:
            config = self.cache[key] = self._choose(args, grid, kwargs, named)
        finally:
            self.nargs = None
        return config

    def __repr__(self):
        best = f", last {self.best_config!r}" if self.best_config else ""
        return f"<{len(self.configs)} configuration{'s' * (len(self.configs) != 1)} by ({', '.join(self.keys)}) of {self.fn!r}{best}>"

    @functools.cached_property
    def _dispatcher(self):
        """The fast path: known argument classes and values of the key to kernels of a configuration; around heuristics to what
        a configuration adds to the call. None where a library's object stands between the configurations and the kernel, or
        they give more than constants of it."""
        kernel, computed = self.fn, set()
        while isinstance(kernel, Heuristics):
            kernel, computed = kernel.fn, computed | kernel.values.keys()
        if not isinstance(kernel, JITFunction):
            return None
        if kernel is self.fn and not all(parameter.is_constexpr for parameter in self._chosen):
            return None
        chosen = [parameter for parameter in kernel.params if parameter in self._chosen or parameter.name in computed]
        keys = [parameter for parameter in kernel.params if parameter.name in self.keys and parameter not in chosen]
        dispatcher = kernel.make_dispatcher()
        dispatcher.guard(type(self), Autotuner._run)
        dispatcher.tune([parameter.number for parameter in chosen], [parameter.number for parameter in keys])
        if kernel is not self.fn:
            dispatcher.forward(self.fn)
        return dispatcher

    @functools.cached_property
    def _chosen(self):
        """The kernel's parameters that configurations give, as the fast path knows them."""
        return self._given(self.configs)

    def _given(self, configs):
        return [parameter for parameter in self.__tilewright_inner__.params if any(parameter.name in config.kwargs for config in configs)]

    def launch_any(self, grid: Grid, args: tuple, kwargs: dict[str, Any]) -> tuple:
        """A launch that the fast path does not know, as JITFunction.launch_any; with (key, configuration, values of the
        parameters that configurations give)."""
        if kwargs.pop("warmup", False):
            return self.warmup(*args, grid=grid, **kwargs), None, []
        key, config, options = self._decided(args, grid, kwargs)
        if config.pre_hook is not None:
            return self._launch(args, grid, options), None, []
        if self._given([*self.configs, config]) != self._chosen:
            # `configs` or `cache` was changed by hand: the next launch makes them anew.
            self.__dict__.pop("_dispatcher", None)
            self.__dict__.pop("_chosen", None)
            return self._launch(args, grid, options), None, []
        if isinstance(self.fn, Heuristics):
            return self._launch(args, grid, options), None, [], (key, config, config.all_kwargs())
        values = [options.get(parameter.name, self.fn.signature.parameters[parameter.name].default) for parameter in self._chosen]
        return *self.fn.launch_any(grid, args, options, self._dispatcher), (key, config, values)

    def _shortcut(self, args):
        """What decides the key, without making names and texts of it; None where that needs more than the positions."""
        try:
            return (*[args[position] for position in self._key_positions],
                    *[value.dtype for value in args if type(value) not in _NUMBERS and hasattr(value, "dtype")])
        except (IndexError, AttributeError):
            return None

    def warmup(self, *args: Any, grid: Grid, **kwargs: Any) -> list:
        """Compiles every configuration that is left after pruning, without launching; gives the list of results."""
        self.nargs = dict(zip(self.arg_names, args))
        try:
            configs = self.prune_configs(kwargs)
        finally:
            self.nargs = None
        return [self._compile(config, args, grid, kwargs) for config in configs]

    def _compile(self, config, args, grid, kwargs):
        """Compiles a configuration for a call, without launching. Its hook may set the block shapes of descriptors, and those are
        part of the program: it is called here, too, with copies of them, since configurations are compiled at the same time."""
        options = self._options(config, kwargs)
        described = any(isinstance(value, TensorDescriptor) for value in (*args, *options.values()))
        if config.pre_hook is not None and described:
            args = [_copied_descriptor(value) for value in args]
            options = {name: _copied_descriptor(value) for name, value in options.items()}
            config.pre_hook({**dict(zip(self.arg_names, args)), **options})
        return self.fn.warmup(*args, grid=grid, **options)

    def _specialized(self, args, kwargs):
        """The Call that a launch makes, as of JITFunction: with the configuration of its key, or the first where none is known."""
        config = self.cache.get(self.key_of(self.named(args, kwargs)), self.configs[0])
        return self.fn._specialized(args, self._options(config, kwargs))

    def _options(self, config, kwargs):
        values = config.all_kwargs()
        both = sorted(set(values) & set(kwargs))
        if both:
            raise LaunchError(f"TW6060: '{', '.join(both)}' is given by the caller and by the configurations of autotune\n"
                              "  hint: leave it out of the call, or out of the configurations", 6060)
        return {**kwargs, **values}

    def _choose(self, args, grid, kwargs, named):
        configs = self.prune_configs(kwargs)
        if len(configs) == 1:
            return configs[0]
        if not settings.measure:
            return self._first(configs, args, grid, kwargs)
        entry = self._entry(args, named)
        if self.cache_results:
            results.load_stored(entry)
        told = results.chosen.find(entry)
        if told is not None:
            entry.update(told)
        by_text = {str(config): config for config in configs}
        if entry.pinned in by_text:
            return by_text[entry.pinned]
        missing = [config for text, config in by_text.items() if text not in entry.configs]
        if missing:
            self._measure(missing, args, grid, kwargs, entry)
            results.measured.add(entry)
            if self.cache_results:
                results.store(entry)
        times = {text: entry.configs[text] for text in by_text if not isinstance(entry.configs[text], str)}
        if not times:
            raise _no_config(self._name(), entry.configs, by_text)
        return by_text[min(times, key=times.get)]

    def _first(self, configs, args, grid, kwargs):
        """The first configuration that compiles."""
        errors = {}
        for config in configs:
            try:
                self._compile(config, args, grid, kwargs)
                return config
            except _UNFIT as error:
                errors[str(config)] = str(error)
        raise _no_config(self._name(), errors, errors)

    def _name(self):
        return getattr(self.__tilewright_inner__, "__name__", "kernel")

    def _entry(self, args, named):
        """The empty entry of this call's kernel, device and key."""
        import hashlib
        place = places.place_of(list(named), list(named.values()), None, self.__tilewright_inner__._current_device)
        tree = self.__tilewright_inner__.tree
        source = hashlib.sha256(repr((tree.text, tree.modules)).encode()).hexdigest()[:32]
        key = {name: _as_json(named.get(name)) for name in self.keys}
        key.update({f"{name}.dtype": str(value.dtype) for name, value in named.items() if hasattr(value, "dtype")})
        return results.Entry(self._name(), source, place.target, engine.device(place.vendor, place.ordinal).name(), key)

    #--- Measuring ---

    def _measure(self, configs, args, grid, kwargs, entry):
        """Compiles the configurations at the same time, then measures one after another."""
        touched = {name: _copy(entry_value) for name, entry_value in self.named(args, kwargs).items()
                   if name in self.restore_value or name in self.reset_to_zero}
        progress = Progress(self._name(), len(configs))
        self.configs_timings = {}
        try:
            for config, failure in self._compiled(configs, args, grid, kwargs):
                milliseconds = None
                if failure is None:
                    try:
                        times = self._bench(*args, config=config, grid=grid, **kwargs)
                        self.configs_timings[config] = times
                        milliseconds = times[0] if isinstance(times, (tuple, list)) else times
                    except OutOfResources as error:
                        failure = error
                entry.configs[str(config)] = str(failure) if failure is not None else milliseconds
                progress.step(str(config), milliseconds)
        finally:
            progress.close()
            for name, value in touched.items():
                _assign(self.named(args, kwargs)[name], value)

    def _compiled(self, configs, args, grid, kwargs):
        """(config, error or None) of each, in order, when all are compiled: nothing else runs while times are taken."""
        import concurrent.futures

        def attempt(config):
            try:
                self._compile(config, args, grid, kwargs)
                return config, None
            except _UNFIT as error:
                return config, error

        self.__tilewright_inner__.tree  # made once, not by each thread
        jobs = min(settings.jobs or os.cpu_count() or 1, len(configs))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(attempt, configs))

    def _bench(self, *args, config, **meta):
        """Milliseconds of a launch with a configuration: median, 20 % and 80 % quantile."""
        grid = meta.pop("grid")
        meta.pop("warmup", None)
        options = self._options(config, meta)
        named = {**dict(zip(self.arg_names, args)), **options}

        def launch():
            if config.pre_hook is not None:
                config.pre_hook(named)
            self.pre_hook(named)
            try:
                self._launch(args, grid, options)
                if not is_torch:
                    engine.synchronize()
            except Exception as error:
                try:
                    self.post_hook(named, exception=error)
                finally:
                    raise
            self.post_hook(named, exception=None)

        is_torch = any(type(value).__module__.partition(".")[0] == "torch" and arrays.device_vendor(value) != "cpu"
                       for value in named.values())
        return self._benchmarker(is_torch)(launch, quantiles=(0.5, 0.2, 0.8))

    def _benchmarker(self, is_torch):
        if self._do_bench is not None:
            return self._do_bench
        from ..testing import do_bench, do_bench_cudagraph
        if self.use_cuda_graph and is_torch:
            return lambda fn, quantiles: do_bench_cudagraph(fn, rep=self.num_reps or 20, quantiles=quantiles)
        return lambda fn, quantiles: do_bench(fn, warmup=25 if self.num_warmups is None else self.num_warmups,
                                              rep=self.num_reps or 100, quantiles=quantiles,
                                              device_type=None if is_torch else "cpu")


def _copied_descriptor(value):
    """A descriptor of the same tensor whose attributes can be set without touching the caller's; other values as they are."""
    if not isinstance(value, TensorDescriptor):
        return value
    same = copy.copy(value)
    same.shape, same.strides, same.block_shape = list(value.shape), list(value.strides), list(value.block_shape)
    return same


def _as_json(value):
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def _no_config(kernel, errors, order):
    """The error that says of each configuration why it does not work."""
    shown = 8
    lines = [f"  {config}: {errors[config].strip().splitlines()[0]}" for config in list(order)[:shown]]
    if len(order) > shown:
        lines.append(f"  and {len(order) - shown} more")
    return TuningError(f"TW6061: none of the {len(order)} configurations of '{kernel}' works here\n" + "\n".join(lines), 6061)


def autotune(configs: Iterable[Config], key: Iterable[str], prune_configs_by: Mapping[str, Any] | None = None,
             reset_to_zero: Iterable[str] | None = None, restore_value: Iterable[str] | None = None, pre_hook: Callable | None = None,
             post_hook: Callable | None = None, warmup: float | None = None, rep: float | None = None, use_cuda_graph: bool = False,
             do_bench: Callable | None = None, cache_results: bool = False) -> Callable[[Any], Autotuner]:
    """Decorator: launches with the fastest of `configs`, measured for each new value of the arguments named in `key`.

    `reset_to_zero` and `restore_value` name arrays that a launch changes; `warmup` and `rep` are milliseconds of launches before and
    while measuring; `cache_results` keeps the times of each configuration for later processes. Raises TuningError where no
    configuration works.
    """
    return lambda fn: Autotuner(fn, fn.arg_names, configs, key, reset_to_zero, restore_value, pre_hook, post_hook,
                                prune_configs_by, warmup, rep, use_cuda_graph, do_bench, cache_results)
