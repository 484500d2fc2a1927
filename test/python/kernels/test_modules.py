"""Kernels that import helpers: the command reads modules from folders, Python hands over what it captured; both see one kernel."""
import subprocess
import sys

import numpy as np
import pytest

FILES = {
    "pack/__init__.py": "from .maths import *\nfrom .inner import scaled as rescaled\nfrom . import constants\n",
    "pack/maths.py": "import triton\nimport triton.language as tl\n\nFACTOR = tl.constexpr(3)\n\n@triton.jit\ndef triple(x):\n    return x * FACTOR\n",
    "pack/constants.py": "OFFSET = 2 ** 4 // 3\nNAMES = ('add', 'sub')\nimport math\nHALF = math.sqrt(0.25)\n",
    "pack/inner/__init__.py": "from .deep import scaled\n",
    "pack/inner/deep.py": """
import triton
import triton.language as tl
from ..maths import triple
from .. import constants as c
from ..constants import NAMES

@triton.jit
def scaled(x):
    tl.static_assert(NAMES[0] == "add")
    return triple(x) + c.OFFSET + c.HALF
""",
    "pack/kernels.py": """
import triton
import triton.language as tl
import pack.inner.deep
from pack import triple, rescaled as helper, constants
from .inner import deep as d

@triton.jit
def kernel(x, out):
    i = tl.arange(0, 8)
    a = tl.load(x + i)
    tl.store(out + i, helper(a) + triple(a) + constants.OFFSET + d.scaled(a) * 0 + pack.inner.deep.scaled(a) * 0)
""",
    "versions.py": """
import triton
import triton.language as tl
from packaging import version
from packaging.version import Version

try:
    from triton.language.extra import libdevice
except ImportError:
    from nowhere import libdevice

if triton.__version__ >= "3.0.0":
    tanh = libdevice.tanh
else:
    tanh = tl.math.missing

HAS = hasattr(tl, "make_tensor_descriptor") and not hasattr(tl, "_unheard_of")
exp = getattr(tl, "_unheard_of", tl.exp)
alias = exp
if version.parse(triton.__version__) >= Version("3.2") and version.parse("3.10") > version.parse("3.9"):
    NEW = tl.constexpr(1)
else:
    NEW = tl.constexpr(0)

@triton.jit
def kernel(x, out):
    i = tl.arange(0, 8)
    tl.static_assert(HAS)
    tl.static_assert(NEW == 1)
    tl.store(out + i, alias(tl.load(x + i)) + tanh(tl.load(x + i)))
""",
}
SIGNATURE = "x:*fp32, out:*fp32"
X = np.arange(8, dtype=np.float32) / 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("modules")
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip())
    return root


def command_ir(tilewright, *arguments):
    result = subprocess.run([tilewright, "compile", *map(str, arguments), "--sig", SIGNATURE, "--emit=kernel", "-o", "-"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def python_ir(folder, module):
    """Kernel IR of the same kernel, compiled from the imported module."""
    text = f"""
import sys
import tilewright.triton
tilewright.triton.install()
sys.path.insert(0, {str(folder)!r})
module = __import__({module!r}, fromlist=["kernel"])
print(module.kernel.compile({SIGNATURE!r}, "cpu", {{"math": "accurate"}}).stage("kernel"))
"""
    result = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def plain(text):
    return [line.rstrip() for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("file, module", [("pack/kernels.py", "pack.kernels"), ("versions.py", "versions")])
def test_command_and_python_see_one_kernel(tilewright, folder, file, module):
    assert plain(command_ir(tilewright, folder / file)) == plain(python_ir(folder, module))


def test_values(tilewright, folder, tmp_path):
    np.save(tmp_path / "x.npy", X)
    for file, expected in (("pack/kernels.py", X * 6 + 10.5), ("versions.py", np.exp(X) + np.tanh(X))):
        subprocess.run([tilewright, "run", folder / file, "--grid", "1", "--arg", f"x=@{tmp_path / 'x.npy'}", "--arg", "out=fp32[8]", "--out",
                        f"out={tmp_path / 'out.npy'}"], check=True, capture_output=True)
        np.testing.assert_allclose(np.load(tmp_path / "out.npy"), expected, rtol=1e-6)


def test_module_path(tilewright, folder, tmp_path):
    """A folder given by option comes after that of the file."""
    (tmp_path / "alone.py").write_text("import triton\nimport triton.language as tl\nfrom pack.maths import triple\n\n@triton.jit\ndef kernel(x, out):\n"
                                       "    tl.store(out, triple(tl.load(x)))\n")
    assert "3.0" in command_ir(tilewright, tmp_path / "alone.py", "--module-path", folder)
    failed = subprocess.run([tilewright, "compile", tmp_path / "alone.py", "--sig", SIGNATURE, "--emit=kernel"], capture_output=True, text=True)
    assert failed.returncode == 1 and "TW2173" in failed.stderr and "triple" in failed.stderr


def test_file_without_a_folder(tilewright, folder):
    """Modules beside a file named by its name alone."""
    (folder / "beside.py").write_text("import triton\nimport triton.language as tl\nfrom pack.maths import triple\n\n@triton.jit\ndef kernel(x, out):\n"
                                      "    tl.store(out, triple(tl.load(x)))\n")
    for name in ("beside.py", "./beside.py"):
        result = subprocess.run([tilewright, "compile", name, "--sig", SIGNATURE, "--emit=kernel", "-o", "-"], capture_output=True, text=True, cwd=folder)
        assert result.returncode == 0 and "arith.mulf" in result.stdout, result.stderr


MISTAKES = {
    "helper": ("from broken import helper", "def helper(x):\n    return x +\n", "TW1"),
    "name": ("from broken import nothing as helper", "def other(x):\n    return x\n", "TW2173"),
    "type": ("from broken import helper", "import triton\n\n@triton.jit\ndef helper(x):\n    return x @ x\n", "TW2045"),
    "cycle": ("from broken import helper", "from broken import helper\n", "TW21"),
}


@pytest.mark.parametrize("name", list(MISTAKES))
def test_mistakes_in_modules(tilewright, tmp_path, name):
    """Errors point into the module's file; nothing crashes."""
    line, text, code = MISTAKES[name]
    (tmp_path / "broken.py").write_text(text)
    (tmp_path / "k.py").write_text(f"import triton\nimport triton.language as tl\n{line}\n\n@triton.jit\ndef kernel(x, out):\n    tl.store(out, helper(tl.load(x)))\n")
    result = subprocess.run([tilewright, "compile", tmp_path / "k.py", "--sig", SIGNATURE, "--emit=kernel"], capture_output=True, text=True)
    assert result.returncode == 1 and f"error: {code}" in result.stderr, result.stderr
    if name in ("helper", "type"):
        assert "broken.py:" in result.stderr
