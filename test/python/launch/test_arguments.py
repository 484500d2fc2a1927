"""What a launch makes of its arguments and of the variables that a kernel captures."""
import enum
import types
import warnings

import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl

FACTOR = 2


@tw.jit
def store_kernel(out_ptr, value):
    tl.store(out_ptr, value)


@tw.jit
def fill_kernel(out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, n, mask=offsets < n)


@tw.jit
def factor_kernel(out_ptr):
    tl.store(out_ptr, FACTOR)


@tw.jit
def double_it(x):
    return x * FACTOR


@tw.jit
def helper_kernel(out_ptr):
    tl.store(out_ptr, double_it(tl.load(out_ptr)))


class Size(enum.IntEnum):
    SMALL = 8


@pytest.mark.parametrize("value", [np.int8(-5), np.uint8(250), np.int32(1), np.int64(2**40), np.uint32(4 * 10**9),
                                   np.float16(2.5), np.float32(1.5), np.float64(-0.25), np.bool_(True)])
def test_numpy_scalars_are_numbers(value):
    out = np.zeros(1, np.float64)
    store_kernel[(1,)](out, value)
    assert out[0] == float(value)


def test_arrays_without_axes_are_pointers():
    out = np.zeros((), np.float32)
    store_kernel[(1,)](out, 3)
    assert out == 3


@pytest.mark.parametrize("block", [np.int64(8), Size.SMALL])
def test_integers_of_other_types_are_constants(block):
    out = np.zeros(8, np.int32)
    fill_kernel[(1,)](out, 5, BLOCK=block)
    np.testing.assert_array_equal(out, [5] * 5 + [0] * 3)


def test_empty_arrays_are_accepted():
    empty = np.zeros(0, np.float32)

    @tw.jit
    def copy_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
        offsets = tl.arange(0, BLOCK)
        tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=offsets < n), mask=offsets < n)

    copy_kernel[(1,)](empty, empty, 0, BLOCK=8)
    out = np.full(8, 7, np.float32)
    copy_kernel[(1,)](empty, out, 0, BLOCK=8)
    np.testing.assert_array_equal(out, [7] * 8)


def test_changed_globals_are_seen(monkeypatch):
    out = np.ones(1, np.float32)
    factor_kernel[(1,)](out)
    helper_kernel[(1,)](out)
    assert out[0] == 4
    monkeypatch.setitem(globals(), "FACTOR", 5)
    factor_kernel[(1,)](out)
    assert out[0] == 5
    helper_kernel[(1,)](out)
    assert out[0] == 25


def test_changed_closures_are_seen():
    factor = 3

    @tw.jit
    def kernel(out_ptr):
        tl.store(out_ptr, factor)

    out = np.zeros(1, np.float32)
    kernel[(1,)](out)
    assert out[0] == 3
    factor = 4
    kernel[(1,)](out)
    assert out[0] == 4


@pytest.mark.parametrize("grid", ["a", None, (2.5,), (1, None)])
def test_grids_are_integers(grid):
    with pytest.raises(tw.LaunchError, match="TW6056"):
        store_kernel[grid](np.zeros(1, np.float32), 3)


class Labelled(np.ndarray):
    """An array as NumPy 2 makes it: `device` is a text, whose `index` is a method."""
    device = "cpu"


def test_a_device_may_be_a_text():
    out = np.zeros((), np.float32).view(Labelled)
    store_kernel[(1,)](out, 3, target="reference")
    assert out == 3


@pytest.mark.parametrize("value, text", [(np.float32, "the class float32"), (int, "the class int"), (np.zeros(2), "ndarray"), ({}, "dict")])
def test_what_no_constexpr_can_be(value, text):
    with pytest.raises(tw.LaunchError, match=f"TW6050: expected a number.*'BLOCK', got {text}"):
        fill_kernel[(1,)](np.zeros(8, np.int32), 5, BLOCK=value)


def test_a_class_is_no_argument():
    with pytest.raises(tw.LaunchError, match="TW6053.*'value', got type"):
        store_kernel[(1,)](np.zeros(1, np.float32), np.float32)


@pytest.mark.parametrize("target, code", [("refrence", 5008), ("cuda", 5008), ("nvidia:sm_91", 4101), ("cpu:nonsense", 4102)])
def test_unknown_targets_are_said_to_be_unknown(target, code):
    """Not that the arrays cannot be reached from there."""
    with pytest.raises(tw.TilewrightError) as caught:
        store_kernel[(1,)](np.zeros(1, np.float32), 3, target=target)
    assert caught.value.code == code and target.partition(":")[2] in str(caught.value), caught.value


@pytest.mark.parametrize("keyword, hint", [("BLOC", "'BLOC' is not a parameter, did you mean 'BLOCK'"), ("zzz", "'zzz' is not a parameter$")])
def test_misspelt_keywords_are_named(keyword, hint):
    with pytest.raises(tw.LaunchError, match=f"(?s)TW6055.*missing.*'BLOCK'.*hint: {hint}"):
        fill_kernel[(1,)](np.zeros(8, np.int32), 5, num_warps=4, **{keyword: 8})


