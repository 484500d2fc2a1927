"""The recorder of launches sees what the libraries' host code launches, and nothing runs."""
import pathlib
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import tilewright as tw
import tilewright.language as tl


@tw.jit
def _double(x, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + offsets, tl.load(x + offsets, mask=offsets < n) * 2, mask=offsets < n)


@tw.jit
def _refused(x):
    tl.store(x, tl.arange(0, 3))


def test_launches_are_recorded_and_do_not_run():
    import kernels_record
    recorder = kernels_record.Recorder()
    x = np.ones(40, np.float32)
    with recorder.active():
        for _ in range(2):
            _double[(2,)](x, 40, BLOCK=32)
    assert [(row["name"], row["code"], row["boxes"]) for row in recorder.rows] == [("_double", 0, 2)]
    assert np.array_equal(x, np.ones(40, np.float32))
    _double[(2,)](x, 40, BLOCK=32)
    assert np.array_equal(x, np.full(40, 2, np.float32))


def test_refusals_are_recorded_and_raised():
    import kernels_record
    recorder = kernels_record.Recorder()
    with recorder.active(), pytest.raises(tw.TilewrightError):
        _refused[(1,)](np.ones(4, np.float32))
    assert [row["code"] // 1000 for row in recorder.rows] == [2]
