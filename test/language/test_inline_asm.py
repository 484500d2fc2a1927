"""PTX texts that only compute mean the same on every target; expected values by NumPy on bits."""
import ml_dtypes
import numpy as np
import pytest

from tilewright.engine import vendor_of

F = np.array([0.5, -1.25, 3.0, 7.75, -0.1, 100.25, 2.5, -3.5], np.float32)
G = np.array([2.0, 0.5, -3.0, 1.0, 0.1, 0.25, -2.5, 3.5], np.float32)
I = np.array([1, -1, 0x12345678, -2**31, 2**31 - 1, 255, -256, 0x0F0F0F0F], np.int64).astype(np.int32)
J = np.array([3, 5, 7, 31, 1, 12, 4, 2], np.int32)


def asm(text, constraints, args, dtype, pack=1):
    return f"tl.inline_asm_elementwise('''{text}''', '{constraints}', [{args}], dtype={dtype}, is_pure=True, pack={pack})"


def check(machine, call, expected, inputs, ulps=0, bound=None):
    if vendor_of(machine.target) == "amd":
        pytest.skip("the text is handed to the assembler of the target")
    loads = "".join(f"{name} = tl.load({name}_ptr + i)\n" for name in inputs)
    size = len(next(iter(inputs.values())))
    machine.check(f"i = tl.arange(0, {size})\n{loads}tl.store(out + i, {call})", {"out": expected}, {f"{name}_ptr": value for name, value in inputs.items()},
                  ulps=ulps, bound=bound)


FUNCTIONS = {
    "ex2.approx.f32 $0, $1;": np.exp2, "ex2.approx.ftz.f32 $0, $1;": np.exp2, "tanh.approx.f32 $0, $1;": np.tanh, "rcp.approx.ftz.f32 $0, $1;": lambda v: 1 / v,
    "neg.f32 $0, $1;": lambda v: -v, "abs.f32 $0, $1;": np.abs, "cos.approx.f32 $0, $1;": np.cos, "sin.approx.f32 $0, $1;": np.sin,
    "mul.f32 $0, $1, 0f40000000;": lambda v: v * 2, "{ .reg .f32 t; add.f32 t, $1, $1; // twice\n mul.rn.f32 $0, t, 0f3F000000; }": lambda v: v,
    "fma.rn.f32 $0, $1, $1, $1;": lambda v: v * v + v, "max.f32 $0, $1, 0f00000000;": lambda v: np.maximum(v, 0),
}


# Where the text goes to the assembler: absolute errors of the instructions over these arguments ("PTX ISA").
INSTRUCTIONS = {"tanh.approx.f32": 2.0**-10.9, "sin.approx.f32": 2.0**-14.7, "cos.approx.f32": 2.0**-14.7}


@pytest.mark.parametrize("text", list(FUNCTIONS))
def test_float_function(machine, text):
    expected = FUNCTIONS[text](F.astype(np.float64)).astype(np.float32)
    bound = INSTRUCTIONS.get(text.split()[0]) if machine.target.split(":")[0] == "nvidia" else None
    check(machine, asm(text, "=f,f", "a", "tl.float32"), expected, {"a": F}, ulps=2, bound=bound)


def bits(values):
    return np.array([int(v) & 0xFFFFFFFF for v in values], np.uint32).view(np.int32)


def majority(a, b, c):
    return (a & b) | (a & c) | (b & c)


