"""Kernels that pass values through local memory, under Oclgrind's detector of data races.

All rows of the language suite run on it with `--opencl oclgrind`; here are larger tiles, and that a race is seen.
"""
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "language" / "harness"))
from opencl_drivers import TRANSLATOR, RaceLog, missing_package  # noqa: E402

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
def log(build, tmp_path):
    """What Oclgrind finds in processes of a test."""
    missing = missing_package("oclgrind")
    if missing:
        pytest.skip(f"data races: install the package {missing}, as `./tw setup` does")
    log = RaceLog(tmp_path / "findings")
    log.variables["PYTHONPATH"] = str(build / "python")
    return log


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


def test_no_races_in_large_tiles(log, tmp_path):
    """Moves of large tiles, right and without a race in local memory."""
    script = tmp_path / "large_tiles.py"
    script.write_text(LARGE_TILES)
    done = subprocess.run([sys.executable, script], env=log.environment(), text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert log.new_races() == []


def test_seeded_race(log, build, tmp_path):
    """Without their barriers reductions over four warps fail, each with its own races."""
    saboteur = tmp_path / TRANSLATOR
    saboteur.write_text(SABOTEUR.format(python=sys.executable, translator=shutil.which(TRANSLATOR)))
    saboteur.chmod(0o755)
    environment = dict(log.environment(), PATH=f"{tmp_path}:{os.environ['PATH']}")
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test/language/test_reductions.py",
                           f"--build={build}", "--target=spirv", "--opencl=oclgrind", "--share=0/80"],
                          cwd=ROOT, env=environment, text=True, capture_output=True)
    assert "data race at local memory" in done.stdout, done.stdout + done.stderr
