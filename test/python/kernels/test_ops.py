"""Ops that a Python program adds: `tw.op`."""
import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl

FACTOR = tl.constexpr(2)


@tw.op("acme.twice@1")
def twice(x):
    return x * FACTOR


@tw.op("acme.thrice@2")
@tw.jit
def thrice(x, more: tl.constexpr = 1):
    return twice(x) + x * more


@tw.jit
def kernel(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, thrice(tl.load(x + i)))


def test_the_body_is_what_an_op_means():
    x = np.arange(8, dtype=np.float32)
    out = np.zeros(8, np.float32)
    kernel[(1,)](x, out, N=8)
    assert np.array_equal(out, 3 * x)


def test_ops_keep_their_names_for_plugins():
    whole = tw.compile(kernel, "x:*fp32, out:*fp32, N=8", overrides="whole").asm["kernel"]
    assert '<{name = "acme.thrice@2"}>' in whole and '<{name = "acme.twice@1"}>' in whole and "more = 1" in whole
    assert "call_op" not in tw.compile(kernel, "x:*fp32, out:*fp32, N=8").asm["kernel"]


def test_a_name_is_text():
    with pytest.raises(TypeError, match="vendor.name@1"):
        tw.op(twice)
