"""Largest errors of fp32 functions over every fp32 value, in ulp of the exact result, on the GPU of this machine.

    python3 test/benchmark/function_errors.py --build build [--math accurate] [--only exp,divide]

The exact value is torch's in fp64. The other operand of a division is the next of a fixed sequence of random bit
patterns. An ulp is the distance of fp32 numbers around the exact value, 2^-149 among the subnormals.
"""
import argparse
import pathlib
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from nvidia import Ours

SOURCE = pathlib.Path(__file__).resolve().parent / "function_kernels.py"
CHUNK = 2**26
EXACT = {
    "exp": lambda x, y: torch.exp(x), "exp2": lambda x, y: torch.exp2(x), "sqrt": lambda x, y: torch.sqrt(x),
    "sqrt_rn": lambda x, y: torch.sqrt(x), "rsqrt": lambda x, y: 1 / torch.sqrt(x), "divide": lambda x, y: y / x,
    "div_rn": lambda x, y: y / x, "reciprocal": lambda x, y: 1 / x,
}


def errors(got, exact):
    """Ulps of each element; 0 where both are NaN or one infinity, infinity where only one is."""
    rounded = exact.float()
    same = (got == rounded) | (got.isnan() & rounded.isnan())
    exponent = torch.frexp(exact.abs().clamp(max=3.4e38))[1].clamp(min=-125)
    ulp = torch.ldexp(torch.ones_like(exact), exponent - 24)
    # An infinity stands for 2^128, which rounds to it.
    finite = torch.where(got.isinf(), torch.copysign(torch.full_like(exact, 2.0**128), got.double()), got.double())
    error = ((finite - exact.clamp(-(2.0**128), 2.0**128)) / ulp).abs()
    return torch.where(same, torch.minimum(error.nan_to_num(0.0), torch.full_like(error, 0.5)), error.nan_to_num(float("inf")))


def sweep(builder, name, mode):
    signature = f"x_ptr:*fp32[:16,disjoint], y_ptr:*fp32[:16,disjoint], out_ptr:*fp32[:16,disjoint], NAME='{name}'"
    kernel = builder.kernel("apply", signature, {"math": mode, "num_warps": 4}, source=SOURCE)
    out = torch.empty(CHUNK, device="cuda", dtype=torch.float32)
    worst, where, wrong = 0.0, None, 0
    for chunk in range(2**32 // CHUNK):
        bits = torch.arange(chunk * CHUNK, (chunk + 1) * CHUNK, device="cuda", dtype=torch.int64).to(torch.int32)
        x = bits.view(torch.float32)
        y = torch.randint(-2**31, 2**31, (CHUNK,), device="cuda", dtype=torch.int64).to(torch.int32).view(torch.float32)
        kernel.launcher((CHUNK // 1024, 1, 1), [x, y, out])(torch.cuda.current_stream().cuda_stream)
        error = errors(out, EXACT[name](x.double(), y.double()))
        wrong += int((error > 2).sum())
        most, at = error.max(dim=0)
        if float(most) > worst:
            worst, where = float(most), (float(x[at]), float(y[at]), float(out[at]))
    print(f"{name:<12} {mode:<9} {worst:.3f} ulp at x={where[0]!r} y={where[1]!r} got {where[2]!r}; {wrong} values beyond 2 ulp", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--math", default="accurate")
    parser.add_argument("--only", default=",".join(EXACT))
    arguments = parser.parse_args()
    builder = Ours(arguments.build.resolve(), "nvidia")
    torch.manual_seed(0)
    for name in arguments.only.split(","):
        sweep(builder, name, arguments.math)


if __name__ == "__main__":
    main()
