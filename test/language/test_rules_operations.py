"""One test or more for every rule G1 to N4 of the language, named after it: memory, reductions, products, casts, atomics,
maths, other operations, specialisation.

A1 to F5 are in test_rules.
"""
import numpy as np
import pytest

import tilewright as tw

from dtypes import NUMPY, rounded
from runner import asserts, kernel, module

INF, NAN = float("inf"), float("nan")


# G. Memory.


def test_rule_g1(machine):
    machine.refuse("r = tl.load(x + tl.arange(0, 8), other=0.0)", 2225, 1)
    machine.check("i = tl.arange(0, 8)\ntl.store(out + i, tl.load(x + i, mask=i < 4, other=2.7))", {"out": np.array([5, 5, 5, 5, 2, 2, 2, 2], np.int32)},
                  {"x": np.full(8, 5, np.int32)})


def test_rule_g2(machine):
    """Probe 1: 0, which is the documented value."""
    machine.check("i = tl.arange(0, 16)\ntl.store(out + i, tl.load(x + i, mask=i < 4))", {"out": np.array([7.0] * 4 + [0.0] * 12, np.float32)},
                  {"x": np.full(16, 7, np.float32)})


def test_rule_g3(machine):
    machine.check("i = tl.arange(0, 8)\np = x + tl.zeros((1,), tl.int32)\ntl.store(out + i, tl.load(p, mask=i < 5, other=-1.0))",
                  {"out": np.array([7.0] * 5 + [-1.0] * 3, np.float32)}, {"x": np.full(1, 7, np.float32)})


def test_rule_g4(machine):
    machine.check("tl.store(out + tl.program_id(0), tl.load(x, mask=n > 3, other=2) + 1)\ntl.store(no, 5, mask=n > 30)",
                  {"out": np.array([8, 8, 8], np.int32), "no": np.array([1], np.int32)}, {"x": np.array([7], np.int32), "n": 5}, grid=(3,),
                  initial={"no": np.array([1], np.int32)})
    machine.refuse("r = tl.load(x, mask=tl.arange(0, 4) < 2)", 2226, 1)


def test_rule_g5(machine):
    machine.refuse("tl.store(x, tl.arange(0, 8))", 2229, 1)
    machine.refuse("tl.store(x + tl.arange(0, 8), 1.0, mask=n)", 2222, 1)
    machine.refuse("tl.store(k, 1.0)", 2227, 1, "k:*kfp32")
    machine.check("i = tl.arange(0, 4)\ntl.store(out + i, 300)\ntl.store(wide + i[:, None] * 4 + i[None, :], i[None, :], mask=i[:, None] < 2)",
                  {"out": np.full(4, 300 - 256, np.uint8), "wide": np.array([[0, 1, 2, 3], [0, 1, 2, 3], [9] * 4, [9] * 4], np.int64)},
                  initial={"wide": np.full((4, 4), 9, np.int64)})


def test_rule_g5_bool_bytes(machine):
    """A load is "byte is not zero"; storing an integer stores "is not zero" (a documented difference from probe 19)."""
    raw = np.array([0, 1, 2, 255], np.uint8)
    machine.check("i = tl.arange(0, 4)\ntl.store(out + i, tl.load(x + i).to(tl.int32))\ntl.store(flag + i, i * 128)",
                  {"out": np.array([0, 1, 1, 1], np.int32), "flag": np.array([False, True, True, True])}, {"x": raw.view(bool)})


def test_rule_g6(machine):
    a = np.arange(80, dtype=np.float32).reshape(8, 10)
    head = "@tw.jit\ndef step(p, by: tl.constexpr):\n    return tl.advance(p, (0, by))\n"
    machine.check("""
        p = tl.make_block_ptr(x, (8, 10), (10, 1), (0, 0), (8, 4), (1, 0))
        tl.advance(p, (4, 4))
        total = tl.zeros((8, 4), tl.float32)
        for k in range(3):
            total += tl.load(p, boundary_check=(1,), padding_option="zero")
            p = step(p, 4)
        i, j = tl.arange(0, 8), tl.arange(0, 4)
        tl.store(out + i[:, None] * 4 + j[None, :], total)
        """, {"out": np.pad(a, ((0, 0), (0, 2))).reshape(8, 3, 4).sum(1)}, {"x": a}, head=head)
    machine.refuse("p = tl.make_block_ptr(x, (n,), (1,), (0,), (8,), (0,))\nr = tl.load(p, mask=n > 2)", 2292, 2)
    machine.refuse("r = tl.load(x + tl.arange(0, 8), boundary_check=(0,))", 2224, 1)
    machine.refuse("p = tl.make_block_ptr(x, (n,), (1,), (0,), (8,), (0,))\nr = tl.load(p, boundary_check=(1,))", 2291, 2)
    machine.refuse('p = tl.make_block_ptr(x, (n,), (1,), (0,), (8,), (0,))\nr = tl.load(p, boundary_check=(0,), padding_option="one")', 2283, 2)


