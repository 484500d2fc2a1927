"""`python -m tilewright.bench FILE.py`: measures the cases of a file, and fails where one is slower than a baseline says.

Exit status: 0; 1 if a case is slower; 2 if the file or the baseline cannot be used.
"""
import argparse
import re
import runpy
import sys
import traceback

from . import _cases, baseline
from ..errors import BaselineError
from .measure import measure


def _arguments():
    parser = argparse.ArgumentParser(prog="python -m tilewright.bench", description=__doc__.split(": ")[1].splitlines()[0])
    parser.add_argument("file", help="a Python file with functions under @tilewright.bench.case")
    parser.add_argument("--save", metavar="FILE", help="write the figures as a baseline")
    parser.add_argument("--baseline", metavar="FILE", help="compare with the figures that --save wrote; exit status 1 on a regression")
    parser.add_argument("--threshold", type=float, default=1.05, metavar="FACTOR",
                        help="how many times slower a case may be, besides noise (default 1.05)")
    parser.add_argument("--only", default="", metavar="REGEX", help="only cases whose names match")
    parser.add_argument("--turns", type=int, default=21, help="samples of each function (default 21)")
    arguments = parser.parse_args()
    if arguments.threshold < 1 or arguments.turns < 3:
        parser.error(f"expected a threshold of at least 1 and 3 turns, got {arguments.threshold} and {arguments.turns}")
    return arguments


def _slower(cases, figures, rows, arguments):
    """Names of the cases that are slower than the baseline, with their factors. A case that looks so is measured once more:
    what else the machine did does not happen twice, a slower kernel does."""
    factors = {}
    for name, figure in figures.items():
        factor, noise = baseline.slowdown(rows[name], figure, arguments.baseline)
        if factor > arguments.threshold + noise:
            again = measure([case for case in cases if case.name == name], 2 * arguments.turns)[name]
            repeated, noise = baseline.slowdown(rows[name], again, arguments.baseline)
            if repeated > arguments.threshold + noise:
                factors[name] = min(factor, repeated)
    return factors


def _unusable(text):
    """The exit status for an exception of the file, which is printed: it must not look like a slower case."""
    traceback.print_exc()
    print(f"{text}; no case was compared", file=sys.stderr)
    return 2


def main():
    arguments = _arguments()
    try:
        runpy.run_path(arguments.file, run_name="tilewright.bench.cases")
    except Exception:
        return _unusable(f"'{arguments.file}' cannot be read")
    cases = [case for case in _cases if re.search(arguments.only, case.name)]
    if not cases:
        print(f"expected cases under @tilewright.bench.case in '{arguments.file}', got none"
              + (f" that match '{arguments.only}'" if arguments.only else ""), file=sys.stderr)
        return 2
    try:
        rows = baseline.load(arguments.baseline, [case.name for case in cases], not arguments.only) if arguments.baseline else {}
        figures = measure(cases, arguments.turns)
        slower = _slower(cases, figures, rows, arguments) if rows else {}
    except BaselineError as error:
        print(error, file=sys.stderr)
        return 2
    except Exception:
        return _unusable(f"a case of '{arguments.file}' cannot be measured")
    for name, figure in figures.items():
        times = ", ".join(f"{key} {value:.4g} ms" for key, value in figure.milliseconds.items())
        ratio = f", {figure.median / rows[name]['median']:.3f} of the baseline" if rows else ""
        print(f"{name}: {figure.median:.4g} {figure.unit} +- {figure.error:.2g} ({times}){ratio}"
              + (f": slower, limit {arguments.threshold}" if name in slower else ""))
    if arguments.save:
        baseline.save(arguments.save, figures)
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
