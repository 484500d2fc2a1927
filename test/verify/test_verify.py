"""`tilewright verify` on single kernels: the matrix, what a failure says, what cannot run, files of other worlds."""
import json
import shutil

import numpy as np
import pytest
from scaled import SCALE, cell, statuses


def test_all_targets_pass_in_both_modes(verify):
    done = verify(*SCALE, "--target", "reference,cpu,spirv")
    assert done.returncode == 0, done.stderr
    assert statuses(done.report) == {(f"scale.{mode}", target): "pass" for mode in ("accurate", "portable")
                                     for target in ("reference", "cpu", "spirv")}
    assert "6 pass" in done.stdout


def test_all_means_every_vendor_that_computes(verify):
    done = verify(*SCALE, "--math", "accurate", "--target", "all")
    assert {"reference", "cpu", "spirv", "nvidia"} <= set(done.report["targets"]) and "null" not in done.report["targets"]


def test_a_target_without_its_device_cannot_run(verify):
    done = verify(*SCALE, "--math", "accurate", "--target", "cpu,cpu:neoverse-n1")
    found = cell(done.report, "cpu:neoverse-n1")
    assert done.returncode == 0 and found["status"] == "cannot-run" and found["code"] == "TW6011"
    assert verify(*SCALE, "--math", "accurate", "--target", "cpu,cpu:neoverse-n1", "--strict").returncode == 1


def test_a_refused_kernel_cannot_be_compiled_and_says_why(verify):
    done = verify(*SCALE, "--math", "accurate", "--target", "cpu,spirv", "--opt", "spirv:num_warps=64", "--opt",
                  "num_stages=2")
    assert cell(done.report, "cpu")["status"] == "pass"
    done = verify(*SCALE, "--math", "accurate", "--target", "cpu,spirv", "--opt", "spirv:num_warps=3")
    found = cell(done.report, "spirv")
    assert (found["status"], found["code"]) == ("cannot-compile", "TW4106") and "power of two" in found["reason"]
    assert cell(done.report, "cpu")["status"] == "pass"


def test_names_that_no_target_has_are_failures(verify):
    for wrong, code in ((["cpu", "--opt", "num_wraps=4"], "TW4107"), (["cpu:foo"], "TW4102"), (["cpu:x86-64-v3+foo"], "TW4103")):
        done = verify(*SCALE, "--math", "accurate", "--target", *wrong)
        found = done.report["rows"][0]["cells"][-1]
        assert done.returncode == 1 and (found["status"], found["code"]) == ("fail", code)


def test_an_error_of_the_source_is_an_error_of_its_row(verify, folder):
    (folder / "wrong.py").write_text("import tilewright as tw\nimport tilewright.language as tl\n\n\n"
                                     "@tw.jit\ndef wrong(out_ptr):\n    tl.store(out_ptr, tl.arange(0, 3))\n")
    done = verify("wrong.py", "--grid", "1", "--arg", "out_ptr=i32[1]", "--target", "cpu,spirv", "--math", "accurate")
    row = done.report["rows"][0]
    assert done.returncode == 1 and row["errorCode"].startswith("TW2") and "wrong.py:7" in row["error"] and not row["cells"]


def test_a_static_assertion_says_what_a_kernel_is_for(verify, folder):
    (folder / "only.py").write_text("import tilewright as tw\nimport tilewright.language as tl\n\n\n"
                                    "@tw.jit\ndef only(out_ptr):\n    tl.static_assert(tl.target.vendor == 'cpu')\n"
                                    "    tl.store(out_ptr, 1)\n")
    done = verify("only.py", "--grid", "1", "--arg", "out_ptr=i32[1]", "--target", "cpu,spirv", "--math", "accurate")
    assert done.returncode == 0 and cell(done.report, "cpu")["status"] == "pass"
    assert (cell(done.report, "spirv")["status"], cell(done.report, "spirv")["code"]) == ("cannot-compile", "TW2301")


def test_checks_are_added_to_those_of_the_reference(verify, folder):
    (folder / "nan.py").write_text("import tilewright as tw\nimport tilewright.language as tl\n\n\n"
                                   "@tw.jit\ndef root(x_ptr):\n    tl.store(x_ptr, tl.sqrt(tl.load(x_ptr)))\n")
    command = ["nan.py", "--grid", "1", "--arg", "x_ptr=fp32[1]~values(-1)", "--target", "reference", "--math", "accurate"]
    assert verify(*command).returncode == 0
    done = verify(*command, "--check", "nan")
    assert done.returncode == 1 and cell(done.report, "reference")["code"] == "TW6034"
    done = verify("k.py", "--kernel", "race", "--grid", "2", "--arg", "out_ptr=i32[16]", "--target", "reference", "--check", "nan")
    assert done.returncode == 1 and cell(done.report, "reference")["code"] == "TW6037"
    done = verify(*command, "--check", "nans")
    assert done.returncode == 1 and "error: TW4106: expected a list of bounds" in done.stderr


def test_a_program_error_is_named_with_its_line(verify):
    done = verify("k.py", "--kernel", "unmasked", "--grid", "cdiv(n, BLOCK)", "--arg", "x_ptr=fp32[100]~normal(seed=1)",
                  "--arg", "out_ptr=fp32[100]", "--arg", "n=100", "--target", "reference,cpu", "--math", "accurate")
    found = cell(done.report, "reference")
    assert done.returncode == 1 and (found["status"], found["code"]) == ("fail", "TW6032")
    assert "k.py:16" in found["reason"] and "out_ptr" in found["reason"]
    found = cell(done.report, "cpu")
    assert found["status"] == "fail" and [(s["array"], s["place"], s["first"]) for s in found["strays"]] == [("out_ptr", "behind", 0)]
    assert 28 <= found["strays"][0]["bytes"] <= 112  # of 28 elements; a guard's byte may be the same


def race(folder, *options):
    """A command whose programs all write the same elements; --expect names what they leave."""
    np.save(folder / "left.npy", np.arange(16, dtype=np.int32))
    return ["k.py", "--kernel", "race", "--grid", "2", "--arg", "out_ptr=i32[16]", "--math", "accurate", *options]


@pytest.mark.parametrize("options", [[], ["--expect", "out_ptr=left.npy"], ["--expect", "out_ptr=left.npy", "--strict"]])
def test_no_target_passes_a_program_that_the_reference_found_wrong(verify, folder, options):
    done = verify(*race(folder, *options), "--target", "cpu")
    found = cell(done.report, "cpu")
    assert done.returncode == 1 and found["status"] == "fail" and "TW6037" in found["reason"]
    done = verify(*race(folder, *options), "--target", "reference,cpu")
    assert done.returncode == 1 and cell(done.report, "reference")["code"] == "TW6037"
    assert cell(done.report, "cpu")["status"] == "not-judged" and "TW6037" in cell(done.report, "cpu")["reason"]


def test_saved_results_pass_no_wrong_program(verify, folder):
    verify(*race(folder), "--target", "cpu", "--save", "theirs")
    done = verify(*race(folder), "--target", "cpu", "--compare", "theirs")
    assert done.returncode == 1 and "TW6037" in cell(done.report, "cpu")["reason"]


def test_kernels_that_choose_by_target_are_judged_by_their_choice(verify):
    done = verify("k.py", "--kernel", "by_target", "--grid", "1", "--arg", "out_ptr=i32[1]", "--target", "reference,cpu,spirv")
    assert done.returncode == 0 and set(statuses(done.report).values()) == {"pass"}


def test_a_crash_costs_its_cell(verify):
    far = 1 << 40
    done = verify("k.py", "--kernel", "crash", "--grid", "1", "--arg", "x_ptr=fp32[16]", "--arg", f"address={far}", "--target",
                  "cpu,reference", "--math", "accurate")
    assert done.returncode == 1
    found = cell(done.report, "cpu")
    assert (found["status"], found["code"]) == ("fail", "TW7036") and "signal 11" in found["reason"]
    assert cell(done.report, "reference")["code"] == "TW6032"


def test_results_of_another_implementation(verify, folder):
    done = verify(*SCALE, "--math", "accurate", "--target", "cpu", "--save", "kept")
    out = np.load(folder / "kept/scale.accurate/cpu/out_ptr.npy")
    np.save(folder / "right.npy", out)
    wrong = out.copy()
    wrong[[7, 900]] += 1
    np.save(folder / "wrong.npy", wrong)
    assert verify(*SCALE, "--target", "cpu", "--expect", "out_ptr=right.npy").returncode == 0
    done = verify(*SCALE, "--math", "accurate", "--target", "cpu", "--expect", "out_ptr=wrong.npy")
    found = [c for c in cell(done.report, "cpu")["comparisons"] if not c["isEqual"]]
    assert done.returncode == 1 and len(found) == 1
    assert (found[0]["against"], found[0]["firstIndex"], found[0]["outside"]) == ("file wrong.npy", 7, 2)
    assert verify(*SCALE, "--math", "accurate", "--target", "cpu", "--expect", "out_ptr=wrong.npy", "--tolerance",
                  "absolute=1.1").returncode == 0


def test_two_machines_compare_by_a_folder(verify, folder):
    assert verify(*SCALE, "--target", "cpu", "--save", "theirs").returncode == 0
    done = verify(*SCALE, "--target", "spirv", "--compare", "theirs")
    assert done.returncode == 0
    assert {c["against"] for c in cell(done.report, "spirv")["comparisons"]} == {"reference", "saved cpu"}
    path = folder / "theirs/scale.portable/cpu/out_ptr.npy"
    out = np.load(path)
    out.view(np.uint32)[5] ^= 1
    np.save(path, out)
    done = verify(*SCALE, "--target", "spirv", "--compare", "theirs")
    assert done.returncode == 1 and "saved cpu" in done.stdout and "out_ptr[5]" in done.stdout


def test_saved_results_of_other_inputs_are_refused(verify):
    assert verify(*SCALE, "--math", "accurate", "--target", "cpu", "--save", "theirs").returncode == 0
    changed = [argument.replace("seed=1", "seed=2") for argument in SCALE]
    done = verify(*changed, "--math", "accurate", "--target", "cpu", "--compare", "theirs")
    assert done.returncode == 1 and done.report["rows"][0]["errorCode"] == "TW7034"


def test_saved_results_of_other_helpers_are_refused(verify, folder):
    (folder / "helper.py").write_text("import tilewright as tw\n\n\n@tw.jit\ndef twice(x):\n    return x * 2\n")
    (folder / "double.py").write_text("import tilewright as tw\nimport tilewright.language as tl\nfrom helper import twice\n\n\n"
                                      "@tw.jit\ndef double(x_ptr):\n    i = tl.arange(0, 16)\n"
                                      "    tl.store(x_ptr + i, twice(tl.load(x_ptr + i)))\n")
    command = ["double.py", "--grid", "1", "--arg", "x_ptr=fp32[16]~normal(seed=1)", "--target", "cpu", "--math", "accurate"]
    assert verify(*command, "--save", "theirs").returncode == 0
    (folder / "other.py").write_text("nothing imports this")
    assert verify(*command, "--compare", "theirs").returncode == 0
    (folder / "helper.py").write_text((folder / "helper.py").read_text().replace("x * 2", "x + x"))
    done = verify(*command, "--compare", "theirs")
    assert done.returncode == 1 and done.report["rows"][0]["errorCode"] == "TW7034"


