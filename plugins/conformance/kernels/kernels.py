"""The kernels of the plugin kit: one for each family of operations, small enough for any device.

`kernels.json` beside this file says with which types and data each one runs. Every result but those of a maths function, a
division or a sum of floats has one right bit pattern.
"""
import tilewright as tw
import tilewright.language as tl


@tw.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """Elementwise sum with a masked tail."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=mask) + tl.load(y_ptr + at, mask=mask), mask=mask)


@tw.jit
def scale(x_ptr, out_ptr, a, b, n, BLOCK: tl.constexpr):
    """Scalar arguments of two types."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=mask, other=0) * a + b, mask=mask)


@tw.jit
def integers(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """Total integer arithmetic: division, remainder, shifts, bits."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    x = tl.load(x_ptr + at, mask=mask, other=1)
    y = tl.load(y_ptr + at, mask=mask, other=1)
    value = (x // y) ^ (x % y) ^ (x << (y & 7)) ^ (x >> (y & 15)) ^ (x & y) ^ ~x
    tl.store(out_ptr + at, value, mask=mask)


@tw.jit
def select(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """Comparisons, selection, minimum and maximum."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    x = tl.load(x_ptr + at, mask=mask, other=0.0)
    y = tl.load(y_ptr + at, mask=mask, other=0.0)
    tl.store(out_ptr + at, tl.where((x < y) & (x > 0), tl.maximum(x, y), tl.minimum(x, -y)), mask=mask)


@tw.jit
def cast(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """Conversion between the element types of the two arrays."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=mask, other=0).to(out_ptr.dtype.element_ty), mask=mask)


@tw.jit
def maths(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """Functions that are promised within 2 units in the last place."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    x = tl.load(x_ptr + at, mask=mask, other=1.0)
    tl.store(out_ptr + at, tl.exp(x * 0.25) + tl.log(tl.abs(x) + 1.0) + tl.sin(x) + tl.sqrt(tl.abs(x)), mask=mask)


@tw.jit
def softmax(x_ptr, out_ptr, columns, stride, BLOCK: tl.constexpr):
    """A row per program: reductions and broadcasts."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    x = tl.load(x_ptr + row * stride + at, mask=mask, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * stride + at, e / tl.sum(e, axis=0), mask=mask)


@tw.jit
def sigmoid(x_ptr, out_ptr, BLOCK: tl.constexpr):
    """A high-level op that works element by element."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.sigmoid(tl.load(x_ptr + at)))


@tw.jit
def softmax_op(x_ptr, out_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """A high-level op over rows."""
    at = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out_ptr + at, tl.softmax(tl.load(x_ptr + at), 1))


@tw.jit
def reduce(x_ptr, sum_ptr, most_ptr, where_ptr, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Sum, maximum and its index along the second axis."""
    rows = tl.arange(0, ROWS)
    at = rows[:, None] * columns + tl.arange(0, COLUMNS)[None, :]
    mask = tl.arange(0, COLUMNS)[None, :] < columns
    x = tl.load(x_ptr + at, mask=mask, other=-1000)
    tl.store(sum_ptr + rows, tl.sum(tl.where(mask, x, 0), axis=1))
    tl.store(most_ptr + rows, tl.max(x, axis=1))
    tl.store(where_ptr + rows, tl.argmax(x, axis=1))


@tw.jit
def scan(x_ptr, out_ptr, BLOCK: tl.constexpr):
    """Running sum of a block."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.cumsum(tl.load(x_ptr + at), axis=0))


@tw.jit
def transpose(x_ptr, out_ptr, rows, columns, BLOCK: tl.constexpr):
    """Two-dimensional tiles, masked on both sides."""
    r = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = (r[:, None] < rows) & (c[None, :] < columns)
    x = tl.load(x_ptr + r[:, None] * columns + c[None, :], mask=mask)
    tl.store(out_ptr + c[:, None] * rows + r[None, :], tl.trans(x), mask=tl.trans(mask))


@tw.jit
def gather(x_ptr, index_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """Addresses that come from memory."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    index = tl.load(index_ptr + at, mask=mask, other=0)
    tl.store(out_ptr + at, tl.load(x_ptr + index, mask=mask, other=0), mask=mask)


@tw.jit
def wrap(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """Addresses that wrap around, for which there is a variant where `n` is positive."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at % n))


@tw.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK: tl.constexpr):
    """A tile of a product, with a loop and masks on all sides."""
    m = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    n = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK, BLOCK], tl.float32)
    for start in range(0, K, BLOCK):
        k = start + tl.arange(0, BLOCK)
        a = tl.load(a_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        total = tl.dot(a, b, total)
    mask = (m[:, None] < M) & (n[None, :] < N)
    tl.store(c_ptr + m[:, None] * N + n[None, :], total, mask=mask)


@tw.jit
def count(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """Atomic additions of many programs to few addresses."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    x = tl.load(x_ptr + at, mask=mask, other=0)
    tl.atomic_add(out_ptr + (x & 7), 1, mask=mask)


@tw.jit
def collatz(x_ptr, out_ptr):
    """A loop whose length is known at run time only, and branches."""
    i = tl.program_id(0)
    x = tl.load(x_ptr + i)
    steps = 0
    while x > 1:
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
        steps += 1
    tl.store(out_ptr + i, steps)


@tw.jit
def positive(x_ptr, out_ptr, BLOCK: tl.constexpr):
    """An error of device code where an element is not positive."""
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    tl.device_assert(x > 0, "expected positive numbers")
    tl.store(out_ptr + at, x + 1)
