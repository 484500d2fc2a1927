"""The fast path of launches: it has to do what the slow path does, for every kind of argument."""
import random
import types

import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl
from tilewright import _native
from tilewright.errors import from_result
from tilewright.specialize import signature_entries

try:
    import torch
except ImportError:
    torch = None

FACTOR = 3


@tw.jit
def nothing(a, b, c, d=7, *, X: tl.constexpr = 5, Y: tl.constexpr = None):
    pass


@tw.jit(do_not_specialize=["b"])
def unspecialized(a, b: tl.int64, c: tl.float32, X: tl.constexpr = 5):
    pass


@tw.jit
def scale(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i) * FACTOR)


@tw.jit
def add_one(x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i) + 1)


BASE = np.zeros(4096, np.float32)
READ_ONLY = np.zeros(64, np.float32)
READ_ONLY.flags.writeable = False
VALUES = [
    0, 1, 2, 16, -16, -1, 17, 2**31 - 1, 2**31, -2**31, -2**31 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1, True, False, None, 0.0, -0.0,
    1.5, BASE[:64], BASE[1:65], BASE[64:128], BASE[::2], BASE[::-1], BASE[:0], BASE.reshape(64, 64)[:, 3], READ_ONLY,
    np.zeros(64, np.int8), np.zeros(64, np.uint8), np.zeros(64, bool), np.zeros(64, np.float16), np.zeros(64, np.int64),
    np.zeros(3, np.float64), np.int32(5), np.float32(2.5), np.bool_(True), (1, 2), (BASE, 3)
]
CONSTANTS = [0, 1, -1, 2**70, True, False, None, 0.0, -0.0, 1.5, float("inf"), "relu", "rel", "", "a longer text than a word", (1, 2),
             (1, (2,)), ("a", None), tl.float32, tl.int8, scale, add_one]
if torch is not None:
    FLAT = torch.zeros(4096)
    VALUES += [FLAT[:64], FLAT[1:65], FLAT[::3], FLAT.reshape(64, 64).t(), FLAT[:0], torch.tensor(3.0), torch.zeros(8, dtype=torch.bfloat16),
               torch.zeros(8, dtype=torch.bool), torch.nn.Parameter(torch.zeros(5))]
    CONSTANTS += [torch.float32, torch.bfloat16]


def signature_of(kernel, values):
    return signature_entries(kernel.params, values, kernel._module_of)[0]


@pytest.mark.parametrize("seed", range(2))
def test_a_known_key_means_the_same_signature(seed):
    """Whatever was launched before, the result is the code for these very arguments."""
    draw = random.Random(seed)
    seen = set()
    for _ in range(100):
        a, b, c, d = (draw.choice(VALUES) for _ in range(4))
        x, y = draw.choice(CONSTANTS), draw.choice(CONSTANTS)
        for _ in range(2):
            got = nothing[(1,)](a, b, c, d, X=x, Y=y)
            assert got.signature == signature_of(nothing, [a, b, c, d, x, y])
        seen.add(got.signature)
    assert len(seen) > 90


@pytest.mark.parametrize("seed", range(2))
def test_annotations_and_values_that_do_not_specialise(seed):
    draw = random.Random(seed)
    for _ in range(60):
        a = draw.choice(VALUES)
        b, c = draw.choice([0, 1, 5, 16, -3, 2**40]), draw.choice([0, 1, 2.5, 16])
        got = unspecialized[(1,)](a, b, c)
        assert got.signature == signature_of(unspecialized, [a, b, c, 5])


def test_calls_by_name_and_defaults():
    x, base = np.zeros(64, np.float32), _native.launch_count()
    first = nothing[(1,)](x, 2, c=3)
    assert nothing[(1,)](x, c=3, b=2) is first
    assert nothing[(1,)](c=3, b=2, a=x) is first
    assert nothing[(1,)](x, 2, 3, 7, X=5, Y=None) is first
    assert nothing[(1,)](x, 2, 3, 7, X=6) is not first
    assert nothing[(1,)](x, 2, 3, num_warps=8) is not first
    assert nothing[(1,)](x, 2, 3, target="reference").target.startswith("reference")
    assert nothing[(1,)](x, 2, 3) is first
    assert _native.launch_count() == base + 8


@pytest.mark.parametrize("args, kwargs", [((1,), {}), ((1, 2, 3, 4, 5), {}), ((1, 2, 3), {"a": 1}), ((1, 2, 3), {"NONE_SUCH": 1})])
def test_wrong_calls_are_refused_after_right_ones(args, kwargs):
    nothing[(1,)](1, 2, 3)
    with pytest.raises(tw.TilewrightError):
        nothing[(1,)](*args, **kwargs)


