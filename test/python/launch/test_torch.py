"""The package with PyTorch: the examples of docs run as a user runs them, with the first interpreter that has a torch for them."""
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def version_of(python):
    """(major, minor) of an interpreter's torch, (0, 0) without one."""
    done = subprocess.run([str(python), "-c", "from importlib.metadata import version; print(version('torch'))"], text=True,
                          capture_output=True)
    found = re.match(r"(\d+)\.(\d+)", done.stdout) if done.returncode == 0 else None
    return tuple(map(int, found.groups())) if found else (0, 0)


@pytest.fixture(scope="module")
def torch_python(build):
    """(interpreter, version of its torch)."""
    candidates = [sys.executable, build / "conformance-venv/bin/python"]
    best = max((python for python in candidates if pathlib.Path(python).exists()), key=version_of)
    return best, version_of(best)


@pytest.mark.parametrize("needed, command, lines", [
    ((2, 4), ["docs/examples/pytorch.py"], 6),
    ((2, 6), ["-m", "tilewright.triton", "docs/examples/pytorch_triton_op.py"], 1)], ids=["custom operator", "triton_op"])
def test_examples(build, torch_python, needed, command, lines):
    """Custom operators, autograd.Function, torch.compile around them, CUDA graphs where torch has a GPU, triton_op."""
    python, version = torch_python
    if version < needed:
        pytest.skip(f"torch {'.'.join(map(str, needed))} or newer is not installed (test/conformance/environment.py makes it)")
    done = subprocess.run([str(python), *command], cwd=ROOT, text=True, capture_output=True, timeout=600,
                          env={**os.environ, "PYTHONPATH": str(build / "python")})
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) == lines, done.stdout
    if "CUDA graph: not here" in done.stdout:
        pytest.skip("all but the CUDA graph ran: torch has no GPU here")