@tw.jit
def causal_kernel(out_ptr, BLOCK: tl.constexpr, CAUSAL: tl.constexpr = False):
    tl.store(out_ptr + tl.arange(0, BLOCK), 2 if CAUSAL else 1)


class Away:
    """What is asked of an array in the memory of a GPU, to compile for it."""

    dtype, shape, element_size, stride, data_ptr = "int32", (4,), lambda self: 4, lambda self: (1,), lambda self: 4096

    def __init__(self, vendor):
        self.device = types.SimpleNamespace(type=vendor, index=0)


def notices_of(launch):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        launch()
    return [str(entry.message) for entry in caught if entry.category is tw.CompilationWarning]


@pytest.mark.parametrize("target", ["cpu", "reference"])
@pytest.mark.parametrize("options", [{"waves_per_eu": 2}, {"matrix_instr_nonkdim": 16, "kpack": 2}, {"sparkle": 3}, {"num_warp": 8},
                                     {"launch_pdl": True, "glitter": "much", "sparkle": 1.5}])
def test_options_of_other_backends_are_ignored_with_one_notice(target, options):
    kernel, out = tw.jit(causal_kernel.fn), np.zeros(4, np.int32)

    def launch():
        kernel[(1,)](out, BLOCK=4, target=target, **options)

    first = notices_of(launch)
    assert (out == 1).all()
    for name in options:
        said, = [text for text in first if f"option '{name}'" in text]
        assert "TW4107" in said and "causal_kernel" in said and target in said
        assert ("did you mean 'num_warps'?" in said) == (name == "num_warp")
    assert len(first) == len(options)
    assert notices_of(launch) == []
    assert notices_of(lambda: kernel[(1,)](out, BLOCK=2, target=target, **options)) == []  # nor for another variant
    other = tw.jit(causal_kernel.fn)
    assert len(notices_of(lambda: other[(1,)](out, BLOCK=4, target=target, **options))) == len(options)


def test_options_that_mean_something_are_taken_in_silence():
    out = np.zeros(4, np.int32)
    assert notices_of(lambda: tw.jit(causal_kernel.fn)[(1,)](out, BLOCK=4, num_warps=8, num_stages=2, num_ctas=1, maxnreg=64,
                                                             enable_fp_fusion=False, waves_per_eu=None)) == []
    for target, count in (("amd:gfx942", 0), ("nvidia:sm_90a", 1)):
        away = Away(target.partition(":")[0])
        assert len(notices_of(lambda: tw.jit(causal_kernel.fn).warmup(away, BLOCK=4, target=target, grid=(1,), waves_per_eu=2))) == count


@pytest.mark.parametrize("keyword, hint", [("CASUAL", "'CASUAL' is not a parameter, did you mean 'CAUSAL'?"),
                                           ("BLOCKS", "did you mean 'BLOCK'?"), ("out_pt", "did you mean 'out_ptr'?"),
                                           ("GROUP", "'GROUP' is not a parameter")])
def test_a_misspelt_constant_is_no_option(keyword, hint):
    """What it was meant to change would stay as it is."""
    out = np.zeros(4, np.int32)
    with pytest.raises(tw.LaunchError, match="TW6055.*causal_kernel") as caught:
        causal_kernel[(1,)](out, BLOCK=4, **{keyword: True})
    assert hint in str(caught.value) and not out.any()


def test_a_compile_that_is_asked_for_refuses_unknown_options():
    with pytest.raises(tw.CompilationError, match="TW4107: unknown option 'sparkle' for target cpu"):
        tw.compile(causal_kernel, "out_ptr:*i32, BLOCK=4", sparkle=3)


TABLE = {"scale": 2}
WEIGHTS = np.array([1.0, 2.0])
MIXED = [1, object()]


@tw.jit
def table_kernel(out_ptr):
    tl.store(out_ptr, TABLE["scale"])


@tw.jit
def weights_kernel(out_ptr):
    tl.store(out_ptr, WEIGHTS[1])


@tw.jit
def mixed_kernel(out_ptr):
    tl.store(out_ptr, MIXED[0])


@pytest.mark.parametrize("kernel, name", [(table_kernel, "TABLE"), (weights_kernel, "WEIGHTS"), (mixed_kernel, "MIXED")])
def test_values_that_kernels_cannot_capture(kernel, name):
    with pytest.raises(tw.CompilationError, match=f"(?s)TW2173.*'{name}'.*tl.constexpr parameter") as caught:
        kernel[(1,)](np.zeros(1, np.float32))
    assert f":{kernel.fn.__code__.co_firstlineno + 2}:" in str(caught.value)


def test_such_a_value_may_become_a_constant(monkeypatch):
    with pytest.raises(tw.CompilationError, match="TW2173"):
        mixed_kernel[(1,)](np.zeros(1, np.float32))
    monkeypatch.setitem(globals(), "MIXED", [7, 8])
    out = np.zeros(1, np.float32)
    mixed_kernel[(1,)](out)
    assert out[0] == 7


def test_kernels_without_source_are_refused():
    names = {"tw": tw, "tl": tl}
    exec("def unseen(out_ptr):\n    tl.store(out_ptr, 1)\n", names)
    with pytest.raises(tw.CompilationError, match="TW2010.*'unseen'"):
        tw.jit(names["unseen"])[(1,)](np.zeros(1, np.float32))
