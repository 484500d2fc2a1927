"""Rows of the language suite on PoCL, a second OpenCL driver for processors.

Debian's package `libpocl2` does not make itself known to OpenCL's loader, so other processes do not see it. It takes no
SPIR-V; modules reach it through `llvm-spirv-15`.
"""
import ctypes
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = "libpocl.so.2"
TRANSLATOR = "llvm-spirv-15"
#: One row in so many of these tables runs. PoCL 3.1 links no module with atomics that came this way.
SPARSE = 200
TABLES = ["test_elementwise.py", "test_casts.py", "test_reductions.py", "test_memory.py", "test_shapes.py", "test_dot.py"]


@pytest.fixture
def environment(build):
    """Variables under which PoCL is the only OpenCL device."""
    if not shutil.which(TRANSLATOR):
        pytest.skip(f"PoCL: install the package {TRANSLATOR}, as `./tw setup` does")
    try:
        ctypes.CDLL(LIBRARY)
    except OSError:
        pytest.skip("PoCL: install the package libpocl2, as `./tw setup` does")
    return dict(os.environ, OCL_ICD_VENDORS=LIBRARY, PYTHONPATH=str(build / "python"))


def test_device_is_pocl(environment):
    """The driver plugin finds it by itself."""
    done = subprocess.run([sys.executable, "-c", "from tilewright import engine; print(engine.device('spirv').name())"], cwd=ROOT,
                          env=environment, text=True, capture_output=True)
    assert "Portable Computing Language" in done.stdout, done.stdout + done.stderr


def test_language_suite(environment, build):
    """Right on PoCL as well, without sub-groups, which it lacks."""
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(f"test/language/{table}" for table in TABLES),
                           f"--build={build}", "--target=spirv", "--vary", "num_warps=1,2,4,8", f"--share=0/{SPARSE}"],
                          cwd=ROOT, env=environment, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout
