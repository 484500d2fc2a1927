"""`--bisect` names the step of the compiler behind a failure; leaving any step out changes no bit in portable mode."""
import json
import pathlib
import shlex
import subprocess

import numpy as np
import pytest
from scaled import SCALE, cell, statuses

ROOT = pathlib.Path(__file__).resolve().parents[2]

WRAPPED = """
import tilewright as tw
import tilewright.language as tl


@tw.jit
def wrapped(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i % n)
    tl.store(out_ptr + i, x + x)
"""
WRAP = ["wrapped.py", "--kernel", "wrapped", "--grid", "cdiv(n, BLOCK)", "--arg", "x_ptr=fp32[256]~normal(seed=1)", "--arg",
        "out_ptr=fp32[256]", "--arg", "n=256", "--arg", "BLOCK=128"]

#: (vendor, step, fault, command). The fault is in the IR where the step is (short-box, variant), or where `disable` lacks it.
SEEDED = [
    ("cpu", "raise", "short-box", SCALE), ("cpu", "wrap-variants", "variant", WRAP),
    ("cpu", "mask-registers", "last-program@mask-registers", SCALE), ("cpu", "contract", "last-program@contract", SCALE),
    ("cpu", "llvm", "last-program@llvm", SCALE), ("spirv", "raise", "short-box", SCALE),
    ("spirv", "matrix", "last-program@matrix", SCALE), ("spirv", "share-expansions", "last-program@share-expansions", SCALE),
    ("spirv", "stride-programs", "last-program@stride-programs", SCALE),
    ("spirv", "optimise-conversions", "last-program@optimise-conversions", SCALE),
    ("spirv", "share-layouts", "last-program@share-layouts", SCALE),
    ("spirv", "pipeline-loops", "last-program@pipeline-loops", SCALE), ("spirv", "llvm", "last-program@llvm", SCALE),
]


def steps(tilewright, folder, vendor):
    """Names of the steps that a target's compiler publishes."""
    done = subprocess.run([tilewright, "compile", "k.py", "--kernel", "scale", "--target", vendor, "--emit", "steps", "--sig",
                           "x_ptr:*fp32, out_ptr:*fp32, n:i32, factor:fp32"], cwd=folder, text=True, capture_output=True,
                          check=True)
    return [step["name"] for step in json.loads(done.stdout)]


@pytest.mark.parametrize("vendor, step, fault, command", SEEDED, ids=lambda value: value if isinstance(value, str) else "")
def test_the_faulty_step_is_named(verify, folder, build, tilewright, vendor, step, fault, command):
    (folder / "wrapped.py").write_text(WRAPPED)
    done = verify(*command, "--math", "portable", "--target", f"reference,{vendor}", "--plugin",
                  build / f"lib/faulty/libtilewright_faulty_{vendor}.so", "--opt", f"{vendor}:fault={fault}", "--bisect=ir")
    found = cell(done.report, vendor)["bisected"]
    assert done.returncode == 1 and found["step"] == step, found
    assert f"step '{step}'" in done.stdout
    for name in ("before", "after"):
        assert (folder / found[name]).read_text().strip()
    again = shlex.split(found["command"].replace("tilewright", str(tilewright), 1))
    assert subprocess.run(again, cwd=folder, capture_output=True).returncode == 1
    without = shlex.split(found["passing"].replace("tilewright", str(tilewright), 1))
    assert subprocess.run(without, cwd=folder, capture_output=True).returncode == 0


def test_every_step_has_a_seeded_fault(tilewright, folder):
    for vendor in ("cpu", "spirv"):
        seeded = {step for other, step, *_ in SEEDED if other == vendor}
        # Plugins do not hear of the host's steps; these two leave no trace in what they get.
        assert set(steps(tilewright, folder, vendor)) - seeded <= {"share-expressions", "wrap-variants"}


def test_a_fault_of_no_optional_step_is_said_to_be_one(verify, build):
    done = verify(*SCALE, "--math", "portable", "--target", "reference,cpu", "--plugin",
                  build / "lib/faulty/libtilewright_faulty_cpu.so", "--opt", "cpu:fault=last-program", "--bisect=ir")
    found = cell(done.report, "cpu")["bisected"]
    assert found["step"] == "" and "no optional step is to blame" in done.stdout


def rerun(tilewright, folder, command):
    """Exit status of a command that a report gives."""
    return subprocess.run(shlex.split(command.replace("tilewright", str(tilewright), 1)), cwd=folder, capture_output=True).returncode


def test_a_wrong_file_blames_no_step(verify, folder, tilewright):
    np.save(folder / "wrong.npy", np.ones(1000, np.float32))
    done = verify(*SCALE, "--math", "accurate", "--target", "cpu", "--expect", "out_ptr=wrong.npy", "--bisect=ir")
    found = cell(done.report, "cpu")["bisected"]
    assert found["step"] == "" and "no optional step is to blame" in found["text"]
    assert rerun(tilewright, folder, found["command"]) == 1


@pytest.mark.parametrize("math", ["accurate", "portable"])
def test_wrong_saved_results_blame_no_step(verify, folder, tilewright, math):
    assert verify(*SCALE, "--math", math, "--target", "cpu", "--save", "theirs").returncode == 0
    saved = folder / f"theirs/scale.{math}/cpu/out_ptr.npy"
    np.save(saved, np.load(saved) + 1)
    done = verify(*SCALE, "--math", math, "--target", "cpu", "--compare", "theirs", "--bisect=ir")
    found = cell(done.report, "cpu")["bisected"]
    assert found["step"] == "" and "no optional step is to blame" in found["text"]
    assert rerun(tilewright, folder, found["command"]) == 1


def test_a_step_behind_a_difference_to_saved_results_is_named(verify, folder, build, tilewright):
    fault = ["--math", "portable", "--opt", "cpu:fault=last-program@contract"]
    assert verify(*SCALE, *fault, "--target", "spirv", "--save", "theirs").returncode == 0
    done = verify(*SCALE, *fault, "--target", "cpu", "--compare", "theirs", "--plugin",
                  build / "lib/faulty/libtilewright_faulty_cpu.so", "--bisect=ir")
    found = cell(done.report, "cpu")["bisected"]
    assert found["step"] == "contract" and "--expect" in found["command"]
    assert rerun(tilewright, folder, found["command"]) == 1 and rerun(tilewright, folder, found["passing"]) == 0


@pytest.mark.parametrize("vendor", ["cpu", "spirv"])
def test_leaving_steps_out_changes_no_bit(verify, tilewright, folder, vendor, full):
    """All at once; the long form one by one, too."""
    names = steps(tilewright, folder, vendor)
    suite = ROOT / "docs/examples/verify.toml"
    for disabled in [",".join(names), *(names if full else [])]:
        done = verify(suite, "--target", f"reference,{vendor}", "--math", "portable", "--only", "matmul.k26.m50.n42.fp16", "--only",
                      "softmax.cols781.rows3.fp32", "--opt", f"{vendor}:disable={disabled}")
        assert done.returncode == 0 and set(statuses(done.report).values()) == {"pass"}, (disabled, done.stdout)


def test_unknown_steps_are_refused(verify):
    for vendor in ("cpu", "spirv"):
        done = verify(*SCALE, "--math", "accurate", "--target", vendor, "--opt", f"{vendor}:disable=raise,fusion")
        found = cell(done.report, vendor)
        assert (found["status"], found["code"]) == ("cannot-compile", "TW4106") and "'fusion'" in found["reason"]
