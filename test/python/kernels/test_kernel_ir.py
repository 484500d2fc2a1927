"""What the Kernel IR of the example kernels holds: matrix products and reductions by name (linalg.reduce to a tensor,
kernel.reduce to a scalar), boxes wherever the source's addresses are not data."""
import pathlib
import re
import subprocess

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "examples" / "tile_kernels.py"
ROW = "x_ptr:*fp32, out_ptr:*fp32, n_cols:i32, stride:i32, BLOCK=256"
STRIDES = "stride_am:i32, stride_ak:i32, stride_bk:i32, stride_bn:i32, stride_cm:i32, stride_cn:i32"
MATMUL = f"a_ptr:*fp16, b_ptr:*fp16, c_ptr:*fp16, M:i32, N:i32, K:i32, {STRIDES}, BM=64, BN=64, BK=32, GROUP_M=8"
ATTENTION = "q_ptr:*fp16, k_ptr:*fp16, v_ptr:*fp16, out_ptr:*fp16, scale:fp32, S:i32, D=64, BM=64, BN=64"

#: kernel -> (signature, ops that must occur, number of gathers, scatters and tensor atomics in the source's own meaning)
KERNELS = {
    "add_kernel": ("x_ptr:*fp32, y_ptr:*fp32, out_ptr:*fp32, n:i32, BLOCK=1024", ["kernel.load", "kernel.store"], 0),
    "softmax_kernel": (ROW, ["kernel.reduce", "math.exp"], 0),
    "softmax_looped_kernel": (ROW, ["kernel.reduce", "scf.for"], 0),
    "layernorm_kernel": ("x_ptr:*fp32, w_ptr:*fp32, b_ptr:*fp32, out_ptr:*fp32, mean_ptr:*fp32, rstd_ptr:*fp32, "
                         "n_cols:i32, stride:i32, eps:fp32, BLOCK=256", ["kernel.reduce"], 0),
    "layernorm_backward_kernel": ("dy_ptr:*fp32, x_ptr:*fp32, w_ptr:*fp32, mean_ptr:*fp32, rstd_ptr:*fp32, dx_ptr:*fp32, "
                                  "dw_ptr:*fp32, db_ptr:*fp32, n_rows:i32, n_cols:i32, stride:i32, BLOCK=256",
                                  ["kernel.reduce", "scf.for"], 0),
    "dropout_kernel": ("x_ptr:*fp32, out_ptr:*fp32, n:i32, p:fp32, seed:i64, BLOCK=512", ["kernel.mulhi"], 0),
    "matmul_kernel": (MATMUL, ["linalg.matmul", "scf.for"], 0),
    "matmul_persistent_kernel": ("a_ptr:*fp16, b_ptr:*fp16, c_ptr:*fp16, M:i32, N:i32, K:i32, PROGRAMS=4, BM=64, BN=64, "
                                 "BK=32, GROUP_M=8", ["linalg.matmul", "linalg.transpose"], 0),
    "attention_kernel": (ATTENTION + ", CAUSAL=True", ["linalg.matmul", "linalg.reduce", "math.exp2"], 0),
    "grouped_matmul_kernel": ("a_table:*i64, b_table:*i64, c_table:*i64, sizes:*i32, groups:i32, TYPE=fp16, PROGRAMS=3, "
                              "BM=32, BN=32, BK=32", ["linalg.matmul", "kernel.int_to_ptr"], 0),
    "cumsum_kernel": ("x_ptr:*fp32, out_ptr:*fp32, n_cols:i32, BLOCK=256", ["kernel.scan"], 0),
    "argmax_kernel": ("x_ptr:*fp32, out_ptr:*i32, n_cols:i32, BLOCK=256", ["kernel.reduce"], 0),
    # The address is data: the bin of each element.
    "histogram_kernel": ("x_ptr:*i32, bins_ptr:*i32, n:i32, BLOCK=256", ["kernel.atomic_rmw"], 0),
    "scale_rows_kernel": ("x_ptr:*fp32, lengths_ptr:*i32, n_cols:i32, factor:fp32, BLOCK=256", ["scf.if"], 0),
    "lower_bound_kernel": ("sorted_ptr:*fp32, values_ptr:*fp32, out_ptr:*i32, n:i32", ["scf.while"], 0),
}


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernel_ir(tilewright, kernel):
    signature, expected, gathers = KERNELS[kernel]
    done = subprocess.run([tilewright, "compile", SOURCE, "--kernel", kernel, "--sig", signature, "--emit", "kernel"],
                          text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    operations = re.findall(r"\b((?:kernel|linalg|scf|math|arith|tensor)\.\w+)", done.stdout)
    assert "linalg.generic" not in operations
    for operation in expected:
        assert operation in operations
    assert operations.count("kernel.gather") + operations.count("kernel.scatter") == gathers
