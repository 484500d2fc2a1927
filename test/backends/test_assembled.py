"""The benchmark kernels under NVIDIA's assembler: no spilled register, no matrix instruction that waits for itself."""
import pathlib
import re

import pytest

from tilewright import engine

SOURCE = pathlib.Path(__file__).resolve().parents[1] / "benchmark" / "gpu_kernels.py"
POINTER = "*bf16[:16,disjoint]"
SIZES = ["columns:i32[:16]", "stride:i32[:16]", "epsilon:fp32"]
KERNELS = {
    "add": ("add", [f"{name}_ptr:*fp32[:16,disjoint]" for name in ("x", "y", "out")] + ["n:i32[:16]", "BLOCK=4096"]),
    "softmax": ("softmax", [f"{name}_ptr:{POINTER}" for name in ("x", "out")] + SIZES[:2] + ["BLOCK=4096"]),
    "layernorm": ("layernorm", [f"{name}_ptr:{POINTER}" for name in ("x", "weight", "bias", "out")] + SIZES + ["BLOCK=4096"]),
    "matmul": ("matmul", [*(f"{name}_ptr:{POINTER}" for name in "abc"), *(f"{name}:i32[:16]" for name in "MNK"), "stride_am:i32[:16]",
                          "stride_ak=1", "stride_bk:i32[:16]", "stride_bn=1", "stride_cm:i32[:16]", "stride_cn=1", "BM=128", "BN=128",
                          "BK=64", "GROUP=8"]),
}


@pytest.mark.parametrize("architecture", ["sm_80", "sm_90a"])
@pytest.mark.parametrize("name", KERNELS)
def test_bench_kernels_keep_their_registers(name, architecture):
    kernel, signature = KERNELS[name]
    result = engine.compiler().compile(SOURCE.read_text(), str(SOURCE), kernel, ", ".join(signature), f"nvidia:{architecture}",
                                       {"num_warps": 8}, [], ["ptxas"])
    assert result.status == 0, result.rendered
    if "ptxas" not in result.stages:
        pytest.skip("ptxas is not installed (CUDA toolkit)")
    log = result.stages["ptxas"]
    assert not re.search(r"C75\d\d", log), log
    spills = [int(number) for number in re.findall(r"(\d+) bytes spill", log)]
    assert spills and not any(spills), log