def test_rule_g7(machine):
    a = np.arange(60, dtype=np.float32).reshape(5, 12)
    padded = np.pad(a, ((0, 3), (0, 4)))
    machine.check("""
        d = tl.make_tensor_descriptor(x, [5, 12], [12, 1], [8, 16])
        e = tl.make_tensor_descriptor(y, [5, 12], [12, 1], [8, 16])
        v = d.load([0, 0])
        e.store([0, 0], v + 1)
        i, j = tl.arange(0, 8), tl.arange(0, 16)
        tl.store(out + i[:, None] * 16 + j[None, :], v)
        """, {"out": padded, "y": a + 1}, {"x": a})
    machine.refuse("d = tl.make_tensor_descriptor(x, [n, n], [1, n], [16, 16])", 2284, 1)


# H. Reductions and scans.


def test_rule_h1(machine):
    machine.accept("i = tl.arange(0, 8)\n" + asserts(*(f"tl.sum(i.to(tl.{a}), 0).dtype == tl.{r}" for a, r in [
        ("int8", "int32"), ("int16", "int32"), ("uint8", "uint32"), ("uint16", "uint32"), ("int1", "uint32"), ("int64", "int64"),
        ("float16", "float16"), ("bfloat16", "bfloat16"), ("float32", "float32"), ("float64", "float64")])))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "int8", "uint8", "int16", "int32", "int64", "int1"])
def test_rule_h1_many_ones(machine, dtype):
    """Probe 7: 4096 ones are 4096 in every type."""
    machine.check("tl.store(out, tl.sum(tl.load(x + tl.arange(0, 4096)), 0).to(tl.float32))", {"out": np.array([4096], np.float32)},
                  {"x": np.ones(4096).astype(NUMPY[dtype])})


def test_rule_h2(machine):
    machine.accept("i = tl.arange(0, 8)\n" + asserts(*(f"tl.max(i.to(tl.{a}), 0).dtype == tl.{r}" for a, r in [
        ("int8", "int32"), ("int16", "int32"), ("uint8", "int32"), ("int1", "int32"), ("uint32", "uint32"), ("int64", "int64"),
        ("float16", "float32"), ("bfloat16", "float32"), ("float64", "float64")])))


def test_rule_h3(machine):
    machine.check("i = tl.arange(0, 8)\nm = i[:, None] * 8 + i[None, :]\ntl.store(out, tl.sum(m))\ntl.store(out + 1, tl.max(m))\ntl.store(out + 2, tl.sum(i, 0))",
                  {"out": np.array([2016, 63, 28], np.int32)})


def test_rule_h4(machine):
    """Ties: lowest index by default, and here also without a preference."""
    a = np.array([1, 5, 5, 1], np.float32)
    machine.check("a = tl.load(x + tl.arange(0, 4))\ntl.store(out, tl.argmax(a, 0))\ntl.store(out + 1, tl.argmin(a, 0))\n"
                  "v, k = tl.max(a, 0, return_indices=True)\ntl.static_assert(k.dtype == tl.int32)\ntl.store(out + 2, k)\n"
                  "j = tl.argmax(a, 0, tie_break_left=False)\ntl.store(out + 3, tl.load(x + j).to(tl.int32))",
                  {"out": np.array([1, 0, 1, 5], np.int32)}, {"x": a})
    machine.refuse("r = tl.max(tl.zeros((4, 8), tl.float32), return_indices=True)", 2241, 1)
    machine.refuse("r = tl.argmax(tl.zeros((4, 8), tl.float32))", 2166, 1)


