"""The command line: what it prints, writes and refuses. Every refusal is one coded error that leaves the disk as it was."""
import json
import pathlib
import re
import subprocess

import numpy as np
import pytest

KERNELS = """
import tilewright as tw
import tilewright.language as tl


@tw.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr = 128):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask), mask=mask)


@tw.jit
def grow(x_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i) + undefined_name)
"""

ADD_SIGNATURE = "x_ptr:*fp32, y_ptr:*fp32, out_ptr:*fp32, n:i32, BLOCK=128"


@pytest.fixture
def folder(tmp_path):
    """A folder with the kernels and two inputs."""
    (tmp_path / "k.py").write_text(KERNELS)
    np.save(tmp_path / "x.npy", np.arange(1000, dtype=np.float32))
    np.save(tmp_path / "y.npy", np.full(1000, 0.5, np.float32))
    return tmp_path


@pytest.fixture
def call(tilewright, folder):
    """Runs the command in the folder."""

    def run(*arguments):
        return subprocess.run([tilewright, *arguments], cwd=folder, text=True, capture_output=True, timeout=120)

    return run


def run_add(call, *changes, grid="cdiv(n, BLOCK)", x="@x.npy"):
    return call("run", "k.py", "--kernel", "add", "--arg", f"x_ptr={x}", "--arg", "y_ptr=@y.npy", "--arg",
                "out_ptr=fp32[1000]", "--arg", "n=1000", "--grid", grid, "--out", "out_ptr=out.npy", *changes)


def test_run_gives_right_numbers(call, folder):
    done = run_add(call)
    assert done.returncode == 0, done.stderr
    np.testing.assert_array_equal(np.load(folder / "out.npy"), np.arange(1000, dtype=np.float32) + 0.5)


def test_empty_grid_is_a_no_op(call, folder):
    done = run_add(call, grid="0")
    assert done.returncode == 0, done.stderr
    assert not np.load(folder / "out.npy").any()


@pytest.mark.parametrize("stage, text", [("ast", "FunctionDef("), ("tile", "tile.program_id"), ("kernel", "kernel.load"),
                                         ("llvm", "define"), ("asm", ".text")])
def test_compile_shows_every_stage(call, stage, text):
    done = call("compile", "k.py", "--kernel", "add", "--sig", ADD_SIGNATURE, "--emit", stage)
    assert done.returncode == 0, done.stderr
    assert text in done.stdout


def test_compile_writes_an_artifact(call, folder):
    done = call("compile", "k.py", "--kernel", "add", "--sig", ADD_SIGNATURE, "-o", "add.twa")
    assert done.returncode == 0, done.stderr
    assert (folder / "add.twa").read_bytes()[:4] == b"TWA1"


def test_output_into_a_device_leaves_it_a_device(call, folder):
    (folder / "pipe").symlink_to("/dev/null")
    done = call("compile", "k.py", "--kernel", "add", "--sig", ADD_SIGNATURE, "-o", "pipe")
    assert done.returncode == 0, done.stderr
    assert (folder / "pipe").is_symlink() and pathlib.Path("/dev/null").is_char_device()


def test_targets_lists_cpu(call):
    done = call("targets")
    assert done.returncode == 0 and "cpu" in done.stdout
    assert "cpu" in json.loads(call("targets", "--json").stdout)["plugins"]


ROOT = pathlib.Path(__file__).resolve().parents[2]


def table_codes():
    """The numbers of codes.def, as text."""
    table = ROOT / "plugins/include/tilewright/codes.def"
    return [line.split("(")[1].split(",")[0] for line in table.read_text().splitlines() if line.startswith("TW_CODE(")]


def test_every_code_of_the_sources_is_in_the_table():
    used = set()
    for room in ("frontend", "dialects", "backends", "runtime", "plugins"):
        for path in (ROOT / room).rglob("*"):
            if path.suffix in (".cpp", ".h", ".py"):
                used.update(re.findall(r"[\"']TW([1-7]\d{3}): ", path.read_text()))
    assert len(used) > 30
    assert used <= set(table_codes())


def test_explain_knows_every_code(call):
    codes = table_codes()
    assert len(codes) > 50 and codes == sorted(codes)
    for code in (codes[0], codes[-1]):
        assert f"TW{code}:" in call("explain", f"TW{code}").stdout
    assert call("explain", "TW9999").returncode == 1


