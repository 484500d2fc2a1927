"""Adding two vectors.

A kernel is written for one *program*. A launch starts many of them over a grid; each asks which one it is and works on a block
of elements at a time, never on single ones.
"""
import numpy as np

import tilewright as tw
import tilewright.language as tl


@tw.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    # Program 0 has elements 0 .. BLOCK - 1, program 1 the next BLOCK, and so on.
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    # The last block may stick out: what the mask leaves out is neither read nor written.
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


def main():
    rng = np.random.default_rng(0)
    x, y = rng.random((2, 98_432), np.float32)
    out = np.empty_like(x)
    # Arrays arrive as pointers to their first element, numbers as numbers, `tl.constexpr` parameters as constants. The grid may
    # be a tuple, or a function of all arguments.
    add[lambda meta: (tw.cdiv(x.size, meta["BLOCK"]),)](x, y, out, x.size, BLOCK=1024)
    np.testing.assert_array_equal(out, x + y)
    print("the sum is that of NumPy")

    # A launch compiles when something that matters is new: types, constants, alignment. What it compiled is kept.
    add[(tw.cdiv(x.size, 256),)](x, y, out, x.size, BLOCK=256)
    np.testing.assert_array_equal(out, x + y)

    # A sum of different lengths: the mask is what makes any n legal.
    for n in (1, 255, 257):
        out[:] = -1
        add[(tw.cdiv(n, 256),)](x, y, out, n, BLOCK=256)
        np.testing.assert_array_equal(out[:n], (x + y)[:n])
        assert (out[n:] == -1).all()
    print("and of no more than was asked for")


if __name__ == "__main__":
    main()