def test_rule_h5(machine):
    """Probe 6: the number wins; with propagate_nan the NaN does."""
    a, b = np.array([NAN, 1, 2, NAN], np.float32), np.array([1, NAN, 3, NAN], np.float32)
    machine.check("""
        i = tl.arange(0, 4)
        a, b = tl.load(x + i), tl.load(y + i)
        tl.store(out + i, tl.maximum(a, b))
        tl.store(out + 4 + i, tl.minimum(a, b))
        tl.store(out + 8 + i, tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL))
        tl.store(out + 12 + i, tl.clamp(a, 0.0, 1.5))
        tl.store(out + 16, tl.max(a, 0))
        tl.store(out + 17, tl.min(a, 0))
        tl.static_assert(tl.maximum(a.to(tl.bfloat16), b.to(tl.bfloat16)).dtype == tl.float32)
        """, {"out": np.array([1, 1, 3, NAN, 1, 1, 2, NAN, NAN, NAN, 3, NAN, 0, 1, 1.5, 0, 2, 1], np.float32)}, {"x": a, "y": b})


def test_rule_h6(machine):
    machine.accept("i = tl.arange(0, 8)\nm = i[:, None] + i[None, :]\n" + asserts(
        "tl.cumsum(i.to(tl.bfloat16), 0).dtype == tl.float32", "tl.cumsum(i.to(tl.int8), 0).dtype == tl.int32",
        "tl.cumsum(i.to(tl.uint8), 0).dtype == tl.uint32", "tl.cumsum(i.to(tl.float16), 0).dtype == tl.float16", "tl.cumsum(m, 1).shape[0] == 8"))
    machine.check("i = tl.arange(0, 4)\nm = i[:, None] * 4 + i[None, :]\ntl.store(out + m, tl.cumsum(m))", {"out": np.arange(16, dtype=np.int32).reshape(4, 4).cumsum(0, dtype=np.int32)})


def test_rule_h7(machine):
    """A tuple of one is unpacked as such; combine functions may return several values."""
    head = "@tw.jit\ndef plus(a, b):\n    return a + b\n@tw.jit\ndef both(a, p, b, q):\n    return a + b, tl.maximum(p, q)\n"
    machine.check("i = tl.arange(0, 8)\na, = tl.reduce((i,), 0, plus)\ns, m = tl.reduce((i, i * 3 % 8), 0, both)\nc, = tl.associative_scan((i,), 0, plus)\n"
                  "tl.store(out, a)\ntl.store(out + 1, s)\ntl.store(out + 2, m)\ntl.store(scan + i, c)",
                  {"out": np.array([28, 28, 7], np.int32), "scan": np.arange(8).cumsum().astype(np.int32)}, head=head)
    machine.refuse("i = tl.arange(0, 8)\nr = tl.reduce((i, i), 0, plus)", 2243, None, head="@tw.jit\ndef plus(a, b, c, d):\n    return a + c\n")


def test_rule_h8(machine):
    a = np.random.default_rng(3).normal(size=(4, 8)).astype(np.float32)
    e = np.exp(a.astype(np.float64))
    machine.check("i = tl.arange(0, 4)\nj = tl.arange(0, 8)\nat = i[:, None] * 8 + j[None, :]\ntl.store(out + at, tl.softmax(tl.load(x + at)))",
                  {"out": (e / e.sum(0)).astype(np.float32)}, {"x": a}, ulps=8)


# I. Products; the table is in test_dot.

ZEROS = "a = tl.zeros(({m}, {k}), tl.{t})\nb = tl.zeros(({k}, {n}), tl.{u})\n"


def test_rule_i1(machine):
    machine.accept("a, b = tl.zeros((2, 16, 32), tl.float16), tl.zeros((2, 32, 8), tl.float16)\n" + asserts("tl.dot(a, b).shape[0] == 2", "tl.dot(a, b).shape[2] == 8"))
    machine.refuse(ZEROS.format(m=16, k=16, n=16, t="float16", u="bfloat16") + "r = tl.dot(a, b)", 2261, 3)
    machine.accept(ZEROS.format(m=16, k=32, n=16, t="float8e4nv", u="float8e5") + "r = tl.dot(a, b)")


def test_rule_i2(machine):
    """M and N from 1 on; short K is either exact or refused, never wrong."""
    for dtype, k in (("float16", 16), ("int8", 32), ("float32", 8), ("float64", 4)):
        machine.accept(ZEROS.format(m=1, k=k, n=1, t=dtype, u=dtype) + "r = tl.dot(a, b)")


