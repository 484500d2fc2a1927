"""Runs the operators of flag-gems and liger-kernel on a Tilewright target and compares them with torch on the CPU.

    python test/conformance/operators.py --report operators.json [--only REGEX] [--target reference] [--gpu]

Needs an environment with torch, flag-gems and liger-kernel and the built package on PYTHONPATH. Writes a JSON file with one
row for each operator, a text file beside it, and prints the rows. `unexplained` in the file lists the rows that are neither
right, nor a matter of the host (`operators_judge.py`), nor a known fault of the library (`operators_known.py`). The exit
status is 1 if there are such rows or fewer operators are right than `--at-least` says.
"""
import argparse
import importlib
import json
import os
import pathlib
import re
import sys
import tempfile

import operators_device
from operators_summary import counts_by_library

_TABLES = ("tables.aten_pointwise", "tables.aten_reductions", "tables.aten_linear", "tables.aten_shapes",
           "tables.fused", "tables.experimental", "tables.liger",
           "tables.models", "tables.extremes")


def _arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report", type=pathlib.Path, help="the JSON file to write")
    parser.add_argument("--only", default="", help="a regular expression for library.name")
    parser.add_argument("--target", default="cpu", help="the target that runs the kernels")
    parser.add_argument("--gpu", action="store_true", help="run on torch's GPU, in workers that start afresh after a crash")
    parser.add_argument("--with-triton", action="store_true",
                        help="with --gpu: Triton itself instead of the stand-in, to see what its users get")
    parser.add_argument("--seconds", type=float, help="with --gpu: how long to go on; what is left then is `not run`")
    parser.add_argument("--resume", type=pathlib.Path, metavar="FILE",
                        help="with --gpu: an earlier report; only operators that it lacks or has as `not run` run")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--limit", type=float, default=240.0, help="seconds for one operator")
    parser.add_argument("--at-least", type=int, default=0, help="how many operators have to be right")
    return parser.parse_args()


def _text(row):
    """One row of the report as lines."""
    status = f"{row['status']} {row['code']}" if row.get("code") else row["status"]
    line = f"{status:16} {row['library']}.{row['name']:44} {row['right']}/{row['cases']} cases {row['seconds']:6.1f} s\n"
    for key in ("reason", "detail"):
        if row["status"] != "right" and row.get(key):
            line += "    " + row[key].replace("\n", "\n    ") + "\n"
    return line


def _is_unexplained(row):
    """Whether somebody has to look at the row: it is not right without a known reason, or right with one."""
    return (row["status"] not in ("right", "host")) != ("reason" in row)


def _load(arguments, folder):
    """(chosen operators, function that gives the row of one); imports torch and the libraries."""
    if arguments.gpu:
        operators_device.install_on_gpu(folder, arguments.with_triton)
    else:
        operators_device.install(folder, arguments.target)
    import torch
    torch.set_num_threads(1)
    import operators_judge
    import operators_table
    for table in _TABLES:
        importlib.import_module(table)
    modules = operators_device.import_libraries()
    counter = operators_device.LaunchCounter(arguments.with_triton)
    chosen = [operator for operator in operators_table.OPERATORS
              if re.search(arguments.only, f"{operator.library}.{operator.name}")]
    return chosen, lambda operator: operators_judge.run_operator(operator, modules[operator.library], counter, arguments.gpu)


def _earlier_rows(file):
    """Rows of an earlier report whose operators need not run again: a name with a row `not run` is run as a whole."""
    if not file or not file.exists():
        return []
    rows = json.loads(file.read_text())["rows"]
    again = {(row["library"], row["name"]) for row in rows if row["status"] == "not run"}
    return [row for row in rows if (row["library"], row["name"]) not in again]


def main():
    arguments = _arguments()
    rows = _earlier_rows(arguments.resume)
    done = {(row["library"], row["name"]) for row in rows}

    def report(row):
        import operators_known
        name = f"{row['library']}.{row['name']}"
        reason = operators_known.LIBRARY_FAULTS.get(name)
        if arguments.gpu:
            reason = operators_known.GPU_FAULTS.get(name, None if reason in operators_known.HOST_ONLY else reason)
        # Some rows of one name have only calls that the library gets right.
        if reason and not (arguments.gpu and row["status"] == "right"):
            row["reason"] = reason
        rows.append(row)
        print(_text(row), end="", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        if arguments.gpu and not arguments.worker:
            import operators_workers
            operators_workers.run_all(sys.argv[1:], arguments.jobs, arguments.limit, report, arguments.seconds, done)
        else:
            if arguments.worker:
                import operators_workers
                channel = operators_workers.take_output()
                return operators_workers.serve(*_load(arguments, folder), channel)
            chosen, work = _load(arguments, folder)
            import operators_pool
            operators_pool.run_all(chosen, work, arguments.jobs, arguments.limit, report)
    summary = counts_by_library(rows)
    unexplained = [f"{row['library']}.{row['name']}: {row['status']}: {row['detail'][:200]}" for row in rows
                   if _is_unexplained(row)]
    rows.sort(key=lambda row: (row["library"], row["name"]))
    if arguments.report:
        content = {"summary": summary, "unexplained": unexplained, "rows": rows}
        arguments.report.write_text(json.dumps(content, indent=1) + "\n")
        arguments.report.with_suffix(".txt").write_text("".join(map(_text, rows)) + f"{summary}\n")
    print(json.dumps(summary))
    for line in unexplained:
        print(f"unexplained: {line}")
    right = sum(counts.get("right", 0) for counts in summary.values())
    return 1 if unexplained or right < arguments.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
