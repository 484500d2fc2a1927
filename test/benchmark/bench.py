"""Benchmarks on the CPU, as ratios against NumPy (OpenBLAS) and torch in the same process.

    ./tw bench [cpu] [--json FILE] [--only NAME] [--seconds S]

Launches of ours and of each peer alternate on the same arrays; the figures are medians, a ratio above 1 means that ours
is faster than the better peer. Compile times come from fresh processes.
"""
import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def add_paths(build):
    """Makes the built package and the example kernels importable."""
    sys.path[:0] = [str(ROOT / "docs" / "examples"), str(build / "python")]


#: Threads of OpenBLAS and OpenMP keep spinning for some 20 ms after a call and would take the next one's cores.
SETTLE_SECONDS = 0.03


def interleaved(functions, seconds):
    """Median seconds of each function by name, measured in turns with a pause before each."""
    times = {name: [] for name in functions}
    for function in functions.values():
        function()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(next(iter(times.values()))) < 5:
        for name, function in functions.items():
            time.sleep(SETTLE_SECONDS)
            start = time.perf_counter()
            function()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def matmul_rows(np, kernels, tw, torch):
    """fp32 products, pointer and descriptor source, against NumPy and torch."""
    for m, n, k in ((1024, 1024, 1024), (1000, 1008, 1016)):
        rng = np.random.default_rng(0)
        a, b = rng.standard_normal((m, k), np.float32), rng.standard_normal((k, n), np.float32)
        bt = np.ascontiguousarray(b.T)
        c, d = np.empty((m, n), np.float32), np.empty((m, n), np.float32)
        block = dict(BM=128, BN=128, BK=64, GROUP_M=8)
        grid = (tw.cdiv(m, 128) * tw.cdiv(n, 128),)
        peers = {"numpy": lambda: np.matmul(a, b, out=d)}
        if torch:
            ta, tb, td = torch.from_numpy(a), torch.from_numpy(b), torch.from_numpy(d)
            peers["torch"] = lambda: torch.mm(ta, tb, out=td)
        yield (f"matmul pointer {m}x{n}x{k}",
               lambda: kernels.matmul_kernel[grid](a, b, c, m, n, k, k, 1, n, 1, n, 1, **block), peers, 2 * m * n * k, "flop")
        yield (f"matmul descriptor {m}x{n}x{k}",
               lambda: kernels.matmul_persistent_kernel[grid](a, bt, c, m, n, k, PROGRAMS=grid[0], **block), peers,
               2 * m * n * k, "flop")


def memory_rows(np, kernels, tw, torch):
    """Kernels bound by memory: addition and row softmax and layernorm."""
    rng = np.random.default_rng(0)
    n = 1 << 24
    x, y = rng.standard_normal(n, np.float32), rng.standard_normal(n, np.float32)
    out, other = np.empty_like(x), np.empty_like(x)
    peers = {"numpy": lambda: np.add(x, y, out=other)}
    if torch:
        tx, ty, to = (torch.from_numpy(array) for array in (x, y, other))
        peers["torch"] = lambda: torch.add(tx, ty, out=to)
    yield ("add 2^24", lambda: kernels.add_kernel[(tw.cdiv(n, 16384),)](x, y, out, n, BLOCK=16384), peers, 12 * n, "byte")

    rows = cols = 4096
    s = rng.standard_normal((rows, cols), np.float32)
    t = np.empty_like(s)

    def numpy_softmax():
        e = np.exp(s - s.max(-1, keepdims=True))
        e /= e.sum(-1, keepdims=True)
        return e

    peers = {"numpy": numpy_softmax}
    if torch:
        ts = torch.from_numpy(s)
        peers["torch"] = lambda: torch.softmax(ts, -1)
    yield ("softmax 4096x4096", lambda: kernels.softmax_kernel[(rows,)](s, t, cols, cols, BLOCK=4096), peers,
           8 * rows * cols, "byte")
    yield ("softmax looped 4096x4096", lambda: kernels.softmax_looped_kernel[(rows,)](s, t, cols, cols, BLOCK=1024), peers,
           12 * rows * cols, "byte")

    w, b = rng.standard_normal(cols, np.float32), rng.standard_normal(cols, np.float32)
    mean, rstd = np.empty(rows, np.float32), np.empty(rows, np.float32)

    def numpy_layernorm():
        centred = s - s.mean(-1, keepdims=True)
        return centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + 1e-5) * w + b

    peers = {"numpy": numpy_layernorm}
    if torch:
        tw_, tb_ = torch.from_numpy(w), torch.from_numpy(b)
        peers["torch"] = lambda: torch.nn.functional.layer_norm(ts, (cols,), tw_, tb_)
    yield ("layernorm 4096x4096",
           lambda: kernels.layernorm_kernel[(rows,)](s, w, b, t, mean, rstd, cols, cols, 1e-5, BLOCK=4096), peers,
           8 * rows * cols, "byte")