def test_rule_i3(machine):
    """fp32 by default here; probe 8 shows TF32 in Triton. 1 + 2^-20 survives only with a full fp32 product."""
    a = np.full((16, 16), 1 + 2.0**-20, np.float32)
    eye = np.eye(16, dtype=np.float32)
    machine.check("i = tl.arange(0, 16)\nat = i[:, None] * 16 + i[None, :]\ntl.store(out + at, tl.dot(tl.load(x + at), tl.load(y + at)))",
                  {"out": a}, {"x": a, "y": eye})


def test_rule_i4(machine):
    for dtype, result in (("int8", "int32"), ("float32", "float32"), ("bfloat16", "float32"), ("float64", "float64"), ("float16", "float32"), ("float8e5", "float32")):
        machine.accept(ZEROS.format(m=16, k=32, n=16, t=dtype, u=dtype) + asserts(f"tl.dot(a, b).dtype == tl.{result}"))
    machine.accept(ZEROS.format(m=16, k=32, n=16, t="float16", u="float16") + asserts("tl.dot(a, b, out_dtype=tl.float16).dtype == tl.float16"))
    machine.refuse(ZEROS.format(m=16, k=32, n=16, t="float16", u="float16") + "r = tl.dot(a, b, out_dtype=tl.bfloat16)", 2265, 3)


def test_rule_i5(machine):
    machine.refuse(ZEROS.format(m=16, k=32, n=16, t="float16", u="float16") + "r = tl.dot(a, b, tl.zeros((16, 16), tl.int32))", 2264, 3)
    machine.accept(ZEROS.format(m=16, k=32, n=16, t="int8", u="int8") + asserts("tl.dot(a, b, tl.zeros((16, 16), tl.int32), out_dtype=tl.int32).dtype == tl.int32"))


def test_rule_i6(machine):
    machine.accept(ZEROS.format(m=16, k=32, n=16, t="float8e5", u="float8e5") + "r = tl.dot(a, b, max_num_imprecise_acc=32)")


def test_rule_i7(machine):
    a = np.full((16, 32), 0x22, np.uint8)  # two e2m1 codes of 1.0 in every byte
    scale = np.full((16, 2), 128, np.uint8)  # 2.0
    machine.check("""
        i, k, s = tl.arange(0, 16), tl.arange(0, 32), tl.arange(0, 2)
        a, b = tl.load(x + i[:, None] * 32 + k[None, :]), tl.load(x + i[None, :] * 32 + k[:, None])
        f = tl.load(y + i[:, None] * 2 + s[None, :])
        r = tl.dot_scaled(a, f, "e2m1", b, None, "e2m1")
        tl.static_assert(r.dtype == tl.float32)
        tl.store(out + i[:, None] * 16 + i[None, :], r)
        """, {"out": np.full((16, 16), 128, np.float32)}, {"x": a, "y": scale})
    machine.refuse('z = tl.zeros((16, 64), tl.uint8)\nr = tl.dot_scaled(z, None, "e9m9", z, None, "e2m1")', 2266, 2)
    for left, right, code in [
            ("tl.zeros((16, 64), tl.float16), None, 'e2m1'", "tl.zeros((32, 16), tl.uint8), None, 'e2m1'", 2266),
            ("tl.zeros((16, 64), tl.float16), None, 'e4m3'", "tl.zeros((64, 16), tl.uint8), None, 'e4m3'", 2266),
            ("tl.zeros((16, 64), tl.int32), None, 'e5m2'", "tl.zeros((64, 16), tl.uint8), None, 'e5m2'", 2266),
            ("tl.zeros((16, 64), tl.uint8), None, 'e2m1'", "tl.zeros((64, 16), tl.uint8), None, 'e4m3'", 2262),
            ("tl.zeros((2, 16, 64), tl.uint8), None, 'e4m3'", "tl.zeros((64, 16), tl.uint8), None, 'e4m3'", 2267),
            ("tl.zeros((16, 64), tl.uint8), tl.zeros((16, 4), tl.uint8), 'e4m3'", "tl.zeros((64, 16), tl.uint8), None, 'e4m3'", 2268),
            ("tl.zeros((16, 16), tl.uint8), tl.zeros((16, 1), tl.uint8), 'e4m3'", "tl.zeros((16, 16), tl.uint8), None, 'e4m3'", 2268)]:
        machine.refuse(f"r = tl.dot_scaled({left},\n    {right})", code)


# J. Casts; the table is in test_casts.


