"""How long the way from source text to Kernel IR takes, in this process, as the median of 20.

    ./tw bench frontend [--json FILE]

Measured: parsing, specialising, emitting tile IR and lowering it, with a context of its own each time, as a launch does
it. "cpu" is the processor time of the compiling thread, which other programs do not lengthen; the stages are wall time.
Kernels: an attention of ours, and the longest `@triton.jit`
function of flag-gems and liger-kernel, with the signature that a report of test/conformance/kernels.py holds for it.
"""
import argparse
import importlib
import importlib.util
import json
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = 20
STAGES = ("parse", "target", "emit", "lower")
ATTENTION = ("q_ptr:*fp16[:16,disjoint], k_ptr:*fp16[:16,disjoint], v_ptr:*fp16[:16,disjoint], out_ptr:*fp16[:16,disjoint], "
             "scale:fp32, S:i32[:16], D=128, BM=128, BN=64, CAUSAL=True")


def median_stages(kernel, signature, options):
    """Median milliseconds of each stage and of processor time; Kernel IR is made and not printed."""
    from tilewright import engine
    tree = kernel.tree
    samples = []
    for _ in range(RUNS + 2):
        start = time.thread_time()
        result = engine.compiler().compile(tree.text, tree.file, kernel.fn.__name__, signature, "cpu", options, tree.modules,
                                           ["functions"])
        if result.status != 0:
            sys.exit(f"compiling {kernel.fn.__name__} failed:\n{result.rendered}")
        elapsed = time.thread_time() - start
        samples.append({**{stage: result.timings[stage] * 1e3 for stage in STAGES}, "cpu": elapsed * 1e3})
    return {stage: round(statistics.median(sample[stage] for sample in samples[2:]), 3) for stage in samples[0]}


def own_row():
    """The attention kernel of this folder."""
    import frontend_kernels
    kernel = frontend_kernels.attention
    return {"kernel": "attention", "lines": len(kernel.raw_src) + len(frontend_kernels.attend.raw_src),
            **median_stages(kernel, ATTENTION, {"num_warps": 8, "num_stages": 3})}


def longest_row(report):
    """The longest function that a conformance report calls compiled."""
    rows = [row for row in json.loads(report.read_text())["functions"] if row.get("signature") and row["status"] == "compiled"]
    row = max(rows, key=lambda entry: entry["lines"])
    file, name = row["function"].split(":")
    module = importlib.import_module(file.removesuffix(".py").replace("/", "."))
    kernel = getattr(module, name).__tilewright_inner__
    return {"kernel": row["function"], "lines": row["lines"], **median_stages(kernel, row["signature"], row["options"])}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path, help="write the figures to this file")
    arguments = parser.parse_args()
    sys.path[:0] = [str(pathlib.Path(__file__).parent), str(ROOT / "test" / "conformance"), str(arguments.build / "python")]
    report = arguments.build / "results" / "kernels.json"
    with tempfile.TemporaryDirectory() as folder:
        if importlib.util.find_spec("flag_gems") and report.exists():
            import operators_device
            operators_device.install(folder, "cpu")
            rows = [own_row(), longest_row(report)]
        else:
            import tilewright.triton
            tilewright.triton.install()
            rows = [own_row()]
            print(f"skipped: the longest function of flag-gems and liger-kernel (needs them and {report})")
    for row in rows:
        print(", ".join(f"{key} {value}" for key, value in row.items()) + " (ms)")
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
