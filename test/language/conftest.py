"""Fixtures of the language suite, and its expected failures."""
import itertools
import os
import pathlib
import sys
import zlib

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "harness"))

import tilewright as tw
from tilewright import engine

from assembler import Assembler, BadCode
from known_faults import FAULTS
from recorder import Recorder
from runner import Machine


def options_of(texts):
    """Launch options from KEY=VALUE texts; whole numbers become integers."""
    pairs = (text.split("=", 1) for text in texts)
    return {key: int(value) if value.isdecimal() else value for key, value in pairs}


def combinations(varied):
    """All combinations of texts such as "num_warps=1,2,4", as lists of KEY=VALUE."""
    axes = []
    for text in varied:
        key, values = text.split("=", 1)
        axes.append([f"{key}={value}" for value in values.split(",")])
    return [list(chosen) for chosen in itertools.product(*axes)]


def configuration(row, target, varied, turn):
    """(target, options) of the row of that name: by a hash, so that one run has each row in one combination, and each
    combination on a fair part of every table. As many turns as there are combinations have every row in each."""
    every = combinations(varied)
    options = options_of(every[(zlib.crc32(row.encode()) + turn) % len(every)])
    return options.pop("target", target), options


@pytest.fixture(scope="session")
def runs_here(request):
    """Nothing; the suite is skipped, and says so, where the target cannot run."""
    target = request.config.getoption("--target")
    if request.config.getoption("--assemble"):
        return
    try:
        engine.device(engine.vendor_of(target))
    except tw.TilewrightError as error:
        pytest.skip(f"target '{target}' cannot run here: {error}")


@pytest.fixture
def machine(request, runs_here):
    """The target that `--target` names, in the row's own configuration under `--vary`."""
    given = request.config.getoption
    if given("--assemble"):
        return Assembler(given("--target"))
    if given("--record"):
        return Recorder(given("--target"), options_of(given("--option")))
    target, varied = configuration(request.node.nodeid, given("--target"), given("--vary"), given("--turn"))
    return Machine(target, {**options_of(given("--option")), **varied}, options_of(given("--also")),
                   options_of(given("--alike")))


def is_without_device(config):
    """Whether kernels are compiled and not run."""
    return config.getoption("--assemble") or config.getoption("--record")


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Where nothing runs, no value and no error of a run is as expected; that is not what is tested there."""
    if not is_without_device(pyfuncitem.config):
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
        if row in FAULTS and not is_without_device(item.config):
            item.add_marker(pytest.mark.xfail(strict=True, reason=FAULTS[row]))


def pytest_runtest_logreport(report):
    """An error of the hardware ends its process's use of the device: a worker of pytest-xdist stops and is replaced."""
    if "PYTEST_XDIST_WORKER" in os.environ and report.failed and "TW6012" in str(report.longrepr):
        print(report.longreprtext, file=sys.stderr, flush=True)
        os._exit(70)
