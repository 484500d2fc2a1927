"""One test or more for every rule A1 to F5 of the language, named after it: values, promotion, arithmetic, logic, control
flow, shapes.

G1 to N4 are in test_rules_operations. The tables of the other files cover the same rules over all element types; here
stands what each rule says, with its errors.
"""
import numpy as np
import pytest

from dtypes import NUMPY, rounded
from runner import asserts, fresh

INF, NAN = float("inf"), float("nan")


# A. Values.

A1 = {"5": "int32", "-5": "int32", "2147483647": "int32", "-2147483648": "int32", "2147483648": "uint32", "4294967295": "uint32",
      "4294967296": "int64", "-2147483649": "int64", "9223372036854775808": "uint64", "1.5": "float32", "0.0": "float32",
      "1e-38": "float64", "1e39": "float64", "1e300": "float64", "float('inf')": "float32", "True": "int1"}


@pytest.mark.parametrize("text", list(A1))
def test_rule_a1(machine, text):
    """A plain assignment makes a run-time scalar of the first type that holds the number."""
    if text == "1e-38":
        assert 1e-38 < 2.0**-126
    machine.accept(f"v = {text}\n" + asserts(f"v.dtype == tl.{A1[text]}"))


def test_rule_a1_is_no_longer_constant(machine):
    machine.refuse("k = B // 2\nr = tl.arange(0, k)", 2200, 2, "x:*fp32, B=16")
    machine.accept("k: tl.constexpr = B // 2\nr = tl.arange(0, k)", "x:*fp32, B=16")


def test_rule_a1_what_survives(machine):
    machine.accept("t = tl.float16\nn = None\np = (1, 2)\nz = tl.zeros((4,), t)\n" + asserts("n is None", "z.dtype == tl.float16", "len(p) == 2"))


A2 = [("-7 // 2", -4), ("-7 % 2", 1), ("7 // -2", -4), ("7 % -2", -1), ("2 ** 10", 1024), ("(2 ** 70) >> 68", 4), ("1 << 3", 8),
      ("7 / 2 == 3.5", 1), ("2 ** -1 == 0.5", 1), ("~5", -6), ("5 ^ 3", 6), ("max(3, 9) - min(4, 2)", 7), ("abs(-3)", 3),
      ("int(3.9)", 3), ("0x7F & 0x1C", 28)]


@pytest.mark.parametrize("text, value", A2)
def test_rule_a2_compile_time(machine, text, value):
    """Compile-time arithmetic is Python's."""
    assert eval(text) == value
    machine.check(f"c: tl.constexpr = {text}\ntl.static_assert(c == {value})\ntl.store(out, c)", {"out": np.array([value], np.int32)})


@pytest.mark.parametrize("a, b", [(-7, 2), (7, -2), (-7, -2), (7, 2)])
def test_rule_a2_run_time(machine, a, b):
    """The same text at run time is C's (probe 9)."""
    quotient = int(a / b)
    machine.check("tl.store(out, a // b)\ntl.store(out + 1, a % b)\nu = -7\ntl.store(out + 2, u // 2)\ntl.store(out + 3, u % 2)",
                  {"out": np.array([quotient, a - b * quotient, -3, -1], np.int32)}, {"a": a, "b": b})


def test_rule_a3(machine):
    machine.refuse("k: tl.constexpr = 3\nk: tl.constexpr = 4", 2106, 2)
    machine.refuse("k: tl.constexpr = 3\nfor i in range(n):\n    k += 1", 2106)


def test_rule_a4(machine):
    """bool < int < float; a bool is an unsigned type of its own."""
    machine.accept("""
        m = n > 3
        tl.static_assert(m.dtype == tl.int1)
        tl.static_assert((m + 1).dtype == tl.int32)
        tl.static_assert((m + True).dtype == tl.int1)
        tl.static_assert((m + 1.5).dtype == tl.float32)
        """)


# B. Promotion (probe 10).

