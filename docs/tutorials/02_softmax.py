"""Softmax of the rows of a matrix.

Written with NumPy, softmax reads and writes the matrix several times. A program that keeps its row in registers reads and writes
it once. A block has a power of two of elements, so it is as wide as the next power of two above the row.
"""
import numpy as np

import tilewright as tw
import tilewright.language as tl


@tw.jit
def softmax(x_ptr, out_ptr, rows, columns, x_stride, out_stride, PROGRAMS: tl.constexpr, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    mask = c < columns
    # Each program takes every PROGRAMS-th row, so that the grid need not grow with the matrix.
    for row in range(tl.program_id(0), rows, PROGRAMS):
        # What is masked off gets -infinity, which changes neither a maximum nor a sum of exponentials.
        x = tl.load(x_ptr + row * x_stride + c, mask=mask, other=-float("inf"))
        exponentials = tl.exp(x - tl.max(x, axis=0))
        tl.store(out_ptr + row * out_stride + c, exponentials / tl.sum(exponentials, axis=0), mask=mask)


def softmax_of(x, programs=64):
    out = np.empty_like(x)
    rows, columns = x.shape
    strides = [array.strides[0] // array.itemsize for array in (x, out)]
    softmax[(min(programs, rows),)](x, out, rows, columns, *strides, PROGRAMS=min(programs, rows),
                                    BLOCK=tw.next_power_of_2(columns))
    return out


def expected(x):
    exponentials = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def main():
    rng = np.random.default_rng(0)
    for shape in ((3, 5), (200, 781), (1000, 64)):
        x = rng.standard_normal(shape, np.float32) * 10
        result = softmax_of(x)
        np.testing.assert_allclose(result, expected(x), rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(result.sum(axis=1), 1, rtol=1e-5)
    # A view with a stride of its own needs no copy.
    wide = rng.standard_normal((64, 512), np.float32)
    np.testing.assert_allclose(softmax_of(wide[:, :300]), expected(wide[:, :300]), rtol=1e-5, atol=1e-7)
    print("rows of four shapes agree with NumPy in float64")


if __name__ == "__main__":
    main()