INTEGERS = {
    "and.b32 $0, $1, $2;": lambda a, b: a & b, "xor.b32 $0, $1, $2;": lambda a, b: a ^ b, "or.b32 $0, $1, 0xF0;": lambda a, b: a | 0xF0,
    "shl.b32 $0, $1, $2;": lambda a, b: a << b, "shr.u32 $0, $1, $2;": lambda a, b: (a & 0xFFFFFFFF) >> b, "shr.s32 $0, $1, $2;": lambda a, b: a >> b,
    "add.s32 $0, $1, $2;": lambda a, b: a + b, "mul.lo.u32 $0, $1, $2;": lambda a, b: a * b, "mul.hi.s32 $0, $1, $2;": lambda a, b: a * b >> 32,
    "mad.lo.s32 $0, $1, $2, 7;": lambda a, b: a * b + 7, "bfe.u32 $0, $1, 4, 8;": lambda a, b: a >> 4 & 255, "not.b32 $0, $1;": lambda a, b: ~a,
    "bfe.s32 $0, $1, 4, 8;": lambda a, b: ((a >> 4 & 255) ^ 128) - 128, "bfi.b32 $0, $2, $1, 8, 4;": lambda a, b: a & ~0xF00 | (b & 15) << 8,
    "prmt.b32 $0, $1, $2, 0x5410;": lambda a, b: a & 0xFFFF | (b & 0xFFFF) << 16, "lop3.b32 $0, $1, $2, 0xFF00FF, 0xe8;": lambda a, b: majority(a, b, 0xFF00FF),
    "lop3.b32 $0, $1, $2, 0, 0x3c;": lambda a, b: a ^ b, "min.s32 $0, $1, $2;": min, "popc.b32 $0, $1;": lambda a, b: bin(a & 0xFFFFFFFF).count("1"),
    "{ .reg .pred p; setp.lt.s32 p, $1, $2; selp.b32 $0, $1, $2, p; }": min, "{ .reg .pred p; mov.u32 $0, $1; setp.gt.s32 p, $1, $2; @p mov.u32 $0, $2; }": min,
    "{ .reg .pred p; mov.u32 $0, $2; setp.gt.s32 p, $1, $2; @!p mov.u32 $0, $1; }": min, "cvt.u32.u16 $0, $1;": lambda a, b: a & 0xFFFF, "cvt.s32.s8 $0, $1;": lambda a, b: ((a & 255) ^ 128) - 128,
    "{ .reg .b16 l, h; mov.b32 {l, h}, $1; mov.b32 $0, {h, l}; }": lambda a, b: (a >> 16 & 0xFFFF) | (a & 0xFFFF) << 16,
}


@pytest.mark.parametrize("text", list(INTEGERS))
def test_integer_instruction(machine, text):
    expected = bits([INTEGERS[text](int(a), int(b)) for a, b in zip(I, J)])
    check(machine, asm(text, "=r,r,r", "a, b", "tl.int32"), expected, {"a": I, "b": J})


CASTS = {
    ("cvt.rni.s32.f32 $0, $1;", "=r,f", "tl.int32"): np.rint(F).astype(np.int32), ("cvt.rzi.s32.f32 $0, $1;", "=r,f", "tl.int32"): F.astype(np.int32),
    ("cvt.rmi.s32.f32 $0, $1;", "=r,f", "tl.int32"): np.floor(F).astype(np.int32), ("cvt.rn.f16.f32 $0, $1;", "=h,f", "tl.float16"): F.astype(np.float16),
    ("cvt.rn.bf16.f32 $0, $1;", "=h,f", "tl.bfloat16"): F.astype(ml_dtypes.bfloat16), ("cvt.f64.f32 $0, $1;", "=d,f", "tl.float64"): F.astype(np.float64),
    ("cvt.rna.tf32.f32 $0, $1;", "=r,f", "tl.float32"): ((F.view(np.uint32) + 0x1000) & 0xFFFFE000).view(np.float32),
}


@pytest.mark.parametrize("key", list(CASTS), ids=lambda key: key[0])
def test_conversion(machine, key):
    text, constraints, dtype = key
    check(machine, asm(text, constraints, "a", dtype), CASTS[key], {"a": F})


def test_packed_conversion(machine):
    """Two fp32 make one register of two fp16; the first operand is the upper half."""
    got = np.stack([F[0::2], F[1::2]], 1).astype(np.float16).reshape(-1)
    check(machine, asm("cvt.rn.f16x2.f32 $0, $2, $1;", "=r,r,r", "a", "tl.float16", pack=2), got, {"a": F})


