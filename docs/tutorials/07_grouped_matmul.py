"""Many products of different sizes in one launch.

One launch per product leaves a large machine idle when products are small. Here a fixed number of programs shares the tiles of all
products. Where the matrices are is in tables of addresses; an address becomes a pointer by a cast.
"""
import numpy as np

import tilewright as tw
import tilewright.language as tl


@tw.jit
def grouped_matmul(a_table, b_table, c_table, sizes_ptr, count, PROGRAMS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
                   BK: tl.constexpr):
    tile = tl.program_id(0)
    first = 0  # number of the first tile of this product
    for g in range(count):
        M = tl.load(sizes_ptr + 3 * g)
        N = tl.load(sizes_ptr + 3 * g + 1)
        K = tl.load(sizes_ptr + 3 * g + 2)
        tiles_n = tl.cdiv(N, BN)
        tiles = tl.cdiv(M, BM) * tiles_n
        while tile >= first and tile < first + tiles:
            a_ptr = tl.load(a_table + g).to(tl.pointer_type(tl.float32))
            b_ptr = tl.load(b_table + g).to(tl.pointer_type(tl.float32))
            c_ptr = tl.load(c_table + g).to(tl.pointer_type(tl.float32))
            m = (tile - first) // tiles_n * BM + tl.arange(0, BM)
            n = (tile - first) % tiles_n * BN + tl.arange(0, BN)
            total = tl.zeros((BM, BN), tl.float32)
            for start in range(0, K, BK):
                k = start + tl.arange(0, BK)
                a = tl.load(a_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
                b = tl.load(b_ptr + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
                total = tl.dot(a, b, total)
            tl.store(c_ptr + m[:, None] * N + n[None, :], total, mask=(m[:, None] < M) & (n[None, :] < N))
            tile += PROGRAMS
        first += tiles


def addresses(arrays):
    return np.array([array.ctypes.data for array in arrays], np.int64)


def main():
    rng = np.random.default_rng(0)
    shapes = [(128, 96, 64), (33, 50, 7), (64, 64, 256), (1, 100, 30)]
    a = [rng.standard_normal((m, k), np.float32) for m, n, k in shapes]
    b = [rng.standard_normal((k, n), np.float32) for m, n, k in shapes]
    c = [np.empty((m, n), np.float32) for m, n, k in shapes]
    sizes = np.array(shapes, np.int32)
    # The tables hold bare addresses: the arrays have to live until the launch has ended.
    grouped_matmul[(8,)](addresses(a), addresses(b), addresses(c), sizes, len(shapes), PROGRAMS=8, BM=32, BN=32, BK=32)
    for x, y, ours in zip(a, b, c):
        np.testing.assert_allclose(ours, x.astype(np.float64) @ y, rtol=1e-4, atol=1e-4)
    print(f"{len(shapes)} products in one launch of 8 programs")


if __name__ == "__main__":
    main()
