"""Dropout that stores no mask.

`tl.rand(seed, offsets)` computes the same number for the same seed and offset wherever and whenever it is called. So the backward
pass makes the forward pass's mask again instead of reading it, and the result does not depend on blocks or on the target.
"""
import numpy as np

import tilewright as tw
import tilewright.language as tl


@tw.jit
def dropout(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    keep = tl.rand(seed, offsets) > p
    # What is kept grows by 1 / (1 - p), so that the mean stays.
    tl.store(out_ptr + offsets, tl.where(keep, x / (1 - p), 0.0), mask=mask)


def dropped(x, p, seed, block=1024):
    out = np.empty_like(x)
    dropout[(tw.cdiv(x.size, block),)](x, out, x.size, p, seed, BLOCK=block)
    return out


def main():
    x = np.random.default_rng(0).standard_normal(100_000, np.float32) + 3
    out = dropped(x, 0.25, seed=7)
    kept = out != 0
    np.testing.assert_allclose(out[kept], x[kept] / np.float32(0.75), rtol=1e-6)
    assert abs(kept.mean() - 0.75) < 0.01
    print(f"kept {kept.mean():.4f} of the elements")
    # The gradient of a kept element is 1 / (1 - p): the same kernel, the same seed.
    gradient = dropped(np.ones_like(x), 0.25, seed=7)
    assert ((gradient != 0) == kept).all()
    # Another block size: the same mask. Another seed: another one.
    assert (dropped(x, 0.25, seed=7, block=256) == out).all()
    assert 0.5 < ((dropped(x, 0.25, seed=8) != 0) == kept).mean() < 0.75
    print("the backward pass made the mask again")


if __name__ == "__main__":
    main()