def test_packed_fp8(machine):
    values = F.astype(ml_dtypes.float8_e4m3fn)
    check(machine, asm("{ cvt.rn.f16x2.e4m3x2 $0, l; }".replace("cvt.rn", ".reg .b16 l, h; mov.b32 {l, h}, $2; cvt.rn").replace(" }", " cvt.rn.f16x2.e4m3x2 $1, h; }"),
                       "=r,=r,r", "a", "tl.float16", pack=4), values.astype(np.float16), {"a": values})


def test_packed_arithmetic(machine):
    a, b = F.astype(np.float16), G.astype(np.float16)
    check(machine, asm("mul.f16x2 $0, $1, $2;", "=r,r,r", "a, b", "tl.float16", pack=2), a * b, {"a": a, "b": b})


def test_four_bytes(machine):
    a = np.arange(-4, 4, dtype=np.int8)
    check(machine, asm("xor.b32 $0, $1, 0x80808080;", "=r,r", "a", "tl.uint8", pack=4), (a.view(np.uint8) ^ 0x80), {"a": a})


def test_several_results(machine):
    if vendor_of(machine.target) == "amd":
        pytest.skip("the text is handed to the assembler of the target")
    machine.check("""
        i = tl.arange(0, 8)
        s, d = tl.inline_asm_elementwise('add.f32 $0, $2, $3; sub.f32 $1, $2, $3;', '=f,=f,f,f', [tl.load(x + i), tl.load(y + i)],
                                         dtype=(tl.float32, tl.float32), is_pure=True, pack=1)
        tl.store(out + i, s)
        tl.store(out + 8 + i, d)
        """, {"out": np.concatenate([F + G, F - G])}, {"x": F, "y": G})


REFUSED = [("bar.sync 0;", "=r,r"), ("ld.global.u32 $0, [$1];", "=r,r"), ("mov.u32 $0, %laneid;", "=r,r"), ("add.s32 $0, $1;", "=r,r"), ("s_nop 0", "=r,r"),
           ("add.rz.f32 $0, $1, $1;", "=r,r"), ("mov.u32 $0, $1;", "=r"), ("", "=r,r")]


@pytest.mark.parametrize("text, constraints", REFUSED)
def test_other_text_is_refused(machine, text, constraints):
    if not machine.on_host:
        pytest.skip("the text is handed to the assembler of the target")
    machine.refuse(f"r = {asm(text, constraints, 'n', 'tl.int32')}", 2305, 1)


def check_portable(machine, *arguments, **named):
    """For texts that only newer chips of NVIDIA assemble."""
    if vendor_of(machine.target) == "nvidia":
        pytest.skip("the text is handed to the assembler of the target")
    check(machine, *arguments, **named)


H = np.array([-1.5, 2.5, 0.5, 300.75, -300.25, -0.75, np.nan, 1e10], np.float32)
WHOLE = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}


def clipped(values, low, high):
    """Rounded values as saturating integers, NaN as 0, in 32 bits."""
    return np.clip(np.nan_to_num(values.astype(np.float64), nan=0), low, high).astype(np.int64).astype(np.int32)


@pytest.mark.parametrize("rounding", list(WHOLE))
@pytest.mark.parametrize("kind, low, high", [("s8", -128, 127), ("sat.s8", -128, 127), ("u8", 0, 255), ("s16", -2**15, 2**15 - 1), ("u16", 0, 2**16 - 1),
                                             ("s32", -2**31, 2**31 - 1)])
def test_float_to_integer_fills_the_register(machine, rounding, kind, low, high):
    *sat, to = kind.split(".")
    text = ".".join(["cvt", rounding, *sat, to, "f32 $0, $1;"])
    check_portable(machine, asm(text, "=r,f", "a", "tl.int32"), clipped(WHOLE[rounding](H), low, high), {"a": H})


