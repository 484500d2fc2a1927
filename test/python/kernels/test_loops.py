"""Loops that advance tiles and pointers by their own counter, by other carried values and by tiles."""
import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl


@tw.jit
def tile_plus_counter(x, out, m):
    a = tl.zeros((16,), tl.int32)
    for k in range(0, m):
        a += k
    tl.store(out + tl.arange(0, 16), a)


@tw.jit
def pointer_plus_counter(x, out, m):
    p = x + tl.arange(0, 16)
    a = tl.zeros((16,), tl.float32)
    for k in range(m):
        a += tl.load(p)
        p += k
    tl.store(out + tl.arange(0, 16), a)


@tw.jit
def pointer_plus_carried(x, out, m):
    p = x + tl.arange(0, 16)
    a = tl.zeros((16,), tl.float32)
    s = 1
    for k in range(m):
        a += tl.load(p)
        p += s
        s = s * 2
    tl.store(out + tl.arange(0, 16), a)


@tw.jit
def pointer_plus_tile(x, out, m):
    i = tl.arange(0, 16)
    p = x + i
    a = tl.zeros((16,), tl.float32)
    for k in range(m):
        a += tl.load(p)
        p += i
        i += 1
    tl.store(out + tl.arange(0, 16), a)


@tw.jit
def scalar_pointer(x, out, m):
    a = 0.0
    p = x
    for k in range(m):
        a += tl.load(p)
        p += k
    tl.store(out + tl.arange(0, 16), a)


def expected(name, x, m):
    """The same loops in NumPy."""
    i = np.arange(16)
    p = np.zeros(16, int) if name == "scalar_pointer" else i.copy()
    total, s = np.zeros(16), 1
    for k in range(m):
        if name == "tile_plus_counter":
            total += k
            continue
        total += x[p]
        if name == "pointer_plus_carried":
            p, s = p + s, s * 2
        elif name == "pointer_plus_tile":
            p, i = p + i, i + 1
        else:
            p = p + k
    return total


@pytest.mark.parametrize("m", [0, 1, 5])
@pytest.mark.parametrize("kernel", [tile_plus_counter, pointer_plus_counter, pointer_plus_carried, pointer_plus_tile,
                                    scalar_pointer], ids=lambda kernel: kernel.fn.__name__)
def test_carried_values(kernel, m):
    x = np.arange(500, dtype=np.float32)
    out = np.full(16, -1, np.int32 if kernel is tile_plus_counter else np.float32)
    kernel[(1,)](x, out, m)
    np.testing.assert_array_equal(out, expected(kernel.fn.__name__, x, m))
