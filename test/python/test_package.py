"""The Python package: launches, specialisation, captured names, errors, tuning."""
import pathlib
import signal
import sys

import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from helpers_for_tests import twice_plus_offset

try:
    import torch
except ImportError:
    torch = None

SCALE = tl.constexpr(3)
needs_torch = pytest.mark.skipif(torch is None, reason="torch is not installed (Debian: python3-torch)")


@tw.jit
def scale_kernel(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) * SCALE, mask=i < n)


def test_captured_global():
    x = np.arange(100, dtype=np.float32)
    out = np.zeros_like(x)
    scale_kernel[(4,)](x, out, 100, BLOCK=32)
    np.testing.assert_array_equal(out, x * 3)


@tw.jit
def helper_kernel(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, twice_plus_offset(tl.load(x + i)))


def test_helper_of_another_file():
    x = np.arange(16, dtype=np.int32)
    out = np.zeros_like(x)
    helper_kernel[(1,)](x, out, BLOCK=16)
    np.testing.assert_array_equal(out, (x + 10) * 2)


def pow(x):
    """A kernel's helper with the name of a function of Python."""
    return x * x


pow = tw.jit(pow)


@tl.constexpr
def accumulator_of(element: tl.dtype, is_wide=True):
    """What a kernel asks while it is compiled."""
    if element.is_fp16() or element.is_int():
        return tl.float64 if is_wide else tl.float32
    return element


@tw.jit
def captured_functions_kernel(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    kind: tl.constexpr = accumulator_of(x.dtype.element_ty)
    tl.static_assert(kind == tl.float64)
    tl.store(out + i, pow(tl.load(x + i).to(kind)))


def test_captured_functions():
    """A global hides Python's function of the same name; a constexpr function computes types."""
    x = np.arange(16, dtype=np.int32)
    out = np.zeros(16)
    captured_functions_kernel[(1,)](x, out, BLOCK=16)
    np.testing.assert_array_equal(out, x.astype(np.float64)**2)


def test_kernel_in_a_closure():
    factor = tl.constexpr(7)

    @tw.jit
    def kernel(x, BLOCK: tl.constexpr):
        i = tl.arange(0, BLOCK)
        tl.store(x + i, i * factor)

    x = np.zeros(8, np.int32)
    kernel[(1,)](x, BLOCK=8)
    np.testing.assert_array_equal(x, np.arange(8) * 7)


@needs_torch
def test_torch_tensor_is_used_in_place():
    x, out = torch.arange(100, dtype=torch.float32), torch.zeros(100)
    address = out.data_ptr()
    scale_kernel[(4,)](x, out, 100, BLOCK=32)
    assert out.data_ptr() == address and torch.equal(out, x * 3)


@needs_torch
def test_torch_bfloat16():
    x, out = torch.arange(64, dtype=torch.bfloat16), torch.zeros(64, dtype=torch.bfloat16)
    scale_kernel[(2,)](x, out, 64, BLOCK=32)
    assert torch.equal(out, x * 3)


@tw.jit
def strided_kernel(x, out, stride, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i * stride, mask=i < n), mask=i < n)


@pytest.mark.parametrize("stride", [1, 2, 3, 16, -1, -2])
def test_strides(stride):
    base = np.arange(400, dtype=np.float32)
    x = base[::stride]
    out = np.zeros(20, np.float32)
    strided_kernel[(1,)](x, out, stride, 20, BLOCK=32)
    np.testing.assert_array_equal(out, x[:20])


@tw.jit
def shift_kernel(x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i + 1, tl.load(x + i))


def test_load_happens_before_store():
    x = np.arange(1025, dtype=np.float32)
    shift_kernel[(1,)](x, BLOCK=1024)
    np.testing.assert_array_equal(x[1:], np.arange(1024, dtype=np.float32))


@tw.jit
def copy_kernel(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i) + 1)


def test_overlapping_arguments():
    base = np.arange(1025, dtype=np.float32)
    copy_kernel[(1,)](base[:1024], base[1:], BLOCK=1024)
    np.testing.assert_array_equal(base[1:], np.arange(1024, dtype=np.float32) + 1)


@tw.jit
def scalars_kernel(out, a, b, c, d: tl.int64, e, flag, nothing):
    if nothing is None:
        tl.store(out, a.to(tl.float64))
        tl.store(out + 1, b.to(tl.float64))
        tl.store(out + 2, c.to(tl.float64))
        tl.store(out + 3, d.to(tl.float64))
        tl.store(out + 4, e.to(tl.float64))
        if flag:
            tl.store(out + 5, 1.0)


def test_scalar_arguments():
    out = np.zeros(6)
    scalars_kernel[(1,)](out, 5, 2**40, 2**64 - 2**11, -3, 0.5, True, None)
    np.testing.assert_array_equal(out, [5, 2.0**40, 2.0**64 - 2.0**11, -3, 0.5, 1])
    scalars_kernel[(1,)](out, 1, -2**31, 2**31, 1, -0.25, False, None)
    np.testing.assert_array_equal(out[:5], [1, -2.0**31, 2.0**31, 1, -0.25])