@pytest.mark.parametrize("rounding", list(WHOLE))
def test_round_to_integral_float(machine, rounding):
    check_portable(machine, asm(f"cvt.{rounding}.f32.f32 $0, $1;", "=f,f", "a", "tl.float32"), WHOLE[rounding](H), {"a": H})


K = np.array([300, 12345, -12345, 127, -128, -1, 2**31 - 1, -2**31], np.int64).astype(np.int32)
NARROW = {"s8": np.int8, "u8": np.uint8, "s16": np.int16, "u16": np.uint16, "u32": np.uint32}


@pytest.mark.parametrize("kind", list(NARROW))
def test_integer_conversion(machine, kind):
    """Without `sat` the low bits, with it the nearest value; both extended to the register by the sign of the type."""
    info = np.iinfo(NARROW[kind])
    low_bits = K.astype(np.int64).astype(NARROW[kind]).astype(np.int64)
    check_portable(machine, asm(f"cvt.{kind}.s32 $0, $1;", "=r,r", "a", "tl.int32"), bits(low_bits), {"a": K})
    check_portable(machine, asm(f"cvt.sat.{kind}.s32 $0, $1;", "=r,r", "a", "tl.int32"), bits(np.clip(K.astype(np.int64), info.min, info.max)), {"a": K})


def test_saturation_of_unsigned(machine):
    expected = bits(np.minimum(K.view(np.uint32), 2**31 - 1))
    check_portable(machine, asm("cvt.sat.s32.u32 $0, $1;", "=r,r", "a", "tl.int32"), expected, {"a": K})


def test_extension_into_a_declared_register(machine):
    """A register of 64 bits takes the sign in all of them."""
    text = "{ .reg .b64 t; cvt.s8.s32 t, $1; shr.u64 t, t, 32; cvt.u32.u64 $0, t; }"
    check_portable(machine, asm(text, "=r,r", "a", "tl.int32"), np.where(K.astype(np.int8) < 0, -1, 0).astype(np.int32), {"a": K})


N = np.array([1.5, np.nan, -0.0, np.nan, -2.0, 3.0, np.inf, -np.inf], np.float32)
M = np.array([np.nan, 2.0, 1.0, np.nan, -3.0, 3.0, 1.0, np.nan], np.float32)
EXTREMA = {"max.f32": np.fmax, "min.f32": np.fmin, "max.NaN.f32": np.maximum, "min.NaN.f32": np.minimum}


@pytest.mark.parametrize("name", list(EXTREMA))
def test_extrema_of_nan(machine, name):
    check(machine, asm(f"{name} $0, $1, $2;", "=f,f,f", "a, b", "tl.float32"), EXTREMA[name](N, M), {"a": N, "b": M})


COMPARISONS = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: (a != b) & ~np.isnan(a) & ~np.isnan(b), "lt": lambda a, b: a < b, "ge": lambda a, b: a >= b,
    "equ": lambda a, b: (a == b) | np.isnan(a) | np.isnan(b), "neu": lambda a, b: a != b, "ltu": lambda a, b: ~(a >= b), "gtu": lambda a, b: ~(a <= b),
    "num": lambda a, b: ~np.isnan(a) & ~np.isnan(b), "nan": lambda a, b: np.isnan(a) | np.isnan(b),
}


@pytest.mark.parametrize("name", list(COMPARISONS))
def test_float_comparison(machine, name):
    text = "{ .reg .pred p; setp." + name + ".f32 p, $1, $2; selp.b32 $0, 1, 0, p; }"
    check(machine, asm(text, "=r,f,f", "a, b", "tl.int32"), COMPARISONS[name](N, M).astype(np.int32), {"a": N, "b": M})


def tf32(values, add):
    """Rounded by adding below the 13 dropped bits; NaN and infinity stay."""
    raw = values.view(np.uint32)
    moved = ((raw + add(raw)) & np.uint32(0xFFFFE000)).view(np.float32)
    return np.where(np.isfinite(values), moved, values)


