"""Where a launch runs: the device that holds its arrays, and the stream."""
import dataclasses
import sys

from . import _native, arrays, engine
from .descriptor import TensorDescriptor
from .errors import LaunchError

#: Vendors whose kernels use the memory of the host; of others the device is asked.
_HOST_VENDORS = {"cpu", "reference", "spirv"}


@dataclasses.dataclass
class Place:
    """A device, the target that code for it is compiled for, and whose stream is used."""

    target: str
    vendor: str
    ordinal: int = 0
    #: torch's number of the device whose current stream takes the launch; -1 for the device's own stream.
    torch_device: int = -1
    #: Whether another launch with the same arguments may run elsewhere, no array saying where.
    is_current_device: bool = False

    def stream(self):
        """torch's current stream as a number, or None for the device's own, which is waited for."""
        return None if self.torch_device < 0 else _torch_stream(self.torch_device)


def _torch_stream(ordinal):
    stream = _native.torch_stream(ordinal)
    return stream if stream is not None else sys.modules["torch"].cuda.current_stream(ordinal).cuda_stream


def _arrays_in(name, value):
    """(name, array) of an argument, with those in descriptors and tuples."""
    if isinstance(value, TensorDescriptor):
        value = value.base
    if isinstance(value, tuple):
        for entry in value:
            yield from _arrays_in(name, entry)
    elif arrays.is_array(value):
        yield name, value


def _is_reachable(place, value):
    """Whether kernels at a place can use the array's memory."""
    kind = arrays.device_vendor(value)
    if kind == place.vendor or place.vendor in ("cpu", "reference") and kind in _HOST_VENDORS:
        return True
    if kind in _HOST_VENDORS and engine.shares_host_memory(place.target, place.ordinal):
        return True
    # Pinned memory of the host has an address that a GPU knows.
    return kind == "cpu" and hasattr(value, "is_pinned") and value.is_pinned()


def _describe(value):
    device = getattr(value, "device", None)
    return "host memory" if arrays.device_vendor(value) in _HOST_VENDORS else f"the memory of {device}"


def place_of(names, values, target=None, current_device=None):
    """The place for a kernel's arguments; `target` is what the caller asks for, if anything. Without that and without arrays:
    the torch device whose number `current_device()` gives, or the host's processor."""
    found = [row for name, value in zip(names, values) for row in _arrays_in(name, value)]
    on_device = [row for row in found if arrays.device_vendor(row[1]) not in _HOST_VENDORS]
    first = (on_device or found or [(None, None)])[0]
    if target is None and not found and current_device is not None:
        number = current_device()
        if number is None:
            return Place("cpu", "cpu", is_current_device="torch" not in sys.modules)
        return Place(engine.native_target("nvidia", number), "nvidia", number, number, is_current_device=True)
    if target is None:
        vendor = arrays.device_vendor(first[1]) if first[0] is not None else "cpu"
        ordinal = arrays.device_ordinal(first[1])
        target = engine.native_target(vendor, ordinal)
    else:
        target, _, number = target.partition("@")
        vendor = engine.vendor_of(target)
        ordinal = int(number) if number else arrays.device_ordinal(first[1])
        if target == vendor and vendor not in _HOST_VENDORS:
            target = engine.native_target(vendor, ordinal)
        if vendor == "spirv" and ordinal and ":" not in target:
            target = f"{target}@{ordinal}"  # what is left open is read from that device
    place = Place(target, vendor, ordinal)
    if not all(_is_reachable(place, value) for _, value in found) and not engine.compiler().resolve_target(target):
        return place  # the compile says what is wrong with the target
    for name, value in found:
        if not _is_reachable(place, value):
            raise LaunchError(f"TW6059: expected arrays that target '{target}' can reach, got '{name}' in "
                              f"{_describe(value)}\n  hint: move the array to the device (`tilewright.empty`), or leave "
                              "`target=` out", 6059)
        if arrays.device_vendor(value) not in _HOST_VENDORS and arrays.device_ordinal(value) != ordinal:
            raise LaunchError(f"TW6059: expected all arrays on device {ordinal} of '{vendor}', got '{name}' in "
                              f"{_describe(value)}\n  hint: move the arrays to one device", 6059)
    if on_device and type(first[1]).__module__.partition(".")[0] == "torch":
        place.torch_device = ordinal
    return place
