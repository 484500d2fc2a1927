"""Addresses, extents and element types of the arrays a launch gets, without copying them.

Accepted: anything with `data_ptr()` and `dtype` (torch), or `__array_interface__` (NumPy; bf16 and fp8 through
ml_dtypes).
"""
from .errors import LaunchError

_NUMPY_NAMES = {
    "bool": "i1", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16",
    "uint32": "u32", "uint64": "u64", "float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64",
    "float8_e4m3fn": "fp8e4nv", "float8_e5m2": "fp8e5", "float8_e4m3fnuz": "fp8e4b8", "float8_e5m2fnuz": "fp8e5b16"
}


def is_array(value):
    """Whether a launch passes this value as a pointer; NumPy's scalars, which cannot be written to, are numbers."""
    return hasattr(value, "data_ptr") or (hasattr(value, "__array_interface__") and hasattr(value, "__setitem__"))


def dtype_name(value):
    """Triton's name of the array's element type, as in a signature ("fp32"); None if there is none."""
    name = str(value.dtype)
    return _NUMPY_NAMES.get(name.removeprefix("torch."))


def device_vendor(value):
    """Vendor of the target whose memory holds the array."""
    device = getattr(value, "device", None)
    kind = getattr(device, "type", "cpu")
    return {"cpu": "cpu", "cuda": "nvidia"}.get(kind, kind)


def device_ordinal(value):
    """Number of the device whose memory holds the array; 0 where there is one."""
    index = getattr(getattr(value, "device", None), "index", None)
    return index if isinstance(index, int) else 0  # NumPy 2 says "cpu", and a text's `index` is a method


def _data_ptr(value):
    try:
        return value.data_ptr()
    except RuntimeError as error:  # of sparse tensors, of FakeTensorMode in newer versions of torch
        raise LaunchError(f"TW6021: expected an array with memory, got a {type(value).__name__} without: {error}", 6021) from None


def address_range(value):
    """(address, first byte, byte past the last) of the array; the address is that of its first element."""
    if hasattr(value, "data_ptr"):
        address, size = _data_ptr(value), value.element_size()
        shape, strides = value.shape, [stride * size for stride in value.stride()]
    else:
        interface = value.__array_interface__
        address, size = interface["data"][0], value.itemsize
        shape, strides = value.shape, value.strides
    low = high = address
    for extent, stride in zip(shape, strides):
        if extent == 0:
            return address, address, address
        if stride < 0:
            low += (extent - 1) * stride
        else:
            high += (extent - 1) * stride
    return address, low, high + size


def is_writable(value):
    """False for NumPy arrays that forbid writing."""
    flags = getattr(value, "flags", None)
    return True if flags is None or hasattr(value, "data_ptr") else bool(flags.writeable)
