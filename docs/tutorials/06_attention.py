"""Attention without its matrix of scores.

softmax(Q K^T) V needs the softmax of whole rows of scores, and a row is as long as the sequence. The trick: keep the largest score, the sum
of exponentials and the weighted sum of V *so far*. When a block of keys brings a larger score, what was summed before shrinks by
exp(old largest - new largest), and the result is that of the whole row.
"""
import math

import numpy as np

import tilewright as tw
import tilewright.language as tl


@tw.jit
def attention(q_ptr, k_ptr, v_ptr, out_ptr, scale, length, DIM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
              CAUSAL: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    head = tl.program_id(1) * length * DIM
    d = tl.arange(0, DIM)
    here = head + rows[:, None] * DIM + d[None, :]
    q = tl.load(q_ptr + here, mask=rows[:, None] < length, other=0.0)
    largest = tl.full([BM], -float("inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    weighted = tl.zeros([BM, DIM], tl.float32)
    # With a causal mask no query looks behind itself: later blocks of keys are not even loaded.
    end = min((tl.program_id(0) + 1) * BM, length) if CAUSAL else length
    for start in range(0, end, BN):
        keys = start + tl.arange(0, BN)
        there = head + keys[:, None] * DIM + d[None, :]
        k = tl.load(k_ptr + there, mask=keys[:, None] < length, other=0.0)
        v = tl.load(v_ptr + there, mask=keys[:, None] < length, other=0.0)
        # 2**x is cheaper than e**x: log2(e) goes into the scale.
        scores = tl.dot(q, tl.trans(k)) * (scale * 1.44269504089)
        allowed = keys[None, :] < length
        if CAUSAL:
            allowed = allowed & (rows[:, None] >= keys[None, :])
        scores = tl.where(allowed, scores, -float("inf"))
        new = tl.maximum(largest, tl.max(scores, axis=1))
        shrink = tl.exp2(largest - new)
        p = tl.exp2(scores - new[:, None])
        total = total * shrink + tl.sum(p, axis=1)
        weighted = tl.dot(p.to(v.dtype), v, weighted * shrink[:, None])
        largest = new
    tl.store(out_ptr + here, (weighted / total[:, None]).to(out_ptr.dtype.element_ty), mask=rows[:, None] < length)


def attend(q, k, v, causal):
    heads, length, dim = q.shape
    out = np.empty_like(q)
    attention[(tw.cdiv(length, 64), heads)](q, k, v, out, 1 / math.sqrt(dim), length, DIM=dim, BM=64, BN=32, CAUSAL=causal)
    return out


def reference(q, k, v, causal):
    q, k, v = (array.astype(np.float64) for array in (q, k, v))
    scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
    if causal:
        scores[:, ~np.tri(q.shape[1], dtype=bool)] = -np.inf
    p = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return p / p.sum(axis=-1, keepdims=True) @ v


def main():
    rng = np.random.default_rng(0)
    for dtype, tolerance in ((np.float32, 1e-4), (np.float16, 4e-3)):
        q, k, v = rng.standard_normal((3, 4, 200, 64)).astype(dtype)
        for causal in (False, True):
            np.testing.assert_allclose(attend(q, k, v, causal).astype(np.float64), reference(q, k, v, causal), rtol=tolerance,
                                       atol=tolerance)
    print("attention agrees with NumPy in float64, with and without a causal mask")


if __name__ == "__main__":
    main()