def test_saving_removes_results_of_other_inputs(verify, folder):
    assert verify(*SCALE, "--math", "accurate", "--target", "reference,cpu", "--save", "kept").returncode == 0
    row = folder / "kept/scale.accurate"
    (row / "cpu/notes.txt").write_text("of the user")
    changed = [argument.replace("seed=1", "seed=2") for argument in SCALE]
    assert verify(*changed, "--math", "accurate", "--target", "spirv", "--save", "kept").returncode == 0
    assert sorted(path.relative_to(row).as_posix() for path in row.rglob("*") if path.is_file()) == [
        "cpu/notes.txt", "row.json", "spirv/out_ptr.npy", "spirv/x_ptr.npy"]
    assert verify(*changed, "--math", "accurate", "--target", "cpu", "--save", "kept").returncode == 0
    done = verify(*changed, "--math", "accurate", "--target", "reference", "--compare", "kept")
    assert done.returncode == 0
    assert {c["against"] for c in cell(done.report, "reference")["comparisons"]} == {"saved cpu", "saved spirv"}


def test_stated_outputs_are_the_only_ones(verify):
    done = verify(*SCALE, "--math", "accurate", "--target", "reference,cpu", "--out", "x_ptr")
    assert done.returncode == 1 and {s["place"] for s in cell(done.report, "reference")["strays"]} == {"into the input"}
    assert verify(*SCALE, "--math", "accurate", "--target", "reference,cpu", "--out", "out_ptr").returncode == 0


@pytest.mark.parametrize("damage", ["array", "target", "record", "version", "inputs"])
def test_damaged_saved_results_are_refused(verify, folder, damage):
    assert verify(*SCALE, "--math", "accurate", "--target", "cpu", "--save", "theirs").returncode == 0
    row = folder / "theirs/scale.accurate"
    if damage == "array":
        (row / "cpu/out_ptr.npy").unlink()
    elif damage == "target":
        shutil.rmtree(row / "cpu")
    elif damage == "record":
        (row / "row.json").write_text("[1]")
    else:
        record = json.loads((row / "row.json").read_text())
        record[damage] = {"version": "1", "inputs": 7}[damage]
        (row / "row.json").write_text(json.dumps(record))
    done = verify(*SCALE, "--math", "accurate", "--target", "cpu", "--compare", "theirs")
    assert done.returncode == 1 and done.report["rows"][0]["errorCode"] == "TW7034"


def test_an_unknown_kernel_is_one_error(verify):
    done = verify("k.py", "--grid", "1")
    assert done.returncode == 1 and done.stderr.count("error:") == 1 and "TW7011" in done.stderr


@pytest.mark.parametrize("change, code", [(["--math", "exact"], "TW7032"), (["--tolerance", "ulps=3"], "TW7031"),
                                          (["--tolerance", "ulp=-1"], "TW7031"), (["--expect", "out_ptr"], "TW7026"),
                                          (["--target", ","], "TW7027")])
def test_wrong_command_lines(verify, change, code):
    done = verify(*SCALE, *change)
    assert done.returncode == 1 and f"error: {code}: expected" in done.stderr


def test_an_expected_file_of_another_shape_is_refused(verify, folder):
    np.save(folder / "short.npy", np.zeros(10, np.float32))
    done = verify(*SCALE, "--math", "accurate", "--target", "cpu", "--expect", "out_ptr=short.npy")
    assert done.returncode == 1 and done.report["rows"][0]["errorCode"] == "TW7033"


def test_a_kernel_that_takes_too_long_is_ended(verify):
    done = verify("k.py", "--kernel", "scale", "--grid", "200000", "--arg", "x_ptr=fp32[10]", "--arg", "out_ptr=fp32[10]",
                  "--arg", "n=10", "--arg", "factor=1.5", "--target", "reference", "--math", "accurate", "--cell-seconds", "1")
    found = cell(done.report, "reference")
    assert done.returncode == 1 and (found["status"], found["code"]) == ("fail", "TW7037")
