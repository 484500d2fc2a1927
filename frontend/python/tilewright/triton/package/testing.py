"""`triton.testing`: measuring and comparing, on host memory."""
import contextlib
import math
import statistics
import time

from .testing_report import Benchmark, Mark, perf_report


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


def do_bench(fn, warmup=25, rep=100, grad_to_none=None, quantiles=None, return_mode="mean", fast_flush=True,
             device_type="cpu"):
    """Milliseconds that `fn()` takes: about `warmup` ms of calls unmeasured, then about `rep` ms measured."""
    fn()
    start = time.perf_counter()
    fn()
    once = max((time.perf_counter() - start) * 1e3, 1e-6)
    for _ in range(max(1, min(int(warmup / once), 10000))):
        fn()
    times = []
    for _ in range(max(1, min(int(rep / once), 10000))):
        for tensor in grad_to_none or ():
            tensor.grad = None
        start = time.perf_counter()
        fn()
        times.append((time.perf_counter() - start) * 1e3)
    return _summary(times, quantiles, return_mode)


def do_bench_cudagraph(fn, rep=20, grad_to_none=None, quantiles=None, return_mode="mean"):
    """As do_bench: host memory has no graphs to capture."""
    return do_bench(fn, rep=rep, grad_to_none=grad_to_none, quantiles=quantiles, return_mode=return_mode)


def assert_close(x, y, atol=None, rtol=None, err_msg=""):
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
def set_gpu_clock(*args, **kwargs):
    """Clocks cannot be fixed here."""
    raise NotImplementedError("Tilewright cannot fix the clocks of a device")
    yield


def get_dram_gbps(device=None):
    """Unknown for host memory."""
    raise NotImplementedError("the bandwidth of this machine's memory is not known")


def get_max_tensorcore_tflops(*args, **kwargs):
    """Unknown for host memory."""
    raise NotImplementedError("this machine's processor has no tensor cores")


get_max_simd_tflops = get_max_tensorcore_tflops

__all__ = ["Benchmark", "Mark", "assert_close", "do_bench", "do_bench_cudagraph", "perf_report", "set_gpu_clock"]