B1 = [("h * 2.0", "float16"), ("h * v", "float32"), ("h * f", "float32"), ("h * 3", "float16"), ("h * w", "float16"), ("h * n", "float16"),
      ("h / 2.0", "float32"), ("h / h", "float32"), ("b + t", "float32"), ("h + t", "float16"), ("h + b", "float16"), ("c + 1", "int8"),
      ("t / t", "float32"), ("b / b", "float32"), ("tl.maximum(b, b)", "float32"), ("tl.where(t > 0, h, 0.0)", "float16"),
      ("t + u", "uint32"), ("t.to(tl.int64) + u", "int64"), ("c + c.to(tl.uint8)", "uint8"), ("c + t", "int32"), ("-c.to(tl.uint8)", "uint8"),
      ("t.to(tl.float32) + t.to(tl.int64)", "float32"), ("(t > 0) + (t > 1)", "int1"), ("(t > 0) * h", "float16"), ("h * K", "float16"),
      ("h + True", "float16"), ("2.0 - h", "float16"), ("h > 2.0", "int1"), ("t + 1.5", "float32"), ("tl.maximum(h, 0.0)", "float16"),
      ("tl.minimum(h, 6.0)", "float16"), ("b * 2.0", "bfloat16")]


@pytest.mark.parametrize("text, dtype", B1)
def test_rule_b1(machine, text, dtype):
    """A literal takes the tensor's type; a run-time scalar promotes fully. (`maximum` of an fp16 tile and a literal is fp32
    in the recorded answers; here literals adopt the type for every operator, case C11.)"""
    machine.accept(f"""
        i = tl.arange(0, 8)
        h, b, c, t, u = tl.load(hp + i), tl.load(bp + i), tl.load(cp + i), tl.load(tp + i), tl.load(up + i)
        v = 2.0
        w = 3
        r = {text}
        tl.static_assert(r.dtype == tl.{dtype})
        """, "hp:*fp16, bp:*bf16, cp:*i8, tp:*i32, up:*u32, n:i32, f:fp32, K=2.5")


def test_rule_b1_wraps(machine):
    a = np.array([127, -128, 0, 5], np.int8)
    machine.check("i = tl.arange(0, 4)\ntl.store(out + i, tl.load(x + i) + 1)", {"out": np.array([-128, -127, 1, 6], np.int8)}, {"x": a})


@pytest.mark.parametrize("text", ["c + 300", "c & 256", "u + -1", "c * -129", "u - 4294967296"])
def test_rule_b2(machine, text):
    machine.refuse(f"c, u = tl.load(cp), tl.load(up)\ni = tl.arange(0, 4)\nc, u = c + 0 * tl.load(cp + i), u + 0 * tl.load(up + i)\nr = {text}",
                   2042, 4, "cp:*i8, up:*u32")


def test_rule_b3(machine):
    machine.accept("i = tl.arange(0, 8)\nm = i > 2\nl = i.to(tl.int64)\n"
                   "d, s, h, b = i.to(tl.float64), i.to(tl.float32), i.to(tl.float16), i.to(tl.bfloat16)\n" + asserts(*(
        f"({pair}).dtype == tl.{dtype}" for pair, dtype in [
        ("d + s", "float64"), ("d + h", "float64"), ("s + h", "float32"), ("s + b", "float32"), ("h + b", "float16"), ("b + b", "bfloat16"),
        ("b + l", "float32"), ("h + l", "float16"), ("l + 0.5", "float32"), ("s * m", "float32"), ("h * m", "float16"), ("l * m", "int64")])))


B4 = [("int8", "int16", "int16"), ("int32", "uint32", "uint32"), ("int64", "uint32", "int64"), ("uint8", "int16", "int16"),
      ("uint64", "int64", "uint64"), ("int8", "uint8", "uint8"), ("uint16", "int64", "int64"), ("int8", "uint32", "uint32")]


