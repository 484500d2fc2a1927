"""Kernels without compiler and without Python.

Compiling ends in an *artifact*: machine code, the layout of the arguments, and the facts that the code relies on. The runtime that loads it is a small
library with a C and a C++ interface; it contains no compiler.

    python docs/tutorials/09_without_python.py                  # compiles, loads from Python
    python docs/tutorials/09_without_python.py --prefix P       # builds the C++ program, too, with Tilewright installed in P
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np

import tilewright as tw
import tilewright.language as tl


@tw.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask), mask=mask)


def manifest(artifact):
    """The JSON in a `.twa` file: docs/formats.md says where it is."""
    start, size = (int.from_bytes(artifact[at:at + 8], "little") for at in (64 + 8, 64 + 16))
    return json.loads(artifact[start:start + size])


def compile_for_later(folder):
    # A launch gets its signature from the arguments; ahead of time it is written. `[:16]` promises a multiple of 16, in bytes for
    # pointers, which the runtime checks at each launch; less promised is more accepted.
    compiled = tw.compile(add, "x_ptr:*fp32, y_ptr:*fp32, out_ptr:*fp32, n:i32, BLOCK=1024", target="cpu:x86-64-v2")
    path = folder / "add.twa"
    path.write_bytes(compiled.artifact)
    kernel, = {entry["name"] for entry in manifest(compiled.artifact)["kernels"]}
    print(f"{path.name}: kernel {kernel} for {compiled.target}, {len(compiled.artifact)} bytes")
    return path


def run_from_python(path):
    kernel = tw.load(path)
    x, y = np.random.default_rng(0).random((2, 5000), np.float32)
    out = np.empty_like(x)
    kernel[(tw.cdiv(x.size, 1024),)](x, y, out, x.size)  # in order, without the constants
    np.testing.assert_array_equal(out, x + y)
    print("loaded from Python; nothing was compiled")


def run_from_cpp(prefix, folder):
    # docs/examples/native/CMakeLists.txt has tilewright_add_kernel(), which compiles a kernel when the project is built.
    sources = pathlib.Path(__file__).resolve().parents[1] / "examples/native"
    for command in (["cmake", "-S", sources, "-B", folder / "native", f"-DCMAKE_PREFIX_PATH={prefix}"],
                    ["cmake", "--build", folder / "native"]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([folder / "native/run_artifact"], check=True, text=True, stdout=subprocess.PIPE)
    print("from C++:", done.stdout.strip())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prefix", type=pathlib.Path, help="where Tilewright is installed: cmake --install build --prefix P")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run_from_python(compile_for_later(folder))
        if arguments.prefix:
            run_from_cpp(arguments.prefix.resolve(), folder)


if __name__ == "__main__":
    main()
