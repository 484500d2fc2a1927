"""`triton.language`: the kernel language's names. Functions have a meaning inside kernels only."""
from tilewright import language as _language
from tilewright.language import (bfloat16, block_type, const, constexpr, dtype, float16, float32, float64, float8e4b15,
                                 float8e4b8, float8e4nv, float8e5, float8e5b16, int1, int16, int32, int64, int8,
                                 pointer_type, tensor, tuple, uint16, uint32, uint64, uint8, void)
from tilewright.language._names import names_of as _names_of
from triton.runtime.jit import constexpr_function as _constexpr_function

__getattr__ = _names_of(__name__, "tl.")

from . import core, math, random, standard, extra  # noqa: E402
