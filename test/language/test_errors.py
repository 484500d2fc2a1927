"""What must be refused: the code and the line of each mistake, compile time only."""
import re
import subprocess

import pytest

from tilewright.engine import vendor_of

# (body, code, line of the body) for the signature below.
SIGNATURE = "x:*fp32, k:*kfp32, h:*fp16, c:*i8, n:i32, f:fp32, B=16"
T = "tl.arange(0, 8)"
MISTAKES = [
    ("tl.arange(0, n)", 2200, 1), ("tl.zeros((n,), tl.float32)", 2204, 1), ("tl.arange(0, 7)", 2030, 1), ("tl.arange(8, 0)", 2211, 1),
    ("tl.arange(2 ** 31, 2 ** 31 + 4)", 2212, 1), ("tl.program_id(3)", 2210, 1), ("tl.num_programs(-1)", 2210, 1), ("tl.zeros((4,), 5)", 2203, 1),
    (f"{T} + tl.arange(0, 4)", 2032, 1), (f"{T} @ {T}", 2045, 1), (f"{T} ** 2", 2044, 1), ("~f", 2047, 1), ("f << 1", 2047, 1), ("f & 1", 2047, 1),
    ("f // 2.0", 2046, 1), ("n // n.to(tl.uint32)", 2041, 1), ("x + 1.5", 2043, 1), ("x - x", 2043, 1), ("x * 2", 2043, 1), ("n and f > 0", 2050, 1),
    (f"tl.exp(tl.load(h + {T}))", 2230, 1), ("tl.sqrt(n)", 2230, 1), ("tl.load(n)", 2221, 1), ("tl.load(x, other=0.0)", 2225, 1),
    (f"tl.load(x + {T}, mask=n)", 2222, 1), (f"tl.load(x + {T}, mask={T}[:, None] < tl.arange(0, 4)[None, :])", 2223, 1), (f'tl.load(x + {T}, cache_modifier=".xx")', 2220, 1),
    (f"tl.store(x, {T})", 2229, 1), ("tl.store(k, 1.0)", 2227, 1), ("tl.atomic_add(c, 1)", 2272, 1), ("tl.atomic_add(k, 1.0)", 2227, 1),
    ('tl.atomic_add(x, 1.0, sem="x")', 2270, 1), ('tl.atomic_add(x, 1.0, scope="x")', 2271, 1), (f"tl.reshape({T}, (4, 4))", 2250, 1),
    (f"tl.trans({T})", 2251, 1), ("tl.permute(tl.zeros((2, 4), tl.int8), (0, 2))", 2252, 1), (f"tl.broadcast_to({T}, (4, 4))", 2253, 1),
    (f"tl.split({T})", 2254, 1), (f"tl.sum({T}, 1)", 2205, 1), (f"tl.sum({T}, n)", 2200, 1), ("tl.zeros((2, 4), tl.int8)[0]", 2152, 1),
    (f"{T}[:, None, None][:, :, :, :]", 2153, 1), ("(1, 2)[5]", 2154, 1), ("(1, 2)[n]", 2155, 1), ("n.nothing", 2150, 1), ("tl.nothing(n)", 2177, 1),
    ("nowhere", 2171, 1), ("n(3)", 2161, 1), ("tl.load(x, 1, 2, 3, 4, 5, 6, 7, 8, 9)", 2163, 1), ("tl.load(x, colour=3)", 2164, 1), ("tl.load()", 2166, 1),
    ("tl.load(x, pointer=x)", 2165, 1), ("a, b = (1, 2, 3)", 2107, 1), ("tl.static_assert(n > 2)", 2300, 1), ("tl.static_assert(B == 15)", 2301, 1),
    ("if 1.5:\n    pass", 2110, 1), (f"if {T} > 2:\n    pass", 2022, 1), (f"while {T} > 2:\n    pass", 2022, 1), ("for i in range(f):\n    pass", 2121, 1),
    ("for i in range(0, n, 0):\n    pass", 2122, 1), ("for i in tl.static_range(n):\n    pass", 2133, 1), ("for i in n:\n    pass", 2134, 1),
    ("for i in range(n):\n    return", 2101, 2), ("return n", 2102, 1), ("for i in range(n):\n    break", 1901, 2), 
    ("with n:\n    pass", 1901, 1), ("try:\n    pass\nexcept ValueError:\n    pass", 1901, 1), ("n[0] = 3", 1902, 1),
    ("del n", 1901, 1), ("yield n", 1904, 1), ("raise ValueError('x')", 2104, 1),
    ("tl.load(x).to(tl.int64, bitcast=True)", 2027, 1), ("x.to(tl.float32)", 2026, 1), ("n.to(tl.float32, fp_downcast_rounding='rtz')", 2024, 1),
    (f"{T} + 2 ** 40", 2042, 1), ("a: tl.constexpr = 1 // 0", 2142, 1), ("a: tl.constexpr = 1 << -1", 2143, 1), ("2 ** 64 + n", 2020, 1),
    ("n in (1, 2)", 2048, 1), ("'a' + n", 2021, 1), (f"tl.cat({T}, tl.arange(0, 4), can_reorder=True)", 2255, 1),
    (f"tl.histogram(tl.load(x + {T}), 8)", 2245, 1), (f"tl.xor_sum(tl.load(x + {T}), 0)", 2242, 1), (f"tl.gather({T}, tl.load(x + {T}), 0)", 2256, 1),
    ("tl.clamp(n, 0, 5)", 2232, 1), ("tl.make_block_ptr(x, (n,), (1, 1), (0,), (8,), (0,))", 2280, 1), ("tl.advance(x, (1,))", 2290, 1),
    (f"tl.load(x + {T}, boundary_check=(0,))", 2224, 1), ("tl.make_tensor_descriptor(x, [n, n], [1, n], [16, 16])", 2284, 1), ("min()", 2310, 1), ("tl.max()", 2166, 1),
    ("3j", 1905, 1), ("b'x'", 1905, 1), ("tl.make_block_ptr(x, (f,), (1,), (0,), (8,), (0,))", 2023, 1), ("for i in tl.static_range(100001):\n    pass", 2100, 1),
    ("{1: 2}", 2130, 1), ("f'{B:q}'", 2132, 1), ("[i for i in (1, 2) if n > i]", 2135, 1), ("'a' - 1", 2140, 1), ("'a' < 1", 2140, 1),
    ("a: tl.constexpr = 3 ** 100000", 2141, 1), ("a: tl.constexpr = -'a'", 2144, 1), ("(1, 2)[::0]", 2151, 1), ("(1, 2)[n:]", 2151, 1), ("{'a': 1}['b']", 2156, 1),
    ("def f():\n    pass\nf[1]", 2157, 3), ("None[0]", 2158, 1), ("dict(**n)", 2160, 1), ("tl.float32(1, 2)", 2162, 1), ("tl.float32(value=1)", 2162, 1),
    ("def f(a):\n    if a > 1:\n        return a\nr = f(n)", 2169, 1), ("tl.max(tl.zeros((8,), tl.float32), 0, keep_dims=n)", 2201, 1), ("tl.gather(n, n, 0)", 2206, 1),
    ("tl.store(x, 'text')", 2228, 1), ("tl.abs(x)", 2231, 1), ("tl.sum(x + tl.arange(0, 8), 0)", 2240, 1), ("tl.gather(tl.zeros((2, 8), tl.int32), tl.zeros((4, 8), tl.int32), 1)", 2257, 1),
    (f"{T}.item()", 2258, 1), ("range(3) and n", 2131, 1), (f"tl.make_block_ptr(x + {T}, (8,), (1,), (0,), (8,), (0,))", 2281, 1), ("tl.make_tensor_descriptor(x, [], [], [])", 2282, 1),
    ("tl.make_tensor_descriptor(x, [8, 8], [8, 1], [2, 8]).gather(tl.arange(0, 8), 0)", 2286, 1), ("tl.load_tensor_descriptor(x, [0])", 2287, 1), ("tl.multiple_of('a', 4)", 2302, 1),
    ("len(n)", 2311, 1), ("int('a')", 2312, 1), ("tl.next_power_of_2(0)", 2314, 1), ("n.to(tl.int8, overflow_mode='saturate')", 2216, 1), ("tl.extra.cuda.smid()", 2308, 1),
    ("tl.device_print(f'n is {n}, ', n)", 2313, 1), ("tl.static_assert(f'{f}' == 'fp32')", 2313, 1), ("a = f'{B} and {(B, n)!r}'", 2313, 1),
    ("str(n)", 2313, 1), ("tl.exp(f, math='sloppy')", 2236, 1), ("tl.hint(n, '3x')", 2306, 1), ("x.logical_and(n) if False else tl.dot(x, x)", 2206, 1),
]