@pytest.mark.parametrize("left, right, result", B4)
def test_rule_b4(machine, left, right, result):
    machine.accept(f"i = tl.arange(0, 8)\ntl.static_assert((i.to(tl.{left}) + i.to(tl.{right})).dtype == tl.{result})")


@pytest.mark.parametrize("left, right, result", [("float8e4nv", "float8e4nv", "float8e4nv"), ("float8e5", "float8e5", "float8e5"),
                                                 ("float8e4nv", "float8e5", "float16")])
def test_rule_b5(machine, left, right, result):
    a = np.array([1, -2, 0.5, 3]).astype(NUMPY[left])
    b = np.array([2, 1, -0.5, 0.25]).astype(NUMPY[right])
    exact = a.astype(np.float64) + b.astype(np.float64)
    machine.check(f"i = tl.arange(0, 4)\nr = tl.load(x + i) + tl.load(y + i)\ntl.static_assert(r.dtype == tl.{result})\ntl.store(out + i, r)",
                  {"out": rounded(exact, result)}, {"x": a, "y": b})


def test_rule_b5_no_integers(machine):
    machine.refuse("i = tl.arange(0, 4)\nr = tl.load(x + i) + i", 2040, 2, "x:*fp8e4nv")


def test_rule_b6(machine):
    machine.refuse("r = tl.arange(0, 8) & 0xFFFFFFFF", 2042, 1)
    machine.accept("r = tl.arange(0, 8).to(tl.uint32) & 0xFFFFFFFF\ns = tl.arange(0, 8) & 0x7FFFFFFF\n" + asserts("r.dtype == tl.uint32"))


# C. Arithmetic.


def test_rule_c1(machine):
    a = np.array([2**31 - 1, -2**31, 2**30, -1], np.int32)
    with np.errstate(all="ignore"):
        expected = np.stack([a + 1, a - 1, a * 3, a * a]).astype(np.int32)
    machine.check("i = tl.arange(0, 4)\na = tl.load(x + i)\ntl.store(out + i, a + 1)\ntl.store(out + 4 + i, a - 1)\n"
                  "tl.store(out + 8 + i, a * 3)\ntl.store(out + 12 + i, a * a)", {"out": expected}, {"x": a})


def test_rule_c2(machine):
    """Probe 9; division by zero never traps: -1 and the dividend."""
    a, b = np.array([-7, -7, 7, 7, 5, -2**31, 0, -5], np.int32), np.array([2, -2, 2, -2, 0, -1, 3, 0], np.int32)
    machine.check("i = tl.arange(0, 8)\na, b = tl.load(x + i), tl.load(y + i)\ntl.store(q + i, a // b)\ntl.store(r + i, a % b)",
                  {"q": np.array([-3, 3, 3, -3, -1, -2**31, 0, -1], np.int32), "r": np.array([-1, -1, 1, 1, 5, 0, 0, -5], np.int32)},
                  {"x": a, "y": b})
    machine.refuse("i = tl.arange(0, 8)\nr = i // i.to(tl.uint32)", 2041, 2)
    machine.refuse("i = tl.arange(0, 8)\nr = i.to(tl.float32) // 2.0", 2046, 2)


def test_rule_c3(machine):
    machine.accept("i = tl.arange(0, 8)\n" + asserts("(i / i).dtype == tl.float32", "(i.to(tl.int64) / 2).dtype == tl.float32",
                                                      "(i.to(tl.float16) / 2.0).dtype == tl.float32", "(i.to(tl.float64) / i).dtype == tl.float64"))
    machine.check("i = tl.arange(0, 8)\ntl.store(out + i, tl.div_rn(i.to(tl.float32), 3.0))", {"out": np.arange(8, dtype=np.float32) / np.float32(3)})


def test_rule_c4(machine):
    machine.check("i = tl.arange(0, 4)\ntl.store(out + i, (i - 4) >> 1)\ntl.store(out + 4 + i, ((i - 4).to(tl.uint32, bitcast=True) >> 28).to(tl.int32))",
                  {"out": np.array([-2, -2, -1, -1, 15, 15, 15, 15], np.int32)})


