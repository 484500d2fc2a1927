"""AMD code beside Triton's, and what it costs to make beside NVIDIA's. No GPU is needed.

    python3 test/benchmark/amd.py --build build              matrix loops; Triton's columns where this Python has Triton
    python3 test/benchmark/amd.py --build build --classes    the same with the number of each instruction, ours and Triton's
    python3 test/benchmark/amd.py --build build --times 1/8  LLVM's time for an eighth of the language suite's programs

A matrix loop is the innermost loop with matrix instructions. `density` is their share of its instructions; instructions of
different shapes compute different amounts, so `per product` counts all instructions for 16 x 16 x 16 products of one wave.
Times are processor time of all threads of a worker that is warm, the best of some compiles; a program's targets take turns.
"""
import argparse
import collections
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "test/benchmark/gpu_kernels.py"
REPEATS = 7  # compiles of a program, of which the fastest counts
_POINTER = "*bf16[:16,disjoint]"
_MATRIX = re.compile(r"v_(?:s?mfma|wmma)\w*_(\d+)x(\d+)x(\d+)")

#: (title, kernel, constants, types of the other parameters by how their names end)
KERNELS = [
    ("matmul bf16 128x128x64", "matmul", {"stride_ak": 1, "stride_bn": 1, "stride_cn": 1, "BM": 128, "BN": 128, "BK": 64, "GROUP": 8}),
    ("attention bf16 128x64x128", "attention", {"DIM": 128, "BM": 128, "BN": 64, "CAUSAL": False}),
    ("attention, causal", "attention", {"DIM": 128, "BM": 128, "BN": 64, "CAUSAL": True}),
]


def type_of(name):
    return "*bf16" if name.endswith("_ptr") else "fp32" if name == "scale" else "i32"


def parameters_of(kernel):
    text = SOURCE.read_text()
    head = re.search(rf"def {kernel}\((.*?)\):", text, re.DOTALL)[1]
    return [entry.split(":")[0].strip() for entry in head.split(",")]


def our_assembly(build, target, kernel, constants, warps):
    def spell(name):
        if name in constants:
            return f"{name}={constants[name]}"
        kind = type_of(name)
        return f"{name}:{_POINTER if kind == '*bf16' else kind + ('' if kind == 'fp32' else '[:16]')}"

    signature = ", ".join(spell(name) for name in parameters_of(kernel))
    command = [str(build / "bin/tilewright"), "compile", str(SOURCE), "--kernel", kernel, "--sig", signature, "--target", f"amd:{target}",
               "--opt", f"num_warps={warps}", "--emit=asm", "-o", "-"]
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


def tritons_assembly(target, kernel, constants, warps):
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    sys.path.insert(0, str(SOURCE.parent))
    import gpu_kernels

    function = getattr(gpu_kernels, kernel)
    signature, attributes = {}, {}
    for position, name in enumerate(function.arg_names):
        signature[name] = "constexpr" if name in constants else type_of(name)
        if signature[name] not in ("constexpr", "fp32"):
            attributes[(position,)] = [["tt.divisibility", 16]]
    source = ASTSource(function, signature=signature, constexprs=constants, attrs=attributes)
    made = triton.compile(source, target=GPUTarget("hip", target, 32 if target >= "gfx1" and len(target) > 6 else 64),
                          options={"num_warps": warps, "num_stages": 2})
    return made.asm["amdgcn"]


def matrix_loops(assembly):
    """The instructions of each loop that has matrix instructions."""
    lines = [line.split(";")[0].strip() for line in assembly.splitlines()]
    lines = [line for line in lines if line and (line[0] != "." or re.match(r"\.LBB\d+_\d+:", line))]
    places, loops = {}, []
    for number, line in enumerate(lines):
        if label := re.match(r"(\.LBB\d+_\d+):", line):
            places[label[1]] = number
        branch = re.match(r"s_c?branch\w*\s+(\.LBB\d+_\d+)", line)
        if not branch or branch[1] not in places:
            continue
        body = [text for text in lines[places[branch[1]]:number + 1] if text[0] != "."]
        if any(map(_MATRIX.match, body)):
            loops.append(body)
    return loops


