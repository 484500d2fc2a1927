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
