"""How the conformance stage reads a kernel's text: pointers, indices, flags, types, texts; signatures that follow."""
import pathlib
import sys
import types

import tilewright.triton

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "conformance"))

tilewright.triton.install()

import triton
import triton.language as tl

import kernels_signature
import kernels_usage


def teardown_module():
    tilewright.triton.uninstall()


@triton.jit
def gathered(table, rows, N: tl.constexpr):
    return tl.load(table + rows[:, None] * N + tl.arange(0, N)[None, :])


@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def kernel(src, which, out, n, eps, kind_out: tl.constexpr, MODE: tl.constexpr, HAS_BIAS: tl.constexpr, bias,
           EVEN: tl.constexpr, BLOCK: tl.constexpr):
    at = which + tl.program_id(0) * BLOCK
    rows = tl.load(at + tl.arange(0, BLOCK))
    tile = gathered(src, rows, 16)
    if HAS_BIAS:
        tile += tl.load(bias)
    if MODE == "relu":
        tile = tl.maximum(tile, eps)
    tl.store(out + rows[:, None] * n + tl.arange(0, 16)[None, :], tile.to(kind_out))


def test_usage():
    usage = kernels_usage.Usages()(kernel.fn)
    assert usage.pointers == {"src", "which", "out", "bias"}
    assert usage.indices == {"which"}
    assert usage.flags == {"HAS_BIAS"} and usage.dtypes == {"kind_out"} and usage.texts == {"MODE": "relu"}


def test_signature_follows_from_usage():
    function = types.SimpleNamespace(label="test:kernel", kernel=kernel.fn, wrappers=[kernel])
    text, options, _ = next(kernels_signature.candidates(function, kernels_usage.Usages()))
    assert text == ("src:*fp32, which:*i32, out:*fp32, n:i32, eps:fp32, kind_out=tl.float32, MODE='relu', HAS_BIAS=False, "
                    "bias:*fp32, EVEN=True, BLOCK=32")
    assert options == {}
    kernel.fn.compile(text)
