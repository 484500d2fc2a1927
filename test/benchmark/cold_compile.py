"""From source text to a loaded module in fresh processes, by stage, beside Triton on the same machine.

    python3 test/benchmark/cold_compile.py --build build [--runs 10] [--only softmax,matmul] [--no-load] [--no-triton] [--json FILE]

Each run is a process of its own with an empty cache. Importing and opening the device come first and do not count, as in
a process that has used torch before: all processes do that at the same time, then one after the other compiles while
the rest wait. Milliseconds, medians; the target's own stages stand behind "backend", which holds them and the way to the
worker process. What NVIDIA's assembler takes is the same for all compilers: the time without it is printed, too.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HALF, BRAIN = "*fp16[:16,disjoint]", "*bf16[:16,disjoint]"
KERNELS = {
    "softmax": (f"x_ptr:{HALF}, out_ptr:{HALF}, columns:i32[:16], stride:i32[:16], BLOCK=4096", {"num_warps": 4}),
    "matmul": (", ".join([*(f"{name}_ptr:{BRAIN}" for name in "abc"), *(f"{name}:i32[:16]" for name in "MNK"), "stride_am:i32[:16]",
                          "stride_ak=1", "stride_bk:i32[:16]", "stride_bn=1", "stride_cm:i32[:16]", "stride_cn=1", "BM=128", "BN=128",
                          "BK=64", "GROUP=8"]), {"num_warps": 8, "num_stages": 3}),
    "attention": (", ".join([*(f"{name}_ptr:{HALF}" for name in ("q", "k", "v", "out")), "length:i32[:16]", "scale:fp32", "DIM=64", "BM=128",
                             "BN=64", "CAUSAL=1"]), {"num_warps": 4, "num_stages": 3}),
}

#: Both programs say "ready", wait for a line, and answer with one of JSON.
OURS = """
import json, sys, time
import tilewright as tw
from tilewright import _native, engine
source, name, signature, target, options, load = json.loads(sys.argv[1])
device = engine.device("nvidia") if load else None
compiler = engine.compiler()
print("ready", flush=True)
sys.stdin.readline()
start = time.perf_counter()
result = compiler.compile(open(source).read(), source, name, signature, target, options, [], ["timings"])
if result.status:
    sys.exit(result.rendered)
if load:
    before = time.perf_counter()
    device.load(result.artifact, name)
    loaded = time.perf_counter() - before
total = time.perf_counter() - start
times = dict(result.timings)
own = json.loads(result.stages["timings"])
times.update({"backend." + stage: own[stage] / 1e3 for stage in own if stage != "processor"})
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
x = torch.empty(4096, 4096, device="cuda", dtype=torch.float16)
b = x.bfloat16()
torch.cuda.synchronize()
print("ready", flush=True)
sys.stdin.readline()
start = time.perf_counter()
if name == "softmax":
    K.softmax[(4096,)](x, x, 4096, 4096, BLOCK=4096, **options)
elif name == "matmul":
    K.matmul[(1024,)](b, b, b, 4096, 4096, 4096, 4096, 1, 4096, 1, 4096, 1, BM=128, BN=128, BK=64, GROUP=8, **options)
else:
    K.attention[(8, 16)](x, x, x, x, 1024, 0.18, DIM=64, BM=128, BN=64, CAUSAL=1, **options)
torch.cuda.synchronize()
print(json.dumps({"total": time.perf_counter() - start}))
"""


class Run:
    """One fresh process, ready to compile."""

    def __init__(self, program, arguments):
        self.cache = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen([sys.executable, "-c", program, *arguments], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, "TRITON_CACHE_DIR": self.cache.name, "TILEWRIGHT_CACHE": "off"})

    def measured(self):
        """Seconds by stage."""
        self.process.stdin.write("go\n")
        answer, _ = self.process.communicate()
        self.cache.cleanup()
        if self.process.returncode:
            raise RuntimeError(f"the measured process ended with {self.process.returncode}")
        return json.loads(answer.splitlines()[-1])

    def wait(self):
        """Returns once everything that does not count is done."""
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError("the measured process did not start")


def measured(program, arguments, runs):
    """Median milliseconds of each stage over fresh processes."""
    rows = []
    while len(rows) < runs:
        waiting = [Run(program, arguments) for _ in range(min(runs - len(rows), os.cpu_count()))]
        for run in waiting:
            run.wait()
        rows += [run.measured() for run in waiting]
    return {stage: statistics.median(row[stage] for row in rows) * 1e3 for stage in rows[0]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--only", default=",".join(KERNELS))
    parser.add_argument("--target", default="nvidia:sm_90a")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="for our compiler")
    parser.add_argument("--no-load", action="store_true", help="only compile, as on a machine without a GPU")
    parser.add_argument("--no-triton", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = pathlib.Path(__file__).resolve().parent
    report = {}
    for name in arguments.only.split(","):
        signature, options = KERNELS[name]
        more = dict(option.split("=", 1) for option in arguments.option)
        ours = json.dumps([str(folder / "gpu_kernels.py"), name, signature, arguments.target, {**options, **more}, not arguments.no_load])
        row = report[name] = {"ours": measured(OURS, [ours], arguments.runs)}
        stages = ", ".join(f"{stage.removeprefix('backend.')} {value:.1f}" for stage, value in row["ours"].items()
                           if stage != "total" and value >= 0.05)
        assembler = row["ours"].get("backend.assemble", 0)
        print(f"{name:10} ours {row['ours']['total']:8.1f} ms, {row['ours']['total'] - assembler:.1f} without the assembler\n"
              f"{'':10} {stages}", flush=True)
        if not arguments.no_triton:
            theirs = json.dumps([str(folder / "gpu_kernels.py"), name, signature, arguments.target, options, True])
            row["triton"] = measured(TRITON, [theirs, str(folder)], arguments.runs)
            print(f"{'':10} Triton {row['triton']['total']:6.1f} ms, ratio {row['ours']['total'] / row['triton']['total']:.2f}", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
