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

import operators_pool


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
