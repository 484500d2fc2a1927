"""What a launch costs on the host: from Python and from C, over the driver's own call, beside Triton.

    python3 test/benchmark/launch.py --build build [--target nvidia|cpu] [--json FILE]

Kernels that do nothing, one program. A figure is the median over rounds of 500 launches, which alternate; the queue is
drained between rounds, outside the measured time. Microseconds. Everything runs on one core of the processor: a process that the
system moves between cores is slower for seconds, whoever launches. On a GPU the program `launch-cost-cuda` measures
cuLaunchKernel and the C interface in the same run.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import torch

import tilewright as tw
import tilewright.triton
import tilewright.language as tl

LAUNCHES, ROUNDS = 500, 40
SIGNATURE = ", ".join([*(f"{name}:*fp32[:16,disjoint]" for name in "abcdefgh"), *(f"{name}:i32[:16]" for name in "ijklmn"),
                       "X=128", "Y=64"])


def nop():
    pass


def many(a, b, c, d, e, f, g, h, i, j, k, l, m, n, X: tl.constexpr, Y: tl.constexpr):
    pass


def ways_of(library, device):
    """(name, function that launches) for one library's jit."""
    none, all_kinds = library.jit(nop), library.jit(many)
    a, b, c, d, e, f, g, h = (torch.zeros(64, device=device) for _ in range(8))

    def launch_none():
        none[(1,)]()

    def launch_many():
        all_kinds[(1,)](a, b, c, d, e, f, g, h, 16, 32, 48, 64, 80, 96, X=128, Y=64)

    tuned = library.autotune([library.Config({"X": 128, "Y": 64})], key=["i", "j"])(all_kinds)
    completed = library.heuristics({"X": lambda named: 128, "Y": lambda named: 64})(all_kinds)

    def launch_tuned():
        tuned[(1,)](a, b, c, d, e, f, g, h, 16, 32, 48, 64, 80, 96)

    def launch_completed():
        completed[(1,)](a, b, c, d, e, f, g, h, 16, 32, 48, 64, 80, 96)

    yield "8 pointers + 6 ints + 2 constexprs", launch_many
    def even_of(named):
        return named["i"] % named["X"] == 0

    both = library.autotune([library.Config({"X": 128})], key=["i", "j"])(library.heuristics({"Y": even_of})(all_kinds))

    def launch_both():
        both[(1,)](a, b, c, d, e, f, g, h, 16, 32, 48, 64, 80, 96)

    yield "the same, under autotune", launch_tuned
    yield "the same, under heuristics", launch_completed
    yield "the same, under autotune and heuristics", launch_both
    if library is tw:
        yield "the same, bound", all_kinds.bind((1,), a, b, c, d, e, f, g, h, 16, 32, 48, 64, 80, 96, X=128, Y=64)
    # Without an array the target is said, and the device's own stream waited for.
    if library is not tw or device == "cpu":
        yield "no arguments", launch_none


def measured(ways, drain):
    """Median microseconds of a launch, by name."""
    times = {name: [] for name, _ in ways}
    for _, launch in ways:
        launch()
    drain()
    for _ in range(ROUNDS):
        for name, launch in ways:
            repeat = range(LAUNCHES)
            start = time.perf_counter()
            for _ in repeat:
                launch()
            times[name].append((time.perf_counter() - start) / LAUNCHES * 1e6)
            drain()
    return {name: statistics.median(values) for name, values in times.items()}


def from_c(build, program):
    """Figures of launch-cost-cuda, in microseconds."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / name for name in ("kernel.twa", "kernel.ptx")]
        for path, stage in zip(paths, ("artifact", "asm")):
            subprocess.run([build / "bin/tilewright", "compile", __file__, "--kernel", "many", "--sig", SIGNATURE, "--target",
                            "nvidia", "--emit", stage, "-o", path], check=True)
        ptx = paths[1].read_text()
        symbol = re.search(r"\.entry\s+(\w+)", ptx).group(1)
        done = subprocess.run([program, *paths, symbol, str(8 * 8 + 6 * 4 + 4 * 4)], text=True, stdout=subprocess.PIPE, check=True)
    return {name: value / 1000 for name, value in json.loads(done.stdout).items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--target", default="nvidia", choices=("nvidia", "cpu"))
    parser.add_argument("--program", type=pathlib.Path, help="launch-cost-cuda, if it is not in the build")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    device = "cuda" if arguments.target == "nvidia" else "cpu"
    drain = torch.cuda.synchronize if device == "cuda" else lambda: None
    report = {"from Python": measured(list(ways_of(tw, device)), drain)}
    tilewright.triton.install()
    import triton
    report["stand-in"] = measured(list(ways_of(triton, device)), drain)
    tilewright.triton.uninstall()
    if device == "cuda":
        import triton
        report["from C"] = from_c(arguments.build, (arguments.program or arguments.build / "bin/launch-cost-cuda").resolve())
        report["Triton"] = measured(list(ways_of(triton, device)), drain)
    for title, rows in report.items():
        for name, value in rows.items():
            over = f", {value - report['from C']['direct']:6.3f} over the driver's call" if title != "from C" and device == "cuda" else ""
            print(f"{title:12} {name:40} {value:8.3f} us{over}")
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    sys.exit(main())