def test_rule_c5(machine):
    a = np.array([0, 1, 200, 255], np.uint8)
    machine.check("i = tl.arange(0, 4)\na = tl.load(x + i)\ntl.store(out + i, -a)\ntl.store(flip + i, ~a)\ntl.store(no + i, ~(a > 100))",
                  {"out": (0 - a).astype(np.uint8), "flip": ~a, "no": a <= 100}, {"x": a})
    machine.refuse("r = ~tl.load(x)", 2047, 1)


@pytest.mark.parametrize("fused", [True, False])
def test_rule_c6(machine, fused):
    """Without fusion every operation rounds; with it either is right."""
    a = np.random.default_rng(1).normal(size=64).astype(np.float32)
    two = (a * a).astype(np.float32) - np.float32(1)
    one = (a.astype(np.float64) * a - 1).astype(np.float32)
    got = machine.run("i = tl.arange(0, 64)\na = tl.load(x + i)\ntl.store(out + i, a * a - 1.0)", {"out": fresh("float32", 64)}, {"x": a},
                      enable_fp_fusion=fused)["out"]
    assert ((got == two) | ((got == one) & fused)).all()


def test_rule_c7(machine):
    machine.refuse("r = x - x", 2043, 1)
    machine.refuse("r = x * 2", 2043, 1)
    machine.refuse("r = x + 1.5", 2043, 1)
    base = np.arange(300, dtype=np.int32)
    machine.check("o = tl.load(y).to(tl.int64)\ntl.store(out, tl.load(x + o))\ntl.store(out + 1, tl.load(x + 4 - 2))\ntl.store(out + 2, tl.load(2 + x))",
                  {"out": np.array([200, 2, 2], np.int32)}, {"x": base, "y": np.array([200], np.uint8)})


def test_rule_c7_wide_offsets(machine):
    """From a cast to int64 on, 64 bits are kept: the difference of two large offsets is exact."""
    base = np.arange(8, dtype=np.int32)
    machine.check("o = n.to(tl.int64) * 4096\ntl.store(out, tl.load(x + (o - (o - 3))))\ntl.store(big, o)",
                  {"out": np.array([3], np.int32), "big": np.array([(2**30 + 1) * 4096], np.int64)}, {"x": base, "n": 2**30 + 1})


# D. Compare and logic.


def test_rule_d1(machine):
    a = np.array([NAN, 1, INF, -0.0], np.float32)
    b = np.array([NAN, 1, NAN, 0.0], np.float32)
    rows = np.stack([a == b, a != b, a < b, a <= b, a > b, a >= b])
    body = "i = tl.arange(0, 4)\na, b = tl.load(x + i), tl.load(y + i)\n" + "".join(
        f"tl.store(out + {4 * k} + i, a {op} b)\ntl.static_assert((a {op} b).dtype == tl.int1)\n" for k, op in enumerate(["==", "!=", "<", "<=", ">", ">="]))
    machine.check(body, {"out": rows}, {"x": a, "y": b})


def test_rule_d2(machine):
    """Both sides are evaluated on run-time values (probe 24); only i1 is allowed; constants short-circuit."""
    machine.check("i = tl.arange(0, 8)\nm = (i < 4) and (tl.load(x + i) == 1)\ntl.store(out + i, m.to(tl.int32))\n"
                  "tl.store(no + i, not (i < 4))\ntl.store(either + i, (i < 2) or (i > 5))",
                  {"out": np.array([1, 1, 1, 1, 0, 0, 0, 0], np.int32), "no": np.arange(8) >= 4, "either": (np.arange(8) < 2) | (np.arange(8) > 5)},
                  {"x": np.ones(8, np.int32)})
    machine.refuse("r = n and n > 3", 2050, 1)
    machine.accept("if B > 4 and n > 2:\n    tl.store(x, 1.0)\nif B < 4 and missing > 3:\n    tl.store(x, nothing)\nif B == 16 or missing:\n    tl.store(x, 2.0)",
                   "x:*fp32, n:i32, B=16")


