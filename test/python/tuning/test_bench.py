"""`python -m tilewright.bench`: what is measured, saved, compared and refused."""
import json
import re
import sys

import pytest

import tilewright.bench
from tilewright import testing
from tilewright.bench import __main__ as command

#: Functions that say how long they take: the stopwatch of these tests believes them.
PROGRAM = """
import itertools
from tilewright import bench

noise = itertools.cycle({noise})

@bench.case(n=[1, 2])
def alone(n):
    return lambda: {alone} * n

@bench.case
def with_peer():
    return {{"ours": lambda: {ours} * next(noise), "peer": lambda: {peer}, "slow peer": lambda: 1000.0}}
"""
STEADY = {"alone": 10.0, "ours": 10.0, "peer": 20.0, "noise": [1.0]}


class BelievingTimer:
    def milliseconds(self, functions):
        return [function() for function, _ in functions]


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """(options, **changed numbers) -> (exit status, output)."""
    monkeypatch.setattr(testing, "timer", BelievingTimer)

    def go(*options, **numbers):
        tilewright.bench._cases.clear()
        program = tmp_path / "cases.py"
        program.write_text(PROGRAM.format(**{**STEADY, **numbers}))
        monkeypatch.setattr(sys, "argv", ["bench", str(program), *map(str, options)])
        status = command.main()
        output = capsys.readouterr()
        return status, output.out + output.err

    return go


@pytest.fixture
def saved(run, tmp_path):
    """A baseline of the steady numbers."""
    path = tmp_path / "baseline.json"
    assert run("--save", path)[0] == 0
    return path


def test_figures(saved):
    cases = json.loads(saved.read_text())["cases"]
    assert {name: (row["median"], row["unit"]) for name, row in cases.items()} == {
        "alone(n=1)": (10.0, "ms"), "alone(n=2)": (20.0, "ms"), "with_peer()": (0.5, "times peer or slow peer")}


def test_same_speed_passes(run, saved):
    status, output = run("--baseline", saved)
    assert status == 0 and "1.000 of the baseline" in output and "slower" not in output


@pytest.mark.parametrize("threshold, status", [(1.05, 1), (1.2, 0)])
def test_slower_than_the_threshold(run, saved, threshold, status):
    got, output = run("--baseline", saved, "--threshold", threshold, alone=11.0)
    assert got == status and output.count(": slower") == 2 * status


def test_faster_passes(run, saved):
    assert run("--baseline", saved, alone=5.0, ours=5.0)[0] == 0


def test_ratio_to_the_peer_counts(run, saved):
    """A machine that is slower in all is no regression; a kernel that is slower than its peer was is."""
    assert run("--baseline", saved, ours=20.0, peer=40.0)[0] == 0
    status, output = run("--baseline", saved, ours=12.0)
    assert status == 1 and "with_peer(): 0.6" in output


def test_noise_is_not_a_regression(run, saved):
    noisy = {"noise": [0.7, 0.9, 1.08, 1.3, 1.5]}
    assert run("--baseline", saved, **noisy)[0] == 0
    assert run("--baseline", saved, noise=[1.08])[0] == 1


def test_what_happens_once_is_not_a_regression(run, saved):
    """The first measurement of 21 turns is slow, the repetition is not."""
    assert run("--baseline", saved, noise=[1.5] * 24 + [1.0] * 1000)[0] == 0


def test_only(run, saved):
    status, output = run("--baseline", saved, "--only", "peer", alone=99.0)
    assert status == 0 and "alone" not in output
    assert run("--only", "nothing")[0] == 2


def changed(path, **fields):
    document = json.loads(path.read_text())
    document.update(fields)
    path.write_text(json.dumps(document))


@pytest.mark.parametrize("change, text", [
    (lambda path: changed(path, machine={**json.loads(path.read_text())["machine"], "processors": 4096}), "processors was 4096 and is"),
    (lambda path: changed(path, cases={}), "got none for alone"),
    (lambda path: changed(path, cases={**json.loads(path.read_text())["cases"], "old()": {"unit": "ms", "median": 1.0, "error": 0.0}}),
     "got also one for old"),
    (lambda path: changed(path, cases={name: {**row, "unit": "s"} for name, row in json.loads(path.read_text())["cases"].items()}),
     "expected figures in 'ms', got 's'"),
    (lambda path: changed(path, version=2), "expected kind"),
    (lambda path: path.write_text("{"), "TW7208"),
    (lambda path: path.unlink(), "No such file"),
], ids=["machine", "missing", "gone", "unit", "version", "text", "file"])
def test_baselines_that_do_not_belong_are_refused(run, saved, change, text):
    change(saved)
    status, output = run("--baseline", saved)
    assert status == 2 and "TW7208" in output and text in output and "--save" in output


@pytest.mark.parametrize("numbers, text", [({"noise": "1 / 0"}, "cannot be read"), ({"alone": "None + 1"}, "a case of .* cannot be measured")])
def test_errors_of_the_file_are_not_regressions(run, saved, numbers, text):
    status, output = run("--baseline", saved, **numbers)
    assert status == 2 and re.search(text, output) and "Traceback" in output


def test_kernels_are_measured(tmp_path, monkeypatch, capsys):
    """With the real clock: the figures are positive, and a run is not 20 times slower than itself."""
    tilewright.bench._cases.clear()
    program = tmp_path / "cases.py"
    program.write_text("""
import numpy as np, tilewright as tw, tilewright.language as tl
from tilewright import bench

@tw.jit
def double(x, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i, i < n) * 2, i < n)

@bench.case
def doubled():
    x = np.zeros(1000, np.float32)
    return lambda: double[(1,)](x, 1000, BLOCK=1024)
""")
    path = tmp_path / "baseline.json"
    monkeypatch.setattr(sys, "argv", ["bench", str(program), "--save", str(path), "--turns", "3"])
    assert command.main() == 0
    assert json.loads(path.read_text())["cases"]["doubled()"]["median"] > 0
    tilewright.bench._cases.clear()
    monkeypatch.setattr(sys, "argv", ["bench", str(program), "--baseline", str(path), "--turns", "3", "--threshold", "20"])
    assert command.main() == 0
