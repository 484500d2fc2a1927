"""`autotune` and `heuristics`: choosing compile-time values at launch."""
import statistics
import time

from .engine import synchronize
from .errors import OutOfResources


class Config:
    """One choice of constexpr values and launch options."""

    def __init__(self, kwargs, num_warps=4, num_stages=3, num_ctas=1, maxnreg=None, pre_hook=None, ir_override=None):
        self.kwargs = dict(kwargs)
        self.num_warps = num_warps
        self.num_stages = num_stages
        self.num_ctas = num_ctas
        self.maxnreg = maxnreg
        self.pre_hook = pre_hook

    def all_kwargs(self):
        """All values to pass at the launch."""
        options = {"num_warps": self.num_warps, "num_stages": self.num_stages, "num_ctas": self.num_ctas,
                   "maxnreg": self.maxnreg}
        return {**self.kwargs, **{key: value for key, value in options.items() if value is not None}}

    def __str__(self):
        return ", ".join(f"{key}: {value}" for key, value in self.all_kwargs().items())


class _Wrapper:
    """Shared by the decorators that stand around a kernel."""

    def __init__(self, inner):
        self.fn = inner
        self.arg_names = inner.arg_names

    @property
    def __tilewright_inner__(self):
        return getattr(self.fn, "__tilewright_inner__", self.fn)

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.run(*args, grid=grid, **kwargs)

    def named(self, args, kwargs):
        """All arguments of a call by name."""
        return {**dict(zip(self.arg_names, args)), **kwargs}


class Heuristics(_Wrapper):
    """Computes constexpr values from the other arguments."""

    def __init__(self, inner, values):
        super().__init__(inner)
        self.values = values

    def run(self, *args, **kwargs):
        """Adds the computed values and launches."""
        for name, value in self.values.items():
            kwargs[name] = value(self.named(args, kwargs))
        return self.fn.run(*args, **kwargs)


class Autotuner(_Wrapper):
    """Measures the configs once for each new value of the key and keeps the fastest."""

    def __init__(self, inner, configs, key, reset_to_zero=(), restore_value=(), prune_configs_by=None, warmup=2, rep=5):
        super().__init__(inner)
        self.configs = list(configs) or [Config({})]
        self.keys = list(key)
        self.reset_to_zero = list(reset_to_zero or ())
        self.restore_value = list(restore_value or ())
        self.prune = dict(prune_configs_by or {})
        self.warmup_runs, self.timed_runs = warmup, rep
        self.best_config = None
        self.cache = {}

    def run(self, *args, grid, **kwargs):
        """Picks the config for these arguments and launches with it."""
        named = self.named(args, kwargs)
        key = tuple(named.get(name) for name in self.keys) + tuple(
            str(value.dtype) for value in named.values() if hasattr(value, "dtype"))
        config = self.cache.get(key)
        if config is None:
            configs = self._pruned(named)
            config = configs[0] if len(configs) == 1 else self._fastest(configs, args, grid, kwargs, named)
            self.cache[key] = config
        self.best_config = config
        if config.pre_hook is not None:
            config.pre_hook({**named, **config.all_kwargs()})
        return self.fn.run(*args, grid=grid, **{**kwargs, **config.all_kwargs()})

    def _pruned(self, named):
        configs = self.configs
        if self.prune.get("early_config_prune"):
            configs = list(self.prune["early_config_prune"](configs, named, **named)) or configs[:1]
        return configs

    def _fastest(self, configs, args, grid, kwargs, named):
        saved = {name: named[name].copy() if hasattr(named[name], "copy") else named[name].clone()
                 for name in {*self.restore_value, *self.reset_to_zero} if name in named}
        times = {}
        for config in configs:
            try:
                times[config] = self._time(config, args, grid, kwargs, named)
            except OutOfResources:
                continue
        for name, value in saved.items():
            named[name][...] = value
        if not times:
            raise OutOfResources("no config of the autotuner fits the target")
        return min(times, key=times.get)

    def _time(self, config, args, grid, kwargs, named):
        times = []
        for attempt in range(self.warmup_runs + self.timed_runs):
            for name in self.reset_to_zero:
                named[name][...] = 0
            if config.pre_hook is not None:
                config.pre_hook({**named, **config.all_kwargs()})
            synchronize()
            start = time.perf_counter()
            self.fn.run(*args, grid=grid, **{**kwargs, **config.all_kwargs()})
            synchronize()
            if attempt >= self.warmup_runs:
                times.append(time.perf_counter() - start)
        return statistics.median(times)


def autotune(configs, key, prune_configs_by=None, reset_to_zero=None, restore_value=None, pre_hook=None,
             post_hook=None, warmup=None, rep=None, use_cuda_graph=False, do_bench=None, cache_results=False):
    """Decorator: tries `configs` for each new value of the arguments named in `key`."""
    return lambda inner: Autotuner(inner, configs, key, reset_to_zero, restore_value, prune_configs_by)


def heuristics(values):
    """Decorator: `values` maps constexpr names to functions of all arguments by name."""
    return lambda inner: Heuristics(inner, values)