def test_rule_d3(machine):
    machine.accept("""
        tl.static_assert(NAME == "relu")
        tl.static_assert(NAME != "gelu")
        tl.static_assert(p is None)
        tl.static_assert(x is not None)
        """, "x:*fp32, p=None, NAME='relu'")


def test_rule_d4_in(machine):
    machine.refuse("r = n in (1, 2)", 2048, 1)
    machine.accept("tl.static_assert(B in (8, 16))", "x:*fp32, B=16")


def test_rule_d4_chained(machine):
    """Python's meaning, the middle evaluated once."""
    machine.check("tl.store(out, 0)\nif 1 < n < 3:\n    tl.store(out, 1)\nif 1 < 5 < 3:\n    tl.store(out, 2)\ni = tl.arange(0, 8)\n"
                  "tl.store(mask + i, 2 < i < n)", {"out": np.array([0], np.int32), "mask": (np.arange(8) > 2) & (np.arange(8) < 5)}, {"n": 5})


# E. Control flow.


def test_rule_e1(machine):
    machine.check("""
        if B > 32:
            raise ValueError("too large")
            missing(tl.arange(0, 3))
        elif FLAG:
            tl.store(out, 1)
        else:
            tl.store(out, undefined_name + tl.zeros((3,), tl.float99))
        v = 5 if FLAG else unknown
        tl.store(out + 1, v)
        if None:
            tl.store(out, broken)
        if 0:
            tl.store(out, broken)
        """, {"out": np.array([1, 5], np.int32)}, constants={"B": 16, "FLAG": True})
    machine.refuse("if 1.5:\n    pass", 2110, 1)
    machine.refuse("if 'text':\n    pass", 2110, 1)
    machine.refuse("if B == 16:\n    raise ValueError('reached')", 2104, 2, "x:*fp32, B=16")


def test_rule_e2(machine):
    machine.check("a = 1\nif n:\n    a = 2\n    fresh = 7\nelse:\n    a = 3\n    fresh = 8\ntl.store(out, a)\ntl.store(out + 1, fresh)",
                  {"out": np.array([2, 7], np.int32)}, {"n": 5})
    machine.refuse("if tl.arange(0, 8) > 2:\n    tl.store(x, 1.0)", 2022, 1)
    machine.refuse("a = 1\nif n > 2:\n    a = 2.0\ntl.store(x, a)", 2112)
    machine.refuse("if n > 2:\n    b = 2\ntl.store(x, b)", 2170, 3)
    machine.refuse("if n > 2:\n    b = 2\nelse:\n    b = 2.0\ntl.store(x, b)", 2112)


def test_rule_e3(machine):
    """Only the chosen side runs: the other would divide through an address outside."""
    machine.check("v = tl.load(x + n) if n < 4 else -1\ntl.store(out, v)\nw = 1 if n > 2 else 0\ntl.store(out + 1, w)",
                  {"out": np.array([-1, 1], np.int32)}, {"x": np.zeros(4, np.int32), "n": 1 << 29})
    machine.refuse("r = n.to(tl.int64) if n > 2 else 0", 2114, 1)


def test_rule_e4(machine):
    machine.refuse("acc = 0\nfor i in range(n):\n    acc += 1.5\ntl.store(x, acc)", 2120)
    machine.refuse("for i in range(n):\n    inside = i\ntl.store(x, inside)", 2170, 3)
    machine.accept("""
        for i in range(n):
            tl.static_assert(i.dtype == tl.int32)
        for j in range(0, n.to(tl.int64)):
            tl.static_assert(j.dtype == tl.int64)
        """)
    machine.check("count = 0\nfor i in range(0, n):\n    i = i + 100\n    count += 1\ntl.store(out, count)", {"out": np.array([5], np.int32)}, {"n": 5})