T = np.array([1.9999999, -1.9999999, 1 + 2.0**-11, 1 + 3 * 2.0**-11, 0.1, np.inf, np.nan, -3.3], np.float32)
TF32 = {"rna": lambda raw: np.uint32(0x1000), "rz": lambda raw: np.uint32(0), "rn": lambda raw: np.uint32(0xFFF) + (raw >> 13 & 1)}


@pytest.mark.parametrize("rounding", list(TF32))
def test_tf32(machine, rounding):
    check_portable(machine, asm(f"cvt.{rounding}.tf32.f32 $0, $1;", "=r,f", "a", "tl.float32"), tf32(T, TF32[rounding]), {"a": T})


S = np.array([1e10, -1e10, np.inf, 65510, 1.0009, -1.0009, np.nan, 0.1], np.float32)


def toward_zero(values):
    """fp16 with the excess of rounding to nearest taken back."""
    near = values.astype(np.float16)
    return np.where(np.abs(near.astype(np.float32)) > np.abs(values), np.nextafter(near, np.float16(0)), near)


def test_narrowing_modifiers(machine):
    with np.errstate(over="ignore"):
        finite = np.clip(S, -65504, 65504).astype(np.float16)
        cases = {"rn.satfinite": finite, "rn.relu": np.maximum(S, 0).astype(np.float16), "rn.sat": np.clip(np.nan_to_num(S, nan=0), 0, 1).astype(np.float16),
                 "rz": toward_zero(S)}
    for modifiers, expected in cases.items():
        check_portable(machine, asm(f"cvt.{modifiers}.f16.f32 $0, $1;", "=h,f", "a", "tl.float16"), expected, {"a": S})


@pytest.mark.parametrize("text, formula", [("add.sat.f32 $0, $1, $2;", lambda a, b: a + b), ("mul.sat.f32 $0, $1, $2;", lambda a, b: a * b),
                                           ("fma.rn.sat.f32 $0, $1, $2, $1;", lambda a, b: a * b + a)])
def test_saturating_arithmetic(machine, text, formula):
    with np.errstate(invalid="ignore"):
        expected = np.clip(np.nan_to_num(formula(N, M), nan=0, posinf=2, neginf=-2), 0, 1)
    check(machine, asm(text, "=f,f,f", "a, b", "tl.float32"), expected + np.float32(0), {"a": N, "b": M})


R = np.random.default_rng(5).uniform(0.1, 10, (2, 64)).astype(np.float32)
STATED = {
    "{ .reg .f32 t; mul.rn.f32 t, $1, $2; sub.rn.f32 $0, t, $1; }": lambda a, b: a * b - a, "div.rn.f32 $0, $1, $2;": lambda a, b: a / b,
    "{ .reg .f32 t; sqrt.rn.f32 t, $1; add.rn.f32 $0, t, $2; }": lambda a, b: np.sqrt(a) + b, "rcp.rn.f32 $0, $1;": lambda a, b: 1 / a,
}


@pytest.mark.parametrize("text", list(STATED))
def test_stated_rounding(machine, text):
    """Each instruction with `rn` rounds once, to the nearest."""
    check(machine, asm(text, "=f,f,f", "a, b", "tl.float32"), STATED[text](R[0], R[1]), {"a": R[0], "b": R[1]})


def test_relu(machine):
    a, b = F.astype(np.float16), G.astype(np.float16)
    exact = a.astype(np.float64) * b.astype(np.float64) + b.astype(np.float64)
    check_portable(machine, asm("fma.rn.relu.f16x2 $0, $1, $2, $2;", "=r,r,r", "a, b", "tl.float16", pack=2), np.maximum(exact, 0).astype(np.float16), {"a": a, "b": b})
    check_portable(machine, asm("max.relu.s32 $0, $1, $2;", "=r,r,r", "a, b", "tl.int32"), np.maximum(np.maximum(I, -J), 0), {"a": I, "b": -J})


