"""What all tests of `tilewright verify` share: a folder with kernels, the command, its JSON report."""
import json
import subprocess

import pytest
from scaled import KERNELS


@pytest.fixture
def folder(tmp_path):
    """A folder with the kernels."""
    (tmp_path / "k.py").write_text(KERNELS)
    return tmp_path


@pytest.fixture
def verify(tilewright, folder):
    """Runs `tilewright verify` in the folder; gives the process with `report`, what `--json` wrote."""

    def run(*arguments, timeout=300):
        report = folder / "report.json"
        report.unlink(missing_ok=True)
        done = subprocess.run([tilewright, "verify", *map(str, arguments), "--json", report], cwd=folder, text=True,
                              capture_output=True, timeout=timeout)
        done.report = json.loads(report.read_text()) if report.exists() else None
        return done

    return run