@pytest.mark.parametrize("body, code, line", [pytest.param(*row, id=f"{row[1]}-{number}") for number, row in enumerate(MISTAKES)])
def test_mistake(machine, body, code, line):
    if code == 2308 and vendor_of(machine.target) == "nvidia":
        pytest.skip("the name belongs to this target")
    is_expression = True
    try:
        compile(body, "row", "eval")
    except SyntaxError:
        is_expression = False
    text = f"r = {body}" if is_expression and not body.startswith(("tl.store", "tl.static")) else body
    machine.refuse(text, code, line, SIGNATURE)


CHAIN = """
@tw.jit
def inner(p, v):
    return tl.load(p + v * 1.5)

@tw.jit
def middle(p, v):
    return inner(p, v)
"""


def test_call_chain(machine):
    """The message shows the line of the mistake and the calls that led there."""
    import tilewright as tw
    from runner import kernel
    function = kernel("tl.store(x, middle(x, n))", ["x", "n"], head=CHAIN)
    with pytest.raises(tw.CompilationError) as caught:
        function.compile("x:*fp32, n:i32", machine.target)
    text = str(caught.value)
    assert "TW2043" in text and "in 'inner', called from here" in text and "in 'middle', called from here" in text
    assert "return tl.load(p + v * 1.5)" in text


