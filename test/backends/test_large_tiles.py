"""Tiles of hundreds of registers a thread, which GPU targets move in loops: values, and code that does not grow with them."""
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import tilewright as tw
from tilewright import engine

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "language" / "harness"))
from runner import kernel  # noqa: E402

TILE = "n = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]\n"


@pytest.fixture(params=["spirv", "nvidia", "amd"])
def launch(request):
    """Runs a kernel text on the first device of a target; a reported skip where there is none."""
    target = request.param
    try:
        engine.device(target)
    except tw.TilewrightError as error:
        pytest.skip(f"target '{target}' cannot run here: {error}")

    def run(body, arrays, constants, **options):
        held = {name: tw.empty(array.shape, array.dtype, target) for name, array in arrays.items()}
        for name, array in held.items():
            array.write(arrays[name])
        kernel(body, list(arrays), constants)[(1,)](**held, **constants, target=target, **options)
        for name, array in held.items():
            arrays[name][...] = array.numpy()
    return run


def integers(*shape, seed=0, high=1 << 20):
    """Random numbers from 0 up."""
    return np.random.default_rng(seed).integers(0, high, shape, dtype=np.int32)


@pytest.mark.parametrize("m, n", [(512, 512), (64, 2048), (16, 8192)])
def test_transpose(launch, m, n):
    x, y = integers(m, n), np.zeros((n, m), np.int32)
    launch(TILE + "t = tl.arange(0, N)[:, None] * M + tl.arange(0, M)[None, :]\ntl.store(y + t, tl.trans(tl.load(x + n)))",
           {"x": x, "y": y}, {"M": m, "N": n})
    np.testing.assert_array_equal(y, x.T)


def test_permutation_of_five_dimensions(launch):
    x = integers(2, 4, 2, 4, 2048)
    y = np.zeros(x.size, np.int32)
    launch("n = tl.arange(0, 131072)\nb = tl.reshape(tl.load(x + n), (2, 4, 2, 4, 2048))\n"
           "tl.store(y + n, tl.reshape(tl.permute(b, (4, 2, 0, 3, 1)), (131072,)))", {"x": x, "y": y}, {})
    np.testing.assert_array_equal(y, x.transpose(4, 2, 0, 3, 1).ravel())


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("m, n, axis", [(512, 512, 1), (512, 512, 0), (4, 32768, 1)])
def test_scan(launch, m, n, axis, reverse):
    x, y = integers(m, n), np.zeros((m, n), np.int32)
    launch(TILE + f"tl.store(y + n, tl.cumsum(tl.load(x + n), {axis}, reverse={reverse}))", {"x": x, "y": y}, {"M": m, "N": n})
    ordered = np.flip(x, axis) if reverse else x
    want = np.cumsum(ordered, axis, dtype=np.int32)
    np.testing.assert_array_equal(y, np.flip(want, axis) if reverse else want)


@pytest.mark.parametrize("axis", [0, 1])
def test_gather(launch, axis):
    x, i, y = integers(512, 512), integers(512, 512, seed=1, high=512), np.zeros((512, 512), np.int32)
    launch(TILE + f"tl.store(y + n, tl.gather(tl.load(x + n), tl.load(i + n), {axis}))", {"x": x, "i": i, "y": y},
           {"M": 512, "N": 512})
    np.testing.assert_array_equal(y, np.take_along_axis(x, i, axis))


@pytest.mark.parametrize("math", ["accurate", "portable"])
def test_sums_of_rows_and_columns(launch, math):
    x = np.random.default_rng(3).integers(-8, 9, (128, 512)).astype(np.float32)
    rows, columns = np.zeros(128, np.float32), np.zeros(512, np.float32)
    launch(TILE + "a = tl.load(x + n)\ntl.store(rows + tl.arange(0, M), tl.sum(a, 1))\n"
           "tl.store(columns + tl.arange(0, N), tl.sum(a, 0))", {"x": x, "rows": rows, "columns": columns}, {"M": 128, "N": 512},
           math=math)
    np.testing.assert_array_equal(rows, x.sum(1))
    np.testing.assert_array_equal(columns, x.sum(0))


PRODUCT = """m = tl.arange(0, M)
n = tl.arange(0, N)
k = tl.arange(0, K)
total = tl.load(z + m[:, None] * N + n[None, :])
for start in range(0, 2 * K, K):
    a = tl.load(x + m[:, None] * 2 * K + start + k[None, :])
    b = tl.load(y + (start + k[:, None]) * N + n[None, :])
    total = tl.dot(a, b, total)
tl.store(z + m[:, None] * N + n[None, :], total)"""


@pytest.fixture(params=["simulate:wave32", "simulate:wave64", "simulate:gfx942", "simulate:gfx1100"])
def simulated(build, request):
    """The name of a target with matrix instructions that runs anywhere."""
    if not (build / "lib" / "tilewright" / "libtilewright_simulate.so").exists():
        pytest.skip("target 'simulate' is not built here")
    return request.param


