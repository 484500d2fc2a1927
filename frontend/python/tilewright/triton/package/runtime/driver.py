"""`triton.runtime.driver`: questions about the device that kernels run on."""
import os
import platform

from ..backends.compiler import GPUTarget


class _Utils:
    """Facts about a device."""

    @staticmethod
    def get_device_properties(device=0):
        """Sizes by Triton's names. Host memory serves as shared memory, so its limit is only there to bound searches."""
        return {"max_shared_mem": 1 << 20, "max_num_regs": 1 << 16, "multiprocessor_count": os.cpu_count() or 1,
                "warpSize": 1, "sm_clock_rate": 0, "mem_clock_rate": 0, "mem_bus_width": 0}


class CpuDriver:
    """The driver of host memory."""

    def __init__(self):
        self.utils = _Utils()

    @staticmethod
    def is_active():
        """Host memory is always there."""
        return True

    def get_current_target(self):
        """The description of this machine's processor."""
        return GPUTarget("cpu", platform.machine(), 1)

    def get_current_device(self):
        """Number of the device."""
        return 0

    def set_current_device(self, device):
        """There is one device, number 0."""
        if device != 0:
            raise ValueError(f"expected device 0, got {device}")

    def get_current_stream(self, device=None):
        """Handle of the stream; launches wait for their end."""
        return 0

    def get_active_torch_device(self):
        """torch's name of the device."""
        import torch
        return torch.device("cpu")

    def get_device_interface(self):
        """torch's module of the device."""
        import torch
        return torch.cpu

    def get_benchmarker(self):
        """The function that measures a launch."""
        from ..testing import do_bench
        return do_bench

    def get_empty_cache_for_benchmark(self):
        """A buffer larger than the last cache level, to be cleared between runs."""
        import torch
        return torch.empty(64 << 20, dtype=torch.int32)

    def clear_cache(self, cache):
        """Overwrites the buffer."""
        cache.zero_()


class _DriverConfig:
    """Holds the driver in use."""

    def __init__(self):
        self._default = CpuDriver()
        self._active = None

    @property
    def default(self):
        """The driver of host memory."""
        return self._default

    @property
    def active(self):
        """The driver in use."""
        return self._active or self._default

    def set_active(self, driver):
        """Answers questions from another driver object; launches are not affected."""
        self._active = driver

    def reset_active(self):
        """Goes back to the default."""
        self._active = None


driver = _DriverConfig()
