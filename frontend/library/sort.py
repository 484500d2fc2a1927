# Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bitonic sorting networks along the last dimension (Batcher, 1968), and reversal."""
import tilewright.language as tl


def _last(x, dim):
    axis: tl.constexpr = len(x.shape) - 1 if dim is None or dim == -1 else dim
    tl.static_assert(axis == len(x.shape) - 1, "only the last dimension can be sorted")
    return axis


def _exchange(x, stride: tl.constexpr, run: tl.constexpr, descending: tl.constexpr):
    # Compares elements `stride` apart. Runs of length `run` alternate in direction; run == 0: one direction.
    rows: tl.constexpr = x.numel // x.shape[-1]
    columns: tl.constexpr = x.shape[-1]
    groups: tl.constexpr = columns // (2 * stride)
    pairs = tl.reshape(x, [rows * groups, 2, stride])
    low, high = tl.split(tl.permute(pairs, [0, 2, 1]))
    if run == 0:
        swap = (low < high) if descending else (low > high)
    else:
        index = (tl.arange(0, rows * groups) % groups) * (2 * stride)
        down = ((index // run) % 2) != 0
        if descending:
            down = ~down
        up_pairs = low > high
        down_pairs = low < high
        swap = tl.where(down[:, None], down_pairs, up_pairs)
    first = tl.where(swap, high, low)
    second = tl.where(swap, low, high)
    joined = tl.permute(tl.join(first, second), [0, 2, 1])
    return tl.reshape(joined, x.shape)


def _is_long(x, steps: tl.constexpr):
    # Whether `steps` unrolled exchanges would be too much code: an element that a thread holds is up to 1 kB of LLVM IR
    # in each. Drivers of OpenCL take more time over it. Where one thread has the whole tile, an exchange is a loop.
    if tl.target.limits.get("max_threads", 1) == 1:
        return False
    bound: tl.constexpr = 96 if tl.target.vendor == "spirv" else 512
    return x.numel * steps > bound * tl.extra.num_threads()


def _looped(x, first: tl.constexpr, last: tl.constexpr, descending: tl.constexpr):
    # Stages `first` to `last` of the network as one loop: both elements of a pair fetch their partner and decide alike.
    columns: tl.constexpr = x.shape[-1]
    axis: tl.constexpr = len(x.shape) - 1
    index = tl.broadcast_to(tl.reshape(tl.arange(0, columns), [1] * axis + [columns]), x.shape)
    for stage in range(first, last + 1):
        # Runs of 2 ** stage alternate in direction; the last stage has one run.
        down = ((index >> stage) % 2 != 0) != descending
        for step in range(stage):
            stride = 1 << (stage - 1 - step)
            partner = tl.gather(x, index ^ stride, axis)
            is_first = index & stride == 0
            low = tl.where(is_first, x, partner)
            high = tl.where(is_first, partner, x)
            x = tl.where(tl.where(down, low < high, low > high), partner, x)
    return x


@op("bitonic_merge@1")
def bitonic_merge(x, dim: tl.constexpr = None, descending: tl.constexpr = False):
    axis: tl.constexpr = _last(x, dim)
    steps: tl.constexpr = tl._log2(x.shape[axis])
    if _is_long(x, steps):
        return _looped(x, steps, steps, descending)
    for i in tl.static_range(steps):
        x = _exchange(x, x.shape[axis] >> (i + 1), 0, descending)
    return x


@op("sort@1")
def sort(x, dim: tl.constexpr = None, descending: tl.constexpr = False):
    axis: tl.constexpr = _last(x, dim)
    stages: tl.constexpr = tl._log2(x.shape[axis])
    if _is_long(x, stages * (stages + 1) // 2):
        return _looped(x, 1, stages, descending)
    for stage in tl.static_range(1, stages + 1):
        for i in tl.static_range(stage):
            x = _exchange(x, 1 << (stage - 1 - i), 0 if stage == stages else 1 << stage, descending)
    return x


@op("topk@1")
def topk(x, k: tl.constexpr, dim: tl.constexpr = None):
    tl.static_assert(k > 0 and k & (k - 1) == 0, "k must be a power of two")
    axis: tl.constexpr = _last(x, dim)
    tl.static_assert(k <= x.shape[axis], "k must be at most the extent of the last dimension")
    ordered = sort(x, axis, True)
    parts: tl.constexpr = x.shape[axis] // k
    rows: tl.constexpr = x.numel // x.shape[axis]
    blocks = tl.reshape(ordered, [rows, parts, k])
    chosen = tl.arange(0, parts)[None, :, None] == 0
    if x.dtype.is_floating():
        kept = tl.where(chosen, blocks, 0.0)
    else:
        kept = tl.where(chosen, blocks, 0)
    picked = tl.sum(kept, 1)
    return tl.reshape(picked.to(x.dtype), x.shape[:-1] + (k,))


@op("flip@1")
def flip(x, dim=None):
    rank: tl.constexpr = len(x.shape)
    axis: tl.constexpr = rank - 1 if dim is None else (dim + rank if dim < 0 else dim)
    extent: tl.constexpr = x.shape[axis]
    index = tl.reshape(extent - 1 - tl.arange(0, extent), [1] * axis + [extent] + [1] * (rank - 1 - axis))
    return tl.gather(x, tl.broadcast_to(index, x.shape), axis)
