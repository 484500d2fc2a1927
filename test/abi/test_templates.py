"""The templates for vendors: built from an installed package alone, examined by the installed kit, run."""
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "examples"))
import cases
TEMPLATES = {"template": "template", "npu": "template-npu"}  # vendor: folder of plugins/


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True, timeout=600, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def prefix(build, tmp_path_factory):
    """Where Tilewright is installed, with the language suite as a vendor gets it."""
    folder = tmp_path_factory.mktemp("installed")
    run("cmake", "--build", build, "--target", "language-suite")
    run("cmake", "--install", build, "--prefix", folder)
    return folder


@pytest.mark.parametrize("vendor", TEMPLATES)
def test_out_of_tree(vendor, prefix, tmp_path):
    """The folder alone, copied elsewhere, against the package: it builds, links no LLVM and passes the installed kit."""
    assert not list(prefix.glob(f"lib*/**/libtilewright_{vendor}.so"))  # what is tested is what is built here
    run("cp", "-r", ROOT / "plugins" / TEMPLATES[vendor], tmp_path / "source")
    run("cmake", "-S", tmp_path / "source", "-B", tmp_path / "out", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", tmp_path / "out", "--parallel", "2")
    library = tmp_path / "out/lib/tilewright" / f"libtilewright_{vendor}.so"
    libraries = run("ldd", library)
    assert "LLVM" not in libraries and "MLIR" not in libraries and "tilewright" not in libraries
    text = run(prefix / "bin/tilewright", "plugin-check", library, cwd=tmp_path)
    passes = {"template": 73, "npu": 72}[vendor]  # npu claims no op (TWB-603)
    assert f" {passes} pass" in text and "fail" not in text


@tw.jit
def classifier_kernel(x_ptr, y_ptr, z_ptr, AXIS: tl.constexpr):
    at = tl.arange(0, 16)[:, None] * 32 + tl.arange(0, 32)[None, :]
    x = tl.load(x_ptr + at)
    tl.store(y_ptr + at, tl.softmax(x, AXIS))
    tl.store(z_ptr + at, tl.sigmoid(x))


def claims_case(options, dtype=np.float32):
    x = np.random.default_rng(1).normal(size=(16, 32), scale=8).astype(dtype)
    results = []
    for axis in (0, 1):
        y, z = np.zeros((16, 32), np.float32), np.zeros((16, 32), dtype)
        kernel = classifier_kernel[(1,)](x, y, z, AXIS=axis, target="template", **options)
        results.append((kernel, y, z))
    return x.astype(np.float64), results


def test_claims_change_the_code_and_keep_their_bound():
    """softmax and sigmoid of fp32 are the plugin's own functions, within the 8 ulp of the largest result that it states."""
    x, results = claims_case({})
    for axis, (kernel, y, z) in enumerate(results):
        code = kernel.asm["c"]
        assert "fast_softmax(t" in code and "fast_sigmoid(t" in code
        e = np.exp(x - x.max(axis, keepdims=True))
        wanted = e / e.sum(axis, keepdims=True)
        assert np.abs(y - wanted).max() <= 8 * 2.0**-23 * wanted.max()
        wanted = 1 / (1 + np.exp(-x))
        assert np.abs(z - wanted).max() <= 8 * 2.0**-23 * wanted.max()


def test_claims_decline_other_types():
    """fp64 is not claimed: the decomposition is compiled."""
    x, results = claims_case({}, np.float64)
    for axis, (kernel, y, _) in enumerate(results):
        code = kernel.asm["c"]
        assert "fast_softmax(t" not in code and "fast_sigmoid(t" not in code
        e = np.exp(x - x.max(axis, keepdims=True))
        np.testing.assert_allclose(y, e / e.sum(axis, keepdims=True), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("compiler, code", [("/no/such/compiler", "TW4170"), ("/bin/false", "TW4171")])
def test_errors_of_the_c_compiler(compiler, code):
    x = np.zeros((16, 32), np.float32)
    with pytest.raises(tw.TilewrightError, match=code):
        classifier_kernel[(1,)](x, x.copy(), x.copy(), AXIS=0, target="template", cc=compiler)


#: Kernels of docs/examples that the accelerator refuses, with the operation that it lacks; with fp32 also every product.
LACKING = {"grouped matmul": "kernel.int_to_ptr", "cumsum": "kernel.scan", "argmax": "kernel.reduce", "histogram": "kernel.atomic_rmw"}
#: The element types that each kernel runs with here; all shapes but the largest run.
SAMPLED = {"template": ("bf16",), "npu": ("fp32", "fp16", "bf16")}


def example_rows():
    for vendor, dtypes in SAMPLED.items():
        for case in cases.CASES:
            for dtype in set(dtypes) & set(case.dtypes) or case.dtypes[:1]:
                yield pytest.param(vendor, case, dtype, id=f"{vendor}-{case.name}-{dtype}".replace(" ", "_"))


def lacking(vendor, case, dtype):
    if vendor != "npu":
        return None
    is_product = "matmul" in case.name or "attention" in case.name
    return LACKING.get(case.name) or ("linalg.matmul" if is_product and dtype == "fp32" else None)


@pytest.mark.parametrize("vendor, case, dtype", list(example_rows()))
def test_examples(vendor, case, dtype, examples_on):
    """The kernels of docs/examples against NumPy; what the accelerator lacks is refused at the user's line."""
    examples_on(vendor)
    shapes = sorted(case.shapes, key=lambda shape: np.prod([extent for extent in shape if isinstance(extent, int)]))
    operation = lacking(vendor, case, dtype)
    for shape in shapes[:1] if case.name in ("add", "dropout", "histogram", "while loop") else shapes[:2]:
        prepared = case.prepare(shape, dtype, np.random.default_rng(7))
        if operation:
            with pytest.raises(tw.CompilationError, match=f"(tile_kernels|random).py:[0-9]+:[0-9]+: error: TW4160.*'{operation}'"):
                prepared.launch()
            continue
        prepared.launch()
        for name, outcome in prepared.outcomes().items():
            if outcome.got.dtype.kind in "iu":
                np.testing.assert_array_equal(outcome.got, outcome.expected, err_msg=name)
            else:
                assert outcome.error(dtype) <= 1.0, name


def npu_refusal(code, kernel, grid, *arrays_, **constants):
    with pytest.raises(tw.CompilationError) as caught:
        kernel[grid](*arrays_, target="npu", **constants)
    assert code in str(caught.value) and re.search(r"test_templates.py:[0-9]+:[0-9]+: error", str(caught.value)), caught.value
    return str(caught.value)


@tw.jit
def gather_kernel(x_ptr, i_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + tl.load(i_ptr + at)))


def test_accelerator_has_no_gather():
    x, i = np.arange(64, dtype=np.float32), np.arange(64, dtype=np.int32)
    assert "boxes" in npu_refusal("TW4160", gather_kernel, (1,), x, i, x.copy(), BLOCK=64)


@tw.jit
def double_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at) * 2)


