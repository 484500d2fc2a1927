"""Row kernels with more numbers of warps and register limits than the benchmark's, against Triton.

    python3 test/benchmark/row_variants.py --build build [--shapes 4096x32768,...]

A line for each kernel and shape: microseconds of each variant of ours (`w16`, `w16a0`: nothing loaded ahead, `w16r64`:
64 registers a thread at most) and of Triton's, and registers and spills of Triton's kernels.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import torch

import gpu_kernels
from nvidia import Ours, capture, replay_times, row_cases

WARPS = (4, 8, 16, 32)
REGISTERS = 65536  # of a multiprocessor


def variants(columns):
    """Options of ours, with their label."""
    for warps in WARPS:
        elements = columns // (32 * warps)
        if elements not in range(8, 129):
            continue
        for ahead in (0, 128):
            yield f"w{warps}a{ahead}", {"num_warps": warps, "bytes_ahead": ahead}
            for limit in (40, 64, 80):
                if elements + 16 <= limit <= 4 * elements and limit * 32 * warps <= REGISTERS:
                    yield f"w{warps}a{ahead}r{limit}", {"num_warps": warps, "bytes_ahead": ahead, "maxnreg": limit}


def run_case(case, builder, columns):
    graphs, labels = [], []
    for label, options in variants(columns):
        launch = builder.kernel(case.name, case.signature, options).launcher(case.grid, case.arguments)
        graphs.append(capture(lambda launch=launch: launch(torch.cuda.current_stream().cuda_stream)))
        right, error = case.right()
        labels.append(label if right else f"{label} WRONG {error:.2g}")
    for warps in WARPS:
        graphs.append(capture(case.tritons(warps, 3)))
        kernel = getattr(gpu_kernels, case.name).warmup(*case.arguments, **case.constants, num_warps=warps, num_stages=3, grid=case.grid)
        kernel._init_handles()
        labels.append(f"triton w{warps} ({kernel.n_regs} regs, {kernel.n_spills} spills)")
    times = replay_times(graphs)
    print(case.title, "; ".join(f"{label} {time:.1f}" for label, time in zip(labels, times)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--shapes", default="16384x1024,16384x4096,8192x16384,4096x32768")
    arguments = parser.parse_args()
    builder = Ours(arguments.build.resolve(), "nvidia")
    for shape in arguments.shapes.split(","):
        rows, columns = map(int, shape.split("x"))
        for case in row_cases(rows, columns):
            run_case(case, builder, columns)


if __name__ == "__main__":
    main()