RANGES = [(0, 10, 3), (10, 0, 3), (10, 0, -3), (88, -1, -8), (0, 10, -1), (5, 5, 1), (-5, 5, 2), (5, -5, -2), (2**31 - 4, 2**31 - 1, 2),
          (-2**31 + 2, -2**31, -1), (0, 1, 2**30), (1, 0, -2**31)]


@pytest.mark.parametrize("start, stop, step", RANGES)
@pytest.mark.parametrize("form", ["range", "tl.range"])
@pytest.mark.parametrize("where", ["run time", "compile time"])
def test_rule_e4_range(machine, start, stop, step, form, where):
    """Python's meaning for every sign of the step, also at run time (probe 17 shows that Triton has zero trips)."""
    numbers = list(range(start, stop, step))
    bounds = {"a": start, "b": stop, "s": step}
    body = f"total = tl.full([], 0, tl.int64)\ncount = 0\nfor i in {form}({{}}):\n    total += i\n    count += 1\ntl.store(out, total)\ntl.store(out + 1, count)"
    text = "a, b, s" if where == "run time" else f"{start}, {stop}, {step}"
    machine.check(body.format(text), {"out": np.array([sum(numbers), len(numbers)], np.int64)}, bounds)


@pytest.mark.parametrize("options", ["num_stages=3", "flatten=True", "warp_specialize=True", "loop_unroll_factor=4", "disallow_acc_multi_buffer=True",
                                     "num_stages=2, loop_unroll_factor=2"])
def test_rule_e5(machine, options):
    machine.check(f"total = 0\nfor i in tl.range(0, n, {options}):\n    for j in range(2):\n        total += i * j\ntl.store(out, total)",
                  {"out": np.array([45], np.int32)}, {"n": 10})


def test_rule_e6(machine):
    machine.check("k = n\nsteps = 0\nwhile k > 1:\n    k = k // 2 if k % 2 == 0 else 3 * k + 1\n    steps += 1\ntl.store(out, steps)",
                  {"out": np.array([111], np.int32)}, {"n": 27})
    machine.refuse("while tl.arange(0, 8) > 3:\n    pass", 2022, 1)
    machine.refuse("k = n\nwhile k > 1:\n    k -= 1\nelse:\n    k = 0", 1903)


@pytest.mark.parametrize("word", ["break", "continue"])
def test_rule_e6_no_jumps(machine, word):
    machine.refuse(f"for i in range(n):\n    if i > 3:\n        {word}", 1901, 3)


def test_rule_e7(machine):
    head = """
    @tw.jit
    def sign(v):
        if v > 0:
            return 1
        if v < 0:
            return -1
        return 0
        missing(v)
    """
    machine.check("if n < 0:\n    tl.store(out + 3, 7)\n    return\ntl.store(out, sign(n))\ntl.store(out + 1, sign(-n))\ntl.store(out + 2, sign(n - n))",
                  {"out": np.array([1, -1, 0, 9], np.int32)}, {"n": 5}, head=head, initial={"out": np.full(4, 9, np.int32)})
    machine.refuse("for i in range(n):\n    if i > 3:\n        return", 2101, 3)
    machine.refuse("tl.store(x, pick(n))", 2113, None, head="@tw.jit\ndef pick(v):\n    if v > 0:\n        return 1\n    return 2.0\n")
    machine.check("for i in tl.static_range(4):\n    if i == n:\n        return\n    tl.store(out + i, i)", {"out": np.array([0, 1, 9, 9], np.int32)},
                  {"n": 2}, initial={"out": np.full(4, 9, np.int32)})


def test_rule_e8(machine):
    head = """
    @tw.jit
    def parts(v, K: tl.constexpr):
        return v + 1, (v, K), None

    @tw.jit
    def size(K: tl.constexpr):
        return K * 2
    """
    machine.check("a, (b, c), d = parts(n, 8)\ntl.static_assert(d is None)\ntl.store(out, a + b)\ni = tl.arange(0, size(4))\ntl.store(out + 1 + i, i)",
                  {"out": np.array([11, *range(8)], np.int32)}, {"n": 5}, head=head)
    machine.refuse("return 5", 2102, 1)


