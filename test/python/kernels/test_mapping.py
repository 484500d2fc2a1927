"""The mapping to threads as `tilewright explain --layout` shows it, remarks, and whether kernels fit. Expected values are
derived by hand from the rule that the map states: 16 bytes a thread along the last dimension, then lanes, then warps."""
import json
import subprocess

import pytest

KERNELS = """
import tilewright as tw
import tilewright.language as tl


@tw.jit
def copy(x, y, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i))


@tw.jit
def rows(x, y, stride, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    r = tl.arange(0, ROWS)[:, None]
    c = tl.arange(0, COLUMNS)[None, :]
    v = tl.load(x + r * stride + c)
    tl.store(y + c * ROWS + r, v)


@tw.jit
def histogram(x, y, BLOCK: tl.constexpr, BINS: tl.constexpr):
    i = tl.arange(0, BLOCK)
    h = tl.histogram(tl.load(x + i), BINS)
    tl.store(y + tl.arange(0, BINS), h)
"""


@pytest.fixture
def call(tilewright, tmp_path):
    """Runs the command in a folder with the kernels; gives the finished process."""
    (tmp_path / "k.py").write_text(KERNELS)

    def run(*arguments):
        return subprocess.run([tilewright, *arguments], cwd=tmp_path, text=True, capture_output=True, timeout=120)

    return run


def explain(call, kernel, signature, target, *more):
    """The one kernel of the JSON form."""
    done = call("explain", "--layout", "k.py", "--kernel", kernel, "--sig", signature, "--target", target, "--json", *more)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["version"] == 1 and report["target"].startswith(target.split(":")[0])
    (result, ) = report["kernels"]
    return result


@pytest.mark.parametrize("target", ["nvidia:sm_90a", "spirv:opencl2.0"])
def test_small_tensor_is_a_grid(call, target):
    # Eight floats and one warp: one register each, lanes 8.. hold copies.
    kernel = explain(call, "copy", "x:*fp32[:16], y:*fp32[:16], BLOCK=8", target, "--opt", "num_warps=1")
    (layout, ) = kernel["layouts"]
    assert layout["registers"] == 1 and layout["copies"] == 4
    assert layout["rule"] == ["dim0 = lane[0:2]"]
    assert layout["grid"] == {"rows": 1, "columns": 8, "whole": True, "cells": [[f"0.{lane}:0" for lane in range(8)]]}


@pytest.mark.parametrize("target", ["nvidia:sm_90a", "spirv:opencl2.0"])
def test_vectors_and_sectors_of_aligned_memory(call, target):
    # 1024 floats over 4 warps of 32: two times four floats a thread. A warp moves 512 bytes at once: 16 sectors of 32.
    kernel = explain(call, "copy", "x:*fp32[:16], y:*fp32[:16], BLOCK=1024", target)
    (layout, ) = kernel["layouts"]
    assert layout["rule"] == ["dim0 = warp[0:1] << 7 ^ lane[0:4] << 2 ^ register[0:1] ^ register[2] << 9"]
    assert layout["grid"]["cells"] == [["0.0:0", "0.0:1", "0.0:2", "0.0:3", "0.1:0", "0.1:1", "0.1:2", "0.1:3"]]
    assert not layout["grid"]["whole"]
    load, store = kernel["global"]
    for access, line in ((load, 9), (store, 9)):
        assert access["line"] == line
        assert access["bytes_per_thread"] == 16 and access["instructions"] == 2
        assert access["sectors"] == access["fewest_sectors"] == 16
        assert "limit" not in access
    assert not load["write"] and store["write"]


def test_unaligned_memory_is_read_element_by_element(call):
    # A warp's lanes stand 16 bytes apart: 32 floats meet 16 sectors, where 4 would hold them.
    kernel = explain(call, "copy", "x:*fp32, y:*fp32[:16], BLOCK=1024", "nvidia")
    load = kernel["global"][0]
    assert load["bytes_per_thread"] == 4 and load["instructions"] == 8
    assert (load["sectors"], load["fewest_sectors"]) == (16, 4)
    assert "divisible" in load["limit"]


def test_columns_that_are_written_are_not_coalesced(call):
    # 32 x 32 floats, 2 x 4 a thread over 4 warps. y is written transposed: neighbours in a row lie 128 bytes apart, so
    # that each lane's four floats are one instruction each. Eight lanes share a row: they and the four rows of a warp
    # meet 8 sectors (the four rows are neighbours in y) where 4 would hold 32 floats.
    kernel = explain(call, "rows", "x:*fp32[:16], y:*fp32[:16], stride:i32[:16], ROWS=32, COLUMNS=32", "nvidia")
    load, store = kernel["global"]
    assert load["bytes_per_thread"] == 16
    # Each of a warp's four rows is 128 bytes: 4 sectors.
    assert load["sectors"] == load["fewest_sectors"] == 16
    assert store["bytes_per_thread"] == 4
    assert (store["sectors"], store["fewest_sectors"]) == (8, 4)


