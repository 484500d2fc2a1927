"""The clocks of kernels against the host's monotonic clock."""
import time

import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl


@tw.jit
def clock_kernel(out):
    """Looks at both clocks twice."""
    tl.store(out, tl.extra.cuda.globaltimer())
    tl.store(out + 1, tl.extra.cuda.globaltimer())
    before = tl.extra.cuda.clock()
    tl.store(out + 2, tl.extra.cuda.clock() - before)


@pytest.mark.parametrize("target", ["cpu", "reference"])
def test_globaltimer_counts_nanoseconds(target):
    out = np.zeros(3, np.int64)
    clock_kernel.compile("out:*i64", target)
    before = time.monotonic_ns()
    compiled = clock_kernel[(1,)](out, target=target)
    after = time.monotonic_ns()
    assert before <= out[0] <= out[1] <= after
    assert out[2] >= 0
    if target == "cpu":
        assert b"service.nanoseconds" in compiled.artifact  # older drivers have to refuse it
