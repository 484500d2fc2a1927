"""Kernels compiled for several targets: each once, and what the first target alone compiles is named."""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import numpy as np

import tilewright as tw
import tilewright.language as tl

TARGETS = ["nvidia:sm_90a", "amd:gfx942"]


@tw.jit
def _double(x, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + offsets, tl.load(x + offsets, mask=offsets < n) * 2, mask=offsets < n)


def test_kernels_are_compiled_once_for_each_target(tmp_path):
    import kernels_record
    import kernels_targets
    kernels_record.targets = targets = kernels_targets.Targets(TARGETS, "0/1", tmp_path)
    try:
        with kernels_record.Recorder().active():
            for size in (32, 64):
                _double[(2,)](np.ones(40, np.float32), 40, BLOCK=size, num_warps=32)
    finally:
        kernels_record.targets = None
    row, = targets.rows()
    assert row["name"] == "_double" and row["options"]["num_warps"] == 32
    # 32 warps of 64 lanes are too many threads: half of them were taken.
    assert {target: found["code"] for target, found in row["targets"].items()} == dict.fromkeys(TARGETS, 0)


def test_shares_are_of_kernels(tmp_path):
    import kernels_targets
    places = [f"file.py:{line}" for line in range(60)]
    (tmp_path / "0").mkdir()
    (tmp_path / "1").mkdir()
    shares = [{place for place in places if kernels_targets.Targets(TARGETS, f"{share}/2", tmp_path / str(share)).takes(place)}
              for share in range(2)]
    assert shares[0] | shares[1] == set(places) and not shares[0] & shares[1]


def test_report_names_what_only_the_first_compiles(tmp_path, capsys):
    import kernels_targets
    targets = kernels_targets.Targets(TARGETS, "0/1", tmp_path)

    def row(name, first, second):
        found = [{"code": 0, "milliseconds": value} if isinstance(value, float) else {"code": value, "message": "no"}
                 for value in (first, second)]
        return {"kernel": f"file.py:{name}", "name": name, "targets": dict(zip(TARGETS, found))}

    rows = [row("a", 1.0, 2.0), row("b", 1.0, 8.0), row("c", 1.0, 4000), row("d", 4000, 4000)]
    targets.journal.write_text("".join(json.dumps(entry) + "\n" for entry in rows))
    assert targets.report(tmp_path / "report.json") == ["amd:gfx942: file.py:c c: TW4000 no"]
    printed = capsys.readouterr().out
    assert "amd:gfx942: 2 of 4 kernels compiled; LLVM takes 4.00 of its time for nvidia:sm_90a (geometric mean of 2)" in printed
    assert len(json.loads((tmp_path / "report.targets.json").read_text())) == 4