def describe(assembly):
    """A row of the table: the loop of the last kernel, which takes any arguments."""
    loops = matrix_loops(assembly)
    if not loops:
        return "no matrix instruction in a loop"
    body = loops[-1]
    shapes = [tuple(map(int, found.groups())) for found in map(_MATRIX.match, body) if found]
    products = sum(map(math.prod, shapes)) / 16**3
    registers = re.findall(r"\.vgpr_count:\s*(\d+)", assembly)[-1]
    spills = sum(map(int, re.findall(r"\.vgpr_spill_count:\s*(\d+)", assembly)))
    return (f"{len(shapes):6} {len(body):12} {len(shapes) / len(body):8.3f} {len(body) / products:12.2f} "
            f"{registers:>9} {spills:>6}")


def count_classes(assembly):
    """How often each instruction stands in the last matrix loop, whatever its encoding."""
    body = (matrix_loops(assembly) or [[]])[-1]
    return collections.Counter(re.sub(r"_(e32|e64|dpp|sdwa)$", "", line.split()[0]) for line in body)


def print_loops(build, target, has_classes):
    print(f"{target:28} {'warps':>5} {'':9}{'matrix':>6} {'instructions':>12} {'density':>8} {'per product':>12} {'registers':>9} {'spills':>6}")
    for title, kernel, constants in KERNELS:
        for warps in (4, 8):
            ours, theirs = our_assembly(build, target, kernel, constants, warps), ""
            print(f"{title:28} {warps:5} {'ours':8}", describe(ours))
            try:
                theirs = tritons_assembly(target, kernel, constants, warps)
                print(f"{'':34} {'Triton':8}", describe(theirs))
            except ImportError:
                print(f"{'':34} {'Triton':8} is not installed in this Python")
            if has_classes:
                counts = count_classes(ours), count_classes(theirs)
                for name in sorted(set().union(*counts), key=lambda name: -max(count[name] for count in counts)):
                    print(f"{'':36}{name:32} {counts[0][name]:6} {counts[1][name]:6}")


def print_times(build, share, targets):
    """LLVM's processor time for the programs of the language suite, against NVIDIA's."""
    sys.path[:0] = [str(build / "python"), str(ROOT / "test/language"), str(ROOT / "test/language/harness")]
    import pytest
    import test_programs

    from assembler import Assembler

    from tilewright import engine

    class Timer(Assembler):
        """The best of some compiles: optimiser and code generator, in milliseconds."""
        best = None

        def launch_once(self, function, grid, arguments, options):
            signature, given = self.request_of(function, arguments, options)
            if self.target.startswith("nvidia"):
                given["assembler"] = "none"
            results = (engine.compile_text(function.tree, function.fn.__name__, signature, self.target, given, ["timings"])
                       for _ in range(REPEATS))
            self.best = min(json.loads(result.stages["timings"])["processor"]["codegen"] for result in results)
            pytest.skip("nothing runs")

    def measure(target, row):
        timer = Timer(target)
        try:
            body, expected, inputs, options = row.values
            timer.check(body, expected, inputs, **options)
        except BaseException as outcome:  # pytest's skip is one of these
            if isinstance(outcome, KeyboardInterrupt):
                raise
        return timer.best

    first, step = map(int, share.split("/"))
    rows = test_programs.ROWS[first % step::step]
    times = [(measure("nvidia:sm_90a", row), [measure(f"amd:{target}", row) for target in targets]) for row in rows]
    for place, target in enumerate(targets):
        pairs = [(ours[place], theirs) for theirs, ours in times if ours[place] and theirs]
        ratios = sorted(ours / theirs for ours, theirs in pairs)
        mean = statistics.geometric_mean(ratios)
        print(f"amd:{target}: LLVM takes {mean:.2f} of its time for nvidia:sm_90a (geometric mean of {len(ratios)} programs), "
              f"95th percentile {ratios[int(0.95 * (len(ratios) - 1))]:.2f}, all together "
              f"{sum(ours for ours, _ in pairs) / sum(theirs for _, theirs in pairs):.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--target", action="append", help="processors, gfx942 unless given")
    parser.add_argument("--times", metavar="K/N", help="measure compile times of every N-th program instead")
    parser.add_argument("--classes", action="store_true", help="count each instruction of the loops")
    arguments = parser.parse_args()
    targets = arguments.target or ["gfx942"]
    build = arguments.build.resolve()
    if arguments.times:
        print_times(build, arguments.times, targets)
    else:
        for target in targets:
            print_loops(build, target, arguments.classes)


if __name__ == "__main__":
    main()