@tw.jit
def ids_kernel(out, WIDTH: tl.constexpr):
    x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    linear = x + tl.num_programs(0) * (y + tl.num_programs(1) * z)
    tl.store(out + linear, x + 100 * y + 10000 * z)


@pytest.mark.parametrize("grid", [5, (5,), (5, 3), (5, 3, 2), (5, 3, 2, 1), lambda meta: (meta["WIDTH"], 3)])
def test_grids(grid):
    out = np.full(30, -1, np.int32)
    ids_kernel[grid](out, WIDTH=5)
    axes = grid({"WIDTH": 5}) if callable(grid) else (grid,) if isinstance(grid, int) else grid
    x, y, z = (*axes, 1, 1)[:3]
    expected = [i + 100 * j + 10000 * k for k in range(z) for j in range(y) for i in range(x)]
    np.testing.assert_array_equal(out[:len(expected)], expected)
    assert (out[len(expected):] == -1).all()


def test_empty_grid_does_nothing():
    out = np.full(4, -1, np.int32)
    ids_kernel[(0,)](out, WIDTH=1)
    assert (out == -1).all()


@tw.jit
def wrong_kernel(x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, missing_name)


def test_errors_are_exceptions_with_place():
    with pytest.raises(tw.CompilationError) as caught:
        wrong_kernel[(1,)](np.zeros(8, np.float32), BLOCK=8)
    line = wrong_kernel.fn.__code__.co_firstlineno + 3
    assert f"test_package.py:{line}:" in str(caught.value) and "missing_name" in str(caught.value)
    assert 2000 <= caught.value.code < 3000
    assert isinstance(caught.value, tw.TilewrightError)


def test_missing_argument():
    with pytest.raises(tw.LaunchError, match="TW6055.*out"):
        scale_kernel[(1,)](np.zeros(8, np.float32), n=8, BLOCK=8)


def test_unsupported_argument():
    with pytest.raises(tw.LaunchError, match="TW6053.*'n'"):
        scale_kernel[(1,)](np.zeros(8, np.float32), np.zeros(8, np.float32), object(), BLOCK=8)


def test_bad_grid():
    with pytest.raises(tw.LaunchError, match="TW6"):
        ids_kernel[(1, 1, 1, 2)](np.zeros(8, np.int32), WIDTH=1)
    with pytest.raises(tw.LaunchError, match="TW6"):
        ids_kernel[(-1,)](np.zeros(8, np.int32), WIDTH=1)
    with pytest.raises(tw.LaunchError, match="TW6"):
        ids_kernel[(2**31,)](np.zeros(8, np.int32), WIDTH=1)


def test_kernel_cannot_be_called():
    with pytest.raises(tw.LaunchError, match="TW6054"):
        scale_kernel(1, 2)


def test_compile_without_launch():
    compiled = tw.compile(scale_kernel, "x:*fp32, out:*fp32, n:i32, BLOCK=64", target="cpu:x86-64-v2")
    assert compiled.target.startswith("cpu:x86-64-v2")
    assert "tile.program_id" in compiled.asm["tile"] and "kernel.load" in compiled.asm["kernel"]
    assert compiled.artifact[:4] == b"TWA1"


