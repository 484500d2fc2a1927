"""Seeded portability faults: each is caught on a faulty compiler, and named.

A fault changes Kernel IR before the real plugin sees it (test/verify/faults). Every kernel passes on the real plugin, and the
report of the faulty one has to name the kind of fault.
"""
import dataclasses

import pytest

KERNELS = """
import tilewright as tw
import tilewright.language as tl


@tw.jit
def copy(x_ptr, out_ptr, n, BLOCK: tl.constexpr = 128):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)


@tw.jit
def total(x_ptr, out_ptr, n, BLOCK: tl.constexpr = 128):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr, tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0), axis=0))


@tw.jit
def largest(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr = 128):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.maximum(tl.load(x_ptr + i), tl.load(y_ptr + i)))


@tw.jit
def shift(x_ptr, out_ptr, BLOCK: tl.constexpr = 128):
    i = tl.arange(0, BLOCK)
    tl.store(x_ptr + i, i.to(tl.float32))
    tl.store(out_ptr + i, tl.load(x_ptr + i))


@tw.jit
def quotient(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr = 128):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i) / tl.load(y_ptr + i))


@tw.jit
def product(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr = 128):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i) * tl.load(y_ptr + i))


@tw.jit
def product_and_sum(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr = 128):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    tl.store(out_ptr + i, x * tl.load(y_ptr + i) + x)


@tw.jit
def integer_quotient(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr = 128):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i) // tl.load(y_ptr + i))


@tw.jit
def count(x_ptr, bins_ptr, BLOCK: tl.constexpr = 128):
    i = tl.arange(0, BLOCK)
    tl.atomic_add(bins_ptr + tl.load(x_ptr + i), 1)


@tw.jit
def to_integer(x_ptr, out_ptr, BLOCK: tl.constexpr = 128):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i).to(tl.int32))
"""

COPY = dict(kernel="copy", grid="cdiv(n, 128)", arguments=["x_ptr=fp32[300]~normal(seed=1)", "out_ptr=fp32[300]", "n=300"])
TWO = ["x_ptr=fp32[128]~normal(seed=1)", "y_ptr=fp32[128]~normal(seed=2)", "out_ptr=fp32[128]"]


@dataclasses.dataclass
class Fault:
    """One seeded fault, a kernel that shows it, and a text of the likely cause."""
    name: str
    kernel: str
    arguments: list
    named: str
    math: str = "portable"
    grid: str = "1"


FAULTS = [
    Fault("store-mask", **COPY, named="a store whose mask or bound was dropped: it went behind 'out_ptr'"),
    Fault("load-mask", "total", ["x_ptr=fp32[100]~normal(seed=1)", "out_ptr=fp32[1]", "n=100"], "another rule for NaN"),
    Fault("one-warp", "total", ["x_ptr=fp32[128]~normal(seed=1)", "out_ptr=fp32[1]", "n=128"], "the extent of a reduction"),
    Fault("nan-rule", "largest", ["x_ptr=fp32[128]~edges(seed=1)", "y_ptr=fp32[128]~edges(seed=2)", "out_ptr=fp32[128]"],
          "another rule for NaN"),
    Fault("store-load", "shift", ["x_ptr=fp32[128]~normal(seed=1)", "out_ptr=fp32[128]"], "the order of operands"),
    Fault("division", "quotient", TWO, "rounding in portable mode"),
    Fault("subnormals", "product", ["x_ptr=fp32[128]~uniform(0, 3e-20, seed=1)", "y_ptr=fp32[128]~uniform(0, 3e-20, seed=2)",
                                    "out_ptr=fp32[128]"], "subnormal numbers are flushed to zero"),
    Fault("contraction", "product_and_sum", TWO, "in portable mode"),
    Fault("fold-order", "total", ["x_ptr=fp32[128]~normal(seed=1)", "out_ptr=fp32[1]", "n=128"], "in portable mode"),
    Fault("floor-division", "integer_quotient", ["x_ptr=i32[128]~integers(-99, 99, seed=1)", "y_ptr=i32[128]~integers(2, 9, seed=2)",
                                                 "out_ptr=i32[128]"], "off by one"),
    Fault("lost-updates", "count", ["x_ptr=i32[128]~integers(0, 8, seed=1)", "bins_ptr=i32[8]"], "every element differs"),
    Fault("wrapping-conversion", "to_integer", ["x_ptr=fp32[128]~edges(seed=1)", "out_ptr=i32[128]"], "a conversion from float that wraps"),
    Fault("last-program", **COPY, named="stores that do not happen"),
]


@pytest.mark.parametrize("vendor", ["cpu", "spirv"])
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_caught_and_named(verify, folder, build, fault, vendor):
    (folder / "faults.py").write_text(KERNELS)
    command = ["faults.py", "--kernel", fault.kernel, "--grid", fault.grid, "--target", f"reference,{vendor}", "--math", fault.math]
    for argument in fault.arguments:
        command += ["--arg", argument]
    if vendor == "cpu":  # the real plugin, once
        done = verify(*command)
        assert done.returncode == 0, done.stdout
    done = verify(*command, "--plugin", build / f"lib/faulty/libtilewright_faulty_{vendor}.so", "--opt",
                  f"{vendor}:fault={fault.name}")
    cell = done.report["rows"][0]["cells"][1]
    assert done.returncode == 1 and cell["status"] == "fail" and not cell["code"], done.stdout
    assert fault.named in done.stdout, done.stdout
