"""Fixtures of the language suite, and its expected failures."""
import os
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "harness"))

import tilewright as tw
from tilewright import engine

from assembler import Assembler, BadCode
from exporter import Exporter, Suite
from known_faults import FAULTS
from opencl_drivers import DRIVER_FAULTS, DRIVER_LIMITS, RaceLog, missing_package, variables
from recorder import Recorder
from runner import Machine
from turns import configuration, options_of


#: What `--export` collects.
SUITE = pytest.StashKey()


def pytest_configure(config):
    config.stash[SUITE] = Suite()


def pytest_terminal_summary(terminalreporter, config):
    """Writes what `--export` has collected, and says what it left out."""
    path = config.getoption("--export")
    if not path:
        return
    suite = config.stash[SUITE]
    pathlib.Path(path).write_text(suite.text())
    terminalreporter.write_line(f"{path}: {len(suite.kernels)} rows")
    for reason, count in suite.left_out.most_common():
        terminalreporter.write_line(f"not in it, {reason}: {count}")


@pytest.fixture(scope="session")
def race_log(request, tmp_path_factory):
    """What Oclgrind finds, under `--opencl oclgrind`; else None. Sets up the driver that `--opencl` names."""
    driver = request.config.getoption("--opencl")
    if not driver:
        return None
    if missing_package(driver):
        pytest.skip(f"{driver}: install the package {missing_package(driver)}, as `./tw setup` does")
    log = RaceLog(tmp_path_factory.mktemp(driver) / "log") if driver == "oclgrind" else None
    os.environ.update(log.variables if log else variables(driver))
    return log


@pytest.fixture(autouse=True)
def no_races(race_log):
    """Fails a row whose kernels raced in local memory."""
    yield
    found = race_log.new_races() if race_log else []
    assert not found, f"{len(found)} races, the first:\n{found[0]}"


@pytest.fixture(scope="session")
def runs_here(request, race_log):
    """Nothing; the suite is skipped, and says so, where the target cannot run."""
    target = request.config.getoption("--target")
    if request.config.getoption("--assemble") or request.config.getoption("--export"):
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
        return Assembler(given("--target"), options_of(given("--option")), options_of(given("--alike")))
    if given("--export"):
        return Exporter(request.config.stash[SUITE], request.node.nodeid)
    if given("--record"):
        return Recorder(given("--target"), options_of(given("--option")))
    target, varied = configuration(request.node.nodeid, given("--target"), given("--vary"), given("--turn"))
    return Machine(target, {**options_of(given("--option")), **varied}, options_of(given("--also")),
                   options_of(given("--alike")))


def is_without_device(config):
    """Whether kernels are compiled and not run."""
    return config.getoption("--assemble") or config.getoption("--record") or config.getoption("--export")


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


def pytest_collection_modifyitems(config, items):
    """Marks the rows of the tables of known faults; one that passes fails, so that a fix is noticed. Skips what a driver does
    not get to the end of."""
    driver = config.getoption("--opencl")
    faults, limits = {**FAULTS, **DRIVER_FAULTS.get(driver, {})}, DRIVER_LIMITS.get(driver, {})
    here = pathlib.Path(__file__).resolve().parent
    for item in items:
        if item.path.parent != here:
            continue
        row = f"{item.path.stem}::{item.name}"
        if row in limits:
            item.add_marker(pytest.mark.skip(reason=f"{driver} {limits[row]}"))
        if row in faults and not is_without_device(item.config):
            item.add_marker(pytest.mark.xfail(strict=True, reason=faults[row]))


def pytest_runtest_logreport(report):
    """An error of the hardware ends its process's use of the device: a worker of pytest-xdist stops and is replaced."""
    if "PYTEST_XDIST_WORKER" in os.environ and report.failed and "TW6012" in str(report.longrepr):
        print(report.longreprtext, file=sys.stderr, flush=True)
        os._exit(70)
