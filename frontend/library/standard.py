# Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small functions over the primitives."""
import tilewright.language as tl


def cdiv(x, div):
    return (x + (div - 1)) // div


@op("sigmoid@1")
def sigmoid(x):
    return 1 / (1 + tl.exp(-x))


@op("softmax@1")
def softmax(x, dim=None, keep_dims=False, ieee_rounding=False):
    axis: tl.constexpr = 0 if dim is None else dim
    if x.dtype.primitive_bitwidth < 32:
        wide = x.to(tl.float32)
    else:
        wide = x
    shifted = wide - tl.max(wide, axis, keep_dims=True)
    numerator = tl.exp(shifted)
    result = numerator / tl.sum(numerator, axis, keep_dims=True)
    return result


def zeros(shape, dtype):
    return tl.full(shape, 0, dtype)


def zeros_like(input):
    return tl.full(input.shape, 0, input.dtype)


def ravel(x, can_reorder=False):
    return tl.reshape(x, [x.numel], can_reorder=can_reorder)


def swizzle2d(i, j, size_i, size_j, size_g):
    # Row-major ids of a size_i x size_j grid, in column-major groups of size_g rows.
    linear = i * size_j + j
    group_size = size_g * size_j
    group = linear // group_size
    first = group * size_g
    rows = tl.minimum(size_i - first, size_g)
    inside = linear % group_size
    return first + inside % rows, inside // rows


def interleave(a, b):
    joined = tl.join(a, b)
    if len(joined.shape) == 1:
        return joined
    return tl.reshape(joined, joined.shape[:-2] + (2 * joined.shape[-2],))


def squeeze(x, dim: tl.constexpr):
    tl.static_assert(x.shape[dim] == 1, "squeeze needs an extent of 1")
    return tl.reshape(x, x.shape[:dim] + x.shape[dim + 1:])


def unsqueeze(x, dim: tl.constexpr):
    return tl.expand_dims(x, dim)
