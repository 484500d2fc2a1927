"""`triton.runtime.autotuner`: tilewright.tuning with the names that libraries read and override.

Kernels over arrays of a GPU are measured. Those in host memory take the first configuration that compiles: the choice is by
order, not by time, so that results do not depend on the machine.
"""
import inspect

from tilewright import Config, arrays, tuning
from tilewright.annotations import Launchable
from tilewright.errors import CompilationError
from tilewright.tuning.settings import settings

from .errors import OutOfResources, PTXASError
from .jit import KernelInterface

_HOST = ("cpu", "reference", "spirv")


class Autotuner(tuning.Autotuner, KernelInterface):
    """Launches with the best configuration; `best_config` names it."""

    # Libraries put objects of their own between: their way to the kernel is `fn`.
    __tilewright_inner__ = KernelInterface.__tilewright_inner__
    _launcher = KernelInterface.__getitem__

    def __init__(self, fn, arg_names, configs, key, reset_to_zero=None, restore_value=None, *args, **kwargs):
        super().__init__(fn, arg_names, configs, key, reset_to_zero, restore_value, *args, **kwargs)
        self.base_fn = fn
        while not inspect.isfunction(self.base_fn):
            self.base_fn = self.base_fn.fn
        self.bench_time = None
        self._settled = None

    def _is_measured(self, named):
        return settings.measure and any(arrays.is_array(value) and arrays.device_vendor(value) not in _HOST
                                        for value in named.values())

    def _choose(self, args, grid, kwargs, named):
        if self._is_measured(named):
            return super()._choose(args, grid, kwargs, named)
        configs = self.prune_configs(kwargs)
        return configs[0] if len(configs) == 1 else self._first(configs, args, grid, kwargs)

    def _launch(self, args, grid, options):
        # What libraries put between may ask for `warmup`, as Triton always gives it.
        return super()._launch(args, grid, options if isinstance(self.fn, Launchable) else {"warmup": False, **options})

    def _bench(self, *args, config, **meta):
        """Three times; infinity for a configuration that does not work, and in host memory 0 for the first that does."""
        infinite = [float("inf")] * 3
        grid = meta.pop("grid", (1,))
        meta.pop("warmup", None)
        try:
            if self._is_measured(self.named(args, meta)):
                return super()._bench(*args, config=config, grid=grid, **meta)
            if self._settled is not None and self._settled is self.nargs:
                return infinite
            self._compile(config, args, grid, meta)
        except (CompilationError, PTXASError):
            return infinite
        self._settled = self.nargs
        return [0.0] * 3


class Heuristics(tuning.Heuristics, KernelInterface):
    """Computes constants from the other arguments before a launch."""

    __tilewright_inner__ = KernelInterface.__tilewright_inner__
    _launcher = KernelInterface.__getitem__


def autotune(configs, key, prune_configs_by=None, reset_to_zero=None, restore_value=None, pre_hook=None, post_hook=None,
             warmup=None, rep=None, use_cuda_graph=False, do_bench=None, cache_results=False):
    """Decorator: launches with the best of `configs`."""

    def decorate(fn):
        return Autotuner(fn, fn.arg_names, configs, key, reset_to_zero, restore_value, pre_hook, post_hook,
                         prune_configs_by, warmup, rep, use_cuda_graph, do_bench, cache_results)

    return decorate


def heuristics(values):
    """Decorator: `values` maps names of constants to functions of all arguments by name."""
    return lambda fn: Heuristics(fn, fn.arg_names, values)


__all__ = ["Autotuner", "Config", "Heuristics", "OutOfResources", "PTXASError", "autotune", "heuristics"]
