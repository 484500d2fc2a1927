"""Of the operators that are right under Triton on this machine's GPU, how many are right under the stand-in, too?

    python3 test/conformance/operators_compare.py FOLDER [--run both] [--jobs 16] [--seconds 540] [--at-least 0.95]

Compares FOLDER/triton.json with FOLDER/tilewright.json, both reports of `operators.py --gpu`, and writes FOLDER/compare.json.
With `--run` it makes one or both first, one after the other, each in processes of its own; what did not fit into `--seconds`
runs when the same command is given again with the same folder. Tolerances and inputs are the same for both, and both tuners take the first
configuration that runs. The exit status is 1 while something has not run, or when the share is smaller than `--at-least`.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

from operators_summary import worst_by_name

HERE = pathlib.Path(__file__).resolve().parent
#: Name of a report and the options that make it.
RUNS = {"triton": ["--with-triton"], "tilewright": []}


def compare(triton, tilewright):
    """What two lists of rows say: counted, right, share; names with both statuses of what is not right under the stand-in
    (`missing`), under Triton (`excluded`), or has not run under either (`not_run`)."""
    theirs, ours = worst_by_name(triton), worst_by_name(tilewright)
    both = {name: (status, ours.get(name, "not run")) for name, status in theirs.items()}
    both.update({name: ("not run", status) for name, status in ours.items() if name not in theirs})
    open_names = [name for name, pair in both.items() if "not run" in pair]
    counted = [name for name, pair in both.items() if pair[0] == "right" and name not in open_names]
    right = [name for name in counted if both[name][1] == "right"]

    def listed(names):
        return {".".join(name): dict(zip(RUNS, both[name])) for name in sorted(names)}

    return {"counted": len(counted), "right": len(right), "share": len(right) / len(counted) if counted else 0.0,
            "missing": listed(set(counted) - set(right)),
            "excluded": listed(set(both) - set(counted) - set(open_names)), "not_run": listed(open_names)}


def _rows(report):
    return json.loads(report.read_text())["rows"] if report.exists() else []


def _run(names, folder, jobs, seconds):
    """Makes the reports of these names, or goes on with them, for at most so long."""
    deadline = time.monotonic() + seconds
    for name in names:
        report, left = folder / f"{name}.json", deadline - time.monotonic()
        if left < 30 or report.exists() and all(row["status"] != "not run" for row in _rows(report)):
            continue
        print(f"== {name}: {left:.0f} s at most", flush=True)
        subprocess.run([sys.executable, HERE / "operators.py", "--gpu", *RUNS[name], "--jobs", str(jobs), "--report", report,
                        "--resume", report, "--seconds", str(left - 25), "--limit", "120"], check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--run", choices=(*RUNS, "both"), help="make or complete reports first")
    parser.add_argument("--jobs", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=540.0, help="with --run: for all of it")
    parser.add_argument("--at-least", type=float, default=0.95)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if arguments.run:
        _run(RUNS if arguments.run == "both" else [arguments.run], arguments.folder, arguments.jobs, arguments.seconds)
    result = compare(*(_rows(arguments.folder / f"{name}.json") for name in RUNS))
    (arguments.folder / "compare.json").write_text(json.dumps(result, indent=1) + "\n")
    for group in ("missing", "excluded"):
        for name, statuses in result[group].items():
            print(f"{group:9} {name:50} " + ", ".join(f"{run}: {status}" for run, status in statuses.items()))
    print(f"{result['right']} of {result['counted']} operators that are right under Triton are right under the stand-in "
          f"({100 * result['share']:.1f} %), {len(result['excluded'])} are not right under Triton, {len(result['not_run'])} not run")
    return 1 if result["not_run"] or not result["counted"] or result["share"] < arguments.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
