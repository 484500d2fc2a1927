"""The commands of docs/verify.md do what the page says."""
import pathlib
import re
import shlex
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def commands():
    """Indented commands of the page, continued lines joined."""
    text = (ROOT / "docs/verify.md").read_text().replace("\\\n", " ")
    return re.findall(r"^    (tilewright verify .*)$", text, re.MULTILINE)


def test_the_page_has_commands():
    assert len(commands()) >= 3


@pytest.mark.parametrize("number", range(3))
def test_a_command_of_the_page_works(tilewright, tmp_path, number):
    words = shlex.split(commands()[number])[1:]
    for name in ("report.html", "journal"):
        words = [str(tmp_path / name) if word == name else word for word in words]
    if "docs/examples/verify.toml" in words:  # all of it is a stage of `./tw check`
        words += ["--only", "while-loop", "--only", "histogram"]
    done = subprocess.run([tilewright, *words], cwd=ROOT, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "reference" in done.stdout or "--lint" in words
