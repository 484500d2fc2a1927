"""`triton.runtime.driver`: questions about the device that kernels run on."""
import os
import platform
import sys

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


class _CudaUtils:
    """Facts about a CUDA device."""

    @staticmethod
    def get_device_properties(device=0):
        """Sizes by Triton's names; clocks are those that torch reports, in kHz."""
        import torch
        found = torch.cuda.get_device_properties(device)
        return {"max_shared_mem": getattr(found, "shared_memory_per_block_optin", 99 << 10),
                "max_num_regs": getattr(found, "regs_per_multiprocessor", 1 << 16),
                "multiprocessor_count": found.multi_processor_count, "warpSize": found.warp_size,
                "sm_clock_rate": getattr(found, "clock_rate", 0), "mem_clock_rate": getattr(found, "memory_clock_rate", 0),
                "mem_bus_width": getattr(found, "memory_bus_width", 0)}


class CudaDriver:
    """The driver of torch's CUDA devices."""

    def __init__(self):
        self.utils = _CudaUtils()

    @staticmethod
    def is_active():
        """Whether torch has a CUDA device."""
        torch = sys.modules.get("torch")
        return torch is not None and torch.version.cuda is not None and torch.cuda.is_available()

    def get_current_target(self):
        """The description of the current device."""
        import torch
        major, minor = torch.cuda.get_device_capability()
        return GPUTarget("cuda", 10 * major + minor, 32)

    def get_current_device(self):
        """Number of the current device."""
        import torch
        return torch.cuda.current_device()

    def set_current_device(self, device):
        """Makes a device the current one."""
        import torch
        torch.cuda.set_device(device)

    def get_current_stream(self, device=None):
        """Handle of the current stream."""
        import torch
        return torch.cuda.current_stream(device).cuda_stream

    def get_active_torch_device(self):
        """torch's name of the current device."""
        import torch
        return torch.device("cuda", self.get_current_device())

    def get_device_interface(self):
        """torch's module of the device."""
        import torch
        return torch.cuda

    def get_benchmarker(self):
        """The function that measures a launch."""
        from ..testing import do_bench
        return do_bench

    def get_empty_cache_for_benchmark(self):
        """A buffer larger than the last cache level, to be cleared between runs."""
        import torch
        return torch.empty(64 << 20, dtype=torch.int32, device="cuda")

    def clear_cache(self, cache):
        """Overwrites the buffer."""
        cache.zero_()


class _DriverConfig:
    """Holds the driver in use."""

    def __init__(self):
        self.host, self._cuda = CpuDriver(), CudaDriver()
        self._active = None

    @property
    def default(self):
        """The driver of torch's CUDA devices where there are any, else that of host memory."""
        return self._cuda if self._cuda.is_active() else self.host

    @property
    def active(self):
        """The driver in use."""
        return self._active or self.default

    def set_active(self, driver):
        """Answers questions from another driver object; launches are not affected."""
        self._active = driver

    def reset_active(self):
        """Goes back to the default."""
        self._active = None


driver = _DriverConfig()
