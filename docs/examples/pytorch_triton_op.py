"""`torch.library.triton_op` with a kernel of the stand-in, written as for Triton.

    python -m tilewright.triton docs/examples/pytorch_triton_op.py

Needs torch 2.6 or newer. torch finds out which arguments a kernel writes to by Triton's IR; where that is missing, as here, it warns
and takes all of them for written to, which is right and only costs copies.
"""
import torch
import triton
import triton.language as tl
from torch.library import triton_op, wrap_triton


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


tuned_kernel = triton.autotune([triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})], key=["n"])(add_kernel)


def define(name, kernel, **constants):
    """An operator of torch that adds by one of the kernels."""

    @triton_op(name, mutates_args={})
    def add(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        out = torch.empty_like(x)
        n = x.numel()
        wrap_triton(kernel)[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, out, n, **constants)
        return out

    add.register_autograd(lambda context, gradient: (gradient, gradient))
    return add


def check(add):
    """Values and derivative of the operator, alone and compiled as one graph."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x, y = torch.randn(1000, device=device, requires_grad=True), torch.randn(1000, device=device)
    for function in (add, torch.compile(lambda x, y: add(x, y) * 1.0, backend="aot_eager", fullgraph=True)):
        result = function(x, y)
        assert torch.equal(result, x + y)
        (gradient,) = torch.autograd.grad(result.sum(), x)
        assert (gradient == 1).all()


def main():
    assert triton.__version__ == "3.6.0"
    check(define("examples::add", add_kernel, BLOCK=128))
    check(define("examples::add_tuned", tuned_kernel))
    print("triton_op: as torch's")


if __name__ == "__main__":
    main()
