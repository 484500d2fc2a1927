"""Damaged IR and damaged requests to the plugins of this machine: errors only, no crash, no hang (README.md)."""
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from damaged_requests import FORMS, make_request


@pytest.fixture(scope="module")
def requests(build, tmp_path_factory):
    """A request that compiles, by target and form of the IR."""
    folder = tmp_path_factory.mktemp("requests")
    made = {}

    def get(target, form):
        if (target, form) not in made:
            made[target, form] = make_request(build, folder, target, form)
        return made[target, form]

    return get


@pytest.mark.parametrize("what, form", FORMS.items())
@pytest.mark.parametrize("target", ["cpu", "reference"])
def test_damage_gives_errors(build, request, requests, target, what, form):
    program = build / "bin/random-request"
    if not program.exists():
        pytest.skip("random-request is not built: the compiler has no fuzzer/FuzzedDataProvider.h")
    runs = 100000 if request.config.getoption("--full") else 200
    done = subprocess.run([program, f"--plugin={build}/lib/tilewright/libtilewright_{target}.so",
                           f"--request={requests(target, form)}", f"--what={what}", f"--runs={runs}"],
                          capture_output=True, text=True, timeout=14400)
    assert done.returncode == 0 and f"{runs} runs" in done.stdout, done.stderr[-2000:]
