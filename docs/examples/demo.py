"""A table of kernels on this machine's CPU: largest error against NumPy in float64, time, and time of NumPy in fp32.

    ./tw demo

An error of 1.0 is the most that the documentation allows (docs/language.md, "Accuracy"); a ratio above 1 means that the
kernel is faster than NumPy.
"""
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(ROOT / "build" / "python")]

import numpy as np

import cases

SHAPES = {
    "add": (1 << 22,), "softmax": (2048, 1024), "softmax looped": (2048, 1024), "layernorm": (2048, 1024),
    "layernorm backward": (512, 1024), "dropout": (1 << 20,), "matmul": (512, 512, 512),
    "matmul leaky_relu": (512, 512, 512), "matmul persistent": (512, 512, 512), "attention": (8, 512, 64),
    "attention causal": (8, 512, 64), "grouped matmul": ((256, 256, 256), (128, 256, 64), (100, 50, 70)),
    "cumsum": (1024, 1024), "argmax": (1024, 1024), "histogram": (1 << 20, 256), "early return": (1024, 1024),
    "while loop": (1 << 20, 2000)
}


def median_time(function, seconds=0.2):
    """Median seconds of repeated calls."""
    times, end = [], time.perf_counter() + seconds
    while not times or time.perf_counter() < end:
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main():
    print(f"{'kernel':20s} {'shape':>24s} {'error':>7s} {'compile ms':>11s} {'time ms':>9s} {'NumPy ms':>9s} {'ratio':>6s}")
    failed = False
    for case in cases.CASES:
        shape = SHAPES[case.name]
        prepared = case.prepare(shape, "fp32", np.random.default_rng(0))
        start = time.perf_counter()
        prepared.launch()
        first = time.perf_counter() - start
        error = max(outcome.error("fp32") for outcome in prepared.outcomes().values())
        failed = failed or error > 1
        own = median_time(prepared.launch)
        text = "x".join(map(str, shape)) if isinstance(shape[0], int) else f"{len(shape)} products"
        line = f"{case.name:20s} {text:>24s} {error:7.3f} {(first - own) * 1e3:11.1f} {own * 1e3:9.3f}"
        if prepared.peer is not None:
            peer = median_time(prepared.peer)
            line += f" {peer * 1e3:9.3f} {peer / own:6.2f}"
        print(line, flush=True)
    if failed:
        sys.exit("an error above 1.0 is not right")


if __name__ == "__main__":
    main()
