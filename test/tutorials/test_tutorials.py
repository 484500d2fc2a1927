"""The tutorials run, with either import; the checker of the exercises tells right kernels from others."""
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/tutorials"
SOLUTIONS = pathlib.Path(__file__).with_name("solutions.py")
#: Tutorials whose programs use nothing but Triton's interface.
COMMON = sorted(FOLDER.glob("0[1-8]_*.py"))


def run(*command, status=0):
    done = subprocess.run([sys.executable, *map(str, command)], text=True, capture_output=True, timeout=900)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("path", COMMON, ids=lambda path: path.stem)
def test_tutorial(path):
    assert run(path)


def under_triton(path, folder):
    """A copy of a program with the imports of Triton: for all where it uses nothing else, or for its kernels."""
    text = path.read_text()
    ours, theirs = (f"import {name} as tw\nimport {name}.language as tl\n" for name in ("tilewright", "triton"))
    assert ours in text
    if path not in COMMON:
        theirs = "import tilewright as tw\nimport triton\nimport triton.language as tl\n"
        text = text.replace("@tw.jit\n", "@triton.jit\n")
        assert "@triton.jit" in text
    (folder / path.name).write_text(text.replace(ours, theirs).replace("pathlib.Path(__file__)", f"pathlib.Path({str(path)!r})"))
    return "-m", "tilewright.triton", folder / path.name


@pytest.mark.parametrize("path", COMMON, ids=lambda path: path.stem)
def test_tutorial_under_the_name_triton(path, tmp_path):
    assert run(*under_triton(path, tmp_path))


def test_portability_under_the_name_triton(tmp_path):
    """What it prints is what it prints with the other import, but for the line of an access out of bounds."""
    path = FOLDER / "10_portability.py"
    ours, theirs = (re.sub(r"\S+_portability\.py:\d+", "", printed) for printed in (run(path), run(*under_triton(path, tmp_path))))
    assert ours and ours == theirs


@pytest.fixture(scope="module")
def prefix(build, tmp_path_factory):
    """Where Tilewright is installed."""
    folder = tmp_path_factory.mktemp("prefix")
    subprocess.run(["cmake", "--install", build, "--prefix", folder], check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("is_triton", [False, True], ids=["tilewright", "triton"])
def test_without_python(prefix, is_triton, tmp_path):
    path = FOLDER / "09_without_python.py"
    printed = run(*(under_triton(path, tmp_path) if is_triton else [path]), "--prefix", prefix)
    assert "nothing was compiled" in printed and "from C++: added 100000 numbers" in printed


@pytest.mark.parametrize("is_triton", [False, True], ids=["tilewright", "triton"])
def test_plugin(prefix, full, is_triton, tmp_path):
    if not full:
        pytest.skip("building the template takes a minute: --full")
    path = FOLDER / "11_plugin.py"
    printed = run(*(under_triton(path, tmp_path) if is_triton else [path]), "--prefix", prefix)
    assert "0 1 4 9 16 25 36 49 64 81" in printed.replace(",", "")


def test_all_tutorials_are_listed_and_tested():
    listed = (FOLDER / "README.md").read_text()
    names = {path.stem for path in FOLDER.glob("*.py")}
    assert all(f"[{name}.py]({name}.py)" in listed for name in names)
    assert names == {path.stem for path in COMMON} | {"09_without_python", "10_portability", "11_plugin"}


def test_solutions_are_right():
    assert "9 of 9 are right" in run(FOLDER / "exercises/check.py", "--file", SOLUTIONS)


def test_solutions_are_right_under_the_name_triton(tmp_path):
    program = under_triton(SOLUTIONS, tmp_path)[-1]
    printed = run("-m", "tilewright.triton", FOLDER / "exercises/check.py", "--file", program)
    assert "9 of 9 are right" in printed


def test_exercises_start_unsolved():
    lines = run(FOLDER / "exercises/check.py", status=1).splitlines()
    assert lines[-1] == "0 of 9 are right" and sum("not yet" in line for line in lines) == 9


@pytest.mark.parametrize("name, right, wrong, said", [
    ("scale", "mask=i < n) * factor", "mask=i <= n) * factor", "TW"),
    ("softmax", "- tl.max(values, axis=0)", "- 0.0", "elements are wrong"),
    ("row_mean", "/ columns)", "/ columns + 1)", "5 of 5 elements are wrong: at [0]"),
    ("histogram", "tl.atomic_add(bins + tl.load(x + i, mask=i < n, other=0), 1, mask=i < n)",
     "b = bins + tl.load(x + i, mask=i < n, other=0)\n    tl.store(b, tl.load(b, mask=i < n) + 1, mask=i < n)", "TW"),
])
def test_checker_finds_mistakes(tmp_path, name, right, wrong, said):
    text = SOLUTIONS.read_text()
    start = text.index(f"def {name}(")
    assert right in text[start:]
    (tmp_path / "wrong.py").write_text(text[:start] + text[start:].replace(right, wrong, 1))
    printed = run(FOLDER / "exercises/check.py", "--file", tmp_path / "wrong.py", name, status=1)
    assert "not yet" in printed and said in printed