def test_rule_j1(machine):
    a = np.array([1 + 2.0**-11, 1 + 3 * 2.0**-11, 1.9999], np.float32)
    machine.check("for k in tl.static_range(3):\n    v = tl.load(x + k)\n    tl.store(out + k, v.to(tl.float16))\n"
                  '    tl.store(cut + k, v.to(tl.float16, fp_downcast_rounding="rtz"))',
                  {"out": rounded(a, "float16"), "cut": rounded(a, "float16", True)}, {"x": a})
    machine.refuse('r = tl.load(x).to(tl.float64, fp_downcast_rounding="rtne")', 2024, 1)
    machine.refuse('r = tl.load(x).to(tl.float16, fp_downcast_rounding="up")', 2214, 1)


def test_rule_j2(machine):
    a = np.array([1.0009765625, 65504, 6e-8, -1.5], np.float16)
    machine.check("i = tl.arange(0, 4)\nb = tl.load(x + i).to(tl.bfloat16)\ntl.store(out + i, b)\ntl.store(back + i, b.to(tl.float16))",
                  {"out": rounded(a, "bfloat16"), "back": rounded(rounded(a, "bfloat16"), "float16")}, {"x": a})


def test_rule_j3(machine):
    a = np.array([3.99, -3.99, NAN, INF, -INF, 1e20, 0.5, -0.0], np.float32)
    machine.check("i = tl.arange(0, 8)\na = tl.load(x + i)\ntl.store(out + i, a.to(tl.int32))\ntl.store(flag + i, a.to(tl.int1))\n"
                  "tl.store(one + i, (a > 0).to(tl.int32))\ntl.store(real + i, (a > 0).to(tl.float32))",
                  {"out": np.array([3, -3, 0, 2**31 - 1, -2**31, 2**31 - 1, 0, 0], np.int32), "flag": np.array([1, 1, 1, 1, 1, 1, 1, 0], bool),
                   "one": np.array([1, 0, 0, 1, 0, 1, 1, 0], np.int32), "real": np.array([1, 0, 0, 1, 0, 1, 1, 0], np.float32)}, {"x": a})


def test_rule_j4(machine):
    a = np.array([-1, 255, 256, -129], np.int32)
    machine.check("i = tl.arange(0, 4)\na = tl.load(x + i)\ntl.store(s + i, a.to(tl.int8).to(tl.int64))\ntl.store(u + i, a.to(tl.uint8).to(tl.int64))",
                  {"s": np.array([-1, -1, 0, 127], np.int64), "u": np.array([255, 255, 0, 127], np.int64)}, {"x": a})


def test_rule_j5(machine):
    a = np.arange(4, dtype=np.int32)
    machine.check("i = tl.arange(0, 4)\np = x.to(tl.int64)\nq = p.to(tl.pointer_type(tl.int32))\ntl.store(out + i, tl.load(q + i) + 1)",
                  {"out": a + 1}, {"x": a})
    machine.refuse("r = tl.load(x).to(tl.int64, bitcast=True)", 2027, 1)
    machine.refuse("r = x.to(tl.float32)", 2026, 1)


def test_rule_j5_pointer_tables(machine):
    """int64 entries as pointers, as grouped products use them."""
    arrays = [np.arange(k, k + 4, dtype=np.float32) for k in (0, 10, 20)]
    table = np.array([array.ctypes.data for array in arrays], np.int64)
    if not machine.on_host:
        pytest.skip("the addresses are the host's")
    # Memory that no argument names is outside of every buffer that check=bounds knows.
    options = {"check": "races,uninit"} if "bounds" in machine.options.get("check", "") else {}
    machine.check("k = tl.program_id(0)\ni = tl.arange(0, 4)\np = tl.load(t + k).to(tl.pointer_type(tl.float32))\ntl.store(out + k * 4 + i, tl.load(p + i))",
                  {"out": np.stack(arrays)}, {"t": table}, grid=(3,), **options)


def test_rule_j6(machine):
    """Probe 4: saturates, NaN stays."""
    a = np.array([1e6, INF, -INF, NAN, 464, 465, 1.0625, 1.0625001], np.float32)
    machine.check("i = tl.arange(0, 8)\na = tl.load(x + i)\ntl.store(n + i, a.to(tl.float8e4nv))\ntl.store(e + i, a.to(tl.float8e5))",
                  {"n": np.array([448, 448, -448, NAN, 448, 448, 1, 1.125]).astype(NUMPY["float8e4nv"]),
                   "e": np.array([57344, 57344, -57344, NAN, 448, 448, 1, 1]).astype(NUMPY["float8e5"])}, {"x": a})


# K. Atomics; the table is in test_atomics.


