"""What Triton 3.6.0 itself says to the functions that were refused: its frontend needs no GPU.

    python test/conformance/kernels_triton.py kernels.json

Takes the refusals of a report of kernels.py and gives the same signatures to Triton's own frontend (source to Triton IR,
for sm_90). Adds "triton" to each row of the report: "accepts", or the last line of its error. A kernel that Triton accepts
is one that we ought to compile.
"""
import argparse
import importlib
import json
import pathlib
import re
import sys
import tempfile

import operators_device


def split_signature(text):
    """Types and constants by name."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text + ","):
        depth += character in "([<"
        depth -= character in ")]>"
        if character == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    types, constants = {}, {}
    for part in parts:
        name, mark, rest = re.match(r"(\w+)([:=])(.*)", part, re.DOTALL).groups()
        if mark == ":":
            types[name] = rest if rest.startswith("tensordesc") else re.sub(r"\[.*", "", rest)
        else:
            types[name], constants[name] = "constexpr", rest
    return types, constants


def constant(text):
    """A constant of a signature as Triton takes it."""
    import triton.language as tl
    named = {name: getattr(tl, name) for name in dir(tl)}
    short = {"fp32": tl.float32, "fp16": tl.float16, "bf16": tl.bfloat16, "fp64": tl.float64, "i32": tl.int32, "i64": tl.int64}
    return eval(text, {"tl": tl, "inf": float("inf"), "nan": float("nan"), **named, **short})


def answer(kernel, signature):
    """"accepts", or the last line of Triton's error."""
    import triton
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import ASTSource, make_backend
    types, texts = split_signature(signature)
    target = GPUTarget("cuda", 90, 32)
    backend = make_backend(target)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    try:
        source = ASTSource(kernel, types, {(kernel.arg_names.index(name),): constant(text) for name, text in texts.items()})
        source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    except Exception as error:
        while error.__cause__ is not None:
            error = error.__cause__
        lines = [line for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
        return f"{type(error).__name__}: {lines[-1].strip()}"
    return "accepts"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", type=pathlib.Path)
    arguments = parser.parse_args()
    report = json.loads(arguments.report.read_text())
    refused = [row for row in report["functions"] if row["status"] == "refused" and row.get("signature")]
    with tempfile.TemporaryDirectory() as folder:
        operators_device.install(folder, None)
        operators_device.import_libraries()
        from triton.runtime.jit import JITFunction
        for row in refused:
            file, name = row["function"].split(":")
            try:
                kernel = getattr(importlib.import_module(file.removesuffix(".py").replace("/", ".")), name)
                while not isinstance(kernel, JITFunction):
                    kernel = getattr(kernel, "_scalar_fn", None) or kernel.fn
                row["triton"] = answer(kernel, row["signature"])
            except Exception as error:
                row["triton"] = f"not asked: {type(error).__name__}: {error}"
            print(f"{row['function']}: TW{row['code']}; Triton: {row['triton']}", flush=True)
    arguments.report.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
