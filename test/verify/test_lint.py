"""The lint of `tilewright verify`: what a kernel needs against what targets have, before anything runs."""
import pytest

KERNELS = """
import tilewright as tw
import tilewright.language as tl


@tw.jit
def add_atomically(x_ptr, total_ptr):
    i = tl.arange(0, 16)
    tl.atomic_add(total_ptr, tl.sum(tl.load(x_ptr + i), axis=0))


@tw.jit
def halve(x_ptr):
    i = tl.arange(0, 16)
    tl.store(x_ptr + i, tl.load(x_ptr + i) * 0.5)


@tw.jit
def wait(flag_ptr, out_ptr):
    while tl.atomic_cas(flag_ptr, 1, 1) == 0:
        pass
    tl.store(out_ptr, 1)


@tw.jit
def draw_tickets(next_ptr, out_ptr, n):
    ticket = tl.atomic_add(next_ptr, 1)
    while ticket < n:
        tl.store(out_ptr + ticket, 1)
        ticket = tl.atomic_add(next_ptr, 1)


@tw.jit
def add_steps(x_ptr, total_ptr, n):
    i = 0
    while i < n:
        tl.atomic_add(total_ptr, tl.load(x_ptr + i))
        i += 1


@tw.jit
def wait_by_adding(flag_ptr, out_ptr):
    seen = 0
    while seen == 0:
        if tl.atomic_add(flag_ptr, 0) > 3:
            seen = 1
    tl.store(out_ptr, 1)


@tw.jit
def wait_in_order(count_ptr, out_ptr):
    arrived = tl.load(count_ptr, volatile=True)
    while arrived < tl.program_id(0):
        arrived = tl.load(count_ptr, volatile=True)
    tl.store(out_ptr, arrived)


@tw.jit
def lanes(out_ptr):
    i = tl.arange(0, 16)
    tl.store(out_ptr + i, tl.inline_asm_elementwise("mov.u32 $0, %laneid;", "=r,r", [i], dtype=tl.int32, is_pure=True, pack=1))


@tw.jit
def offsets(x_ptr, stride, BLOCK: tl.constexpr = 64):
    row = tl.program_id(0) * stride
    tl.store(x_ptr + row + tl.arange(0, BLOCK), 1.0)


@tw.jit
def wide_offsets(x_ptr, stride, BLOCK: tl.constexpr = 64):
    row = tl.program_id(0).to(tl.int64) * stride
    tl.store(x_ptr + row + tl.arange(0, BLOCK), 1.0)


@tw.jit
def random(x_ptr, seed):
    i = tl.program_id(0) * 64 + tl.arange(0, 64)
    tl.store(x_ptr + i, tl.rand(seed, i))


@tw.jit
def bins(x_ptr, out_ptr, BINS: tl.constexpr = 32768):
    counts = tl.histogram(tl.load(x_ptr + tl.arange(0, 256)), BINS)
    tl.store(out_ptr + tl.arange(0, BINS), counts)
"""


def line_of(text):
    """The first line of the kernels' file that has the text."""
    return next(number for number, line in enumerate(KERNELS.splitlines(), 1) if text in line)


@pytest.fixture
def advice(verify, folder):
    """(kind, target, message, line) of every advice on a kernel; nothing runs."""
    (folder / "lint.py").write_text(KERNELS)

    def run(kernel, targets, *options):
        done = verify("lint.py", "--kernel", kernel, "--grid", "4", "--math", "accurate", "--target", targets, "--lint", *options)
        row = done.report["rows"][0]
        assert done.returncode == 0 and row["error"] == "" and row["cells"] == [], done.stdout
        for entry in row["advice"]:
            assert entry["message"] in done.stdout and entry["file"] == "lint.py"
        return [(entry["kind"], entry["target"], entry["message"], entry["line"]) for entry in row["advice"]]

    return run


def test_atomics_that_a_target_lacks(advice):
    found = advice("add_atomically", "nvidia:sm_90a,amd:gfx942,amd:gfx1100,spirv:opencl1.2", "--arg", "x_ptr=fp64[16]", "--arg",
                   "total_ptr=fp64[1]")
    assert {(kind, target, line) for kind, target, _, line in found} == {
        ("atomics", "amd:gfx1100", 9), ("atomics", "spirv:opencl1.2", 9), ("types", "spirv:opencl1.2", 9)}
    assert all("fp64" in message for _, _, message, _ in found)
    assert advice("add_atomically", "nvidia:sm_90a", "--arg", "x_ptr=fp32[16]", "--arg", "total_ptr=fp32[1]") == []


def test_types_that_a_target_lacks(advice):
    found = advice("halve", "cpu,spirv:opencl2.0,spirv:opencl2.0+fp64", "--arg", "x_ptr=fp64[16]")
    assert [(kind, target) for kind, target, *_ in found] == [("types", "spirv:opencl2.0")]
    assert advice("halve", "cpu,spirv:opencl2.0", "--arg", "x_ptr=fp32[16]") == []