def test_rule_k1(machine):
    machine.check("old = tl.atomic_add(out, 5)\ntl.store(seen, old)", {"out": np.array([12], np.int32), "seen": np.array([7], np.int32)},
                  initial={"out": np.array([7], np.int32)})
    machine.refuse('tl.atomic_add(x, 1.0, sem="strong")', 2270, 1)
    machine.refuse('tl.atomic_add(x, 1.0, scope="world")', 2271, 1)


def test_rule_k2(machine):
    machine.check("i = tl.arange(0, 4)\ntl.atomic_add(out + i, 2)\ntl.atomic_add(out + i, 1.5, mask=n > 3)", {"out": np.full(4, 3.5, np.float32)},
                  {"n": 5}, initial={"out": np.zeros(4, np.float32)})


def test_rule_k3(machine):
    machine.check("i = tl.arange(0, 8)\ntl.atomic_add(out + i, 1, mask=i % 2 == 0)", {"out": np.array([1, 0] * 4, np.int32)},
                  initial={"out": np.zeros(8, np.int32)})


def test_rule_k4(machine):
    for kind in ("i8", "i16", "u8", "u16"):
        machine.refuse("tl.atomic_add(x, 1)", 2272, 1, f"x:*{kind}")
    for kind in ("i32", "u64", "fp16", "bf16", "fp32", "fp64"):
        machine.accept("tl.atomic_add(x, 1)", f"x:*{kind}")


def test_rule_k5(machine):
    """A spin lock around a read-modify-write (case C47)."""
    machine.check("""
        while tl.atomic_cas(lock, 0, 1) == 1:
            pass
        i = tl.arange(0, 64)
        tl.store(out + i, tl.load(out + i) + 1)
        tl.debug_barrier()
        tl.atomic_xchg(lock, 0)
        """, {"out": np.full(64, 200.0, np.float32), "lock": np.zeros(1, np.int32)}, grid=(200,),
                  initial={"out": np.zeros(64, np.float32), "lock": np.zeros(1, np.int32)})
    machine.refuse("i = tl.arange(0, 8)\ntl.atomic_cas(x + i, i.to(tl.int64), i)", 2273, 2, "x:*i32")


def test_rule_k5_literal(machine):
    """A literal that the element type cannot hold is no value to swap in."""
    machine.refuse("tl.atomic_cas(x, 0, 1.5)", 2273, 1, "x:*i32")


def test_rule_k6(machine):
    a = np.array([-1.5, 2.5, -3.0, 0.5], np.float32)
    machine.check("i = tl.arange(0, 4)\ntl.atomic_max(most + i * 0, tl.load(x + i))\ntl.atomic_min(least + i * 0, tl.load(x + i))",
                  {"most": np.array([2.5], np.float32), "least": np.array([-3], np.float32)}, {"x": a},
                  initial={"most": np.array([-9], np.float32), "least": np.array([9], np.float32)})
    machine.refuse("tl.atomic_max(x, 1.0)", 2272, 1, "x:*fp16")


# L. Maths; the table is in test_elementwise.


def test_rule_l1(machine):
    for name in ("exp", "exp2", "log", "log2", "sin", "cos", "sqrt", "rsqrt", "erf", "floor", "ceil"):
        machine.refuse(f"r = tl.{name}(tl.load(x))", 2230, 1, "x:*fp16")
        machine.accept(f"r = tl.{name}(tl.load(x))", "x:*fp64")


L1_IN = [3.587324068671532e-43, -3.587324068671532e-43, 0.0, -0.0, INF, -INF, NAN, -1.0, -100.0, -126.5, -140.0, 88.0, 89.0, 1e-38, 1e38, 1.0]


@pytest.mark.parametrize("name, function", [("exp", np.exp), ("exp2", np.exp2), ("log", np.log), ("log2", np.log2), ("sqrt", np.sqrt), ("sin", np.sin),
                                            ("cos", np.cos), ("rsqrt", lambda x: 1 / np.sqrt(x)), ("sigmoid", lambda x: 1 / (1 + np.exp(-x).astype(np.float32)))])
def test_rule_l1_edges(machine, name, function):
    """The inputs of probe 15 against exact values: here denormals are kept and results are within 2 ulp.
    sigmoid is the composition, so that exp overflows for -100 (0 in the recorded answers too)."""
    x = np.array(L1_IN, np.float32)
    machine.check(f"i = tl.arange(0, 16)\ntl.store(out + i, tl.{name}(tl.load(x + i)))", {"out": function(x.astype(np.longdouble)).astype(np.float32)},
                  {"x": x}, ulps=2 if name != "sigmoid" else 4)


