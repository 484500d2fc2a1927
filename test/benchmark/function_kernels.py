"""One fp32 function a kernel, for the sweep over all values (function_errors.py)."""
import triton
import triton.language as tl


@triton.jit
def apply(x_ptr, y_ptr, out_ptr, NAME: tl.constexpr):
    at = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    x = tl.load(x_ptr + at)
    if NAME == "exp":
        value = tl.exp(x)
    elif NAME == "exp2":
        value = tl.exp2(x)
    elif NAME == "sqrt":
        value = tl.sqrt(x)
    elif NAME == "rsqrt":
        value = tl.rsqrt(x)
    elif NAME == "divide":
        value = tl.load(y_ptr + at) / x
    elif NAME == "reciprocal":
        value = 1.0 / x
    elif NAME == "div_rn":
        value = tl.div_rn(tl.load(y_ptr + at), x)
    elif NAME == "sqrt_rn":
        value = tl.sqrt_rn(x)
    tl.store(out_ptr + at, value)
