"""Tensor descriptors made by the host: a tensor with the block shape in which a kernel reads and writes it."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import arrays
from .annotations import Array
from .errors import LaunchError


class TensorDescriptor:
    """A row-major view of a tensor for kernels' `desc.load([...])` and `desc.store([...], value)`.

    Blocks that reach beyond the tensor read zeros (or NaN with padding="nan"); what is written there is dropped.
    """

    def __init__(self, base: Array, shape: Sequence[int], strides: Sequence[int], block_shape: Sequence[int], padding: str = "zero"):
        if not len(shape) == len(strides) == len(block_shape) >= 1:
            raise LaunchError("TW6058: expected as many strides and block extents as extents, got "
                              f"{len(shape)}, {len(strides)}, {len(block_shape)}", 6058)
        if strides[-1] != 1:
            raise LaunchError(f"TW6058: expected the last stride of a descriptor to be 1, got {strides[-1]}", 6058)
        if padding not in ("zero", "nan"):
            raise LaunchError(f"TW6058: expected padding 'zero' or 'nan' for a descriptor, got {padding!r}", 6058)
        if padding == "nan" and not (arrays.dtype_name(base) or "fp").startswith(("fp", "bf")):
            raise LaunchError(f"TW6058: expected floats with NaN padding, got {arrays.dtype_name(base)}", 6058)
        self.base = base
        self.shape = list(shape)
        self.strides = list(strides)
        self.block_shape = list(block_shape)
        self.padding = padding

    def __repr__(self):
        return f"<descriptor of {self.dtype}{self.shape} in blocks of {self.block_shape}>"

    @staticmethod
    def from_tensor(tensor: Array, block_shape: Sequence[int], padding: str = "zero") -> TensorDescriptor:
        """The descriptor of a whole tensor."""
        if hasattr(tensor, "data_ptr"):
            strides = tensor.stride()
        else:
            strides = [stride // tensor.itemsize for stride in tensor.strides]
        return TensorDescriptor(tensor, tensor.shape, strides, block_shape, padding)

    @property
    def dtype(self) -> Any:
        """Element type of the tensor."""
        return self.base.dtype

    def signature_type(self) -> str:
        """The type as it stands in a signature."""
        kind = arrays.dtype_name(self.base)
        if kind is None:
            raise LaunchError(f"TW6052: expected a tensor of a known number type in a descriptor, got {self.dtype}", 6052)
        padding = ",nan" if self.padding == "nan" else ""
        return f"tensordesc<{kind}[{','.join(map(str, self.block_shape))}]{padding}>"

    def runtime_values(self) -> list:
        """What a launch passes: the array, the extents, and all strides but the last."""
        address, _, high = arrays.address_range(self.base)
        return [(address, high - address), *map(int, self.shape), *map(int, self.strides[:-1])]