def test_waiting_for_other_programs(advice):
    found = advice("wait", "cpu", "--arg", "flag_ptr=i32[1]", "--arg", "out_ptr=i32[1]")
    assert [(kind, line) for kind, _, _, line in found] == [("progress", line_of("while tl.atomic_cas"))]


@pytest.mark.parametrize("kernel, waits", [
    ("wait_by_adding", "while seen == 0"), ("wait_in_order", "while arrived <"), ("draw_tickets", ""), ("add_steps", "")])
def test_what_loops_wait_for(advice, kernel, waits):
    """A loop waits if its end depends on what others write; one that counts up a shared number ends by itself."""
    arrays = {"wait_by_adding": "flag_ptr out_ptr", "wait_in_order": "count_ptr out_ptr", "draw_tickets": "next_ptr out_ptr",
              "add_steps": "x_ptr total_ptr"}[kernel].split()
    given = [text for name in arrays for text in ("--arg", f"{name}=i32[8]")] + ([] if waits else ["--arg", "n=8"])
    assert [(kind, line) for kind, _, _, line in advice(kernel, "cpu", *given)] == ([("progress", line_of(waits))] if waits else [])


def test_assembly_that_knows_lanes(advice):
    found = advice("lanes", "nvidia:sm_80,cpu", "--arg", "out_ptr=i32[16]")
    assert {(kind, target) for kind, target, *_ in found} == {("inline-assembly", "cpu"), ("warp-size", "")}


def test_products_that_can_overflow(advice):
    given = ["--arg", "x_ptr=fp32[4096]", "--arg", "stride=64", "--ranges", "stride=1..100000,grid0=1..65536"]
    found = advice("offsets", "cpu", *given)
    assert [(kind, line) for kind, _, _, line in found] == [("overflow", line_of("row = tl.program_id(0) * stride"))]
    assert "6553500000" in found[0][2]
    assert advice("wide_offsets", "cpu", *given) == []
    assert advice("offsets", "cpu", *given[:-1], "stride=1..1000,grid0=1..1000") == []


def test_numbers_that_wrap_as_written_are_left_alone(advice):
    """The counter-based generator multiplies modulo 2^32."""
    assert advice("random", "cpu", "--arg", "x_ptr=fp32[256]", "--arg", "seed=7", "--ranges", "seed=0..100") == []


def test_shared_memory_that_does_not_fit(advice):
    found = advice("bins", "spirv:opencl1.2,amd:gfx1100,nvidia:sm_90a,cpu", "--arg", "x_ptr=i32[256]", "--arg", "out_ptr=i32[32768]")
    assert [(kind, target) for kind, target, *_ in found] == [("shared-memory", "spirv:opencl1.2"), ("shared-memory", "amd:gfx1100")]
    assert all("131072" in message for _, _, message, _ in found) and "65536" in found[1][2]


@pytest.mark.parametrize("ranges, text", [
    ("n", "got 'n'"), ("stride=1..", "got 'stride=1..'"), ("stride=5..1", "got 'stride=5..1'"), ("stride=1..2,grid0=x..2", "got 'grid0=x..2'"),
    ("strid=1..2", "no row has the argument 'strid'"),
])
def test_wrong_ranges_are_refused(verify, folder, ranges, text):
    (folder / "lint.py").write_text(KERNELS)
    done = verify("lint.py", "--kernel", "offsets", "--grid", "4", "--arg", "x_ptr=fp32[64]", "--arg", "stride=1", "--target", "cpu", "--lint",
                  "--ranges", ranges)
    assert done.returncode == 1 and "error: TW7040: " in done.stderr and text in done.stderr


def test_a_wrong_source_is_an_error(verify, folder):
    (folder / "wrong.py").write_text(KERNELS[:KERNELS.index("@tw.jit")] + "@tw.jit\ndef wrong(x_ptr):\n    tl.store(x_ptr, nobody)\n")
    done = verify("wrong.py", "--grid", "1", "--arg", "x_ptr=fp32[16]", "--target", "cpu", "--lint")
    assert done.returncode == 1 and "TW2171" in done.stdout and "(wrong.py:8)" in done.stdout


@pytest.mark.parametrize("target", ["cpu:foo", "nosuch"])
def test_targets_that_nobody_knows_are_named(verify, folder, target):
    (folder / "lint.py").write_text(KERNELS)
    done = verify("lint.py", "--kernel", "halve", "--grid", "1", "--arg", "x_ptr=fp32[16]", "--target", f"cpu,{target}", "--lint")
    assert f": refused: {target}: TW" in done.stdout
    assert {entry["target"] for entry in done.report["rows"][0]["advice"]} == {target}


def test_nothing_to_say_is_said(verify, folder):
    (folder / "lint.py").write_text(KERNELS)
    done = verify("lint.py", "--kernel", "halve", "--grid", "1", "--arg", "x_ptr=fp32[16]", "--target", "cpu", "--lint")
    assert done.returncode == 0 and done.stdout == "nothing to say about 2 rows on cpu\n"
