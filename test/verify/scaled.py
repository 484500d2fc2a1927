"""Kernels that the tests of `tilewright verify` run, a command line for one, and readers of its report."""

KERNELS = """
import tilewright as tw
import tilewright.language as tl


@tw.jit
def scale(x_ptr, out_ptr, n, factor, BLOCK: tl.constexpr = 128):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) * factor, mask=mask)


@tw.jit
def unmasked(x_ptr, out_ptr, n, BLOCK: tl.constexpr = 128):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=offsets < n))


@tw.jit
def by_target(out_ptr):
    tl.store(out_ptr, 1 if tl.target.vendor == "cpu" else 2)


@tw.jit
def race(out_ptr):
    i = tl.arange(0, 16)
    tl.store(out_ptr + i, i)


@tw.jit
def crash(x_ptr, address):
    tl.store(x_ptr + tl.arange(0, 16) + address, 1.0)
"""

SCALE = ["k.py", "--kernel", "scale", "--grid", "cdiv(n, BLOCK)", "--arg", "x_ptr=fp32[1000]~normal(seed=1)", "--arg",
         "out_ptr=fp32[1000]", "--arg", "n=1000", "--arg", "factor=1.5"]


def statuses(report):
    """{(row, target): status} of a report."""
    return {(row["id"], cell["target"]): cell["status"] for row in report["rows"] for cell in row["cells"]}


def cell(report, target, row=0):
    """One cell of a report."""
    return next(cell for cell in report["rows"][row]["cells"] if cell["target"] == target)
