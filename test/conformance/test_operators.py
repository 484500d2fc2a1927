"""The harness of the operator tables can fail: the judge sees differences, the pool sees crashes and hangs."""
import os
import pathlib
import signal
import sys
import time
import types

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import operators_compare
import operators_pool
import operators_workers


def _judged(function, launches=1):
    """Status of an operator that should double its argument; it counts as launching `launches` kernels."""
    torch = pytest.importorskip("torch", reason="torch is not installed (Debian: python3-torch)")
    import operators_judge
    import operators_table
    counter = types.SimpleNamespace(launches=0)

    def counted(x):
        counter.launches += launches
        return function(x)

    exact = operators_judge.by_type({torch.float32: (0.0, 0.0)})
    operator = operators_table.Operator("none", "double", lambda draw: [operators_table.case(draw.normal((8,)))],
                                        lambda module: counted, lambda x: x * 2, tolerance=exact)
    return operators_judge.run_operator(operator, None, counter)["status"]


def _refuse(x):
    raise RuntimeError("TW2150: expected a value with the attribute 'value'")


@pytest.mark.parametrize("status, function, launches", [
    ("right", lambda x: x * 2, 1), ("wrong", lambda x: x * 2 + 1, 1), ("wrong", lambda x: (x * 2).double(), 1),
    ("wrong", lambda x: (x * 2)[None], 1), ("wrong", lambda x: x.mul_(2), 1), ("wrong", lambda x: (x * 2, x), 1),
    ("host", lambda x: x * 2, 0), ("refused", _refuse, 0), ("failed", lambda x: x.nothing, 0)])
def test_judge(status, function, launches):
    """Values, types, shapes, arguments that were written to and numbers of results: each makes an operator wrong."""
    assert _judged(function, launches) == status


def _pooled(work, limit=20.0):
    rows = []
    operator = types.SimpleNamespace(library="none", name="operator")
    operators_pool.run_all([operator], work, 1, limit, rows.append)
    return rows[0]


def test_pool_reports_a_crash():
    assert _pooled(lambda operator: os.kill(os.getpid(), signal.SIGKILL))["status"] == "crash"


def test_pool_reports_an_exit():
    assert _pooled(lambda operator: os._exit(0))["status"] == "crash"


def test_pool_reports_a_hang():
    assert _pooled(lambda operator: time.sleep(60), limit=0.5)["status"] == "hang"


def test_pool_gives_the_row():
    assert _pooled(lambda operator: {"status": "right", "name": operator.name}) == {"status": "right", "name": "operator"}


#: A program with four operators that serves as a worker when it is told to.
_PROGRAM = """
import os, sys, time, types
sys.path.insert(0, {here!r})
import operators_workers
names = ("good", "dies", "sleeps", "late")

def work(operator):
    {{"dies": lambda: os._exit(3), "sleeps": lambda: time.sleep(60)}}.get(operator.name, int)()
    return {{"library": "none", "name": operator.name, "status": "right", "detail": ""}}

operators = [types.SimpleNamespace(library="none", name=name) for name in names]
operators_workers.serve(operators, work, operators_workers.take_output())
"""


def _worked(tmp_path, monkeypatch, **options):
    """{name: status} of a run with one worker and a second for each operator."""
    program = tmp_path / "program.py"
    program.write_text(_PROGRAM.format(here=str(HERE)))
    monkeypatch.setattr(sys, "argv", [str(program)])
    rows = []
    operators_workers.run_all([], 1, 1.0, rows.append, **options)
    assert len(rows) == len({row["name"] for row in rows})
    return {row["name"]: row["status"] for row in rows}


def test_workers_go_on_after_a_crash_and_a_hang(tmp_path, monkeypatch):
    assert _worked(tmp_path, monkeypatch) == {"good": "right", "dies": "crash", "sleeps": "hang", "late": "right"}


def test_workers_skip_what_is_done(tmp_path, monkeypatch):
    done = {("none", "good"), ("none", "sleeps")}
    assert _worked(tmp_path, monkeypatch, done=done) == {"dies": "crash", "late": "right"}


def test_what_the_time_is_too_short_for_is_not_run(tmp_path, monkeypatch):
    """After half a second nothing begins; what has begun has its own limit still."""
    statuses = _worked(tmp_path, monkeypatch, seconds=0.5)
    assert statuses["late"] == "not run" and statuses["good"] in ("right", "not run")


def _rows(**statuses):
    return [{"library": "none", "name": name, "status": status} for name, status in statuses.items()]


def test_comparison_counts_what_is_right_under_triton():
    """An operator with several rows is as good as its worst; what has not run is not counted."""
    triton = _rows(a="right", b="right", c="wrong", d="right", e="not run") + _rows(d="failed")
    ours = _rows(a="right", b="right", c="right", d="right", e="right") + _rows(b="refused")
    result = operators_compare.compare(triton, ours)
    assert (result["counted"], result["right"], result["share"]) == (2, 1, 0.5)
    assert result["missing"] == {"none.b": {"triton": "right", "tilewright": "refused"}}
    assert sorted(result["excluded"]) == ["none.c", "none.d"] and sorted(result["not_run"]) == ["none.e"]


def test_comparison_of_an_unfinished_run():
    result = operators_compare.compare(_rows(a="right", b="right"), _rows(a="right"))
    assert (result["counted"], list(result["not_run"])) == (1, ["none.b"])