def test_accelerator_has_no_doubles():
    x = np.zeros(64, np.float64)
    assert "no type f64" in npu_refusal("TW4160", double_kernel, (1,), x, x.copy(), BLOCK=64)


def test_scratchpad_is_full():
    """Two tiles of 128 KiB fit 256 KiB, two of 256 KiB do not; the notes name both."""
    x = np.arange(65536, dtype=np.float32)
    out = np.zeros_like(x)
    double_kernel[(1,)](x, out, BLOCK=32768, target="npu")
    np.testing.assert_array_equal(out[:32768], x[:32768] * 2)
    text = npu_refusal("TW4150", double_kernel, (1,), x, out, BLOCK=65536)
    assert text.count("of 65536 f32: 262144 bytes") == 2, text


@tw.jit
def chain_kernel(x_ptr, out_ptr, ROUNDS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    for i in tl.static_range(ROUNDS):
        x = x * 0.5 + i
    tl.store(out_ptr + at, x)


def test_scratchpad_is_used_again():
    """Twenty values of 128 KiB one after the other, of which two are live at a time."""
    x = np.arange(32768, dtype=np.float32)
    out, expected = np.zeros_like(x), x
    chain_kernel[(1,)](x, out, ROUNDS=10, BLOCK=32768, target="npu")
    for i in range(10):
        expected = expected * np.float32(0.5) + np.float32(i)
    np.testing.assert_array_equal(out, expected)


@tw.jit
def copies_kernel(x_ptr, out_ptr, COPIES: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    for i in tl.static_range(COPIES):
        tl.store(out_ptr + i * BLOCK + at, x)


def test_transfers_are_limited():
    """The DMA engine holds 64 transfers; a program may ask for more one after the other."""
    x = np.arange(32, dtype=np.int32)
    out = np.zeros((150, 32), np.int32)
    copies_kernel[(1,)](x, out, COPIES=150, BLOCK=32, target="npu")
    np.testing.assert_array_equal(out, np.broadcast_to(x, (150, 32)))


@tw.jit
def large_kernel(out_ptr, BLOCK: tl.constexpr, TILES: tl.constexpr):
    total = tl.zeros([BLOCK], tl.float32)
    for i in tl.static_range(TILES):
        total += tl.arange(0, BLOCK) + i
    tl.store(out_ptr + tl.arange(0, BLOCK), total)


def test_tiles_that_are_too_large_for_the_template():
    out = np.zeros(2**20, np.float32)
    with pytest.raises(tw.OutOfResources, match="TW4122.*268435456 bytes"):
        large_kernel[(1,)](out, BLOCK=2**20, TILES=64, target="template")


@tw.jit
def printing_kernel(out_ptr, n):
    tl.device_print("first", n)
    tl.device_print("second", n + 1)
    tl.store(out_ptr, n)


def test_the_template_prints_numbers_more_than_once(capfd):
    out = np.zeros(1, np.int32)
    printing_kernel[(1,)](out, 7, target="template")
    assert re.findall(r"(first|second): (\d+)", capfd.readouterr().out) == [("first", "7"), ("second", "8")] and out[0] == 7


def test_cycles_are_counted(capfd):
    """A 64 x 64 x 64 product is 4 x 4 x 4 steps of the matrix unit, of 16 cycles each; loads run beside it."""
    import tile_kernels
    a, b = (np.random.default_rng(3).normal(size=(128, 64)).astype(np.float16) for _ in range(2))
    c = np.zeros((128, 128), np.float16)
    b = np.ascontiguousarray(b.T)
    tile_kernels.matmul_kernel[(4,)](a, b, c, 128, 128, 64, 64, 1, 128, 1, 128, 1, BM=64, BN=64, BK=32, GROUP_M=4, target="npu",
                                     report="cycles")
    line = capfd.readouterr().out
    found = re.search(r"npu matmul_kernel: 4 programs, (\d+) cycles \(scalar (\d+), vector (\d+), matrix (\d+), dma (\d+)\)", line)
    assert found, line
    total, scalar, vector, matrix, dma = map(int, found.groups())
    assert matrix == 4 * 4 * 4 * 4 * 16
    assert max(scalar + vector + matrix, dma) < total < scalar + vector + matrix + dma + 1000
    assert total < scalar + vector + matrix + dma, "transfers should run beside the other units"


def test_the_smallest_plugin_by_hand(prefix, tmp_path):
    """The command of plugins/null/README.md, in a copy of the installed folder, and its CMake project."""
    folder = tmp_path / "null"
    run("cp", "-r", prefix / "share/tilewright/templates/null", folder)
    command = re.search(r"^    (cc -std=c11.*?)(?=^\S|\Z)", (folder / "README.md").read_text(), re.MULTILINE | re.DOTALL)[1]
    run("bash", "-euc", command.replace("<prefix>", str(prefix)), cwd=folder)
    run("cmake", "-S", folder, "-B", tmp_path / "out", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", tmp_path / "out")
    for library in (folder / "libtilewright_mine.so", tmp_path / "out/lib/tilewright/libtilewright_null.so"):
        run(prefix / "bin/tilewright", "plugin-check", library, "--lists", folder / "null.check.json")


def test_the_guide(prefix, tmp_path):
    """The commands of docs/adding-a-backend.md, as they stand there, in a package of their own."""
    run("cp", "-r", prefix, tmp_path / "prefix")
    text = (ROOT / "docs/adding-a-backend.md").read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 6
    (tmp_path / "work").mkdir()
    out = run("bash", "-euo", "pipefail", "-c", "\n".join(blocks), cwd=tmp_path / "work",
              env={"PATH": "/usr/bin:/bin", "PREFIX": str(tmp_path / "prefix")})
    assert " 73 pass" in out and "mine:host" in out and out.count(" 1 pass") == 2
    assert "static uint32_t run_kernel0_add" in out and "func.func @add" in out
    assert (tmp_path / "work/add.twa").exists()
    assert (tmp_path / "prefix/lib/tilewright/libtilewright_mine.so").exists()
