"""A product by programs that stay, over tensor descriptors.

A descriptor says base, shape, strides and block once; then `load([i, j])` takes the block at an element, and bounds need no masks: what is
outside reads as 0 and is not written. On GPUs with an engine for such copies this is how it is used. The grid has as many programs as the machine
runs at once, and each takes tile after tile.
"""
import numpy as np

import tilewright as tw
import tilewright.language as tl


@tw.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, PROGRAMS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    b_desc = tl.make_tensor_descriptor(b_ptr, shape=[K, N], strides=[N, 1], block_shape=[BK, BN])
    c_desc = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    tiles_n = tl.cdiv(N, BN)
    tiles = tl.cdiv(M, BM) * tiles_n
    for tile in tl.range(tl.program_id(0), tiles, PROGRAMS):
        m = tile // tiles_n * BM
        n = tile % tiles_n * BN
        total = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            total = tl.dot(a_desc.load([m, k]), b_desc.load([k, n]), total)
        c_desc.store([m, n], total)


def main():
    rng = np.random.default_rng(0)
    # Rows of a descriptor are a multiple of 16 bytes apart.
    for M, N, K in ((128, 128, 64), (100, 68, 52)):
        a, b = rng.standard_normal((M, K), np.float32), rng.standard_normal((K, N), np.float32)
        for programs in (1, 4):
            c = np.zeros((M, N), np.float32)
            matmul[(programs,)](a, b, c, M, N, K, PROGRAMS=programs, BM=32, BN=32, BK=16)
            np.testing.assert_allclose(c, a.astype(np.float64) @ b, rtol=1e-4, atol=1e-4)
    print("products agree with NumPy whatever the number of programs")


if __name__ == "__main__":
    main()