@pytest.mark.parametrize("body", ["x = (", "if n:", "a = 1 +", "def f(:", "a b", "'text", "for in range(3):\n    pass", "  a = 1\n b = 2", "a = 08"])
def test_text_that_is_not_python(tilewright, tmp_path, body):
    """Errors of syntax come from the command, as Python itself refuses such text; never a crash."""
    import subprocess
    path = tmp_path / "k.py"
    path.write_text(f"import triton\nimport triton.language as tl\n@triton.jit\ndef k(x, n):\n    {body}\n")
    result = subprocess.run([tilewright, "compile", path, "--kernel", "k", "--sig", "x:*fp32, n:i32", "--emit=tile"], capture_output=True, text=True)
    assert result.returncode == 1 and "error: TW1" in result.stderr


GLOBALS = [
    ("A = B\nB = A\n", "r = A", 2172), ("import os\nif os.environ.get('X'):\n    A = 1\nelse:\n    A = 2\n", "r = A", 2174),
    ("class C:\n    x = 1\n", "r = C.y", 2175), ("import nowhere\n", "r = nowhere.thing", 2176), ("from nowhere import thing\n", "r = thing", 2173),
    ("import triton.experimental.gluon.language as gl\n", "r = gl.arange(0, 4)", 2177), ("import triton_dist.language as dl\n", "r = dl.rank()", 2177),
]


def compiled(tilewright, tmp_path, text, signature="x:*fp32, n:i32", kernel="k"):
    """(exit code, messages) of the command on a module."""
    path = tmp_path / "k.py"
    path.write_text(text)
    command = [tilewright, "compile", path, "--sig", signature, "--emit=tile", *(["--kernel", kernel] if kernel else [])]
    result = subprocess.run(command, capture_output=True, text=True)
    return result.returncode, result.stderr


@pytest.mark.parametrize("head, line, code", GLOBALS, ids=lambda value: value if isinstance(value, int) else None)
def test_globals(tilewright, tmp_path, head, line, code):
    """Modules are read by the command; Python would not import some of these."""
    status, text = compiled(tilewright, tmp_path, f"import triton\nimport triton.language as tl\n{head}\n@triton.jit\ndef k(x, n):\n    {line}\n")
    assert status == 1 and f"TW{code}" in text and "hint:" in text


KERNEL = "import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x, n, B: tl.constexpr = 4):\n    pass\n"
REQUESTS = [
    ("x = 1\n", "x:*fp32", None, 2002), (KERNEL + KERNEL.replace("def k", "def l"), "x:*fp32, n:i32", None, 2002), (KERNEL, "x:*fp32, n:i32", "m", 2003),
    (KERNEL, "x:*fp32, n:i32, q:i32", "k", 2004), (KERNEL, "x:*fp32", "k", 2005), (KERNEL, "x:*fp32, n:i32, B:i32", "k", 2006), (KERNEL, "x:*fp32, n", "k", 2001),
    (KERNEL, "x:*fp32, n:i32, B=what", "k", 2007),
]


@pytest.mark.parametrize("text, signature, kernel, code", REQUESTS, ids=[str(row[3]) for row in REQUESTS])
def test_requests(tilewright, tmp_path, text, signature, kernel, code):
    status, shown = compiled(tilewright, tmp_path, text, signature, kernel)
    assert status == 1 and (f"TW{code}" in shown or (code in (2002, 2003) and "TW7011" in shown))


def test_every_type_is_listed(tilewright, tmp_path):
    """The hint about an unknown type names all types that arrays may have."""
    import tilewright.language as tl
    status, shown = compiled(tilewright, tmp_path, KERNEL, "x:fp33, n:i32", "k")
    names = {value.name for value in vars(tl).values() if isinstance(value, tl.dtype)} - {"void"}
    assert status == 1 and "TW2001" in shown and "fp32" in names
    assert not names - set(re.findall(r"\w+", shown.replace("int", "i").replace("ui", "u"))), shown


def test_too_many_errors(tilewright, tmp_path):
    status, text = compiled(tilewright, tmp_path, "x = = 1\n" * 400)
    assert status == 1 and "TW1018" in text
