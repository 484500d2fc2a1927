"""The kernel fuzzer itself, and the reproducers that it left."""
import os
import pathlib
import signal
import subprocess
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "kernels"))

import elements
import execute
import mutations
import programs
import reproducers
import seeded
import shrink
from tree import Assign, Effect, Parameter, Printer, Program, infix, name, number, prefix

KEPT = sorted((HERE / "regressions" / "kernels").glob("*.py"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_reproducer(path, request):
    """A program that once showed a bug agrees with the reference."""
    assert reproducers.replay(path, request.config.getoption("--target")) == []


@pytest.mark.parametrize("fault", seeded.FAULTS, ids=lambda fault: fault.stage.replace(" ", "-"))
def test_seeded_faults_fit_the_sources(fault):
    """The hunt for them is part of the long form only; where their text went away is seen before."""
    assert (seeded.ROOT / fault.file).read_text().count(fault.old) == 1


def test_programs_are_made_again_alone():
    first = [Printer().program(programs.make(number, 5)) for number in range(20)]
    assert first == [Printer().program(programs.make(number, 5)) for number in range(20)]
    assert first != [Printer().program(programs.make(number, 6)) for number in range(20)]


def test_programs_are_python():
    for number in range(12):
        program = programs.make(number, 7)
        compile(Printer().program(program), "program", "exec")
        for kind in mutations.MUTATIONS:
            made = mutations.mutate(program, kind)
            if made:
                compile(made[1].text(), kind, "exec")


def test_parentheses_only_where_needed():
    a, b = name("a", "int32"), name("b", "int32")
    minus = infix("-", infix("-", a, b, "int32", ()), infix("-", b, a, "int32", ()), "int32", ())
    assert Printer().text(minus) == "a - b - (b - a)"
    assert Printer(full=True).text(minus) == "((a - b) - (b - a))"
    assert Printer().text(infix("*", prefix("-", a, "int32"), infix("<<", a, b, "int32", ()), "int32", ())) == "-a * (a << b)"
    assert eval(Printer().text(minus), {"a": 7, "b": 3}) == 8


def test_differences_are_found():
    output = Parameter("o1", "out", "float32", 4)
    ones, nans = np.ones(4, np.float32), np.full(4, np.nan, np.float32)
    assert execute.difference(output, ones, ones) is None
    assert execute.difference(output, nans, nans.view(np.uint32).__or__(1).view(np.float32)) is None
    assert execute.difference(output, ones, nans) is not None
    assert execute.difference(output, np.zeros(4, np.float32), -np.zeros(4, np.float32)) is not None
    near = np.nextafter(ones, 2)
    assert execute.difference(output, ones, near) is not None
    close = Parameter("o1", "out", "float32", 4, level=1, ulps=2)
    assert execute.difference(close, ones, near) is None
    assert execute.difference(close, ones, ones + 1e-5) is not None


def test_reduction_keeps_what_shows_the_finding(monkeypatch):
    """Shrinks towards one statement, without running anything."""
    program = programs.make(3, 5)
    wanted = next(s for s in program.body if isinstance(s, Effect))
    text = Printer().text(wanted.value)
    monkeypatch.setattr(shrink.Shrinker, "shows", lambda self, candidate: text in Printer().program(candidate))
    small = shrink.Shrinker(program, (), ("cpu",)).run()
    assert len(small.body) == 1 and text in Printer().program(small)


def test_a_crash_is_seen_from_outside():
    assert shrink.crashes(lambda: os.kill(os.getpid(), signal.SIGKILL))
    assert not shrink.crashes(lambda: None)


def test_mutations_change_one_place():
    """Generated statements may share an expression; naming it in one leaves the other alone."""
    shared = infix("+", name("a", "int32"), name("b", "int32"), "int32", ())
    body = [Assign([f"v{i}"], prefix("-", shared, "int32")) for i in range(2)]
    program = Program(0, 0, [], [], body, (1,))
    text = mutations.mutate(program, "split_expression")[1].text()
    assert text.count("part = a + b") == 1 and text.count("-(a + b)") == 1


def test_promotion_follows_the_language():
    assert elements.promoted("float16", "float8e5") == "float16"
    assert elements.promoted("float8e5", "float8e4nv") == "float16"
    assert elements.promoted("bfloat16", "float8e5") == "float32"
    assert elements.promoted("float16", "float16", division=True) == "float32"
    assert elements.with_literal("int8", 2) == "float32" and elements.with_literal("bfloat16", 1) == "bfloat16"


def test_a_crash_and_a_hang_are_findings(tmp_path, monkeypatch):
    """Workers are processes: what ends one of them is noted, and the next takes over."""
    import campaign
    script = tmp_path / "worker.py"
    script.write_text("import json, os, sys, time\n"
                      "for line in sys.stdin:\n"
                      "    number = int(line)\n"
                      "    if number == 1: os.abort()\n"
                      "    if number == 2: time.sleep(60)\n"
                      "    print(json.dumps({'number': number, 'covered': [], 'findings': []}), flush=True)\n")
    monkeypatch.setattr(campaign, "SCRIPT", script)
    monkeypatch.setattr(campaign, "PATIENCE", 2)
    done = campaign.Campaign(1, ["cpu"], False, lambda finding: None).run(range(5), 1)
    assert done.done == 5 and sorted(f["kind"] for f in done.findings) == ["crash", "hang"]


def test_the_command_prints_programs():
    shown = subprocess.run([sys.executable, str(HERE / "kernels"), "show", "4", "--mutant", "own"], text=True, capture_output=True)
    assert shown.returncode == 0 and shown.stdout.count("def kernel(") == 2
