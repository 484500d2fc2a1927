"""Two OpenCL devices in one process, and buffers with and without addresses.

PoCL (`libpocl2`) does not make itself known to OpenCL's loader; here it is listed beside the driver that is installed.
"""
import ctypes
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import tilewright as tw
from tilewright import engine

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "language" / "harness"))
from opencl_drivers import missing_package, variables  # noqa: E402
from runner import kernel  # noqa: E402

VENDORS = pathlib.Path("/etc/OpenCL/vendors")
POCL = "libpocl.so.2"

#: Launches on both devices in turn, of kernels that were compiled before and that are compiled between, and compares with
#: NumPy; then from two threads at once, one a device.
TWO_DEVICES = '''
import threading

import numpy as np

import tilewright as tw
import tilewright.language as tl
from tilewright import engine

DEVICES = ["spirv", "spirv@1"]


@tw.jit
def rows(x, y, z, N: tl.constexpr):
    n = tl.program_id(0) * N + tl.arange(0, N)
    a = tl.load(x + n)
    tl.store(y + n, tl.cumsum(a, 0))
    tl.store(z + tl.program_id(0), tl.max(a, 0))


def on_device(target, values):
    array = tw.empty(values.shape, np.int32, target)
    array.write(values)
    return array


def check(target, seed, n):
    host = np.random.default_rng(seed).integers(0, 1000, (8, n), dtype=np.int32)
    x, y, z = (on_device(target, values) for values in (host, np.zeros_like(host), np.zeros(8)))
    rows[(8,)](x, y, z, N=n, target=target)
    np.testing.assert_array_equal(y.numpy(), np.cumsum(host, 1))
    np.testing.assert_array_equal(z.numpy(), host.max(1))


names = [engine.device(target).name() for target in DEVICES]
assert len(set(names)) == 2, names
print(*names, sep="\\n")
for n in (64, 256, 64):
    for target in [*DEVICES, *reversed(DEVICES)]:
        check(target, n, n)
failures = []


def many(target):
    try:
        for seed in range(20):
            check(target, seed, 64 << seed % 3)
    except BaseException as error:
        failures.append(error)


threads = [threading.Thread(target=many, args=(target,)) for target in DEVICES]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failures, failures
'''


def test_two_devices_in_one_process(build, tmp_path):
    """Each launch runs on the device that its target names."""
    if not shutil.which("llvm-spirv-15"):
        pytest.skip("PoCL: install the package llvm-spirv-15, as `./tw setup` does")
    try:
        ctypes.CDLL(POCL)
    except OSError:
        pytest.skip("PoCL: install the package libpocl2, as `./tw setup` does")
    installed = list(VENDORS.glob("*.icd"))
    if not installed:
        pytest.skip("a second OpenCL driver: `./tw setup` installs Intel's")
    for file in installed:
        shutil.copy(file, tmp_path)
    (tmp_path / "pocl.icd").write_text(POCL + "\n")
    script = tmp_path / "two_devices.py"
    script.write_text(TWO_DEVICES)
    done = subprocess.run([sys.executable, script], env=dict(os.environ, OCL_ICD_VENDORS=str(tmp_path), PYTHONPATH=str(build / "python")),
                          text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Portable Computing Language" in done.stdout.splitlines()[1]


@pytest.mark.parametrize("driver, name", [("oclgrind", "Oclgrind"), ("pocl", "Portable Computing Language")])
def test_only_device(build, driver, name):
    """The plugin finds a driver that takes SPIR by itself; under its variables there is no other device."""
    if missing_package(driver):
        pytest.skip(f"{driver}: install the package {missing_package(driver)}, as `./tw setup` does")
    text = "from tilewright import engine\nprint(engine.device('spirv').name())\nengine.device('spirv', 1)"
    done = subprocess.run([sys.executable, "-c", text], env=dict(os.environ, PYTHONPATH=str(build / "python"), **variables(driver)),
                          text=True, capture_output=True)
    assert name in done.stdout and done.returncode != 0 and "TW" in done.stderr, done.stdout + done.stderr


N = 1024

#: Kernel texts over x, y (in), out (out) and the wanted value of out. `x + 7` begins inside of a buffer.
TEXTS = {
    "elements": ("n = tl.program_id(0) * 256 + tl.arange(0, 256)\ntl.store(out + n, tl.load(x + n) * 3 + tl.load(y + n))",
                 lambda x, y: x * 3 + y),
    "indices": ("n = tl.program_id(0) * 256 + tl.arange(0, 256)\ntl.store(out + n, tl.load(x + (tl.load(y + n) & 1023)))",
                lambda x, y: x[y & 1023]),
    "inside": ("n = tl.program_id(0) * 256 + tl.arange(0, 256)\nq = x + 7\ntl.store(out + n, tl.load(q + n, mask=n < 1017, other=-1))",
               lambda x, y: np.append(x[7:], np.full(7, -1, np.int32))),
    "atomics": ("n = tl.program_id(0) * 256 + tl.arange(0, 256)\ntl.atomic_add(out + (tl.load(x + n) & 7), 1)",
                lambda x, y: np.bincount(x & 7, minlength=N).astype(np.int32)),
    "choice": ("n = tl.program_id(0) * 256 + tl.arange(0, 256)\np = x\nif tl.program_id(0) % 2 == 1:\n    p = y\n"
               "tl.store(out + n, tl.load(p + n))",
               lambda x, y: np.where(np.arange(N) // 256 % 2 == 1, y, x))}


@pytest.mark.parametrize("target", ["spirv", "spirv-svm"])
@pytest.mark.parametrize("name", list(TEXTS))
def test_buffers_with_and_without_addresses(target, name):
    """The same values by addresses (SVM) and by a handle and an offset for each argument."""
    try:
        engine.device("spirv")
    except tw.TilewrightError as error:
        pytest.skip(f"target 'spirv' cannot run here: {error}")
    text, want = TEXTS[name]
    host = {name: np.random.default_rng(seed).integers(0, 1 << 20, N, dtype=np.int32) for seed, name in enumerate("xy")}
    arrays = {name: tw.empty(N, np.int32, "spirv") for name in ("x", "y", "out")}
    for name, array in arrays.items():
        array.write(host.get(name, 0))
    kernel(text, list(arrays), {})[(N // 256,)](**arrays, target=target)
    np.testing.assert_array_equal(arrays["out"].numpy(), want(**host))


def test_host_memory_without_addresses():
    """Memory of the host has no handle: it is refused by name where arrays are handles."""
    try:
        engine.device("spirv")
    except tw.TilewrightError as error:
        pytest.skip(f"target 'spirv' cannot run here: {error}")
    text, _ = TEXTS["elements"]
    arrays = {name: np.zeros(N, np.int32) for name in ("x", "y", "out")}
    with pytest.raises(tw.LaunchError, match="TW6059.*'x' in host memory"):
        kernel(text, list(arrays), {})[(1,)](**arrays, target="spirv-svm")
