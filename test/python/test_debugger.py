"""`tw.debug`: what it records, shows and stops at; expected values come from NumPy and ml_dtypes."""
import builtins
import inspect
import io
import linecache
import pathlib
import re
import typing

import ml_dtypes
import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl
from tilewright.debugger import values

GUIDE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "debugging.md"


def line_of(kernel, text):
    """Number of the only line of a kernel that holds a text."""
    lines, first = inspect.getsourcelines(kernel.fn)
    found, = [first + i for i, line in enumerate(lines) if text in line]
    return found


@tw.jit
def weighted(value, weight):
    product = value * weight
    return product + 1


@tw.jit
def walk(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    at = pid * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    v = tl.load(x + at, mask=mask)
    acc = tl.zeros([BLOCK], tl.float32)
    for i in range(3):
        acc += weighted(v, i)
    if pid > 0:
        side = "right"
        scale = acc * 2
    else:
        scale = acc * 3
    count = 0
    while count < pid + 1:
        count += 1
    halves = acc.to(tl.float16), tl.sum(scale)
    kept = tl.where(mask, v.to(tl.float16) * 2, -1.0)
    tl.store(out + at, scale, mask=mask)


def launch(**options):
    """(trace, x, out) of `walk` over two programs of four elements, of which six exist."""
    x = np.array([1, -2, 3, 4, 5, 0.5], np.float32)
    out = np.zeros(6, np.float32)
    trace = tw.debug(walk, **{"show": False, **options})[(2, )](x, out, 6, BLOCK=4)
    return trace, x, out


def test_each_line_has_the_values_that_numpy_gives():
    trace, x, out = launch(programs="all")
    for pid in range(2):
        at = pid * 4 + np.arange(4)
        mask = at < 6
        v = np.where(mask, x[np.minimum(at, 5)], 0)
        acc = sum(v * i + 1 for i in range(3))
        scale = acc * (2 if pid else 3)
        last = trace.at("tl.store", program=(pid, ))
        np.testing.assert_array_equal(last["at"], at)
        np.testing.assert_array_equal(last["mask"], mask)
        np.testing.assert_array_equal(last["v"], v)
        np.testing.assert_array_equal(last["acc"], acc)
        np.testing.assert_array_equal(last["scale"], scale)
        np.testing.assert_array_equal(last["halves"][0], acc.astype(np.float16))
        np.testing.assert_allclose(last["halves"][1], scale.sum())
        assert (last["pid"], last["count"], last["n"], last["BLOCK"]) == (pid, pid + 1, 6, 4)
        assert ("side" in last) == (pid == 1)
        np.testing.assert_array_equal(out[at[mask]], scale[mask])
        for name, dtype in {"at": np.int32, "mask": np.bool_, "v": np.float32, "kept": np.float16}.items():
            assert last[name].dtype == dtype


def test_every_visit_of_a_line_is_kept():
    trace, x, _ = launch()
    acc = line_of(walk, "acc += ")
    assert [line["i"] for line in trace.visits(acc)] == [0, 1, 2]
    for i in range(3):
        np.testing.assert_array_equal(trace.at(acc, i)["acc"], sum(x[:4] * k + 1 for k in range(i + 1)))
    assert [value for line, value in trace.of("count")] == [0, 1]
    assert [line.number for line in trace.visits("while")] == [line_of(walk, "while")] * 2
    assert not trace.visits("acc * 2") and len(trace.visits("acc * 3")) == 1
    with pytest.raises(KeyError, match="expected a line that was reached, got 1 with 0 visits: lines reached are "):
        trace.at(1)
    with pytest.raises(KeyError, match="expected a name that line .* knows, got 'scale': it knows x, out, n, BLOCK, pid\""):
        trace.at("program_id")["scale"]


def test_helpers_are_frames_of_their_own():
    trace, x, _ = launch()
    inner = trace.at("product = ")
    assert (inner.function, inner.depth, inner["weight"]) == ("weighted", 1, 2)
    assert set(inner.names()) == {"value", "weight", "product"}
    np.testing.assert_array_equal(inner["product"], x[:4] * 2)
    np.testing.assert_array_equal(trace.at("return product")["return"], x[:4] * 2 + 1)


def test_elements_that_a_mask_left_out_are_known():
    trace, _, _ = launch(programs=(1, ))
    last = trace.at("tl.store")
    outside = [False, False, True, True]
    np.testing.assert_array_equal(last.masked("v").mask, outside)
    np.testing.assert_array_equal(last.masked("acc").mask, outside)
    assert not last.masked("kept").mask.any()  # `where` says what stands there
    assert not last.masked("at").mask.any()


def test_other_programs_are_checked_but_not_recorded():
    assert {line.program for line in launch(programs=(1, ))[0].lines} == {(1, 0, 0)}
    assert {line.program for line in launch(programs=[(0, ), (1, 0)])[0].lines} == {(0, 0, 0), (1, 0, 0)}
    assert {line.program for line in launch(programs=[0, 1])[0].lines} == {(0, 0, 0), (1, 0, 0)}
    with pytest.raises(TypeError, match='expected program ids or "all", got \'one\''):
        tw.debug(walk, programs="one")
    with pytest.raises(ValueError, match=r"of the grid \(2, 1, 1\) to follow, got \(2, 0, 0\)"):
        launch(programs=[0, 2])
    with pytest.raises(TypeError, match="expected a kernel"):
        tw.debug(launch)


def test_what_is_watched_in_vain_is_said():
    """A misspelt name, and an expression that has no value at first."""
    text = io.StringIO()
    launch(watch=["nowhere", "acc[9]", "at[1]"], show=True, file=text)
    assert text.getvalue().splitlines()[-2:] == ["never had a value: nowhere", "never had a value: acc[9]"]
    assert "at[1]: int32 = 1" in text.getvalue()


class Pair(typing.NamedTuple):
    first: object
    second: object


@tw.jit
def kinds(x, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    pair = Pair(at, 7.5)
    nested = (pair, (None, "text"))
    pointers = x + at
    block = tl.make_block_ptr(x, (8, ), (1, ), (2, ), (BLOCK, ), (0, ))
    wide = (at - 3).to(tl.uint16)
    element = tl.float16
    if (found := tl.max(at)) > 2:
        tl.store(pointers, wide.to(tl.float32))


def test_kinds_of_values():
    x = np.zeros(8, np.float32)
    last = tw.debug(kinds, show=False)[(1, )](x, BLOCK=8).at("tl.store")
    np.testing.assert_array_equal(last["pair"].first, np.arange(8))
    assert last["pair"].second == 7.5 and last["pair.second"] == 7.5
    np.testing.assert_array_equal(last["nested"][0].first, np.arange(8))
    assert last["nested"][1] == (None, "text")
    np.testing.assert_array_equal(last["pointers"], x.ctypes.data + 4 * np.arange(8, dtype=np.uint64))
    assert last["block"].offsets == (2, ) and last["block"].shape == (8, )
    np.testing.assert_array_equal(last["wide"], (np.arange(8) - 3).astype(np.uint16))
    assert last["found"] == 7
    assert "fp16" in str(last["element"])


@pytest.mark.parametrize("name, other", [("fp8e4nv", "float8_e4m3fn"), ("fp8e5", "float8_e5m2"), ("fp8e4b8", "float8_e4m3fnuz"),
                                         ("fp8e5b16", "float8_e5m2fnuz"), ("bf16", "bfloat16"), ("fp16", None), ("fp32", None)])
def test_bits_of_floats(name, other):
    kind = np.dtype(getattr(ml_dtypes, other) if other else {"fp16": np.float16, "fp32": np.float32}[name])
    bits = np.arange(256 if kind.itemsize == 1 else 65536, dtype=np.uint64)
    expected = bits.astype(f"u{kind.itemsize}").view(kind).astype(np.float32)
    np.testing.assert_array_equal(values.decode(name, bits.tobytes()).astype(np.float32), expected)


def test_the_old_float_of_8_bits_ends_at_1_875():
    found = values.decode("fp8e4b15", np.arange(256, dtype=np.uint64).tobytes())
    assert found[0x7F] == 1.875 and found[0xFF] == -1.875 and found[1] == 2.0**-17 and np.isfinite(found).all()


#--- What is printed ---


@tw.jit
def grid_of(x, out, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tile = tl.load(x + at)
    row = tl.sum(tile, 0)
    tl.store(out + tl.arange(0, N), row)


def shown(kernel, *args, **options):
    """The text that a run of one program prints, by the name bound."""
    text = io.StringIO()
    tw.debug(kernel, file=text)[(1, )](*args, **options)
    return text.getvalue()


def test_tiles_show_with_coordinates():
    x = np.arange(8 * 16, dtype=np.float32).reshape(8, 16)
    x[1, 14], x[5, 3] = np.nan, -np.inf
    text = shown(grid_of, x, np.zeros(16, np.float32), M=8, N=16)
    start = text.index("tile: ")
    rows = re.sub(r"^ +\|", "", text[text.index("tile: "):], flags=re.M).splitlines()
    assert rows[0] == "tile: fp32[8, 16]  # 0 to 127, 1 nan, first at (1, 14), 1 inf, first at (5, 3)"
    assert [row.split() for row in rows[1:9]] == [
        [*"0123", "...", "12", "13", "14", "15"],
        ["0:", *"0123", "...", "12", "13", "14", "15"],
        ["1:", "16", "17", "18", "19", "...", "28", "29", "nan", "31"],
        ["2:", "32", "33", "34", "35", "...", "44", "45", "46", "47"],
        ["..."],
        ["5:", "80", "81", "82", "-inf", "...", "92", "93", "94", "95"],
        ["6:", "96", "97", "98", "99", "...", "108", "109", "110", "111"],
        ["7:", "112", "113", "114", "115", "...", "124", "125", "126", "127"],
    ]
    assert len({len(row) for row in rows[1:5]}) == 1  # columns stand below their numbers


def test_a_guide_that_shows_what_happens(monkeypatch, capsys):
    """The session of docs/debugging.md, as a person would have it."""
    guide = GUIDE.read_text()
    code, first, session = re.search(r"```python\n(.*?)```", guide, re.S)[1], *re.findall(r"```text\n(.*?)```", guide, re.S)
    monkeypatch.setitem(linecache.cache, "kernels.py", (len(code), None, code.splitlines(True), "kernels.py"))
    names = {"__name__": "kernels"}
    exec(compile(code, "kernels.py", "exec"), names)
    assert capsys.readouterr().out == first
    commands = iter(re.findall(r"^\(tile\) (.*)$", session, re.M))

    def answer(prompt):
        command = next(commands)
        print(prompt + command)
        return command

    monkeypatch.setattr(builtins, "input", answer)
    call = re.match(r">>> (.*)\n", session)
    eval(call[1], names)
    assert capsys.readouterr().out == session[call.end():]
    trace = names["trace"]
    assert np.isnan(trace.at("tl.sum", 0)["total"]) and trace.at(16).masked("values").mask.sum() == 2


def test_watch_shows_lines_that_change_an_expression():
    text = io.StringIO()
    launch(show=True, watch=["count", "acc.sum()"], file=text)
    assert re.findall(r"(count|acc\.sum\(\)): \w+ = (\S+)", text.getvalue()) == [
        ("acc.sum()", "0"), ("acc.sum()", "4"), ("acc.sum()", "14"), ("acc.sum()", "30"), ("count", "0"), ("count", "1")]
    assert "v = tl.load" not in text.getvalue()


#--- Stopping ---


def stops(breakpoints, answer=None, **options):
    """(reason, function, line) of each stop."""
    found = []

    def on_stop(stop):
        found.append((stop.reason, stop.frame.function, stop.frame.line))
        return answer(stop) if callable(answer) else answer

    launch(breakpoints=breakpoints, on_stop=on_stop, **options)
    return found


def test_breakpoints_of_each_kind():
    load = line_of(walk, "tl.load")
    assert stops([load]) == [(f"at line {load}", "walk", load)]
    assert stops([f"{pathlib.Path(__file__).name}:{load}"], programs="all") == [
        (f"at {pathlib.Path(__file__).name}:{load}", "walk", load)] * 2
    assert stops(["other.py:%d" % load]) == []
    assert [line for _, _, line in stops(["count"])] == [line_of(walk, "count = 0"), line_of(walk, "count += 1")]
    assert [(name, reason) for reason, name, _ in stops(["weighted"])] == [("weighted", "in weighted")] * 3
    assert stops(["acc.max() > 5"]) == [("acc.max() > 5 became true", "walk", line_of(walk, "acc += "))]
    assert len(stops([lambda frame: "acc" in frame.values and frame.names()["acc"].min() < -2])) == 1
    with pytest.raises(TypeError, match="expected a line, a name, a condition or a function as breakpoint, got 1.5"):
        tw.debug(walk, breakpoints=[1.5])


def test_before_a_line_runs_its_values_are_not_there():
    seen = []
    launch(breakpoints=[line_of(walk, "tl.load")], on_stop=lambda stop: seen.append(set(stop.names())))
    assert seen == [{"x", "out", "n", "BLOCK", "pid", "at", "mask"}]


def test_steps_go_into_helpers_and_next_does_not():
    first = line_of(walk, "acc += ")
    inside = {line_of(weighted, "product ="), line_of(weighted, "return product")}
    answers = iter(["step", "step", "step", "step", "step"])
    lines = [line for _, _, line in stops([first], lambda stop: next(answers, "quit"))]
    assert inside < set(lines)
    answers = iter(["next"] * 4)
    assert not inside & {line for _, _, line in stops([first], lambda stop: next(answers, "quit"))}
    answers = iter(["step", "return"])
    found = stops([line_of(weighted, "product =")], lambda stop: next(answers, "quit"))
    assert [name for _, name, _ in found] == ["weighted", "weighted", "walk"]


def test_quitting_ends_the_launch():
    trace, _, out = launch(breakpoints=["count"], on_stop=lambda stop: "quit")
    assert trace.is_stopped and not out.any()
    assert trace.frames[-1].names()["count"] == 0


def test_what_a_follower_raises_comes_out():
    def on_stop(stop):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        launch(breakpoints=["count"], on_stop=on_stop)
    launch()  # and nothing is left behind


def prompted(monkeypatch, commands, **options):
    """What the prompt says to commands."""
    text, lines = io.StringIO(), iter(commands)
    monkeypatch.setattr(builtins, "input", lambda prompt: next(lines))
    launch(file=text, show=True, **options)
    return text.getvalue()


def test_commands_of_the_prompt(monkeypatch):
    text = prompted(monkeypatch, ["p v[1:3]", "v.sum()", "nothing", "w", "l", "b", "b count", "b", "b 1 +", "cl 7", "cl", "u", "program",
                                  "display pid", "n", "locals", "h", "help cl", "c"], breakpoints=["acc"])
    assert "v[1:3]: float32[2] = [-2 3]\n" in text and "v.sum(): float32 = 6\n" in text
    assert "*** NameError: name 'nothing' is not defined" in text
    assert "> test_debugger.py(%d) walk" % line_of(walk, "acc = tl.zeros") in text
    assert "1: acc, hit 1 time\n2: count, hit 0 times\n" in text
    assert "*** expected a line, a name or an expression, got '1 +'" in text and "*** expected a number from 1 to 2, got '7'" in text
    assert "*** there is no further call" in text and "(0, 0, 0)\n" in text and "pid: i32 = 0\n" in text
    assert "-> for i in range(3):" in text
    assert "\nw(here): the calls that led here.\n" in text and text.count("cl(ear) NUMBER: remove a breakpoint") == 2


def test_the_end_of_input_quits(monkeypatch):
    def end(prompt):
        raise EOFError

    monkeypatch.setattr(builtins, "input", end)
    assert tw.debug(walk, breakpoints=True, show=False)[(1, )](np.zeros(4, np.float32), np.zeros(4, np.float32), 4, BLOCK=4).is_stopped


#--- Failures ---


@tw.jit
def beyond(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    grid = tl.reshape(at, (2, BLOCK // 2))
    value = tl.load(x + grid)
    tl.store(out + grid, value)


def test_an_access_out_of_bounds_is_named_with_its_coordinates():
    x, out, text = np.ones(13, np.float32), np.zeros(16, np.float32), io.StringIO()
    with pytest.raises(tw.LaunchError, match=r"TW6032: .*index from 0 to 12 of argument 'x', which has 13 elements, got 13, in program "
                       r"\(1, 0, 0\) for element \(1, 1\) of the tile") as caught:
        tw.debug(beyond, file=text)[(2, )](x, out, BLOCK=8)
    trace = caught.value.trace
    assert trace.frames[-1].line == line_of(beyond, "tl.load") and {line.program for line in trace.lines} == {(0, 0, 0)}
    np.testing.assert_array_equal(trace.frames[-1].names()["grid"], 8 + np.arange(8).reshape(2, 4))
    assert "program (1, 0, 0), beyond\n" in text.getvalue() and "TW6032" in text.getvalue()
    np.testing.assert_array_equal(out[:8], 1)


def test_the_prompt_opens_after_a_failure(monkeypatch):
    text, commands = io.StringIO(), iter(["p grid[1]", "n", "q"])
    monkeypatch.setattr(builtins, "input", lambda prompt: next(commands))
    with pytest.raises(tw.LaunchError):
        tw.debug(beyond, breakpoints=["never"], file=text)[(2, )](np.ones(13, np.float32), np.zeros(16, np.float32), BLOCK=8)
    assert "grid[1]: int32[4] = [12 13 14 15]" in text.getvalue() and "the launch has failed" in text.getvalue()


#--- Around it ---


def test_kernels_that_are_tuned_and_completed():
    tuned = tw.autotune([tw.Config({"BLOCK": 4}), tw.Config({"BLOCK": 8})], key=["n"])(walk)
    completed = tw.heuristics({"BLOCK": lambda args: 8})(walk)
    x, out = np.arange(6, dtype=np.float32), np.zeros(6, np.float32)
    assert tw.debug(tuned, show=False)[lambda meta: (6 // meta["BLOCK"], )](x, out, 6).at("mask =")["mask"].size == 4
    assert tw.debug(completed, show=False)[(1, )](x, out, 6).at("mask =")["mask"].size == 8


@tw.jit
def by_target(out):
    if tl.target.vendor == "nvidia":
        tl.store(out, 1)
    else:
        tl.store(out, 2)


def test_the_code_of_another_target_can_be_seen():
    out = np.zeros(1, np.int32)
    assert tw.debug(by_target, show=False)[(1, )](out, target="nvidia").visits("tl.store(out, 1)") and out[0] == 1
    tw.debug(by_target, show=False)[(1, )](out)
    assert out[0] == 2


def test_launches_without_a_follower_print_nothing(capfd):
    out = np.zeros(6, np.float32)
    walk[(2, )](np.ones(6, np.float32), out, 6, BLOCK=4, target="reference", trace=True)
    assert capfd.readouterr() == ("", "") and out.all()
    with pytest.raises(tw.CompilationError, match="TW4107: .*'trace'"):
        walk[(2, )](np.ones(6, np.float32), out, 6, BLOCK=4, target="cpu", trace=True)


CELL = """
import tilewright as tw
import tilewright.language as tl

@tw.jit
def cell_kernel(x):
    at = tl.arange(0, 4)
    doubled = at * 2
    tl.store(x + at, doubled)
"""


def test_a_notebook_cell():
    """In IPython's shell, which runs what notebooks run."""
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell.instance()
    shell.run_cell(CELL).raise_error()
    shell.run_cell("import numpy as np; x = np.zeros(4, np.int32)").raise_error()
    with_text = shell.run_cell("import io; text = io.StringIO(); tw.debug(cell_kernel, file=text)[(1,)](x)")
    with_text.raise_error()
    np.testing.assert_array_equal(with_text.result.at("doubled =")["doubled"], [0, 2, 4, 6])
    assert re.search(r"\d \|     doubled = at \* 2\n +\| +doubled: i32\[4\] = \[0 2 4 6\]", shell.user_ns["text"].getvalue())
    shell.run_cell("cell_kernel[(1,)](x, interpret=True)").raise_error()
    np.testing.assert_array_equal(shell.user_ns["x"], [0, 2, 4, 6])


def test_a_cell_without_ipython(monkeypatch):
    """Source that only linecache knows, as a notebook's."""
    monkeypatch.setitem(linecache.cache, "<cell 1>", (len(CELL), None, CELL.splitlines(True), "<cell 1>"))
    names = {"__name__": "__main__"}
    exec(compile(CELL, "<cell 1>", "exec"), names)
    text = io.StringIO()
    trace = tw.debug(names["cell_kernel"], file=text)[(1, )](np.zeros(4, np.int32))
    np.testing.assert_array_equal(trace.at(8)["doubled"], [0, 2, 4, 6])
    assert "8 |     doubled = at * 2" in text.getvalue()
