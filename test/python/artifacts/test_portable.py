"""Kernel IR in the portable form: the same artifacts on every target, and the option that forces a form."""
import pathlib
import sys

import pytest

import tilewright as tw

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "docs" / "examples"))
import tile_kernels  # noqa: E402

KERNELS = {
    "add_kernel": "x_ptr:*fp32, y_ptr:*fp32, out_ptr:*fp32, n:i32, BLOCK=256",
    "softmax_kernel": "x_ptr:*fp32, out_ptr:*fp32, n_cols:i32, stride:i32, BLOCK=128",
    "softmax_looped_kernel": "x_ptr:*fp32, out_ptr:*fp32, n_cols:i32, stride:i32, BLOCK=64",
    "dropout_kernel": "x_ptr:*fp32, out_ptr:*fp32, n:i32, p:fp32, seed:i32, BLOCK=128",
    "attention_kernel": "q_ptr:*fp16, k_ptr:*fp16, v_ptr:*fp16, out_ptr:*fp16, scale:fp32, S:i32, D=64, BM=64, BN=64, CAUSAL=True",
    "cumsum_kernel": "x_ptr:*fp32, out_ptr:*fp32, n_cols:i32, BLOCK=128",
    "argmax_kernel": "x_ptr:*fp32, out_ptr:*i32, n_cols:i32, BLOCK=128",
    "histogram_kernel": "x_ptr:*i32, bins_ptr:*i32, n:i32, BLOCK=128",
}


def compile_as(name, target, form):
    """A kernel of the examples, its IR sent in one form."""
    return getattr(tile_kernels, name).compile(KERNELS[name], target, {"ir": form})


@pytest.mark.parametrize("target", ["cpu", "reference", "nvidia:sm_90a", "spirv"])
@pytest.mark.parametrize("name", KERNELS)
def test_artifacts_are_the_same(name, target):
    """The form in which the IR travels is not seen in the artifact."""
    assert compile_as(name, target, "portable").artifact == compile_as(name, target, "exact").artifact


@pytest.mark.parametrize("form, code", [("other", 4106), ("portable:x", 4106), ("portable:99", 5017)])
def test_forms_that_do_not_exist(form, code):
    """A wrong value and a version that nobody reads are refused."""
    with pytest.raises(tw.TilewrightError, match=f"TW{code}"):
        compile_as("add_kernel", "cpu", form)