TEXTS = {
    "{ .reg .b32 t; mov.b32 t, $1; add.s32 $0, t, 1; }\n shr.u32 $0, $0, 3;": lambda a, b: (a + 1 & 0xFFFFFFFF) >> 3,
    "{ /* a; comment } */ .reg .b32 t; // another {\n mov.b32 t, $1; { .reg .b32 u; add.s32 u, t, $2; mov.b32 $0, u; } }": lambda a, b: a + b,
    "{ .reg .b32 t<2>; mov.b32 t0, $1; mov.b32 t1, $2; sub.s32 $0, t0, t1; }": lambda a, b: a - b,
    "{ .reg .b32 t; mov.b32 t, $1; add.s32 $0, t, 1; } { .reg .b32 t; mov.b32 t, $2; add.s32 $0, $0, t; }": lambda a, b: a + 1 + b,
    "{ .reg .pred p; setp.lt.s32 p, $1, 0; @p neg.s32 $0, $1; @!p mov.b32 $0, $1; }": lambda a, b: abs(a),
    "bfe.s32 $0, $1, 28, 8;": lambda a, b: a >> 28, "bfe.u32 $0, $1, 28, 8;": lambda a, b: (a & 0xFFFFFFFF) >> 28, "bfe.s32 $0, $1, 8, 0;": lambda a, b: 0,
    "shl.b32 $0, $1, 32;": lambda a, b: 0, "shr.s32 $0, $1, 99;": lambda a, b: -1 if a < 0 else 0,
}


@pytest.mark.parametrize("text", list(TEXTS))
def test_text(machine, text):
    # The line end reaches the kernel's text as an escape: a row is one line there.
    expected = bits([TEXTS[text](int(a), int(b)) for a, b in zip(I, J)])
    check(machine, asm(text.replace("\n", "\\n"), "=r,r,r", "a, b", "tl.int32"), expected, {"a": I, "b": J})


UNKNOWN = ["cvt.rz.f32.s32", "cvt.rm.f32.s32", "cvt.rp.f32.s32", "cvt.f32.s32", "cvt.rni.rzi.s32.f32", "cvt.s32.f32", "cvt.rn.s32.f32", "cvt.rm.f16.f32", "cvt.relu.s32.s32",
           "cvt.rn.satfinite.f32.f64", "cvt.rz.f32.f64", "cvt.rna.satfinite.tf32.f32", "cvt.rni.f16.f32", "cvt.foo.s32.s32", "neg.foo.s32", "not.sat.b32", "popc.s32",
           "sqrt.rz.f32", "rcp.rm.f32", "tanh.approx.ftz.f32", "ex2.approx.f64", "mov.volatile.b32", "abs.relu.f32"]
UNKNOWN_OF_TWO = ["max.xorsign.abs.f32", "add.sat.s32", "add.rm.f32", "mul.rp.f32", "sub.cc.s32", "min.relu.u32", "add.s8", "shl.clamp.b32", "setp.lt.and.s32", "div.rz.f32",
                  "mul.lo.f32", "max.foo.s32", "mul24.lo.s32"]


@pytest.mark.parametrize("text", [f"{name} $0, $1;" for name in UNKNOWN] + [f"{name} $0, $1, $1;" for name in UNKNOWN_OF_TWO]
                         + ["mad.lo.sat.s32 $0, $1, $1, $1;", "max.f32 $0, $1, $1, $1;", "prmt.b32.f4e $0, $1, $1, $1;", "{ mov.b32 $0, $1;", "mov.b32 $0, $1; }",
                            "{ .reg .b32 t; mov.b32 t, 1; { .reg .b32 t; mov.b32 t, 2; } mov.b32 $0, t; }"])
def test_unknown_modifier_is_refused(machine, text):
    if not machine.on_host:
        pytest.skip("the text is handed to the assembler of the target")
    machine.refuse(f"r = {asm(text, '=r,r', 'n', 'tl.int32')}", 2305, 1)