# F. Shapes.


def test_rule_f1(machine):
    machine.refuse("r = tl.arange(0, 100)", 2030, 1)
    machine.refuse("r = tl.zeros((3, 4), tl.float32)", 2030, 1)
    machine.refuse("r = tl.zeros((1024, 2048), tl.float32)", 2031, 1)
    machine.accept("r = tl.zeros((1024, 1024), tl.int8)")


def test_rule_f2(machine):
    machine.check("i = tl.arange(0, 8)\nj = tl.arange(0, 4)\ntl.store(out + j[:, None] * 8 + i, i + j[:, None] * 10 + n)",
                  {"out": (np.arange(8) + np.arange(4)[:, None] * 10 + 5).astype(np.int32)}, {"n": 5})
    machine.refuse("r = tl.zeros((16, 2), tl.float32) + tl.zeros((8, 2), tl.float32)", 2032, 1)


def test_rule_f3(machine):
    """On a scalar `:` keeps nothing, as in Triton 3.6: each None adds a dimension."""
    machine.refuse("r = tl.zeros((2, 4), tl.float32)[0]", 2152, 1)
    machine.refuse("r = tl.zeros((4,), tl.float32)[:, :]", 2153, 1)
    machine.check("s = n[None, :]\nt = n[:, None, None]\nu = n[...]\n" + asserts("s.shape == (1,)", "t.shape == (1, 1)", "u.shape == ()", "n[:].shape == ()") +
                  "\ntl.store(out + tl.arange(0, 4)[:, None] + s * 0, tl.expand_dims(n, (0, 1)) + s + t + u)",
                  {"out": np.full(4, 12, np.int32)}, {"n": 3})
    machine.accept("z = tl.zeros((2, 4), tl.float32)\np: tl.constexpr = (3, 4, 5)\n" + asserts("z.shape[0] == 2", "z.shape[1] == 4", "p[1] == 4", "p[-1] == 5", "z[:, :].shape[1] == 4",
                                                                           "z[None].shape[0] == 1"))


def test_rule_f4(machine):
    a = np.array([1, 2, 3, 4], np.float16)
    machine.check("i = tl.arange(0, 4)\na = tl.load(x + i)\nr = tl.where(i < 2, a, 0.0)\ntl.static_assert(r.dtype == tl.float16)\ntl.store(out + i, r)\n"
                  "tl.store(wide + i[:, None] * 4 + i[None, :], tl.where(i[:, None] > i[None, :], i[:, None], -1))\n"
                  "tl.store(number + i, tl.where(i % 2, 5, 6))",
                  {"out": np.array([1, 2, 0, 0], np.float16), "number": np.array([6, 5, 6, 5], np.int32),
                   "wide": np.where(np.arange(4)[:, None] > np.arange(4), np.arange(4)[:, None], -1).astype(np.int32)}, {"x": a})


def test_rule_f5(machine):
    machine.accept("z = tl.zeros((2, 4, 8), tl.float32)\n" + asserts(
        "tl.expand_dims(z, -1).shape[3] == 1", "tl.sum(z, -1).shape[1] == 4", "tl.flip(z, -2).shape[1] == 4", "tl.trans(z, 2, 0, 1).shape[0] == 8",
        "tl.trans(z, (2, 0, 1)).shape[1] == 2", "tl.permute(z, [1, 2, 0]).shape[0] == 4", "tl.max(z, -3).shape[0] == 4"))
    machine.refuse("r = tl.sum(tl.zeros((2, 4), tl.float32), 2)", 2205, 1)
    machine.refuse("r = tl.expand_dims(tl.zeros((2, 4), tl.float32), (0, -4))", 2205, 1)
    machine.refuse("r = tl.permute(tl.zeros((2, 4), tl.float32), (0, 0))", 2252, 1)
