"""Fixtures of the language suite, and its expected failures."""
import os
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import tilewright as tw
from tilewright import engine

from assembler import Assembler, BadCode
from known_faults import FAULTS
from runner import Machine


def options_of(texts):
    """Launch options from KEY=VALUE texts; whole numbers become integers."""
    pairs = (text.split("=", 1) for text in texts)
    return {key: int(value) if value.isdecimal() else value for key, value in pairs}


@pytest.fixture(scope="session")
def machine(request):
    """The target that `--target` names; the suite is skipped, and says so, where it cannot run."""
    target = request.config.getoption("--target")
    if request.config.getoption("--assemble"):
        return Assembler(target)
    try:
        engine.device(target.split(":")[0])
    except tw.TilewrightError as error:
        pytest.skip(f"target '{target}' cannot run here: {error}")
    options = {key: options_of(request.config.getoption(key)) for key in ("--option", "--also")}
    return Machine(target, options["--option"], options["--also"])


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Where nothing runs, no value and no error of a run is as expected; that is not what is tested there."""
    if not pyfuncitem.config.getoption("--assemble"):
        return (yield)
    try:
        return (yield)
    except BadCode:
        raise
    except (AssertionError, pytest.fail.Exception):
        return True


@pytest.fixture(autouse=True)
def quiet_references():
    """Overflow and NaN in expected values are meant."""
    with np.errstate(all="ignore"):
        yield


def pytest_collection_modifyitems(items):
    """Marks the rows of the table of known faults; one that passes fails, so that a fix is noticed."""
    here = pathlib.Path(__file__).resolve().parent
    for item in items:
        if item.path.parent != here:
            continue
        row = f"{item.path.stem}::{item.name}"
        if row in FAULTS and not item.config.getoption("--assemble"):
            item.add_marker(pytest.mark.xfail(strict=True, reason=FAULTS[row]))


def pytest_runtest_logreport(report):
    """An error of the hardware ends its process's use of the device: a worker of pytest-xdist stops and is replaced."""
    if "PYTEST_XDIST_WORKER" in os.environ and report.failed and "TW6012" in str(report.longrepr):
        print(report.longreprtext, file=sys.stderr, flush=True)
        os._exit(70)
