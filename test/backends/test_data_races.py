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


def test_seeded_race(environment, build, tmp_path):
    """Without its barriers a reduction over four warps is reported."""
    real = shutil.which(TRANSLATOR)
    saboteur = tmp_path / TRANSLATOR
    saboteur.write_text(SABOTEUR.format(python=sys.executable, translator=real))
    saboteur.chmod(0o755)
    environment["PATH"] = f"{tmp_path}:{environment['PATH']}"
    run_rows(environment, build, "test_reductions.py", "0/80", [])
    assert races(environment)