def test_text_form_names_places(call):
    done = call("explain", "--layout", "k.py", "--kernel", "copy", "--sig", "x:*fp32, y:*fp32[:16], BLOCK=8", "--target",
                "nvidia", "--opt", "num_warps=1")
    assert done.returncode == 0, done.stderr
    assert "copy: 1 warp of 32 threads" in done.stdout
    assert "dim0 = lane[0:2]" in done.stdout
    assert "0.0:0 0.1:0 0.2:0 0.3:0 0.4:0 0.5:0 0.6:0 0.7:0" in done.stdout
    assert "k.py:9:" in done.stdout


def test_targets_without_threads_say_so(call):
    done = call("explain", "--layout", "k.py", "--kernel", "copy", "--sig", "x:*fp32, y:*fp32, BLOCK=8", "--target", "cpu")
    assert done.returncode == 1
    assert "TW7020" in done.stderr and "has no stage 'layout'" in done.stderr


def test_the_hint_names_the_targets_with_threads(call):
    def explain(target):
        return call("explain", "--layout", "k.py", "--kernel", "copy", "--sig", "x:*fp32, y:*fp32, BLOCK=8", "--target", target)

    vendors = ["amd", "cpu", "npu", "nvidia", "reference", "simulate", "spirv:opencl3.0", "template"]
    named = explain("cpu").stderr.split("have it: ")[1].splitlines()[0].replace(" and ", ", ").split(", ")
    assert [vendor.split(":")[0] for vendor in vendors if explain(vendor).returncode == 0] == named


def test_remarks_give_the_reason_and_the_line(call):
    done = call("compile", "k.py", "--kernel", "copy", "--sig", "x:*fp32, y:*fp32[:16], BLOCK=1024", "--target", "nvidia",
                "--remarks", "--opt", "assembler=none")
    assert done.returncode == 0, done.stderr
    assert "k.py:9:" in done.stderr
    assert "coalesce: what a warp reads at once meets 16 sectors of 32 bytes, 4 would hold it" in done.stderr
    assert "vector: a thread reads 4 of up to 16 bytes at once" in done.stderr


def fits(call, kernel, signature, target, *more):
    done = call("explain", "--fits", "k.py", "--kernel", kernel, "--sig", signature, "--target", target, "--json", *more)
    answer = json.loads(done.stdout)
    assert answer["fits"] == (done.returncode == 0), done.stderr
    return answer


def test_what_fits_names_its_resources(call):
    answer = fits(call, "histogram", "x:*i32, y:*i32, BLOCK=256, BINS=256", "nvidia")
    assert answer["fits"] and answer["reasons"] == []
    (kernel, ) = answer["kernels"]
    # One counter of four bytes a bin.
    assert kernel["shared_bytes"] == 1024 and kernel["warps"] == 4 and kernel["lanes"] == 32


def test_what_does_not_fit_names_buffers_and_what_would(call):
    # 32768 counters are 131072 bytes; 32768 bytes hold 8192.
    answer = fits(call, "histogram", "x:*i32, y:*i32, BLOCK=256, BINS=32768", "spirv:opencl2.0+local32768")
    (reason, ) = answer["reasons"]
    assert reason["code"] == "TW4150" and reason["line"] == 23
    assert any("131072 bytes" in note["message"] and note["line"] == 23 for note in reason["notes"])
    sizes = [entry["constants"]["BINS"] for entry in answer["alternatives"] if "BINS" in entry["constants"]]
    assert len(sizes) == 1 and 1024 <= sizes[0] <= 8192
    smaller = fits(call, "histogram", f"x:*i32, y:*i32, BLOCK=256, BINS={sizes[0]}", "spirv:opencl2.0+local32768")
    assert smaller["fits"]
    larger = fits(call, "histogram", f"x:*i32, y:*i32, BLOCK=256, BINS={2 * sizes[0]}", "spirv:opencl2.0+local32768")
    assert not larger["fits"]


def test_too_many_threads(call):
    answer = fits(call, "copy", "x:*fp32, y:*fp32, BLOCK=8192", "nvidia", "--opt", "num_warps=64")
    (reason, ) = answer["reasons"]
    assert reason["code"] == "TW4152"
    assert "at most 1024 threads of a program, got 2048" in reason["message"]
    assert {"constants": {}, "options": {"num_warps": 1}} in answer["alternatives"]


def test_error_of_compile_lists_the_buffers(call):
    done = call("compile", "k.py", "--kernel", "histogram", "--sig", "x:*i32, y:*i32, BLOCK=256, BINS=32768", "--target",
                "spirv:opencl2.0+local32768")
    assert done.returncode == 1
    assert "TW4150" in done.stderr and "131072 bytes for moving values between threads" in done.stderr
