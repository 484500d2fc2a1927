"""Every maths function of the language over all fp16 and bf16 values and 2^20 fp32 values against float64: 2 ulp."""
import math

import ml_dtypes
import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl
from tilewright.language.extra import libdevice

BLOCK = 4096


@tw.jit
def kernel(x_ptr, out_ptr, n, FUNCTION: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0).to(tl.float32)
    tl.store(out_ptr + i, FUNCTION(x).to(out_ptr.dtype.element_ty), mask=i < n)


@tw.jit
def exp(x):
    return tl.exp(x)


@tw.jit
def exp2(x):
    return tl.exp2(x)


@tw.jit
def log(x):
    return tl.log(x)


@tw.jit
def log2(x):
    return tl.log2(x)


@tw.jit
def sin(x):
    return tl.sin(x)


@tw.jit
def cos(x):
    return tl.cos(x)


@tw.jit
def sqrt(x):
    return tl.sqrt(x)


@tw.jit
def rsqrt(x):
    return tl.rsqrt(x)


@tw.jit
def erf(x):
    return tl.erf(x)


@tw.jit
def tanh(x):
    return libdevice.tanh(x)


@tw.jit
def log1p(x):
    return libdevice.log1p(x)


@tw.jit
def expm1(x):
    return libdevice.expm1(x)


@tw.jit
def floor(x):
    return tl.floor(x)


@tw.jit
def ceil(x):
    return tl.ceil(x)


@tw.jit
def absolute(x):
    return tl.abs(x)


REFERENCES = {
    exp: np.exp, exp2: np.exp2, log: np.log, log2: np.log2, sin: np.sin, cos: np.cos, sqrt: np.sqrt,
    rsqrt: lambda x: 1 / np.sqrt(x), erf: np.vectorize(math.erf), tanh: np.tanh, log1p: np.log1p, expm1: np.expm1,
    floor: np.floor, ceil: np.ceil, absolute: np.abs
}
TYPES = {"fp16": (np.float16, np.uint16), "bf16": (ml_dtypes.bfloat16, np.uint16), "fp32": (np.float32, np.uint32)}
#: (digits of the significand, exponent of the smallest normal number)
FORMATS = {"fp16": (11, -14), "bf16": (8, -126), "fp32": (24, -126)}


def inputs(dtype):
    """All values of a 16-bit type; for fp32, 2^20 bit patterns spread over all exponents and signs, and specials."""
    kind, bits = TYPES[dtype]
    if bits is np.uint16:
        return np.arange(1 << 16, dtype=bits).view(kind)
    spread = np.random.default_rng(5).integers(0, 1 << 32, 1 << 20, dtype=np.uint32).view(kind)
    edges = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 88.72284, -103.98, 128.0, -149.5, np.pi, 1e-45, 1e38,
                      np.finfo(np.float32).max, np.finfo(np.float32).tiny], kind)
    return np.concatenate([spread, edges])


def ulps(got, expected, dtype):
    """Distance in units of the last place of the expected value, in the format's own spacing."""
    digits, lowest = FORMATS[dtype]
    _, exponent = np.frexp(expected)
    spacing = np.ldexp(1.0, np.maximum(exponent, lowest + 1) - digits)
    return np.abs(got - expected) / spacing


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("function", REFERENCES, ids=lambda function: function.fn.__name__)
def test_within_two_ulp(function, dtype):
    x = inputs(dtype)
    out = np.empty_like(x)
    kernel[(tw.cdiv(x.size, BLOCK),)](x, out, x.size, FUNCTION=function, BLOCK=BLOCK)
    with np.errstate(all="ignore"):
        exact = np.asarray(REFERENCES[function](x.astype(np.float64)), np.float64)
        rounded = exact.astype(x.dtype).astype(np.float64)
        got = out.astype(np.float64)
        np.testing.assert_array_equal(np.isnan(got), np.isnan(exact))
        # A result beyond the largest number rounds to infinity; within 2 ulp of that edge both are right.
        largest = float(np.finfo(np.float32).max) if dtype == "fp32" else float(ml_dtypes.finfo(x.dtype).max)
        finite = np.isfinite(exact) & (np.abs(exact) <= largest) & np.isfinite(got)
        error = ulps(got[finite], exact[finite], dtype)
        assert error.max() <= 2.0, x[finite][error.argmax()]
        other = ~finite & ~np.isnan(exact)
        edge = np.abs(exact[other]) > largest * (1 - 2.0**-FORMATS[dtype][0] * 4)
        np.testing.assert_array_equal(got[other][~edge], rounded[other][~edge])
        assert (np.sign(got[other]) == np.sign(exact[other])).all()
    zero = finite & (exact == 0)
    np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(exact[zero]))
