"""The kernel of the frontend benchmark: causal flash attention over descriptors, both passes over keys in one helper."""
import triton
import triton.language as tl


@triton.jit
def attend(acc, total, top, q, keys, values, row, start, end, scale, rows, BN: tl.constexpr, MASKED: tl.constexpr):
    """Online softmax over the keys from `start` to `end`."""
    for at in range(start, end, BN):
        scores = tl.dot(q, keys.load([row + at, 0]).T) * scale
        if MASKED:
            scores = tl.where(rows[:, None] >= at + tl.arange(0, BN)[None, :], scores, -1.0e30)
        largest = tl.maximum(top, tl.max(scores, 1))
        weights = tl.math.exp2(scores - largest[:, None])
        shrink = tl.math.exp2(top - largest)
        total = total * shrink + tl.sum(weights, 1)
        v = values.load([row + at, 0])
        acc = tl.dot(weights.to(v.dtype), v, acc * shrink[:, None])
        top = largest
    return acc, total, top


@triton.jit
def attention(q_ptr, k_ptr, v_ptr, out_ptr, scale, S, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
              CAUSAL: tl.constexpr):
    """Attention over contiguous [heads * S, D]: one program for BM queries of one head."""
    first, row = tl.program_id(0) * BM, tl.program_id(1) * S
    extent = tl.num_programs(1) * S
    queries = tl.make_tensor_descriptor(q_ptr, [extent, D], [D, 1], [BM, D])
    keys = tl.make_tensor_descriptor(k_ptr, [extent, D], [D, 1], [BN, D])
    values = tl.make_tensor_descriptor(v_ptr, [extent, D], [D, 1], [BN, D])
    out = tl.make_tensor_descriptor(out_ptr, [extent, D], [D, 1], [BM, D])
    q = queries.load([row + first, 0])
    rows = first + tl.arange(0, BM)
    top = tl.full([BM], -float("inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    scale *= 1.4426950408889634
    full = first if CAUSAL else S
    acc, total, top = attend(acc, total, top, q, keys, values, row, 0, full, scale, rows, BN, False)
    if CAUSAL:
        acc, total, top = attend(acc, total, top, q, keys, values, row, first, first + BM, scale, rows, BN, True)
    out.store([row + first, 0], (acc / total[:, None]).to(out_ptr.dtype.element_ty))
