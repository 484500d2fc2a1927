"""`triton.runtime.autotuner`: tuning that takes the first configuration that works.

The choice is by order, not by time, so that results do not depend on the machine; tilewright.autotune measures.
"""
import inspect

import tilewright
from tilewright import Config
from tilewright.errors import CompilationError, OutOfResources

from .errors import PTXASError
from .jit import KernelInterface


class Autotuner(KernelInterface):
    """Launches with the first configuration that compiles; `best_config` names it."""

    def __init__(self, fn, arg_names, configs, key, reset_to_zero=None, restore_value=None, pre_hook=None, post_hook=None,
                 prune_configs_by=None, warmup=None, rep=None, use_cuda_graph=False, do_bench=None, cache_results=False):
        self.fn = fn
        self.arg_names = arg_names
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
        self.base_fn = fn
        while not inspect.isfunction(self.base_fn):
            self.base_fn = self.base_fn.fn
        self._do_bench = do_bench
        self.nargs = None
        self.best_config = None
        self.bench_time = None
        self.configs_timings = None
        self._settled = None

    def pre_hook(self, kwargs, reset_only=False):
        """Zeroes the arguments named in `reset_to_zero`."""
        if self.user_pre_hook is not None:
            self.user_pre_hook(kwargs, reset_only=reset_only)
            return
        for name in self.reset_to_zero:
            kwargs[name].zero_()

    def post_hook(self, kwargs, exception):
        """What to do after a measured launch."""
        if self.user_post_hook is not None:
            self.user_post_hook(kwargs, exception=exception)

    def prune_configs(self, kwargs):
        """The configurations that `early_config_prune` keeps, all without one."""
        if not self.early_config_prune:
            return self.configs
        pruned = list(self.early_config_prune(self.configs, self.nargs, **kwargs))
        if not pruned:
            raise tilewright.TilewrightError("TW6057: expected early_config_prune to keep a configuration, got none", 6057)
        return pruned

    def _bench(self, *args, config, **meta):
        """Three times as a measuring tuner would get: 0 for the first configuration that compiles, else infinity."""
        if self._settled is not None and self._settled is self.nargs:
            return [float("inf")] * 3
        grid = meta.pop("grid", (1,))
        meta.pop("warmup", None)
        try:
            self.fn.warmup(*args, grid=grid, **{**meta, **config.all_kwargs()})
        except (CompilationError, OutOfResources, PTXASError):
            return [float("inf")] * 3
        self._settled = self.nargs
        return [0.0] * 3

    def _key(self, named):
        return tuple(str(named.get(name)) for name in self.keys) + tuple(
            str(value.dtype) for value in named.values() if hasattr(value, "dtype"))

    def run(self, *args, **kwargs):
        """Launches with the configuration of these arguments' key."""
        self.nargs = dict(zip(self.arg_names, args))
        key = self._key({**self.nargs, **kwargs})
        known = self.cache.get(key)
        candidates = [known] if known is not None else self.prune_configs(kwargs)
        try:
            for config in candidates:
                self.best_config = config
                try:
                    result = self._launch(config, args, kwargs)
                except (CompilationError, OutOfResources) as error:
                    if config is candidates[-1]:
                        raise
                    continue
                self.cache[key] = config
                return result
        finally:
            self.nargs = None

    def _launch(self, config, args, kwargs):
        options = {**kwargs, **config.all_kwargs()}
        if config.pre_hook is not None:
            config.pre_hook({**self.nargs, **options})
        return self.fn.run(*args, **options)

    def warmup(self, *args, **kwargs):
        """Compiles every configuration."""
        self.nargs = dict(zip(self.arg_names, args))
        compiled = [self.fn.warmup(*args, **{**kwargs, **config.all_kwargs()}) for config in self.prune_configs(kwargs)]
        self.nargs = None
        return compiled


class Heuristics(KernelInterface):
    """Computes constants from the other arguments before a launch."""

    def __init__(self, fn, arg_names, values):
        self.fn = fn
        self.arg_names = arg_names
        self.values = values

    def run(self, *args, **kwargs):
        """Adds the computed constants and launches."""
        for name, value in self.values.items():
            kwargs[name] = value({**dict(zip(self.arg_names, args)), **kwargs})
        return self.fn.run(*args, **kwargs)


def autotune(configs, key, prune_configs_by=None, reset_to_zero=None, restore_value=None, pre_hook=None, post_hook=None,
             warmup=None, rep=None, use_cuda_graph=False, do_bench=None, cache_results=False):
    """Decorator: launches with the first of `configs` that works."""

    def decorate(fn):
        return Autotuner(fn, fn.arg_names, configs, key, reset_to_zero, restore_value, pre_hook, post_hook,
                         prune_configs_by, warmup, rep, use_cuda_graph, do_bench, cache_results)

    return decorate


def heuristics(values):
    """Decorator: `values` maps names of constants to functions of all arguments by name."""
    return lambda fn: Heuristics(fn, fn.arg_names, values)


__all__ = ["Autotuner", "Config", "Heuristics", "autotune", "heuristics"]
