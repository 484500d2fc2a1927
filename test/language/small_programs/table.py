"""What the tables of programs share: the form of a row, and inputs."""
import numpy as np
import pytest

from dtypes import NUMPY

I, F, B, E = np.int32, np.float32, NUMPY["bfloat16"], NUMPY["float8e5"]
xa, xb = np.array([1.001, 3.3, 7.7, 0.1], B), np.array([2.2, 1.7, 9.9, 0.33], B)
x8 = np.array([1, -2, 0.5, 3, 0.25, -0.5, 4, 1], E)
random = np.random.default_rng(0)
q, k, v = (random.normal(size=(rows, 32)).astype(F) for rows in (64, 96, 96))


def table():
    """An empty table, and the function that adds a program to it: a name, the body, what is expected of the outputs,
    inputs by name, and options of `machine.check`."""
    rows = []

    def row(name, body, expected, inputs=None, **options):
        rows.append(pytest.param(body, expected, inputs, options, id=name.replace(" ", "-")))

    return rows, row
