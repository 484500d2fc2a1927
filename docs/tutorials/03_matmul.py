"""Multiplying matrices, and choosing block sizes by measuring.

A program computes one tile of C: it walks along K, loads a tile of A and one of B and adds their product with `tl.dot`, which
uses matrix instructions where the target has them. Which programs run at the same time decides what stays in the caches, so
programs are numbered in groups of rows of tiles.
"""
import numpy as np

import tilewright as tw
import tilewright.language as tl


@tw.jit
def relu(x):
    """Kernels may call functions; they are inlined."""
    return tl.maximum(x, 0.0)


@tw.autotune(configs=[tw.Config({"BM": 32, "BN": 64, "BK": 32, "GROUP": 8}),
                      tw.Config({"BM": 64, "BN": 64, "BK": 32, "GROUP": 4}, num_warps=4, num_stages=3)],
             key=["M", "N", "K"], warmup=2, rep=5)
@tw.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
           BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, ACTIVATION: tl.constexpr):
    # From the number of a program to its tile: GROUP rows of tiles are walked column by column.
    program = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    in_group = GROUP * tiles_n
    first_m = program // in_group * GROUP
    rows_of_group = min(tiles_m - first_m, GROUP)
    tile_m = first_m + program % in_group % rows_of_group
    tile_n = program % in_group // rows_of_group

    m = tile_m * BM + tl.arange(0, BM)
    n = tile_n * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    # `[:, None]` makes a column, `[None, :]` a row; their sum is a tile of addresses.
    a_ptrs = a_ptr + m[:, None] * stride_am + k[None, :] * stride_ak
    b_ptrs = b_ptr + k[:, None] * stride_bk + n[None, :] * stride_bn
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        a = tl.load(a_ptrs, mask=(m[:, None] < M) & (start + k[None, :] < K), other=0.0)
        b = tl.load(b_ptrs, mask=(start + k[:, None] < K) & (n[None, :] < N), other=0.0)
        total = tl.dot(a, b, total)
        a_ptrs += BK * stride_ak
        b_ptrs += BK * stride_bk
    if ACTIVATION == "relu":  # decided when compiling: there is no branch in the code
        total = relu(total)
    c_ptrs = c_ptr + m[:, None] * stride_cm + n[None, :] * stride_cn
    tl.store(c_ptrs, total, mask=(m[:, None] < M) & (n[None, :] < N))


def strides(array):
    return [stride // array.itemsize for stride in array.strides]


def product(a, b, activation=""):
    (M, K), N = a.shape, b.shape[1]
    c = np.empty((M, N), np.float32)
    matmul[lambda meta: (tw.cdiv(M, meta["BM"]) * tw.cdiv(N, meta["BN"]),)](
        a, b, c, M, N, K, *strides(a), *strides(b), *strides(c), ACTIVATION=activation)
    return c


def main():
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((129, 200), np.float32), rng.standard_normal((200, 140), np.float32)
    exact = a.astype(np.float64) @ b
    np.testing.assert_allclose(product(a, b), exact, rtol=1e-4, atol=1e-4)
    print("fastest here:", matmul.best_config)
    np.testing.assert_allclose(product(a, b, "relu"), np.maximum(exact, 0), rtol=1e-4, atol=1e-4)
    # Strides say where elements are, so a transposed matrix is as good as any.
    np.testing.assert_allclose(product(b.T, a.T), exact.T, rtol=1e-4, atol=1e-4)
    # fp16 in, fp32 sums: the product is nearly that of the rounded inputs.
    halves = a.astype(np.float16), b.astype(np.float16)
    np.testing.assert_allclose(product(*halves), halves[0].astype(np.float64) @ halves[1].astype(np.float64), rtol=1e-3, atol=1e-3)
    print("products agree with NumPy in float64")


if __name__ == "__main__":
    main()