def attention_rows(np, kernels, tw, torch):
    """Flash attention against torch's (or NumPy's whole-matrix) attention."""
    rng = np.random.default_rng(0)
    heads, length, d = 8, 1024, 64
    q, k, v = (rng.standard_normal((heads, length, d), np.float32) for _ in range(3))
    out = np.empty_like(q)

    def numpy_attention():
        scores = q @ k.transpose(0, 2, 1) * np.float32(d**-0.5)
        e = np.exp(scores - scores.max(-1, keepdims=True))
        return (e / e.sum(-1, keepdims=True)) @ v

    peers = {"numpy": numpy_attention}
    if torch:
        tq, tk, tv = (torch.from_numpy(array) for array in (q, k, v))
        peers["torch"] = lambda: torch.softmax(tq @ tk.transpose(1, 2) * d**-0.5, -1) @ tv
    yield ("attention 8x1024x64",
           lambda: kernels.attention_kernel[(length // 64, heads)](q, k, v, out, d**-0.5, length, D=d, BM=64, BN=64,
                                                                    CAUSAL=False), peers, 4 * heads * length * length * d,
           "flop")


COMPILES = {
    "add": ("add_kernel", "x_ptr:*fp32[:16,disjoint], y_ptr:*fp32[:16,disjoint], out_ptr:*fp32[:16,disjoint], n:i32[:16], "
            "BLOCK=1024"),
    "softmax": ("softmax_kernel", "x_ptr:*fp32[:16], out_ptr:*fp32[:16], n_cols:i32[:16], stride:i32[:16], BLOCK=4096"),
    "matmul": ("matmul_kernel", "a_ptr:*fp32[:16], b_ptr:*fp32[:16], c_ptr:*fp32[:16], M:i32[:16], N:i32[:16], K:i32[:16], "
               "stride_am:i32[:16], stride_ak:i32[1], stride_bk:i32[:16], stride_bn:i32[1], stride_cm:i32[:16], "
               "stride_cn:i32[1], BM=128, BN=128, BK=64, GROUP_M=8"),
    "attention": ("attention_kernel", "q_ptr:*fp32[:16], k_ptr:*fp32[:16], v_ptr:*fp32[:16], out_ptr:*fp32[:16], scale:fp32, "
                  "S:i32[:16], D=64, BM=64, BN=64, CAUSAL=True"),
}

_COMPILE_SCRIPT = """
import json, sys, time
from tilewright import _native
text = open(sys.argv[1]).read()
compiler = _native.Compiler()
compiler.resolve_target("cpu")
start = time.perf_counter()
result = compiler.compile(text, sys.argv[1], sys.argv[2], sys.argv[3], "cpu", {}, [], [])
middle = time.perf_counter()
assert result.status == 0, result.rendered
_native.Device("cpu").load(result.artifact, "")
end = time.perf_counter()
print(json.dumps({**result.timings, "load": end - middle, "total": end - start}))
"""


def compile_times(build, runs):
    """Median seconds of each stage, source to callable, in fresh processes."""
    source = str(ROOT / "docs" / "examples" / "tile_kernels.py")
    environment = dict(os.environ, PYTHONPATH=str(build / "python"), TILEWRIGHT_CACHE="off")
    rows = {}
    for name, (kernel, signature) in COMPILES.items():
        samples = []
        for _ in range(runs):
            done = subprocess.run([sys.executable, "-c", _COMPILE_SCRIPT, source, kernel, signature], env=environment,
                                  text=True, capture_output=True)
            if done.returncode != 0:
                sys.exit(f"compiling {name} failed:\n{done.stderr}")
            samples.append(json.loads(done.stdout))
        rows[name] = {stage: statistics.median(sample[stage] for sample in samples) for stage in samples[0]}
    return rows


def measure(arguments):
    """Prints and collects every row."""
    import numpy as np
    try:
        import torch
    except ImportError:
        torch = None
        print("torch is not installed: only NumPy is compared (Debian: python3-torch)")
    import tile_kernels as kernels
    import tilewright as tw

    results = []
    print(f"{'kernel':34s} {'ours ms':>9s} {'numpy ms':>9s} {'torch ms':>9s} {'ratio':>6s}  rate")
    for rows in (matmul_rows, memory_rows, attention_rows):
        for name, own, peers, work, unit in rows(np, kernels, tw, torch):
            if arguments.only and arguments.only not in name:
                continue
            times = interleaved({"ours": own, **peers}, arguments.seconds)
            best = min(value for key, value in times.items() if key != "ours")
            ratio = best / times["ours"]
            rate = work / times["ours"] / 1e9
            results.append({"kernel": name, "seconds": times, "ratio": ratio, f"G{unit}/s": rate})
            torch_text = f"{times['torch'] * 1e3:9.3f}" if "torch" in times else f"{'-':>9s}"
            print(f"{name:34s} {times['ours'] * 1e3:9.3f} {times['numpy'] * 1e3:9.3f} {torch_text} {ratio:6.2f}  "
                  f"{rate:.1f} G{unit}/s", flush=True)
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("target", nargs="?", default="cpu", choices=["cpu"])
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--json", help="write all figures to this file")
    parser.add_argument("--only", help="only kernels whose name contains this")
    parser.add_argument("--seconds", type=float, default=3.0, help="time for each row")
    parser.add_argument("--runs", type=int, default=10, help="fresh processes for each compile time")
    arguments = parser.parse_args()
    build = pathlib.Path(arguments.build).resolve()
    add_paths(build)
    results = measure(arguments)
    stages = compile_times(build, arguments.runs) if not arguments.only else {}
    for name, row in stages.items():
        text = ", ".join(f"{stage} {seconds * 1e3:.1f}" for stage, seconds in row.items())
        print(f"compile {name}: {text} (ms)")
    if arguments.json:
        document = {"version": 1, "machine": platform.processor() or platform.machine(), "cores": os.cpu_count(),
                    "kernels": results, "compile_seconds": stages}
        pathlib.Path(arguments.json).write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()
