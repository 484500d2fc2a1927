"""Our NVIDIA plugin against Triton and the copy ceiling, on the GPU of this machine.

    python3 test/benchmark/nvidia.py --build build [--json FILE] [--only add,softmax]

Both compile the text of gpu_kernels.py and run it on the same buffers. A variant is captured into a CUDA graph of
several launches; graphs are replayed in turn (A B A B ...) and their medians compared, each side with its best number
of warps. Numbers of bytes count every tensor once. Ratios are Triton's time over ours: above 1 we are faster.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import torch
import triton

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import gpu_kernels
from gpu_runtime import Runtime
from triton_ptx import PtxKernel, compile_ptx

SOURCE = pathlib.Path(gpu_kernels.__file__)
LAUNCHES = 10  # in a graph
ROUNDS = 25


class Ours:
    """Compiles with the command, launches through the C runtime."""

    def __init__(self, build, target):
        self.build, self.target = build, target
        self.runtime = Runtime(build / "lib", "nvidia")

    def kernel(self, name, signature, options, source=SOURCE):
        """A loaded kernel."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "kernel.twa"
            command = [self.build / "bin/tilewright", "compile", source, "--kernel", name, "--sig", signature, "--target",
                       self.target, "-o", path]
            for key, value in options.items():
                command += ["--opt", f"{key}={value}"]
            done = subprocess.run([str(part) for part in command], text=True, capture_output=True)
            if done.returncode:
                raise RuntimeError(done.stderr)
            return self.runtime.load(path.read_bytes())


def capture(run):
    """A graph of some launches; `run` launches once on the current stream."""
    run()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(LAUNCHES):
            run()
    return graph


def replay_times(graphs):
    """Median microseconds of one launch for each graph, replayed in turn."""
    times = [[] for _ in graphs]
    for graph in graphs:
        graph.replay()
    for _ in range(ROUNDS):
        for number, graph in enumerate(graphs):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            graph.replay()
            end.record()
            end.synchronize()
            times[number].append(begin.elapsed_time(end) * 1000 / LAUNCHES)
    return [statistics.median(row) for row in times]


class Case:
    """One kernel at one size: how to launch it, what is right, what it moves or computes."""

    def __init__(self, title, name, grid, types, arguments, constants, expected, out, tolerance, bytes_moved=0, flops=0):
        self.title, self.name, self.grid, self.arguments = title, name, grid, arguments
        self.constants, self.expected, self.out, self.tolerance = constants, expected, out, tolerance
        self.bytes_moved, self.flops = bytes_moved, flops
        self.signature = ", ".join([*types, *(f"{key}={value}" for key, value in constants.items())])

    def right(self):
        """Whether the output equals the expected value; poisons it for the next run."""
        torch.cuda.synchronize()
        got, expected = self.out.double(), self.expected.double()
        error = (got - expected).norm() / expected.norm()
        self.out.fill_(float("nan"))
        return bool(error <= self.tolerance), float(error)

    def ours(self, builder, warps, stages):
        launch = builder.kernel(self.name, self.signature, {"num_warps": warps, "num_stages": stages}) \
            .launcher(self.grid, self.arguments)
        return lambda: launch(torch.cuda.current_stream().cuda_stream)

    def tritons(self, warps, stages):
        kernel = getattr(gpu_kernels, self.name)
        return lambda: kernel[self.grid](*self.arguments, **self.constants, num_warps=warps, num_stages=stages)


def add_case(n):
    x, y = torch.randn(n, device="cuda"), torch.randn(n, device="cuda")
    out = torch.empty_like(x)
    pointer = "*fp32[:16,disjoint]"
    for block in (1024, 4096):
        yield Case(f"add f32 2^{n.bit_length() - 1} B{block}", "add", (triton.cdiv(n, block), 1, 1),
                   [f"x_ptr:{pointer}", f"y_ptr:{pointer}", f"out_ptr:{pointer}", "n:i32[:16]"], [x, y, out, n], {"BLOCK": block},
                   x + y, out, 0, 12 * n)


def row_cases(rows, columns):
    x = torch.randn(rows, columns, device="cuda", dtype=torch.float16)
    out = torch.empty_like(x)
    pointer = "*fp16[:16,disjoint]"
    block = triton.next_power_of_2(columns)
    sizes = ["columns:i32[:16]", "stride:i32[:16]"]
    yield Case(f"softmax f16 {rows}x{columns}", "softmax", (rows, 1, 1), [f"x_ptr:{pointer}", f"out_ptr:{pointer}", *sizes],
               [x, out, columns, columns], {"BLOCK": block}, torch.softmax(x.float(), 1), out, 1e-3, 4 * rows * columns)
    weight, bias = (torch.randn(columns, device="cuda", dtype=torch.float16) for _ in range(2))
    expected = torch.nn.functional.layer_norm(x.float(), (columns,), weight.float(), bias.float(), 1e-5)
    yield Case(f"layernorm f16 {rows}x{columns}", "layernorm", (rows, 1, 1),
               [f"x_ptr:{pointer}", f"weight_ptr:{pointer}", f"bias_ptr:{pointer}", f"out_ptr:{pointer}", *sizes, "epsilon:fp32"],
               [x, weight, bias, out, columns, columns, 1e-5], {"BLOCK": block}, expected, out, 1e-3, 4 * rows * columns)


