"""Compares the parser with CPython 3.11's: whole files, positions, and accepted and refused snippets."""
import pathlib
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent


def run_with_cpython(build, script, *arguments):
    """Runs a script of this folder with python3.11, whatever version runs pytest."""
    python = shutil.which("python3.11")
    if python is None:
        pytest.skip("needs python3.11")
    command = [python, str(HERE / script), "--tool", str(build / "bin" / "tilewright-ast"), *arguments]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout[-6000:] + result.stderr[-2000:]


def test_trees(build):
    """Same trees over the standard library."""
    run_with_cpython(build, "compare_with_cpython.py")


def test_positions(build):
    """Same positions over the standard library."""
    run_with_cpython(build, "compare_with_cpython.py", "--attributes")


def test_snippets(build):
    """Same verdict and tree on snippets from CPython's own tests and on damaged code."""
    run_with_cpython(build, "compare_snippets.py")
