"""Every kernel of docs/examples at its shapes and element types against NumPy in float64."""
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "docs" / "examples"))
import cases


def rows():
    """One parameter set for each kernel, shape and element type."""
    for case in cases.CASES:
        for shape in case.shapes:
            for dtype in case.dtypes:
                yield pytest.param(case, shape, dtype, id=f"{case.name.replace(' ', '_')}-{shape}-{dtype}".replace(" ", ""))


@pytest.mark.parametrize("case, shape, dtype", list(rows()))
def test_matches_numpy(case, shape, dtype):
    prepared = case.prepare(shape, dtype, np.random.default_rng(7))
    prepared.launch()
    for name, outcome in prepared.outcomes().items():
        exact = outcome.got.dtype.kind in "iu"
        assert outcome.got.shape == outcome.expected.shape
        if exact:
            np.testing.assert_array_equal(outcome.got, outcome.expected, err_msg=name)
        else:
            assert outcome.error(dtype) <= 1.0, name