@pytest.mark.parametrize("path", ["import tilewright.language as tl\nfrom tilewright.language.extra import libdevice as m", "from tilewright.language.extra.cuda import libdevice as m",
                                  "m = tl.math", "import tilewright.language.math as m"])
def test_rule_l2(machine, path):
    """libdevice by every path."""
    x = np.linspace(-2, 2, 16).astype(np.float32)
    body = "i = tl.arange(0, 16)\ntl.store(out + i, {}(tl.load(x + i)))"
    expected = {"out": np.tanh(x.astype(np.float64)).astype(np.float32)}
    if path == "m = tl.math":
        machine.check(body.format("tl.math.tanh"), expected, {"x": x}, ulps=2)
    elif "import tilewright.language.math" in path:
        machine.check(body.format("tl.extra.libdevice.tanh"), expected, {"x": x}, ulps=2)
    elif "cuda" in path:
        machine.check(body.format("tl.extra.cuda.libdevice.tanh"), expected, {"x": x}, ulps=2)
    else:
        machine.check(body.format("m.tanh"), expected, {"x": x}, ulps=2, head=path)


# M. Other.


def test_rule_m1(machine):
    """The same numbers from the same seed in any shape; test_random has the bits."""
    machine.check("i = tl.arange(0, 64)\na = tl.rand(7, i)\nb = tl.reshape(tl.rand(7, tl.reshape(i, (8, 8))), (64,))\ntl.store(out + i, a == b)",
                  {"out": np.ones(64, bool)})


def test_rule_m2(machine):
    a = np.array([3, -1, 2, 7, 7, 0, -5, 4], np.int32)
    machine.check("i = tl.arange(0, 8)\na = tl.load(x + i)\ntl.store(s + i, tl.sort(a))\ntl.store(d + i, tl.sort(a, descending=True))\n"
                  "tl.store(t + tl.arange(0, 2), tl.topk(a, 2))", {"s": np.sort(a), "d": np.sort(a)[::-1], "t": np.array([7, 7], np.int32)}, {"x": a})


def test_rule_m3(machine, capfd):
    machine.accept('tl.device_print("n =", n)\nprint("x", n)\nassert n > 0, "positive"\ntl.device_assert(n > 0, "positive")')
    machine.refuse("tl.device_print(n)", 2202, 1)


def test_rule_m3_text(machine, capfd):
    """Each element once and whole lines, whatever the number of threads; a scalar once a program; text alone, too."""
    machine.run("""
        i = tl.arange(0, 2)[:, None] * 4 + tl.arange(0, 4)
        tl.device_print("n", tl.load(x + i), tl.load(y + i))
        tl.device_print("half", n, hex=True)
        tl.device_print("done 100%")
        tl.store(out + tl.program_id(0), 1)
        """, {"out": np.zeros(3, np.int32)}, {"x": np.arange(-4, 4, dtype=np.int32).reshape(2, 4), "y": np.full((2, 4), 0.5, np.float32), "n": 255},
                grid=(3,))
    expected = []
    for program in range(3):
        where = f"pid ({program}, 0, 0) "
        expected += [f"{where}idx ({k // 4}, {k % 4}) n: {k - 4}" for k in range(8)]
        expected += [f"{where}idx ({k // 4}, {k % 4}) n: 0.500000" for k in range(8)]
        expected += [f"{where}half: 0x000000ff", f"{where}done 100%"]
    expected *= 2 if machine.also else 1  # launched once more
    assert sorted(capfd.readouterr().out.splitlines()) == sorted(expected)


def test_rule_m3_assert(machine):
    """Only a debug build checks."""
    machine.run("tl.device_assert(n > 3, 'small')\ntl.store(out, 1)", {"out": np.zeros(1, np.int32)}, {"n": 2})
    with pytest.raises(tw.LaunchError, match="TW6030"):
        machine.run("tl.device_assert(n > 3, 'small')\ntl.store(out, 1)", {"out": np.zeros(1, np.int32)}, {"n": 2}, debug=True)


def test_rule_m4(machine):
    a = np.arange(64, dtype=np.float32)
    machine.check("i = tl.arange(0, 64)\ntl.assume(n > 0)\no = tl.max_contiguous(tl.multiple_of(i * s, 64), 64)\n"
                  "tl.store(out + i, tl.load(x + o))", {"out": a}, {"x": a, "n": 64, "s": 1})


