"""Measuring kernels and comparing arrays."""
from __future__ import annotations

import contextlib
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..annotations import Array
from .report import Benchmark, Mark, perf_report


def has_cuda() -> bool:
    """Whether torch is in use and has a CUDA device."""
    torch = sys.modules.get("torch")
    return torch is not None and torch.version.cuda is not None and torch.cuda.is_available()


def _quantile(times, fraction):
    """Linear interpolation between the two nearest of the sorted times."""
    ordered = sorted(times)
    place = fraction * (len(ordered) - 1)
    low, high = math.floor(place), math.ceil(place)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _summary(times, quantiles, return_mode):
    if quantiles is not None:
        values = [_quantile(times, fraction) for fraction in quantiles]
        return values[0] if len(values) == 1 else values
    modes = {"all": list, "min": min, "max": max, "mean": statistics.mean, "median": statistics.median}
    if return_mode not in modes:
        raise ValueError(f"expected return_mode to be one of {sorted(modes)}, got {return_mode!r}")
    return modes[return_mode](times)


class _HostTimer:
    """Launches in host memory have ended when they return."""

    def milliseconds(self, functions):
        """Time of each call, in order."""
        times = []
        for function, before in functions:
            before()
            start = time.perf_counter()
            function()
            times.append((time.perf_counter() - start) * 1e3)
        return times


class _CudaTimer:
    """Times between events of the current stream, with a cold second-level cache."""

    def __init__(self):
        import torch
        self.torch = torch
        self.cache = torch.empty(64 << 20, dtype=torch.int32, device="cuda")

    def milliseconds(self, functions):
        """Time of each call, in order."""
        pairs = []
        for function, before in functions:
            begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
            before()
            self.cache.zero_()
            begin.record()
            function()
            end.record()
            pairs.append((begin, end))
        self.torch.cuda.synchronize()
        return [begin.elapsed_time(end) for begin, end in pairs]


def timer() -> Any:
    """What measures launches: events of the GPU where torch has one, the clock otherwise."""
    return _CudaTimer() if has_cuda() else _HostTimer()


def do_bench(fn: Callable[[], Any], warmup: float = 25, rep: float = 100, grad_to_none: Iterable | None = None,
             quantiles: Sequence[float] | None = None, return_mode: str = "mean", fast_flush: bool = True, device_type: str | None = None) -> Any:
    """Milliseconds that `fn()` takes: about `warmup` ms of calls unmeasured, then about `rep` ms measured. On a GPU the
    times are the GPU's."""
    def clear():
        for tensor in grad_to_none or ():
            tensor.grad = None

    timer = _CudaTimer() if device_type != "cpu" and has_cuda() else _HostTimer()
    once = max(timer.milliseconds([(fn, clear)] * 2)[1], 1e-3)
    timer.milliseconds([(fn, clear)] * max(1, min(int(warmup / once), 10000)))
    return _summary(timer.milliseconds([(fn, clear)] * max(1, min(int(rep / once), 10000))), quantiles, return_mode)


def do_bench_cudagraph(fn: Callable[[], Any], rep: float = 20, grad_to_none: Iterable | None = None,
                       quantiles: Sequence[float] | None = None, return_mode: str = "mean") -> Any:
    """As do_bench; on a GPU `fn` is captured into a graph several times over, so that launching costs nothing."""
    if not has_cuda():
        return do_bench(fn, rep=rep, grad_to_none=grad_to_none, quantiles=quantiles, return_mode=return_mode)
    import torch
    fn()
    torch.cuda.synchronize()
    graph, count = torch.cuda.CUDAGraph(), 10
    with torch.cuda.graph(graph):
        for _ in range(count):
            fn()
    times = _CudaTimer().milliseconds([(graph.replay, lambda: None)] * 10)
    return _summary([time / count for time in times], quantiles, return_mode)


def assert_close(x: Array, y: Array, atol: float | None = None, rtol: float | None = None, err_msg: str = "") -> None:
    """Raises AssertionError where two arrays or tensors differ by more than the tolerances (0.01 when not given)."""
    import numpy

    def as_numpy(value):
        if hasattr(value, "detach"):
            value = value.detach().cpu()
            value = value.float() if value.is_floating_point() else value
            return value.numpy()
        return numpy.asarray(value)

    numpy.testing.assert_allclose(as_numpy(x), as_numpy(y), atol=1e-2 if atol is None else atol,
                                  rtol=1e-2 if rtol is None else rtol, err_msg=err_msg, equal_nan=True)


@contextlib.contextmanager
def set_gpu_clock(*args: Any, **kwargs: Any) -> Iterator[None]:
    """Clocks cannot be fixed here."""
    raise NotImplementedError("Tilewright cannot fix the clocks of a device")
    yield


def get_dram_gbps(device: Any = None) -> float:
    """Unknown for host memory."""
    raise NotImplementedError("the bandwidth of this machine's memory is not known")


def get_max_tensorcore_tflops(*args: Any, **kwargs: Any) -> float:
    """Unknown for host memory."""
    raise NotImplementedError("this machine's processor has no tensor cores")


get_max_simd_tflops = get_max_tensorcore_tflops

__all__ = ["Benchmark", "Mark", "assert_close", "do_bench", "do_bench_cudagraph", "perf_report", "set_gpu_clock"]
