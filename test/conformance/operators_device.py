"""Lets flag-gems and liger-kernel, which were written for a GPU, run their operators on tensors in host memory, or on a GPU.

The libraries stay as they were published. On a GPU only the `triton` module is another one. In host memory this is
pretended, all of it here:
- the `triton` module is Tilewright's stand-in (`tilewright.triton`);
- flag-gems finds the vendor "nvidia" with a device called "cpu" and no architecture, so that its general kernels and
  its own NVIDIA tuning tables are used, and no kernel written for one generation of a GPU;
- `torch.cpu` gets what `torch.cuda` has and the libraries ask for: device guards, properties, random generators;
- `torch.cuda` answers the same questions about the same device, but stays unavailable;
- `Tensor.is_cuda` says True inside `on_device()`;
- one function of liger-kernel that knows no size for a processor (`liger_dyt_bwd`) is told that the device is "cuda".
"""
import contextlib
import importlib
import importlib.util
import os
import sys
import types

import torch

#: What the device says about itself; sizes are those of a small processor.
_PROPERTIES = types.SimpleNamespace(name="Tilewright CPU", major=0, minor=0, multi_processor_count=4, L2_cache_size=1 << 20,
                                    total_memory=1 << 33, warp_size=32, max_threads_per_multi_processor=2048,
                                    shared_memory_per_block=1 << 16, shared_memory_per_block_optin=1 << 18,
                                    regs_per_multiprocessor=1 << 16, gcnArchName="")


class _Guard:
    """A device guard: entering and leaving it changes nothing, there is one device."""

    def __init__(self, device=None):
        self.idx = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


class _PhiloxGenerator:
    """A generator whose state is (seed, offset), which is all that the libraries' Philox kernels use."""

    def __init__(self, seed=0):
        self.manual_seed(seed)

    def manual_seed(self, seed):
        self._state = torch.tensor([seed, 0], dtype=torch.int64)
        return self

    def get_state(self):
        return self._state.clone().view(torch.uint8)

    def set_state(self, state):
        self._state = state.view(torch.int64).clone()


class _Stream:
    """The one queue: work is done when a launch returns."""
    cuda_stream = 0
    device = torch.device("cpu")

    def synchronize(self):
        """Nothing is pending."""

    def wait_stream(self, stream):
        """Nothing is pending."""


def _device_functions():
    return {
        "device": _Guard, "_DeviceGuard": _Guard, "get_device_properties": lambda device=None: _PROPERTIES,
        "get_device_capability": lambda device=None: (_PROPERTIES.major, _PROPERTIES.minor),
        "get_device_name": lambda device=None: _PROPERTIES.name, "current_device": lambda: 0, "device_count": lambda: 1,
        "synchronize": lambda device=None: None, "current_stream": lambda device=None: _Stream(),
        "mem_get_info": lambda device=None: (1 << 32, 1 << 33), "set_device": lambda device: None,
        "default_generators": (_PhiloxGenerator(),)
    }


def _pretend_vendor():
    """Registers flag-gems' own description of NVIDIA with its device renamed to "cpu"."""
    package = importlib.util.find_spec("flag_gems").submodule_search_locations[0]
    sys.path.append(os.path.join(package, "runtime", "backend"))
    vendor = importlib.import_module("_nvidia")
    vendor.vendor_info.device_name = "cpu"
    vendor.vendor_info.triton_extra_name = "cuda"
    os.environ["GEMS_VENDOR"] = "nvidia"


def install(cache_folder, target):
    """Makes `import flag_gems` and `import liger_kernel` work; flag-gems writes generated code to `cache_folder`, and
    `target` runs the kernels whose arrays are in host memory. With target None, `triton` stays the installed one."""
    if target is not None:
        import tilewright.arrays
        import tilewright.triton
        tilewright.triton.install()
        tilewright.tuning.configure(measure=False)
        tilewright.arrays.device_vendor = lambda value: target
    os.environ["FLAGGEMS_CACHE_DIR"] = str(cache_folder)
    # Two sets of functions: torch's tables must not find one object under two names.
    for module in (torch.cpu, torch.cuda):
        for name, function in _device_functions().items():
            setattr(module, name, function)
    _pretend_vendor()


class LaunchCounter:
    """Counts the kernels that are launched, so that an operator that torch itself computed is not taken for ours."""

    def __init__(self, with_triton=False):
        self.with_triton, self.counted = with_triton, 0
        if with_triton:
            import triton
            triton.knobs.runtime.launch_enter_hook.add(self._count)

    def _count(self, *_):
        self.counted += 1

    @property
    def launches(self):
        """Launches of this process so far."""
        if self.with_triton:
            return self.counted
        from tilewright import _native
        return _native.launch_count()


def install_on_gpu(cache_folder, with_triton=False):
    """Makes the libraries import Tilewright's `triton`, or has Triton tune as the stand-in does here; everything else is
    torch's own on a GPU."""
    if with_triton:
        _take_first_configuration()
    else:
        import tilewright.triton
        tilewright.triton.install()
        tilewright.tuning.configure(measure=False)
    os.environ["FLAGGEMS_CACHE_DIR"] = str(cache_folder)


def _take_first_configuration():
    """Triton's tuner stops at the first configuration that runs, since values are judged here and not speed."""
    from triton.runtime.autotuner import Autotuner
    chosen, measure = Autotuner.prune_configs, Autotuner._bench

    def remember(self, *args, **kwargs):
        timings = measure(self, *args, **kwargs)
        self.has_a_choice = timings[0] != float("inf")
        return timings

    def until_one_runs(self, kwargs):
        self.has_a_choice = False
        for config in chosen(self, kwargs):
            if self.has_a_choice:
                return
            yield config

    Autotuner._bench, Autotuner.prune_configs = remember, until_one_runs


def import_libraries():
    """{name: module} of the libraries, after install()."""
    modules = {name: importlib.import_module(name) for name in ("flag_gems", "liger_kernel.ops")}
    importlib.import_module("liger_kernel.ops.dyt").infer_device = lambda: "cuda"
    return modules


class Mover:
    """Moves tensors to the GPU as they are: strides, and views of one storage as views of one storage."""

    def __init__(self):
        self.storages = {}

    def __call__(self, tensor):
        storage = tensor.untyped_storage()
        moved = self.storages.get(storage.data_ptr()) if storage.nbytes() else None
        if moved is None:
            moved = self.storages[storage.data_ptr()] = storage.cuda()
        view = torch.empty(0, dtype=tensor.dtype, device="cuda").set_(moved, tensor.storage_offset(), tensor.size(),
                                                                      tensor.stride())
        if isinstance(tensor, torch.nn.Parameter):
            return torch.nn.Parameter(view, tensor.requires_grad)
        return view.requires_grad_(tensor.requires_grad)


@contextlib.contextmanager
def on_device():
    """Tensors in host memory call themselves device tensors while a library's operator runs."""
    torch.Tensor.is_cuda = property(lambda tensor: True)
    try:
        yield
    finally:
        del torch.Tensor.is_cuda
