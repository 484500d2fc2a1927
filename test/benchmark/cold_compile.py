"""From source text to a loaded module in fresh processes, by stage, beside Triton on the same machine.

    python3 test/benchmark/cold_compile.py --build build [--runs 10] [--no-load] [--no-triton] [--json FILE]

Each run is a process of its own with an empty cache; importing and opening the device come first and do not count, as in
a process that has used torch before. Milliseconds, medians.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

KERNELS = {
    "softmax": ("softmax", "x_ptr:*fp16[:16,disjoint], out_ptr:*fp16[:16,disjoint], columns:i32[:16], stride:i32[:16], BLOCK=4096",
                {"num_warps": 4}),
    "matmul": ("matmul", ", ".join([*(f"{name}_ptr:*bf16[:16,disjoint]" for name in "abc"), *(f"{name}:i32[:16]" for name in "MNK"),
                                    "stride_am:i32[:16]", "stride_ak=1", "stride_bk:i32[:16]", "stride_bn=1", "stride_cm:i32[:16]",
                                    "stride_cn=1", "BM=128", "BN=128", "BK=64", "GROUP=8"]), {"num_warps": 8, "num_stages": 3}),
}

OURS = """
import json, sys, time
import tilewright as tw
from tilewright import _native, engine
source, name, signature, target, options, load = json.loads(sys.argv[1])
device = engine.device("nvidia") if load else None
compiler = engine.compiler()
start = time.perf_counter()
result = compiler.compile(open(source).read(), source, name, signature, target, options, [], [])
if result.status:
    sys.exit(result.rendered)
if load:
    before = time.perf_counter()
    device.load(result.artifact, name)
    loaded = time.perf_counter() - before
total = time.perf_counter() - start
times = dict(result.timings)
if load:
    times["load"] = loaded
print(json.dumps({"total": total, **times}))
"""

TRITON = """
import json, sys, time
import torch, triton
sys.path.insert(0, sys.argv[2])
import gpu_kernels as K
source, name, signature, target, options, load = json.loads(sys.argv[1])
half = lambda *shape: torch.empty(*shape, device="cuda", dtype=torch.float16)
x = half(4096, 4096)
b = x.bfloat16()
torch.cuda.synchronize()
start = time.perf_counter()
if name == "softmax":
    K.softmax[(4096,)](x, x, 4096, 4096, BLOCK=4096, **options)
else:
    K.matmul[(1024,)](b, b, b, 4096, 4096, 4096, 4096, 1, 4096, 1, 4096, 1, BM=128, BN=128, BK=64, GROUP=8, **options)
torch.cuda.synchronize()
print(json.dumps({"total": time.perf_counter() - start}))
"""


def measured(program, arguments, runs):
    """Median milliseconds of each stage over fresh processes."""
    rows = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run([sys.executable, "-c", program, *arguments], text=True, stdout=subprocess.PIPE, check=True,
                                  env={**os.environ, "TRITON_CACHE_DIR": cache})
        rows.append(json.loads(done.stdout.splitlines()[-1]))
    return {stage: statistics.median(row[stage] for row in rows) * 1e3 for stage in rows[0]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--target", default="nvidia:sm_90a")
    parser.add_argument("--no-load", action="store_true", help="only compile, as on a machine without a GPU")
    parser.add_argument("--no-triton", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = pathlib.Path(__file__).resolve().parent
    report = {}
    for title, (name, signature, options) in KERNELS.items():
        request = json.dumps([str(folder / "gpu_kernels.py"), name, signature, arguments.target, options, not arguments.no_load])
        row = report[title] = {"ours": measured(OURS, [request], arguments.runs)}
        stages = ", ".join(f"{stage} {value:.1f}" for stage, value in row["ours"].items() if stage != "total")
        print(f"{title:10} ours {row['ours']['total']:8.1f} ms ({stages})", flush=True)
        if not arguments.no_triton:
            row["triton"] = measured(TRITON, [request, str(folder)], arguments.runs)
            print(f"{'':10} Triton {row['triton']['total']:6.1f} ms, ratio {row['ours']['total'] / row['triton']['total']:.2f}", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