def test_error_points_at_the_line(call):
    done = call("compile", "k.py", "--kernel", "grow", "--sig", "x_ptr:*fp32, out_ptr:*fp32, BLOCK=16", "--emit", "tile")
    assert done.returncode == 1
    assert "k.py:16:" in done.stderr and "undefined_name" in done.stderr and "error: TW2" in done.stderr
    assert "^" in done.stderr
    done = call("compile", "k.py", "--kernel", "grow", "--sig", "x_ptr:*fp32, out_ptr:*fp32, BLOCK=16", "--diagnostics=json")
    (error,) = json.loads(done.stderr)
    assert error["line"] == 16 and error["code"].startswith("TW2")


REFUSALS = {
    "missing file": (("compile", "no.py", "--sig", "x=1"), "TW7001"),
    "folder as file": (("compile", ".", "--sig", "x=1"), "TW7001"),
    "unknown kernel": (("compile", "k.py", "--kernel", "sub", "--sig", "x=1"), "TW"),
    "kernel not named": (("run", "k.py", "--grid", "1"), "TW7011"),
    "unknown target": (("compile", "k.py", "--kernel", "add", "--sig", ADD_SIGNATURE, "--target", "abacus"), "TW5"),
    "unknown cpu": (("compile", "k.py", "--kernel", "add", "--sig", ADD_SIGNATURE, "--target", "cpu:z80"), "TW4"),
    "missing parameter": (("compile", "k.py", "--kernel", "add", "--sig", ADD_SIGNATURE.replace("n:i32, ", "")), "TW2"),
    "unknown parameter": (("compile", "k.py", "--kernel", "add", "--sig", ADD_SIGNATURE + ", z:i32"), "TW2"),
    "bad type": (("compile", "k.py", "--kernel", "add", "--sig", ADD_SIGNATURE.replace("fp32", "fp31")), "TW2"),
    "unknown option": (("compile", "k.py", "--kernel", "add", "--sig", ADD_SIGNATURE, "--opt", "speed=11"), "TW"),
    "unwritable output": (("compile", "k.py", "--kernel", "add", "--sig", ADD_SIGNATURE, "-o", "no/such/a.twa"), "TW7002"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_compile_refuses(call, folder, name):
    arguments, code = REFUSALS[name]
    before = sorted(folder.iterdir())
    done = call(*arguments)
    assert done.returncode == 1
    assert f"error: {code}" in done.stderr and done.stderr.count("error: TW") == 1
    assert "Assertion" not in done.stderr and "Stack dump" not in done.stderr
    assert sorted(folder.iterdir()) == before


RUN_REFUSALS = {
    "missing argument": (dict(), ("--arg", "BLOCK"), "TW7010"),
    "unknown argument": (dict(), ("--arg", "m=3"), "TW7018"),
    "twice": (dict(), ("--arg", "n=3"), "TW7014"),
    "oversized grid": (dict(grid="2**31"), (), "TW7025"),
    "negative grid": (dict(grid="-1"), (), "TW7025"),
    "four axes": (dict(grid="1, 1, 1, 1"), (), "TW7025"),
    "unknown name": (dict(grid="cdiv(m, BLOCK)"), (), "TW7022"),
    "truncated file": (dict(x="@short.npy"), (), "TW7003"),
    "no npy file": (dict(x="@k.py"), (), "TW7003"),
    "fortran order": (dict(x="@fortran.npy"), (), "TW7005"),
    "output of a scalar": (dict(), ("--out", "n=n.npy"), "TW7026"),
    "unwritable output": (dict(), ("--out", "x_ptr=no/such/x.npy"), "TW7002"),
    "wrong dtype": (dict(), ("--sig", "x_ptr:*fp16"), "TW7016"),
    "folder as array": (dict(x="@/"), (), "TW7001"),
    "huge array": (dict(x="fp32[99999999999999]"), (), "TW7012"),
    "header without data": (dict(x="@huge.npy"), (), "TW7003"),
    "object array": (dict(x="@object.npy"), (), "TW7004"),
    "empty range": (dict(x="i32[10]~integers(5, 1)"), (), "TW7013"),
    "missing plugin": (dict(), ("--plugin", "no.so"), "TW5"),
    "not a plugin": (dict(), ("--plugin", "k.py"), "TW5"),
}


@pytest.mark.parametrize("name", RUN_REFUSALS)
def test_run_refuses(call, folder, name):
    keywords, extra, code = RUN_REFUSALS[name]
    (folder / "short.npy").write_bytes((folder / "x.npy").read_bytes()[:-10])
    np.save(folder / "fortran.npy", np.asfortranarray(np.zeros((4, 5), np.float32)))
    header = (folder / "x.npy").read_bytes()[:128]
    (folder / "huge.npy").write_bytes(header.replace(b"(1000,)", b"(99999999999,)").replace(b"      ", b"", 1))
    np.save(folder / "object.npy", np.array([None, 1]))
    before = sorted(folder.iterdir())
    done = run_add(call, *extra, **keywords)
    assert done.returncode == 1
    assert f"error: {code}" in done.stderr and done.stderr.count("error: TW") == 1
    assert sorted(folder.iterdir()) == before


def test_fills_repeat(call):
    first, second = (call("run", "k.py", "--kernel", "add", "--arg", "x_ptr=fp32[64]~normal(seed=3)", "--arg",
                          "y_ptr=fp32[64]", "--arg", "out_ptr=fp32[64]", "--arg", "n=64", "--grid", "1", "--print",
                          "out_ptr").stdout for _ in range(2))
    assert first == second and first.startswith("out_ptr: fp32[64]")


@pytest.fixture
def misbehaving(tilewright, build, tmp_path):
    """A compile by the plugin of test/unit/worker/misbehaving.c to add.twa."""
    def compile(misbehaviour, *options):
        source = tmp_path / "add.py"
        source.write_text("import tilewright as tw, tilewright.language as tl\n@tw.jit\ndef add(x):\n    tl.store(x, 1.0)\n")
        return subprocess.run([tilewright, "compile", source, "--sig", "x:*fp32", "--opt", f"misbehave={misbehaviour}",
                               "--plugin", build / "lib/libmisbehaving-plugin.so", "-o", tmp_path / "add.twa",
                               *(options if "--target" in options else ("--target", "null", *options))],
                              capture_output=True, text=True)
    return compile


@pytest.mark.parametrize("isolation", ["process", "none"])
@pytest.mark.parametrize("misbehaviour, text", [
    ("forget everything", "it has no code"), ("forget kernels", "expected a record of kernel 'add', got none"),
    ("response flags", "expected 0 as flags of the response, got 2"), ("half a field", "a multiple of 8 as size of kernel record 0, got 12"),
    ("unknown field", "kernel record 0 has a field that this version does not know"), ("no array", "an array of 1 kernel records, got NULL"),
    ("no code", "an array of 4 bytes of code, got NULL"), ("too much code", "expected at most 4294967296 bytes of code, got 1099511627776"),
    ("too many kernels", "expected at most 1048576 kernel records, got 1152921504606846976"),
    ("another name", "expected 'x': *fp32 as user parameter 0 in the record of kernel 'add', got 'y': *fp32"),
    ("another type", "expected 'x': *fp32 as user parameter 0 in the record of kernel 'add', got 'x': fp32"),
    ("two arguments", "expected 1 user parameters in the record of kernel 'add', got 2"),
    ("no parameters", "an array of 4 parameters, got NULL"), ("no name", "an array of 4 bytes of text, got NULL"),
    ("no format", "expected the name of the code's format, got none"), ("a circle", "expected at most 1000 places in all, got more"),
    ("two records", "expected a predicate or a fact before the last variant in the record of kernel 'add', got none"),
    ("another kernel", "expected records of the kernels asked for, got one of 'elsewhere'"),
    ("a zero byte", "expected UTF-8 without control characters as compat"),
    ("latin-1 compat", "expected UTF-8 without control characters as compat"),
    ("latin-1 format", "expected UTF-8 without control characters as format")])
def test_answers_of_plugins_that_cannot_be_used(misbehaving, tmp_path, isolation, misbehaviour, text):
    """A plugin that reports success leaves no file that only a launch would refuse, or that says something else."""
    done = misbehaving(misbehaviour, "--isolation", isolation)
    assert done.returncode == 1 and "TW5027" in done.stderr and text in done.stderr
    assert not (tmp_path / "add.twa").exists()


@pytest.mark.parametrize("target, resolved", [("null:elsewhere", "cpu:znver4"), ("null:lines", "null:a\nb"), ("null:vague", "null"),
                                              ("null:nothing", "")])
def test_targets_of_plugins_that_are_none(misbehaving, tmp_path, target, resolved):
    """What a plugin makes of a target stands in artifacts and keys, and says who launches."""
    done = misbehaving("not at all", "--target", target)
    assert done.returncode == 1 and "TW4001" in done.stderr and f"made '{target}' to '{resolved}', expected null:arch" in done.stderr
    assert not (tmp_path / "add.twa").exists()


@pytest.mark.parametrize("isolation", ["process", "none"])
def test_messages_of_plugins_that_are_not_unicode(misbehaving, isolation):
    done = misbehaving("latin-1", "--isolation", isolation, "--diagnostics", "json")
    assert done.returncode == 0, done.stderr
    warning, = json.loads(done.stderr.splitlines()[0])
    assert (warning["message"], warning["hint"]) == ("le caf\ufffd est froid", "r\ufffdchauffez-le \u20ac")
