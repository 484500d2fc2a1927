"""Kernels inside PyTorch: a custom operator with a derivative, under torch.compile, and in a CUDA graph.

    python docs/examples/pytorch.py

Runs on torch's GPU where there is one, else in host memory. Needs torch 2.4 or newer.
"""
import torch

import tilewright as tw
import tilewright.language as tl


@tw.jit
def silu_kernel(x, y, n, BLOCK: tl.constexpr):
    """y = x * sigmoid(x)."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i, i < n, 0.0)
    tl.store(y + i, value * tl.sigmoid(value), i < n)


@tw.jit
def silu_backward_kernel(x, dy, dx, n, BLOCK: tl.constexpr):
    """dx = dy * d silu(x) / dx."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i, i < n, 0.0)
    gate = tl.sigmoid(value)
    tl.store(dx + i, tl.load(dy + i, i < n, 0.0) * gate * (1 + value * (1 - gate)), i < n)


def launch(kernel, *tensors):
    """Runs an elementwise kernel over contiguous tensors of one size."""
    n = tensors[0].numel()
    kernel[(tw.cdiv(n, 1024),)](*tensors, n, BLOCK=1024)
    return tensors[-1]


# An operator of torch: opaque to torch.compile, which therefore never breaks a graph at it.
@torch.library.custom_op("examples::silu", mutates_args=())
def silu(x: torch.Tensor) -> torch.Tensor:
    return launch(silu_kernel, x.contiguous(), torch.empty_like(x, memory_format=torch.contiguous_format))


@torch.library.custom_op("examples::silu_backward", mutates_args=())
def silu_backward(x: torch.Tensor, dy: torch.Tensor) -> torch.Tensor:
    return launch(silu_backward_kernel, x.contiguous(), dy.contiguous(),
                  torch.empty_like(x, memory_format=torch.contiguous_format))


@silu.register_fake
def _(x):
    return torch.empty_like(x, memory_format=torch.contiguous_format)


@silu_backward.register_fake
def _(x, dy):
    return torch.empty_like(x, memory_format=torch.contiguous_format)


def keep_input(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


silu.register_autograd(lambda ctx, dy: silu_backward(*ctx.saved_tensors, dy), setup_context=keep_input)


# The same by hand. torch.compile leaves its graph at the kernels and goes on behind them.
class Silu(torch.autograd.Function):

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return launch(silu_kernel, x, torch.empty_like(x))

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return launch(silu_backward_kernel, x, dy.contiguous(), torch.empty_like(x))


def check(name, function, device):
    """Values and derivative against torch's own operator."""
    x = torch.randn(3, 1000, device=device, requires_grad=True)
    y = function(x)
    (dx,) = torch.autograd.grad(y.square().sum(), x)
    wanted = torch.nn.functional.silu(x)
    (wanted_dx,) = torch.autograd.grad(wanted.square().sum(), x)
    torch.testing.assert_close(y, wanted)
    torch.testing.assert_close(dx, wanted_dx)
    print(f"{name}: as torch's")


def check_graph():
    """A launch that a CUDA graph records and plays again, on what the tensor holds then."""
    x = torch.randn(1000, device="cuda")
    silu(x)  # compiled before the recording, which allows no loading
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = silu(x)
    for _ in range(3):
        x.normal_()
        graph.replay()
        torch.testing.assert_close(y, torch.nn.functional.silu(x))
    print("CUDA graph: as torch's")


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(3, 1000, device=device, requires_grad=True)
    torch.library.opcheck(silu, (x,))
    check("custom operator", silu, device)
    check("custom operator, transposed", lambda x: silu(x.t()).t(), device)
    check("autograd.Function", Silu.apply, device)
    # The default backend (inductor) works, too; it needs a C++ compiler.
    check("custom operator, compiled as one graph",
          torch.compile(lambda x: silu(x) * 1.0, backend="aot_eager", fullgraph=True), device)
    check("autograd.Function, compiled", torch.compile(lambda x: Silu.apply(x) * 1.0, backend="aot_eager"), device)
    if device == "cuda":
        check_graph()
    else:
        print("CUDA graph: not here, torch has no GPU")


if __name__ == "__main__":
    main()
