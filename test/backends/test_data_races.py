"""Kernels that pass values through local memory, under Oclgrind's detector of data races.

Oclgrind is an OpenCL device that interprets SPIR and remembers who touched which byte since the last barrier. The driver
plugin finds it like any other device; modules reach it through `llvm-spirv-15`.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIMULATOR = pathlib.Path("/usr/lib/oclgrind/liboclgrind-rt-icd.so")
TRANSLATOR = "llvm-spirv-15"

#: Tables whose rows exchange values between threads, and one in how many rows the short form takes; the long form
#: takes five times as many.
TABLES = {"test_reductions.py": 80, "test_shapes.py": 40, "test_dot.py": 80, "test_cases.py": 40, "test_rules_operations.py": 10,
          "test_atomics.py": 20}

#: Takes the barriers out of a module on its way to the translator.
SABOTEUR = """#!{python}
import os, struct, sys
path = next(word for word in sys.argv[1:] if word.startswith("/proc/self/fd/"))
with open(path, "r+b") as file:
    words = list(struct.unpack(f"<{{os.fstat(file.fileno()).st_size // 4}}I", file.read()))
    at = 5
    while at < len(words):
        length = words[at] >> 16
        if words[at] & 0xFFFF == 224:  # OpControlBarrier
            words[at:at + length] = [1 << 16] * length  # OpNop
        at += length
    file.seek(0)
    file.write(struct.pack(f"<{{len(words)}}I", *words))
os.execv("{translator}", ["{translator}", *sys.argv[1:]])
"""


@pytest.fixture
def environment(build, tmp_path):
    """Variables under which Oclgrind is the only device and writes what it finds to a file."""
    for what, package in ((SIMULATOR.exists(), "oclgrind"), (shutil.which(TRANSLATOR), TRANSLATOR)):
        if not what:
            pytest.skip(f"data races: install the package {package}, as `./tw setup` does")
    return dict(os.environ, OCL_ICD_VENDORS=str(SIMULATOR), OCLGRIND_DATA_RACES="1", OCLGRIND_LOG=str(tmp_path / "findings"),
                PYTHONPATH=str(build / "python"))


def races(environment):
    """What Oclgrind wrote about local memory."""
    text = pathlib.Path(environment["OCLGRIND_LOG"]).read_text()
    return re.findall(r"[^\n]*data race at local memory[^\n]*", text)


def run_rows(environment, build, table, share, vary):
    """(exit status, output) of rows of the language suite on the simulator."""
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"test/language/{table}", f"--build={build}",
                           "--target=spirv", f"--share={share}", *vary], cwd=ROOT, env=environment, text=True, capture_output=True)
    return done.returncode, done.stdout


@pytest.mark.parametrize("table", list(TABLES))
def test_no_races(environment, build, full, table):
    """Rows of a table, right and without a race in local memory."""
    share = f"0/{TABLES[table] // 5 if full else TABLES[table]}"
    status, output = run_rows(environment, build, table, share, ["--vary", "num_warps=1,2,4"])
    assert status == 0, output
    assert races(environment) == []


#: Tiles of 512 registers a thread, which are moved in loops and in rounds through local memory.
LARGE_TILES = """
import numpy as np

import tilewright as tw
import tilewright.language as tl


@tw.jit
def move(x, i, turned, sums, picked, M: tl.constexpr, N: tl.constexpr):
    n = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + n)
    tl.store(turned + tl.arange(0, N)[:, None] * M + tl.arange(0, M)[None, :], tl.trans(a))
    tl.store(sums + n, tl.cumsum(a, 1))
    tl.store(picked + n, tl.gather(a, tl.load(i + n), 0))


def on_device(values):
    array = tw.empty(values.shape, np.int32, "spirv")
    array.write(values)
    return array


x, i = (np.random.default_rng(seed).integers(0, 128, (128, 256), dtype=np.int32) for seed in range(2))
turned, sums, picked = (on_device(np.zeros(shape)) for shape in (x.T.shape, x.shape, x.shape))
move[(1,)](on_device(x), on_device(i), turned, sums, picked, M=128, N=256, target="spirv", num_warps=2)
np.testing.assert_array_equal(turned.numpy(), x.T)
np.testing.assert_array_equal(sums.numpy(), np.cumsum(x, 1))
np.testing.assert_array_equal(picked.numpy(), np.take_along_axis(x, i, 0))
"""


def test_no_races_in_large_tiles(environment, tmp_path):
    """Moves of large tiles, right and without a race in local memory."""
    script = tmp_path / "large_tiles.py"
    script.write_text(LARGE_TILES)
    done = subprocess.run([sys.executable, script], env=environment, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert races(environment) == []


def test_seeded_race(environment, build, tmp_path):
    """Without its barriers a reduction over four warps is reported."""
    real = shutil.which(TRANSLATOR)
    saboteur = tmp_path / TRANSLATOR
    saboteur.write_text(SABOTEUR.format(python=sys.executable, translator=real))
    saboteur.chmod(0o755)
    environment["PATH"] = f"{tmp_path}:{environment['PATH']}"
    run_rows(environment, build, "test_reductions.py", "0/80", [])
    assert races(environment)
