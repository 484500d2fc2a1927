"""Arrays in a device's own memory, for launches without a framework that has tensors."""
from __future__ import annotations

import math
import types
from collections.abc import Iterable
from typing import Any

from . import _native, arrays, engine
from .errors import LaunchError, from_runtime


class DeviceArray:
    """An array in the memory of a target's device, in row-major order; made by `empty`.

    Kernels take it like any other array. `write` and `numpy` copy its content from and to the host.
    """

    def __init__(self, shape: int | Iterable[int], dtype: Any, target: str):
        import numpy as np
        self.shape = tuple(int(extent) for extent in (shape if hasattr(shape, "__iter__") else (shape,)))
        self.dtype = np.dtype(dtype)
        if arrays.dtype_name(self) is None:
            raise LaunchError(f"TW6052: expected an array of a known number type, got {self.dtype}", 6052)
        vendor, _, ordinal = target.partition("@")
        self.device = types.SimpleNamespace(type=vendor.split(":")[0], index=int(ordinal or 0))
        try:
            self._buffer = engine.device(self.device.type, self.device.index).allocate(math.prod(self.shape) * self.dtype.itemsize)
        except _native.RuntimeFailure as failure:
            raise from_runtime(failure) from None

    def __repr__(self):
        return f"<{self.dtype} array of {'x'.join(map(str, self.shape)) or 'one element'} on {self.device.type}@{self.device.index}>"

    def data_ptr(self) -> int:
        """Address of the first element."""
        return self._buffer.address

    def element_size(self) -> int:
        """Bytes of an element."""
        return self.dtype.itemsize

    def stride(self) -> tuple[int, ...]:
        """Elements between neighbours along each dimension."""
        return tuple(math.prod(self.shape[d + 1:]) for d in range(len(self.shape)))

    def write(self, values: Any) -> None:
        """Copies from an array-like of this shape (or one that broadcasts to it)."""
        import numpy as np
        host = np.ascontiguousarray(np.broadcast_to(np.asarray(values, self.dtype), self.shape))
        engine.synchronize()  # kernels may use the memory on another library's stream
        self._buffer.write(host.ctypes.data)

    def numpy(self) -> Any:
        """A copy of the content as a NumPy array."""
        import numpy as np
        host = np.empty(self.shape, self.dtype)
        engine.synchronize()
        self._buffer.read(host.ctypes.data)
        return host


def empty(shape: int | Iterable[int], dtype: Any, target: str = "cpu") -> DeviceArray:
    """Memory of a target's device, not initialised: on `reference`, `check="uninit"` finds reads before a write."""
    return DeviceArray(shape, dtype, target)