# N. Specialisation and globals.

N1 = [(1, "i32[1]"), (16, "i32[:16]"), (17, "i32"), (2**31, "i64[:16]"), (-2**31, "i32[:16]"), (2**63, "u64[:16]"), (2**63 + 1, "u64"), (1.5, "fp32"),
      (True, "i1"), (0, "i32[:16]"), (-2**31 - 1, "i64")]


@pytest.mark.parametrize("value, text", N1)
def test_rule_n1(machine, value, text):
    """The signature of an argument, and its value in the kernel."""
    function = kernel("tl.store(out, v.to(tl.float64))", ["v", "out"])
    out = np.zeros(1)
    compiled = machine.launch(function, (1,), {"v": value, "out": out}, {})
    assert f"v:{text}," in compiled.signature
    assert out[0] == (np.float32(value) if isinstance(value, float) else float(value))


def test_rule_n1_unspecialised(machine):
    function = module("@tw.jit(do_not_specialize=['n'])\ndef kernel(out, n):\n    tl.store(out, n)\n")["kernel"]
    first = machine.launch(function, (1,), {"out": np.zeros(1, np.int32), "n": 1}, {})
    assert machine.launch(function, (1,), {"out": np.zeros(1, np.int32), "n": 16}, {}) is first
    assert "n:i32" in first.signature and "n:i32[" not in first.signature


def test_rule_n1_tuples(machine):
    """Constant tuples and None."""
    machine.check("tl.store(out, SIZES[0] + SIZES[1][1])\ntl.static_assert(NOTHING is None)", {"out": np.array([8], np.int32)},
                  constants={"SIZES": (5, (2, 3)), "NOTHING": None})


def test_rule_n1_tuple_arguments(machine):
    got = machine.run("tl.store(out, pair[0] + pair[1])", {"out": np.zeros(1, np.int32)}, {"pair": (5, 8)})
    assert got["out"][0] == 13


def test_rule_n2(machine):
    """Probe 23 is an error in Triton; here it works."""
    for stride in (1, 2):
        machine.check("i = tl.arange(0, 4)\ntl.store(out + i, tl.load(x + i * stride.to(tl.int64)))",
                      {"out": np.arange(4, dtype=np.float32) * stride}, {"x": np.arange(8, dtype=np.float32), "stride": stride})


N3 = [("tl.int64", 1, "i64"), ("tl.int32", 1, "i32"), ("'i32'", 1, "i32"), ("tl.float16", 1.5, "fp16"), ("tl.bfloat16", 1.5, "bf16"), ("tl.float64", 0.1, "fp64"),
      ("tl.uint8", 200, "u8"), ("tl.int8", -3, "i8"), ("tl.tensor", 5, "i32"), ("'u64'", 5, "u64")]


@pytest.mark.parametrize("annotation, value, text", N3)
def test_rule_n3(machine, annotation, value, text):
    """An annotation fixes the type and keeps 1 a run-time value."""
    function = module(f"@tw.jit\ndef kernel(out, v: {annotation}):\n    tl.store(out, v.to(tl.float64))\n")["kernel"]
    out = np.zeros(1)
    compiled = machine.launch(function, (1,), {"out": out, "v": value}, {})
    assert f"v:{text}" in compiled.signature and "[1]" not in compiled.signature
    assert out[0] == value


def test_rule_n3_const(machine):
    function = module("@tw.jit\ndef kernel(x: tl.const, n):\n    tl.store(x, 1.0)\n")["kernel"]
    with pytest.raises(tw.CompilationError) as caught:
        machine.launch(function, (1,), {"x": np.zeros(1, np.float32), "n": 3}, {})
    assert caught.value.code == 2227


def test_rule_n4(machine):
    head = "SCALE = tl.constexpr(3)\nPAIR = tl.constexpr((2, 4))\nKIND = tl.float16\n@tw.jit\ndef twice(v):\n    return v * 2\nAPPLY = twice\n"
    machine.check("i = tl.arange(0, 4)\ntl.store(out + i, APPLY(i) * SCALE + PAIR[1])\ntl.static_assert(tl.zeros((4,), KIND).dtype == tl.float16)",
                  {"out": (np.arange(4) * 6 + 4).astype(np.int32)}, head=head)
    machine.refuse("tl.store(x, nowhere)", 2171, 1)
