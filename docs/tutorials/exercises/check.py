"""Checks the kernels of exercises.py, or of another file with the same names.

    python docs/tutorials/exercises/check.py [--file FILE] [NAME ...]
"""
import argparse
import importlib.util
import pathlib
import sys

import numpy as np

import tilewright as tw

#: Finds accesses out of bounds, reads of what was not written, and programs that meet in memory without atomics.
CHECKED = {"target": "reference", "check": "bounds,uninit,races"}


def _normal(*shape):
    return np.random.default_rng(len(shape)).standard_normal(shape, np.float32)


def _softmax(x):
    e = np.exp(x.astype(np.float64) - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def copy():
    x = _normal(32)
    return [(1,), (x,), (32,), {"BLOCK": 32}, x]


def scale():
    x = _normal(100)
    return [(4,), (x,), (100,), {"n": 100, "factor": 1.5, "BLOCK": 32}, x * np.float32(1.5)]


def outer_sum():
    x, y = _normal(20), _normal(9)
    return [(2, 3), (x, y), (20, 9), {"n": 20, "m": 9, "BN": 16, "BM": 4}, x[:, None] + y[None, :]]


def row_mean():
    x = _normal(5, 75)
    return [(5,), (x,), (5,), {"columns": 75, "BLOCK": 32}, x.mean(axis=1, dtype=np.float64)]


def softmax():
    x = _normal(6, 50) * 100
    return [(6,), (x,), (6, 50), {"columns": 50, "BLOCK": 64}, _softmax(x)]


def transpose():
    x = _normal(19, 35)
    return [(2, 3), (x,), (35, 19), {"rows": 19, "columns": 35, "BLOCK": 16}, x.T]


def histogram():
    x = np.random.default_rng(0).integers(0, 10, 90).astype(np.int32)
    return [(3,), (x,), np.zeros(10, np.int32), {"n": 90, "BLOCK": 32}, np.bincount(x, minlength=10)]


def matmul():
    a, b = _normal(20, 37), _normal(37, 18)
    return [(2, 2), (a, b), (20, 18), {"M": 20, "N": 18, "K": 37, "BM": 16, "BN": 16, "BK": 16}, a.astype(np.float64) @ b]


def attention():
    q, k, v = _normal(3, 40, 16)
    return [(3,), (q, k, v), (40, 16), {"length": 40, "scale": 0.25, "DIM": 16, "BM": 16, "BN": 16},
            _softmax(q.astype(np.float64) @ k.T * 0.25) @ v]


EXERCISES = [copy, scale, outer_sum, row_mean, softmax, transpose, histogram, matmul, attention]


def problem_of(kernel, case):
    """What is wrong with a kernel, "" if nothing is."""
    grid, inputs, out, named, expected = case()
    if isinstance(out, tuple):
        out = np.full(out, np.nan, np.float32)
    kept = [array.copy() for array in inputs]
    result = kernel.arg_names[len(inputs)]
    try:
        kernel[grid](*inputs, **{result: out}, **named, **CHECKED)
    except tw.TilewrightError as error:
        return str(error)
    if any((now != before).any() for now, before in zip(inputs, kept)):
        return "it changes its input"
    if out.dtype.kind == "f" and np.isnan(out).all():
        return "it writes nothing yet"
    bad = ~np.isclose(out, expected, rtol=1e-4, atol=1e-4)
    if not bad.any():
        return ""
    where = tuple(int(i) for i in np.argwhere(bad)[0])
    return f"{bad.sum()} of {bad.size} elements are wrong: at {list(where)} expected {expected[where]:.6g}, got {out[where]:.6g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--file", type=pathlib.Path, default=pathlib.Path(__file__).with_name("exercises.py"))
    arguments = parser.parse_args()
    spec = importlib.util.spec_from_file_location("exercises_to_check", arguments.file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    unknown = set(arguments.names) - {case.__name__ for case in EXERCISES}
    if unknown:
        parser.error(f"expected names of {', '.join(case.__name__ for case in EXERCISES)}, got {', '.join(sorted(unknown))}")
    right = 0
    cases = [case for case in EXERCISES if not arguments.names or case.__name__ in arguments.names]
    for case in cases:
        problem = problem_of(getattr(module, case.__name__), case)
        right += not problem
        print(f"{case.__name__:10} {'right' if not problem else 'not yet: ' + problem}")
    print(f"{right} of {len(cases)} are right")
    return right != len(cases)


if __name__ == "__main__":
    sys.exit(main())
