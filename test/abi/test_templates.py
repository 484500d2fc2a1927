"""The templates for vendors: built from an installed package alone, examined by the installed kit, run."""
import pathlib
import subprocess

import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEMPLATES = {"template": "template"}  # vendor: folder of plugins/


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True, timeout=600, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def prefix(build, tmp_path_factory):
    """Where Tilewright is installed."""
    folder = tmp_path_factory.mktemp("installed")
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
    assert " 65 pass" in text and "fail" not in text


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
