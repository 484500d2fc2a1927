"""Layer normalisation, forward and backward.

Forward, a program has a row: y = (x - mean) / deviation * w + b. Backward, the gradient of x is one row's affair too, but those of w and
b are sums over all rows. Each program adds up the rows it takes and writes one partial sum; adding those is a small
job, and unlike atomics it gives the same bits in every run.
"""
import numpy as np

import tilewright as tw
import tilewright.language as tl


@tw.jit
def forward(x_ptr, w_ptr, b_ptr, y_ptr, mean_ptr, scale_ptr, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    mask = c < columns
    x = tl.load(x_ptr + row * columns + c, mask=mask, other=0.0)
    mean = tl.sum(x, axis=0) / columns
    centred = tl.where(mask, x - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, axis=0) / columns + eps)
    w = tl.load(w_ptr + c, mask=mask)
    b = tl.load(b_ptr + c, mask=mask)
    tl.store(y_ptr + row * columns + c, centred * scale * w + b, mask=mask)
    tl.store(mean_ptr + row, mean)
    tl.store(scale_ptr + row, scale)


@tw.jit
def backward(dy_ptr, x_ptr, w_ptr, mean_ptr, scale_ptr, dx_ptr, dw_ptr, db_ptr, rows, columns,
             PROGRAMS: tl.constexpr, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    mask = c < columns
    w = tl.load(w_ptr + c, mask=mask, other=0.0)
    dw = tl.zeros([BLOCK], tl.float32)
    db = tl.zeros([BLOCK], tl.float32)
    for row in range(program, rows, PROGRAMS):
        x = tl.load(x_ptr + row * columns + c, mask=mask, other=0.0)
        dy = tl.load(dy_ptr + row * columns + c, mask=mask, other=0.0)
        scale = tl.load(scale_ptr + row)
        normal = tl.where(mask, (x - tl.load(mean_ptr + row)) * scale, 0.0)
        through_w = dy * w
        # The mean and the deviation depend on every x of the row: their part of the gradient is taken off.
        along_normal = tl.sum(normal * through_w, axis=0) / columns
        along_mean = tl.sum(through_w, axis=0) / columns
        tl.store(dx_ptr + row * columns + c, (through_w - normal * along_normal - along_mean) * scale, mask=mask)
        dw += dy * normal
        db += dy
    tl.store(dw_ptr + program * columns + c, dw, mask=mask)
    tl.store(db_ptr + program * columns + c, db, mask=mask)


@tw.jit
def sum_rows(x_ptr, out_ptr, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    r = tl.arange(0, ROWS)
    x = tl.load(x_ptr + r[:, None] * columns + c[None, :], mask=c[None, :] < columns, other=0.0)
    tl.store(out_ptr + c, tl.sum(x, axis=0), mask=c < columns)


def reference(x, w, b, dy, eps):
    """Everything in float64, from the definition and the chain rule."""
    x, w, b, dy = (array.astype(np.float64) for array in (x, w, b, dy))
    deviation = np.sqrt(x.var(axis=1, keepdims=True) + eps)
    normal = (x - x.mean(axis=1, keepdims=True)) / deviation
    through = dy * w
    dx = (through - through.mean(axis=1, keepdims=True) - normal * (through * normal).mean(axis=1, keepdims=True)) / deviation
    return normal * w + b, dx, (dy * normal).sum(axis=0), dy.sum(axis=0)


def main():
    rng = np.random.default_rng(0)
    rows, columns, eps, programs = 300, 200, 1e-5, 16
    x, dy = rng.standard_normal((2, rows, columns), np.float32)
    w, b = rng.standard_normal((2, columns), np.float32)
    block = tw.next_power_of_2(columns)
    y, dx = np.empty_like(x), np.empty_like(x)
    mean, scale = np.empty((2, rows), np.float32)
    forward[(rows,)](x, w, b, y, mean, scale, columns, eps, BLOCK=block)
    dw_parts, db_parts = np.empty((2, programs, columns), np.float32)
    backward[(programs,)](dy, x, w, mean, scale, dx, dw_parts, db_parts, rows, columns, PROGRAMS=programs, BLOCK=block)
    dw, db = np.empty((2, columns), np.float32)
    for parts, whole in ((dw_parts, dw), (db_parts, db)):
        sum_rows[(tw.cdiv(columns, 64),)](parts, whole, columns, ROWS=programs, BLOCK=64)
    for name, ours, exact in zip(("y", "dx", "dw", "db"), (y, dx, dw, db), reference(x, w, b, dy, eps)):
        np.testing.assert_allclose(ours, exact, rtol=1e-4, atol=1e-4, err_msg=name)
    print("y and the gradients of x, w and b agree with float64")


if __name__ == "__main__":
    main()