def factors(m, n, k, dtype):
    """Operands of PRODUCT and its result: small integers, so that all sums are exact in any order."""
    x, y = integers(m, 2 * k, high=8).astype(dtype), integers(2 * k, n, seed=1, high=8).astype(dtype)
    z = integers(m, n, seed=2, high=100).astype(np.int32 if dtype == np.int8 else np.float32)
    return x, y, z, z + x.astype(z.dtype) @ y.astype(z.dtype)


@pytest.mark.parametrize("m, n, k, dtype", [(128, 128, 512, np.float16), (128, 256, 512, np.int8), (128, 128, 256, np.float32)])
def test_long_product_of_one_warp(simulated, m, n, k, dtype):
    x, y, z, want = factors(m, n, k, dtype)
    kernel(PRODUCT, ["x", "y", "z"], {"M": m, "N": n, "K": k})[(1,)](x=x, y=y, z=z, M=m, N=n, K=k, target=simulated, num_warps=1)
    np.testing.assert_array_equal(z, want)


@pytest.mark.parametrize("m, n, k, dtype", [(64, 128, 512, np.float16), (256, 64, 128, np.int8), (128, 64, 128, np.float32)])
def test_long_product(launch, m, n, k, dtype):
    x, y, z, want = factors(m, n, k, dtype)
    launch(PRODUCT, {"x": x, "y": y, "z": z}, {"M": m, "N": n, "K": k})
    np.testing.assert_array_equal(z, want)


def test_batch_of_long_products(simulated):
    x, y = integers(4, 64, 512, high=8).astype(np.float16), integers(4, 512, 128, seed=1, high=8).astype(np.float16)
    z = np.zeros((4, 64, 128), np.float32)
    kernel("b = tl.arange(0, 4)[:, None, None]\nm = tl.arange(0, 64)\nn = tl.arange(0, 128)\nk = tl.arange(0, 512)\n"
           "a = tl.load(x + b * 32768 + m[None, :, None] * 512 + k[None, None, :])\n"
           "c = tl.load(y + b * 65536 + k[None, :, None] * 128 + n[None, None, :])\n"
           "tl.store(z + b * 8192 + m[None, :, None] * 128 + n[None, None, :], tl.dot(a, c))", ["x", "y", "z"], {})[(1,)](
               x=x, y=y, z=z, target=simulated, num_warps=1)
    np.testing.assert_array_equal(z, np.matmul(x.astype(np.float32), y.astype(np.float32)))


BODIES = {"transpose": "tl.store(y + tl.arange(0, N)[:, None] * M + tl.arange(0, M)[None, :], tl.trans(tl.load(x + n)))",
          "scan": "tl.store(y + n, tl.cumsum(tl.load(x + n), 0))",
          "gather": "a = tl.load(x + n)\ntl.store(y + n, tl.gather(a, a & (N - 1), 1))",
          "product": "a = tl.load(x + n).to(tl.float16)\ntl.store(y + n, tl.dot(a, a).to(tl.int32))"}


@pytest.fixture(params=["spirv:opencl2.0+fp64", "nvidia:sm_90a"])
def artifact_size(request, build, tilewright, tmp_path):
    """Bytes of the artifact of a kernel text for a target."""
    target = request.param
    if not (build / "lib" / "tilewright" / f"libtilewright_{target.split(':')[0]}.so").exists():
        pytest.skip(f"target '{target}' is not built here")

    def measure(body, constants, *options):
        parameters = ", ".join(["x", "y", *(f"{name}: tl.constexpr" for name in constants)])
        text = f"import tilewright as tw\nimport tilewright.language as tl\n\n\n@tw.jit\ndef k({parameters}):\n"
        source, output = tmp_path / "k.py", tmp_path / "k.twa"
        source.write_text(text + "".join(f"    {line}\n" for line in body.splitlines()))
        signature = ", ".join(["x:*i32", "y:*i32", *(f"{name}={value}" for name, value in constants.items())])
        done = subprocess.run([tilewright, "compile", source, "--sig", signature, "-t", target, *options, "-o", output], text=True, capture_output=True)
        assert done.returncode == 0, done.stderr
        return output.stat().st_size
    return measure


@pytest.mark.parametrize("name", BODIES)
def test_code_does_not_grow(artifact_size, name):
    """A tile of 16 times the elements, in as many more rounds through shared memory, makes an artifact of about the size."""
    small, large = (artifact_size(TILE + BODIES[name], {"M": extent, "N": extent}) for extent in (256, 1024))
    assert large < 1.5 * small + 20000


@pytest.mark.parametrize("name, value", [("sort", "tl.sort(a)"), ("topk", "tl.topk(a, N)")])
def test_code_of_sorting_is_bounded(artifact_size, name, value):
    """78 exchanges of 4096 elements in one warp, which are megabytes if unrolled."""
    body = f"n = tl.arange(0, N)\na = tl.load(x + n)\ntl.store(y + n, {value})"
    assert artifact_size(body, {"N": 4096}, "--opt", "num_warps=1") < 300_000
