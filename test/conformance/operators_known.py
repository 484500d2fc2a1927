"""Operators that cannot be right here because of the library itself; each with what was found in its source.

A row of this list stays in the report with its reason; a row that is wrong or fails and is not listed fails the stage, and so
does a listed one that turns out right.
"""

LIBRARY_FAULTS = {
    "flag_gems.zero": "overwrites its argument, where torch's `zero` gives a new tensor",
    "flag_gems.bitwise_left_shift": "passes `out=` to a function that knows only `out0=`: fails on every device",
    "flag_gems.bitwise_right_shift": "passes `out=` to a function that knows only `out0=`: fails on every device",
    "flag_gems.experimental_ops.trunc": "asserts that the device is called \"cuda\"",
    "flag_gems.experimental_ops.smooth_l1_loss": "without a device called \"cuda\" it calls torch with a wrong argument",
}

#: Reasons that hold only where the device is called "cpu".
HOST_ONLY = {
    LIBRARY_FAULTS["flag_gems.experimental_ops.trunc"],
    LIBRARY_FAULTS["flag_gems.experimental_ops.smooth_l1_loss"],
}

_DENSE = "flag-gems' kernel for Hopper takes a number of elements and no strides: wrong where a tensor is not dense or is broadcast"
_CANCELS = "in fp16 flag-gems' two products cancel: misses its own tolerance under Triton, too"
#: The same on a GPU, where flag-gems takes kernels that it has for one generation.
GPU_FAULTS = {
    f"flag_gems.{name}": _DENSE
    for name in ("fill_.Scalar", "fill_.Tensor", "mul.Tensor", "mul.Tensor (edges)", "sqrt", "sqrt_")
}
GPU_FAULTS.update({f"flag_gems.{name}": _CANCELS for name in ("lerp.Tensor", "lerp_.Tensor")})
