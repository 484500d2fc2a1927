"""The installed package: two C and C++ programs build against it and run."""
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True, timeout=600, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def examples(build, tmp_path_factory):
    """The folder of the built examples."""
    folder = tmp_path_factory.mktemp("install")
    run("cmake", "--install", build, "--prefix", folder / "prefix")
    run("cmake", "-G", "Ninja", "-S", ROOT / "docs/examples/native", "-B", folder / "out",
        f"-DCMAKE_PREFIX_PATH={folder / 'prefix'}")
    run("cmake", "--build", folder / "out")
    return folder / "out"


def test_compile_at_run_time(examples):
    text = run(examples / "compile_and_run", ROOT / "docs/examples/native/add.py")
    assert text.startswith("added 100000 numbers on cpu:")


def test_run_artifact_of_build_time(examples):
    assert run(examples / "run_artifact").startswith("added 100000 numbers on ")


def test_runtime_needs_no_llvm(examples):
    libraries = run("ldd", examples / "run_artifact")
    assert "libtilewright_runtime" in libraries
    assert "LLVM" not in libraries and "MLIR" not in libraries