def test_values_arrive():
    """A launch under a known key passes its own values and grid."""
    @tw.jit
    def store(out, n, f, WIDTH: tl.constexpr):
        tl.store(out + tl.program_id(0) * WIDTH, n + f)

    for n, f, programs in ((2, 0.5, 3), (4, 0.25, 2), (2**20 + 2, 0.0, 1), (6, -1.0, 3)):
        out = np.full(6, -1, np.float64)
        store[lambda meta: (meta["n"] * 0 + programs,)](out, n, f, WIDTH=2)
        np.testing.assert_array_equal(out, [float(n) + np.float32(f) if i % 2 == 0 and i // 2 < programs else -1 for i in range(6)])


def test_a_captured_variable_that_changes():
    """Text holds globals: a known key does not outlive their values."""
    global FACTOR
    x, out = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    for factor in (3, 5, 5, 3):
        FACTOR = factor
        scale[(1,)](x, out, BLOCK=8)
        np.testing.assert_array_equal(out, x * factor)


def test_grid_errors_come_out():
    def grid(meta):
        raise ZeroDivisionError("mine")

    nothing[(1,)](1, 2, 3)
    with pytest.raises(ZeroDivisionError, match="mine"):
        nothing[grid](1, 2, 3)
    with pytest.raises(tw.LaunchError, match="TW6007"):
        nothing[(-1,)](1, 2, 3)
    with pytest.raises(tw.LaunchError, match="TW6056"):
        nothing[lambda meta: "x"](1, 2, 3)


def test_bind_launches_again():
    x = np.zeros(16, np.float32)
    launch = add_one.bind((1,), x, BLOCK=16)
    assert not x.any()
    for _ in range(3):
        launch()
    assert (x == 3).all()
    with pytest.raises(TypeError, match="expected no arguments"):
        launch(x)


def test_bind_holds_its_arrays():
    x = np.zeros(1 << 16, np.float32)
    launch, view = add_one.bind((1,), x, BLOCK=16), x[:16]
    del x
    launch()
    assert (view == 1).all()


def test_an_earlier_failure_is_the_next_launch_s_error():
    """On a device whose launches end when they return the error is the launch's own."""
    @tw.jit(debug=True)
    def check(limit):
        tl.device_assert(limit > 2, "too small")

    check[(1,)](4)
    for _ in range(2):
        with pytest.raises(tw.LaunchError, match="TW6030|too small"):
            check[(1,)](2)
    check[(1,)](4)
    tw.synchronize()


def far_array(kind, index=0, pinned=False):
    """Something like a tensor of another device."""
    return types.SimpleNamespace(data_ptr=lambda: 4096, element_size=lambda: 4, shape=(64,), stride=lambda: (1,), dtype="float32",
                                 device=types.SimpleNamespace(type=kind, index=index), is_pinned=lambda: pinned)


@pytest.mark.parametrize("arrays, target", [
    ((far_array("cuda"), far_array("cuda", 1)), None), ((far_array("cuda"), BASE), None), ((BASE, far_array("cuda")), None),
    ((BASE, BASE), "nvidia:sm_90a"), ((far_array("cuda"),) * 2, "cpu"), ((far_array("cuda", 1),) * 2, "nvidia:sm_80@0"),
    (((BASE, 2), far_array("cuda")), None)])
def test_arrays_of_several_devices_are_refused(arrays, target):
    with pytest.raises(tw.LaunchError, match="TW6059"):
        nothing[(1,)](*arrays, 3, target=target)


@pytest.mark.parametrize("code, kind", [(4150, tw.OutOfResources), (4122, tw.OutOfResources), (2041, tw.CompilationError)])
def test_too_large_is_out_of_resources(code, kind):
    """Tuners drop a configuration for this error, and stop at others."""
    result = types.SimpleNamespace(diagnostics=[(code, 3, "text", "", "", 0, 0)], rendered=f"TW{code}: text", status=1)
    error = from_result(result)
    assert type(error) is kind and error.code == code and isinstance(error, tw.CompilationError)


class Nowhere:
    """What a tensor looks like whose storage was freed, or never made."""

    dtype, shape = np.dtype("float32"), (8,)

    def __init__(self, address=0):
        self.address = address

    def data_ptr(self):
        return self.address

    def element_size(self):
        return 4

    def stride(self):
        return (1,)


def arrays_without_memory():
    yield Nowhere()
    if torch is not None:
        freed = torch.zeros(8)
        freed.untyped_storage().resize_(0)
        yield freed


@pytest.mark.parametrize("target", ["cpu", "reference"])
def test_arrays_without_memory_are_refused(target):
    """Also on the fast path, after the same kind of array was launched with."""
    add_one[(1,)](np.zeros(8, np.float32) if torch is None else torch.zeros(8), 8, target=target)
    for array in arrays_without_memory():
        with pytest.raises(tw.LaunchError, match="TW6021.*'x'.*32 bytes"):
            add_one[(1,)](array, 8, target=target)
    x = np.zeros(8, np.float32)
    add_one[(1,)](Nowhere(x.ctypes.data), 8, target=target)
    assert x.tolist() == [1] * 8


def test_arrays_that_cannot_say_where_they_are():
    class Sparse(Nowhere):
        def data_ptr(self):
            raise RuntimeError("no storage")

    with pytest.raises(tw.LaunchError, match="TW6021.*Sparse without: no storage"):
        add_one[(1,)](Sparse(), 8)