def test_autotune_and_heuristics():
    seen = []

    @tw.autotune(configs=[tw.Config({"BLOCK": 32}), tw.Config({"BLOCK": 64}, pre_hook=seen.append)], key=["n"])
    @tw.heuristics({"EVEN": lambda arguments: arguments["n"] % arguments["BLOCK"] == 0})
    @tw.jit
    def kernel(x, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        if EVEN:
            tl.store(x + i, i)
        else:
            tl.store(x + i, i, mask=i < n)

    for n in (128, 100):
        x = np.zeros(128, np.int32)
        kernel[lambda meta: (tw.cdiv(n, meta["BLOCK"]),)](x, n)
        np.testing.assert_array_equal(x[:n], np.arange(n))
        assert not x[n:].any()
    assert seen and kernel.best_config in kernel.configs


def test_specialisation_is_cached():
    x, out = np.zeros(64, np.float32), np.zeros(64, np.float32)
    first = scale_kernel[(2,)](x, out, 48, BLOCK=32)
    assert scale_kernel[(2,)](x, out, 32, BLOCK=32) is first
    assert scale_kernel[(2,)](x, out, 33, BLOCK=32) is not first


def test_read_only_array_cannot_be_written():
    x = np.zeros(8, np.float32)
    x.flags.writeable = False
    out = np.empty(8, np.float32)
    scale_kernel[(1,)](x, out, 8, BLOCK=8)
    with pytest.raises(tw.CompilationError, match="TW2"):
        scale_kernel[(1,)](out, x, 8, BLOCK=8)
    assert not x.any()


@tw.jit(debug=True)
def checked_kernel(x, limit, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.device_assert(tl.load(x + i) < limit, "too large")


def test_debug_turns_assertions_on():
    x = np.arange(8, dtype=np.int32)
    checked_kernel[(1,)](x, 8, BLOCK=8)
    with pytest.raises(tw.LaunchError, match="too large"):
        checked_kernel[(1,)](x, 7, BLOCK=8)
    checked_kernel[(1,)](x, 8, BLOCK=8)


def test_options_of_the_frontend_are_accepted():
    x, out = np.ones(8, np.float32), np.zeros(8, np.float32)
    scale_kernel[(1,)](x, out, 8, BLOCK=8, enable_fp_fusion=False, num_warps=8, num_stages=2, waves_per_eu=1)
    assert (out == 3).all()


def test_options_of_a_vendor_reach_its_compiler_alone():
    given = {"num_warps": 8, "waves_per_eu": 2, "matrix_instr_nonkdim": 16, "kpack": 2}
    simulated = {name: value for name, value in given.items() if name != "waves_per_eu"}
    for target, taken in (("amd:gfx942", given), ("simulate:gfx942", simulated), ("cpu", {"num_warps": 8}), ("nvidia:sm_90a", {"num_warps": 8})):
        assert scale_kernel.signature_of(1, 2, 8, BLOCK=8, target=target, **given)[2] == taken


@pytest.mark.parametrize("value", [len, lambda x: x, 3])
def test_jit_takes_functions_only(value):
    with pytest.raises(TypeError, match="expected a function"):
        tw.jit(value)


def test_objects_say_what_they_are():
    """At a prompt and in a notebook."""
    kernel = tw.jit(scale_kernel.fn)
    compiled = kernel.compile("x:*fp32, out:*fp32, n:i32, BLOCK=4")
    tuned = tw.autotune([tw.Config({"BLOCK": 8}, num_warps=2)], key=["n"])(kernel)
    assert repr(kernel) == "<kernel scale_kernel(x, out, n, BLOCK: constexpr)>"
    assert repr(compiled) == f"<scale_kernel compiled for {compiled.target}: x:*fp32, out:*fp32, n:i32, BLOCK=4>"
    assert repr(tuned) == f"<1 configuration by (n) of {kernel!r}>"
    x = np.ones(8, np.float32)
    tuned[(1,)](x, x.copy(), 8)
    assert repr(tuned) == f"<1 configuration by (n) of {kernel!r}, last Config(BLOCK: 8, num_warps: 2, num_stages: 3, num_ctas: 1)>"
    assert repr(tw.heuristics({"BLOCK": len})(kernel)) == f"<BLOCK computed for {kernel!r}>"
    assert repr(tw.load(compiled.artifact)) == "<LoadedKernel(x: *fp32, out: *fp32, n: i32) on cpu@0>"
    assert repr(tw.empty((2, 3), np.float16)) == "<float16 array of 2x3 on cpu@0>"
    assert repr(tw.TensorDescriptor.from_tensor(x.reshape(2, 4), [2, 2])) == "<descriptor of float32[2, 4] in blocks of [2, 2]>"
    assert tl.load.__doc__.startswith("tl.load(pointer, mask=None")
    assert "Where the mask is false nothing is read" in tl.load.__doc__ and tl.sum.__doc__ != tl.max.__doc__


@tw.jit
def printing_kernel(x, BLOCK: tl.constexpr):
    v = tl.load(x + tl.arange(0, BLOCK))
    print("v", v)
    print("sum", tl.sum(v))


@pytest.mark.parametrize("target", ["cpu", "reference"])
def test_print_shows_each_element_once(target, capfd):
    printing_kernel[(2,)](np.arange(4, dtype=np.int32), BLOCK=4, target=target, num_warps=4)
    lines = capfd.readouterr().out.splitlines()
    expected = [f"pid ({pid}, 0, 0) idx ({i}) v: {i}" for pid in range(2) for i in range(4)]
    assert sorted(lines) == sorted(expected + [f"pid ({pid}, 0, 0) sum: 6" for pid in range(2)])


@tw.jit
def slow_to_compile(x, COUNT: tl.constexpr):
    at = x + tl.arange(0, 4096)
    value = tl.load(at)
    for _ in tl.static_range(COUNT):
        value = tl.sin(value) * value
    tl.store(at, value)


def test_a_signal_s_handler_ends_a_compile():
    """As Ctrl-C does: a code generator that is at work for long is not waited for."""

    class Interrupted(Exception):
        pass

    def interrupt(number, frame):
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(Interrupted):
            tw.compile(slow_to_compile, "x:*fp32[:16], COUNT=100", target="amd:gfx942")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert tw.compile(slow_to_compile, "x:*fp32[:16], COUNT=1", target="amd:gfx942").artifact


@tw.jit
def wrong_assembly(x):
    tl.store(x, tl.inline_asm_elementwise("no_instruction $0, $1", "=v,v", [tl.load(x)], dtype=tl.int32, is_pure=True, pack=1))


def test_wrong_assembly_is_an_error_of_the_compile():
    """LLVM parses it last, and ends the process where nobody takes its error."""
    with pytest.raises(tw.CompilationError, match="TW4111: .*invalid instruction") as failure:
        tw.compile(wrong_assembly, "x:*i32", target="amd:gfx942")
    assert "TW5021" not in str(failure.value)
