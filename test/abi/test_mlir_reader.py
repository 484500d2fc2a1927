"""The reader of tw.portable in source form: a project outside compiles it from an installed package against Debian's MLIR."""
import pathlib
import re
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent


def run(*command):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True, timeout=1800)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_golden_files_are_read(build, request, tmp_path):
    if not request.config.getoption("--full"):
        pytest.skip("compiles the dialect once more: with --full")
    prefix, out = tmp_path / "prefix", tmp_path / "out"
    run("cmake", "--install", build, "--prefix", prefix)
    cache = (build / "CMakeCache.txt").read_text()
    mlir = re.search(r"^MLIR_DIR:\w+=(.*)$", cache, re.M)[1]
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.M)[1]
    run("cmake", "-G", "Ninja", "-S", HERE / "mlir-reader", "-B", out, f"-DTILEWRIGHT_PREFIX={prefix}", f"-DMLIR_DIR={mlir}",
        f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_C_COMPILER={compiler.replace('clang++', 'clang')}")
    run("cmake", "--build", out, "--parallel", "2")
    goldens = sorted(prefix.glob("lib*/tilewright/kernels/portable/1/*.tw"))
    assert len(goldens) >= 6
    for golden in goldens:
        text = run(out / "read-golden", golden)
        assert "func.func @" in text and "kernel." in text
