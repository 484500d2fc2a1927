"""Runs the operators of flag-gems and liger-kernel on a Tilewright target and compares them with torch on the CPU.

    python test/conformance/operators.py --report operators.json [--only REGEX] [--target reference]

Needs an environment with torch, flag-gems and liger-kernel and the built package on PYTHONPATH. Writes a JSON file with one
row for each operator and prints the same as text; the exit status is 1 if there are crashes or hangs, or fewer right
operators than `--at-least`.
"""
import argparse
import collections
import importlib
import json
import os
import pathlib
import re
import sys
import tempfile

import operators_device

_TABLES = ("operators_aten_pointwise", "operators_aten_reductions", "operators_aten_linear", "operators_aten_shapes",
           "operators_fused", "operators_experimental", "operators_liger")


def _arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report", type=pathlib.Path, help="the JSON file to write")
    parser.add_argument("--only", default="", help="a regular expression for library.name")
    parser.add_argument("--target", default="cpu", help="the target that runs the kernels")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--limit", type=float, default=240.0, help="seconds for one operator")
    parser.add_argument("--at-least", type=int, default=0, help="how many operators have to be right")
    return parser.parse_args()


def _print_row(row):
    code = f" {row['code']}" if row.get("code") else ""
    print(f"{row['status'] + code:16} {row['library']}.{row['name']:38} {row['right']}/{row['cases']} cases "
          f"{row['seconds']:6.1f} s", flush=True)
    if row["status"] != "right":
        print("    " + row["detail"].replace("\n", "\n    "), flush=True)


def _summary(rows):
    """Numbers of operators by library and status; an operator with several rows is as good as its worst."""
    counts = collections.Counter((row["library"], row["status"]) for row in rows)
    return {library: {status: number for (owner, status), number in sorted(counts.items()) if owner == library}
            for library in sorted({row["library"] for row in rows})}


def main():
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as folder:
        operators_device.install(folder, arguments.target)
        import torch
        torch.set_num_threads(1)
        import operators_judge
        import operators_pool
        import operators_table
        for table in _TABLES:
            importlib.import_module(table)
        modules = operators_device.import_libraries()
        chosen = [operator for operator in operators_table.OPERATORS
                  if re.search(arguments.only, f"{operator.library}.{operator.name}")]
        counter = operators_device.LaunchCounter()
        rows = []

        def report(row):
            rows.append(row)
            _print_row(row)

        operators_pool.run_all(chosen, lambda operator: operators_judge.run_operator(
            operator, modules[operator.library], counter), arguments.jobs, arguments.limit, report)
    summary = _summary(rows)
    if arguments.report:
        arguments.report.write_text(json.dumps({"summary": summary, "rows": rows}, indent=1) + "\n")
    print(json.dumps(summary))
    right = sum(row["status"] == "right" for row in rows)
    broken = any(row["status"] in ("crash", "hang") for row in rows)
    return 1 if broken or right < arguments.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