def matmul_case(size, tiles):
    a, b = (torch.randn(size, size, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    out = torch.empty_like(a)
    pointer = "*bf16[:16,disjoint]"
    for bm, bn, bk in tiles:
        constants = {"BM": bm, "BN": bn, "BK": bk, "GROUP": 8}
        grid = (triton.cdiv(size, bm) * triton.cdiv(size, bn), 1, 1)
        types = [*(f"{name}_ptr:{pointer}" for name in "abc"), *(f"{name}:i32[:16]" for name in "MNK"), "stride_am:i32[:16]",
                 "stride_ak=1", "stride_bk:i32[:16]", "stride_bn=1", "stride_cm:i32[:16]", "stride_cn=1"]
        case = Case(f"matmul bf16 {size}^3 {bm}x{bn}x{bk}", "matmul", grid, types,
                    [a, b, out, size, size, size, size, size, size], constants, a.float() @ b.float(), out, 2e-2, flops=2 * size**3)
        case.tritons = lambda warps, stages, grid=grid, constants=constants: lambda: gpu_kernels.matmul[grid](
            a, b, out, size, size, size, size, 1, size, 1, size, 1, **constants, num_warps=warps, num_stages=stages)
        yield case


def matmul_sm80_case(size, tiles):
    """Both sides' code for sm_80, made into the device's by the driver."""
    for case in matmul_case(size, tiles):
        case.title += " sm_80"

        def ours(builder, warps, stages, case=case):
            options = {"num_warps": warps, "num_stages": stages, "assembler": "none"}
            launch = builder.kernel(case.name, case.signature, options).launcher(case.grid, case.arguments)
            return lambda: launch(torch.cuda.current_stream().cuda_stream)

        def tritons(warps, stages, case=case):
            constants = {**case.constants, "stride_ak": 1, "stride_bn": 1, "stride_cn": 1}
            ptx, shared, name = compile_ptx(gpu_kernels.matmul, case.arguments, constants, 80, warps, stages)
            return PtxKernel(ptx, shared, name, warps).launcher(case.grid, case.arguments)

        case.ours, case.tritons = ours, tritons
        yield case


def copy_ceiling():
    """GB/s of a device-to-device copy, bytes read and written; not from a graph, whose copies take another engine."""
    source = torch.empty(2**31, dtype=torch.uint8, device="cuda").random_(0, 255)
    target = torch.empty_like(source)
    times = []
    for _ in range(ROUNDS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        target.copy_(source)
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1000)
    return 2 * source.numel() / statistics.median(times) / 1e3


def measure(case, builder, warps_list, stages):
    """One row of the report."""
    graphs, labels, errors = [], [], []
    for side in ("ours", "triton"):
        for warps in warps_list:
            try:
                run = case.ours(builder, warps, stages) if side == "ours" else case.tritons(warps, stages)
                graph = capture(run)
                fine, error = case.right()
                if not fine:
                    errors.append(f"{side} w{warps}: relative error {error:.3g}")
                    continue
            except Exception as failure:  # one variant that cannot run is a line of the report
                errors.append(f"{side} w{warps}: {str(failure).strip().splitlines()[0][:200]}")
                continue
            graphs.append(graph)
            labels.append((side, warps))
    times = replay_times(graphs)
    best = {}
    for (side, warps), time in zip(labels, times):
        if side not in best or time < best[side][0]:
            best[side] = (time, warps)
    return {"title": case.title, "best": best, "all": {f"{side} w{warps}": time for (side, warps), time in zip(labels, times)},
            "errors": errors, "bytes": case.bytes_moved, "flops": case.flops}


def show(row, ceiling):
    ours, theirs = row["best"].get("ours"), row["best"].get("triton")
    text = f"{row['title']:<34}"
    for name, entry in (("ours", ours), ("triton", theirs)):
        text += f" {name} {entry[0]:9.1f} us w{entry[1]:<2}" if entry else f" {name} -               "
    if ours and theirs:
        text += f" ratio {theirs[0] / ours[0]:.3f}"
    if ours and row["bytes"]:
        rate = row["bytes"] / ours[0] / 1e3
        text += f" {rate:7.1f} GB/s {rate / ceiling:.3f} of copy"
    if ours and row["flops"]:
        text += f" {row['flops'] / ours[0] / 1e6:7.1f} TFLOP/s"
    print(text, flush=True)
    for error in row["errors"]:
        print(f"    {error}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--target", default="nvidia")
    parser.add_argument("--only", default="add,rows,matmul")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    builder = Ours(arguments.build.resolve(), arguments.target)
    torch.manual_seed(0)
    ceiling = copy_ceiling()
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, triton {triton.__version__}; copy {ceiling:.1f} GB/s")
    rows, only = [], arguments.only.split(",")

    def run(cases, warps, stages):
        for case in cases:
            rows.append(measure(case, builder, warps, stages))
            show(rows[-1], ceiling)

    if "add" in only:
        run(add_case(2**27), (4, 8, 16), 3)
    if "rows" in only:
        for shape in ((16384, 1024), (16384, 4096), (8192, 16384), (4096, 32768)):
            run(row_cases(*shape), (4, 8, 16), 3)
    if "matmul" in only:
        run(matmul_case(4096, [(128, 128, 32), (128, 128, 64), (128, 256, 64)]), (4, 8), 3)
    if "matmul80" in only:
        builder.target = "nvidia:sm_80"
        for stages in (3, 4):
            run(matmul_sm80_case(4096, [(128, 128, 32), (128, 128, 64), (128, 256, 32), (128, 256, 64)]), (4, 8), stages)
    if arguments.json:
        arguments.json.write_text(json.dumps({"copy_gbs": ceiling, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
