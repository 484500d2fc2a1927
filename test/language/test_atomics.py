"""Atomics: kind x element type x mask x memory order, with the values they return (rules K1 to K6, case C45)."""
import numpy as np
import pytest

from dtypes import FLOATS, NUMPY, kind, samples

WIDE_INTS = ["int32", "uint32", "int64", "uint64"]
N, CELLS = 64, 4
COLLECT = """
i = tl.arange(0, 64)
old = tl.atomic_{kind}(out + i % 4, tl.load(x + i){mask}{options})
tl.static_assert(old.dtype == out.dtype.element_ty)
tl.store(seen + i, old, mask={active})
"""
FOLDS = {"add": lambda a, b: a + b, "max": max, "min": min, "and": lambda a, b: a & b, "or": lambda a, b: a | b,
         "xor": lambda a, b: a ^ b}
KINDS = [("add", dtype) for dtype in WIDE_INTS + FLOATS] + \
    [(name, dtype) for name in ("max", "min") for dtype in WIDE_INTS + ["float32", "float64"]] + \
    [(name, dtype) for name in ("and", "or", "xor") for dtype in WIDE_INTS]


def values_of(dtype):
    if kind(dtype) == 2:
        return np.random.default_rng(1).integers(-3, 4, N).astype(NUMPY[dtype])
    return samples(dtype, N, 1)


@pytest.mark.parametrize("name, dtype", KINDS)
@pytest.mark.parametrize("masked", [False, True])
def test_result(machine, name, dtype, masked):
    """Many elements on four cells; every cell has the fold of its elements at the end."""
    a, start = values_of(dtype), values_of(dtype)[:CELLS][::-1].copy()
    expected = start.copy()
    for position in range(N if not masked else 37):
        cell = position % CELLS
        expected[cell] = np.asarray(FOLDS[name](expected[cell], a[position])).astype(NUMPY[dtype])
    body = COLLECT.format(kind=name, mask=", mask=i < 37" if masked else "", options="", active="i < 37" if masked else "i < 64")
    got = machine.run(body, {"out": start, "seen": np.zeros(N, NUMPY[dtype])}, {"x": a})
    np.testing.assert_array_equal(got["out"], expected)


@pytest.mark.parametrize("dtype", WIDE_INTS + FLOATS)
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("programs", [1, 3])
def test_old_values(machine, dtype, masked, programs):
    """Adding 1: the active elements see every value from 0 on exactly once (probe 16)."""
    active = 37 if masked else N
    body = """
        i = tl.arange(0, 64)
        old = tl.atomic_add(out + i * 0, 1, mask=i < n)
        tl.store(seen + tl.program_id(0) * 64 + i, old, mask=i < n)
        """
    got = machine.run(body, {"out": np.zeros(1, NUMPY[dtype]), "seen": np.full((programs, N), -1).astype(NUMPY[dtype])},
                      {"n": active}, grid=(programs,))
    assert int(got["out"][0]) == active * programs
    seen = got["seen"][:, :active].astype(np.int64).reshape(-1)
    np.testing.assert_array_equal(np.sort(seen), np.arange(active * programs))


@pytest.mark.parametrize("sem", ["relaxed", "acquire", "release", "acq_rel"])
@pytest.mark.parametrize("scope", ["cta", "gpu", "sys"])
def test_orders_and_scopes(machine, sem, scope):
    body = COLLECT.format(kind="add", mask="", options=f', sem="{sem}", scope="{scope}"', active="i < 64")
    got = machine.run(body, {"out": np.zeros(CELLS, np.int32), "seen": np.zeros(N, np.int32)}, {"x": np.ones(N, np.int32)})
    np.testing.assert_array_equal(got["out"], [N // CELLS] * CELLS)


@pytest.mark.parametrize("dtype", WIDE_INTS + ["float32", "float64"])
def test_exchange(machine, dtype):
    """What was there, and what every element put there, is seen once or stands there at the end."""
    a = np.arange(1, N + 1).astype(NUMPY[dtype])
    got = machine.run("""
        i = tl.arange(0, 64)
        tl.store(seen + i, tl.atomic_xchg(out + i * 0, tl.load(x + i)))
        """, {"out": np.array([100]).astype(NUMPY[dtype]), "seen": np.zeros(N, NUMPY[dtype])}, {"x": a})
    found = np.concatenate([got["seen"], got["out"]]).astype(int)
    np.testing.assert_array_equal(np.sort(found), np.append(np.arange(1, N + 1), 100))


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64"])
def test_compare_and_swap(machine, dtype):
    """Rule K5: one element wins, the others see its value."""
    got = machine.run("""
        i = tl.arange(0, 64)
        zero = tl.zeros([64], out.dtype.element_ty)
        tl.store(seen + i, tl.atomic_cas(out + i * 0, zero, (i + 1).to(out.dtype.element_ty)))
        """, {"out": np.zeros(1, NUMPY[dtype]), "seen": np.zeros(N, NUMPY[dtype])})
    winner = int(got["out"][0])
    assert 1 <= winner <= N
    seen = got["seen"].astype(int)
    assert seen[winner - 1] == 0 and (np.delete(seen, winner - 1) == winner).all()


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32"])
def test_scalar_atomics(machine, dtype):
    """Rule G4: a scalar atomic runs once per program."""
    got = machine.run("tl.store(seen + tl.program_id(0), tl.atomic_add(out, 2))",
                      {"out": np.array([5]).astype(NUMPY[dtype]), "seen": np.zeros(50, NUMPY[dtype])}, grid=(50,))
    assert got["out"][0] == 105
    np.testing.assert_array_equal(np.sort(got["seen"]), np.arange(5, 105, 2))


@pytest.mark.parametrize("name, dtype", [("add", "i8"), ("add", "u16"), ("max", "fp16"), ("min", "bf16"), ("and", "fp32"),
                                        ("or", "fp32")])
def test_types_without_atomics(machine, name, dtype):
    """Rules K4 and K6."""
    machine.refuse(f"tl.atomic_{name}(x, 1)", 2272, 1, f"x:*{dtype}")
