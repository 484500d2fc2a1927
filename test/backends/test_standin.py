"""The drivers of GPUs on a stand-in for the vendor's library, see standin/Gpu.cpp: which calls they make of it."""
import json
import os
import pathlib
import struct
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: (target, lanes of a warp, the hidden words behind a launch's arguments)
VENDORS = {"hip": ("amd", 64, "<6i"), "cuda": ("nvidia", 32, "<5i")}

LAUNCH = """
import numpy as np, tilewright as tw, tilewright.language as tl
@tw.jit
def fill(out, n, value, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.device_assert(n > 0, "nothing to fill")
    tl.store(out + i, value, mask=i < n)
out = tw.empty((5000,), np.float32, {target!r})
out.write(np.arange(5000, dtype=np.float32))
fill[{grid}](out, 5000, 2.5, BLOCK=1024, num_warps=8, debug=True, target={target!r})
tw.synchronize()
assert (out.numpy() == np.arange(5000)).all()  # copies go there and back; nothing ran
print(out.data_ptr())
"""


def run(build, tmp_path, folder, code, log=None, **environment):
    """Runs Python code with the stand-in of a folder as the driver's library."""
    script = tmp_path / "launch.py"
    script.write_text(code)
    environment = {**os.environ, "PYTHONPATH": str(build / "python"), **environment}
    if folder:
        environment["LD_LIBRARY_PATH"] = str(build / "test/standin" / folder)
    if log:
        environment["TW_STANDIN_LOG"] = str(log)
    return subprocess.run([sys.executable, str(script)], env=environment, cwd=ROOT, text=True, capture_output=True)


def launches(log):
    return [json.loads(line) for line in log.read_text().splitlines()]


@pytest.mark.parametrize("folder", VENDORS)
def test_a_launch_passes_what_the_kernel_takes(build, tmp_path, folder):
    """Arguments at their alignment, the numbers of programs, the block; no dynamic shared memory."""
    target, lanes, hidden = VENDORS[folder]
    log = tmp_path / "log"
    done = run(build, tmp_path, folder, LAUNCH.format(target=target, grid="(5, 2, 3)"), log)
    assert done.returncode == 0, done.stderr
    (launch,) = launches(log)
    assert launch["function"].startswith("fill")
    assert launch["grid"] == [5, 2, 3] and launch["block"] == [8 * lanes, 1, 1] and launch["shared"] == 0
    words = [5, 2, 3] + [0] * (struct.calcsize(hidden) // 4 - 3)
    wanted = struct.pack("<Qif", int(done.stdout), 5000, 2.5) + struct.pack(hidden, *words)
    assert bytes.fromhex(launch["arguments"])[:len(wanted)] == wanted


@pytest.mark.parametrize("folder", VENDORS)
def test_bytes_between_arguments_are_zero(build, tmp_path, folder):
    """Behind a number of two bytes, whatever lay on the stack before."""
    code = LAUNCH.format(target=VENDORS[folder][0], grid="(5,)").replace("def fill(out, n, value,", "def fill(out, n, value: tl.float16,")
    log = tmp_path / "log"
    done = run(build, tmp_path, folder, code, log)
    assert done.returncode == 0, done.stderr
    (launch,) = launches(log)
    assert bytes.fromhex(launch["arguments"])[8:20] == struct.pack("<iexxi", 5000, 2.5, 5)


@pytest.mark.parametrize("folder, grid, pieces", [
    ("cuda", (1, 70000, 1), [((1, 65535, 1), (0, 0)), ((1, 4465, 1), (65535, 0))]),
    ("hip", (1, 70000, 1), [((1, 65535, 1), (0, 0, 0)), ((1, 4465, 1), (0, 65535, 0))]),
    # A launch has at most 2^32 - 1 threads along an axis.
    ("hip", (9000000, 1, 2), [((8388607, 1, 1), (0, 0, 0)), ((611393, 1, 1), (8388607, 0, 0)),
                              ((8388607, 1, 1), (0, 0, 1)), ((611393, 1, 1), (8388607, 0, 1))]),
])
def test_large_grids_are_cut_in_order(build, tmp_path, folder, grid, pieces):
    log = tmp_path / "log"
    done = run(build, tmp_path, folder, LAUNCH.format(target=VENDORS[folder][0], grid=grid), log)
    assert done.returncode == 0, done.stderr
    made = launches(log)
    assert [tuple(launch["grid"]) for launch in made] == [blocks for blocks, _ in pieces]
    for launch, (_, first) in zip(made, pieces):
        data = bytes.fromhex(launch["arguments"])
        assert struct.unpack_from("<3i", data, 16) == grid
        assert struct.unpack_from(f"<{len(first)}i", data, 28) == first


@pytest.mark.parametrize("folder", VENDORS)
def test_a_failed_assertion_is_reported_once_and_forgotten(build, tmp_path, folder):
    target = VENDORS[folder][0]
    code = LAUNCH.format(target=target, grid="(5,)").replace("fill[", "try:\n    fill[").replace("tw.synchronize()", """
    tw.synchronize()
except tw.TilewrightError as error:
    print(error)
tw.synchronize()""")
    done = run(build, tmp_path, folder, code, TW_STANDIN_FAILS="1")
    assert done.returncode == 0, done.stderr
    assert "TW6010" in done.stdout and "stands in for a failure" in done.stdout


@pytest.mark.parametrize("folder, library", [("hip", "libamdhip64"), ("cuda", "libcuda")])
def test_no_library_and_no_device_say_so(build, tmp_path, folder, library):
    target = VENDORS[folder][0]
    code = f"""
from tilewright import engine
try:
    engine.device({target!r})
except Exception as error:
    print(error)
"""
    title = {"amd": "AMD", "nvidia": "NVIDIA"}[target]
    absent = run(build, tmp_path, None, code)
    if "cannot be opened" in absent.stdout:  # a machine with the library has it
        assert f"no {title} device" in absent.stdout and library in absent.stdout
    refused = run(build, tmp_path, folder, code, TW_STANDIN_INIT="101")
    assert f"no {title} device" in refused.stdout and "does not start" in refused.stdout


@pytest.mark.parametrize("target, device, runs", [
    ("amd:gfx1100", "gfx942", False), ("amd:gfx1100", "gfx1100", True), ("amd:gfx9-4-generic", "gfx942", True),
    ("amd:gfx9-4-generic", "gfx90a", False), ("amd:gfx942+sramecc", "gfx942", True), ("amd:gfx942+xnack", "gfx942", False),
])
def test_code_runs_where_it_is_for(build, tmp_path, target, device, runs):
    """A processor's code on it, a generic one's on its members, a feature's where the device has it on."""
    done = run(build, tmp_path, "hip", LAUNCH.format(target=target, grid="(5,)"), TW_STANDIN_ARCH=device)
    assert (done.returncode == 0) == runs, done.stderr
    if not runs:
        assert "TW6011" in done.stderr


def test_a_hip_program_launches_without_the_runtime(build, tilewright, tmp_path):
    """docs/examples/native/hip_launch.cpp against HIP's own header, on the stand-in."""
    compiler = ["clang++-22", "-D__HIP_PLATFORM_AMD__", "-x", "c++"]
    if subprocess.run([*compiler, "-fsyntax-only", "-"], input="#include <hip/hip_runtime_api.h>", text=True, capture_output=True).returncode:
        pytest.skip("HIP's headers are not installed (Debian: libamdhip64-dev)")
    native = ROOT / "docs/examples/native"
    artifact, program, log = tmp_path / "add.twa", tmp_path / "hip_launch", tmp_path / "log"
    subprocess.run([tilewright, "compile", native / "add.py", "--target", "amd:gfx942", "-o", artifact, "--sig",
                    "x_ptr:*fp32, y_ptr:*fp32, out_ptr:*fp32, n:i32, BLOCK=1024"], check=True, capture_output=True)
    subprocess.run([*compiler, native / "hip_launch.cpp", "-x", "none", build / "test/standin/hip/libamdhip64.so.7",
                    "-I", ROOT / "plugins/include", "-Wall", "-Werror", "-o", program], check=True)
    subprocess.run([program, artifact], check=True, env={**os.environ, "LD_LIBRARY_PATH": str(build / "test/standin/hip"),
                                                         "TW_STANDIN_LOG": str(log)})
    (launch,) = launches(log)
    assert launch["function"] == "add" and launch["grid"] == [98, 1, 1] and launch["block"] == [256, 1, 1]
    data = bytes.fromhex(launch["arguments"])
    assert struct.unpack_from("<i6i", data, 24) == (100000, 98, 1, 1, 0, 0, 0)
    subprocess.run([tilewright, "compile", native / "add.py", "--target", "cpu", "-o", artifact, "--sig",
                    "x_ptr:*fp32, y_ptr:*fp32, out_ptr:*fp32, n:i32, BLOCK=1024"], check=True, capture_output=True)
    refused = subprocess.run([program, artifact], text=True, capture_output=True,
                             env={**os.environ, "LD_LIBRARY_PATH": str(build / "test/standin/hip")})
    assert refused.returncode == 1 and "compiled for amd" in refused.stderr


def test_launches_of_the_programs(build, tmp_path, full):
    """Every launch that the suite makes, on AMD's driver: grid, block, module and argument bytes."""
    rows = ["test/language"] if full else ["test/language/test_programs.py"]
    environment = {**os.environ, "PYTHONPATH": str(build / "python"), "LD_LIBRARY_PATH": str(build / "test/standin/hip"),
                   "TW_STANDIN_LOG": str(tmp_path / "log")}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *rows, f"--build={build}", "--record",
                           "--target=amd", f"--share=0/{1 if full else 8}"], env=environment, cwd=ROOT, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
