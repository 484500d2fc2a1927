"""Kernels to write, from easy to hard. Replace each `pass`; `python docs/tutorials/exercises/check.py` says which are right, and
`check.py softmax` tries one alone.

Arrays are contiguous, of fp32 where nothing else is said. BLOCK and the like are powers of two. What a kernel must not do is read or write
outside of its arrays: the checker runs it on target `reference` with checks for that.
"""
import tilewright as tw
import tilewright.language as tl


@tw.jit
def copy(x, out, BLOCK: tl.constexpr):
    """1. out = x. Both have BLOCK elements, and there is one program."""
    pass


@tw.jit
def scale(x, out, n, factor, BLOCK: tl.constexpr):
    """2. out = x * factor, for n elements. There are cdiv(n, BLOCK) programs; n is any number."""
    pass


@tw.jit
def outer_sum(x, y, out, n, m, BN: tl.constexpr, BM: tl.constexpr):
    """3. out[i, j] = x[i] + y[j] for n x m. The grid has cdiv(n, BN) programs on axis 0 and cdiv(m, BM) on axis 1."""
    pass


@tw.jit
def row_mean(x, out, columns, BLOCK: tl.constexpr):
    """4. out[r] = mean of row r. One program a row; a row is longer than BLOCK, so go over it in steps."""
    pass


@tw.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    """5. out = softmax of each row. One program a row, columns <= BLOCK. Rows may hold large numbers: exp must not overflow."""
    pass


@tw.jit
def transpose(x, out, rows, columns, BLOCK: tl.constexpr):
    """6. out = x^T, in tiles of BLOCK x BLOCK. Grid: cdiv(rows, BLOCK) by cdiv(columns, BLOCK)."""
    pass


@tw.jit
def histogram(x, bins, n, BLOCK: tl.constexpr):
    """7. Adds 1 to bins[v] for each of the n values v of x (int32). Programs run at the same time and meet in the bins."""
    pass


@tw.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """8. c = a @ b for M x K times K x N, any sizes. Grid: cdiv(M, BM) by cdiv(N, BN)."""
    pass


@tw.jit
def attention(q, k, v, out, length, scale, DIM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """9. out = softmax(q k^T * scale) v over [length, DIM] arrays, without holding a row of scores: see 06_attention.py, and write it
    without looking. Grid: cdiv(length, BM)."""
    pass
