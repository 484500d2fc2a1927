"""Kernels of `.twa` files from Python, without compiling."""
import inspect
import subprocess
import sys

import numpy as np
import pytest

import tilewright as tw
import tilewright.language as tl


@tw.jit
def scale(x, out, factor, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) * factor, mask=i < n)


def artifact(signature="x:*fp32, out:*fp32, factor:fp32, n:i32, BLOCK=64"):
    return tw.compile(scale, signature).artifact


def test_launch_by_position_and_name(tmp_path):
    (tmp_path / "scale.twa").write_bytes(artifact())
    kernel = tw.load(tmp_path / "scale.twa")
    assert kernel.arguments == [("x", "*fp32"), ("out", "*fp32"), ("factor", "fp32"), ("n", "i32")]
    x, out = np.arange(100, dtype=np.float32), np.zeros(100, np.float32)
    kernel[(2,)](x, out, 3.0, 100)
    np.testing.assert_array_equal(out, x * 3)
    kernel[2](x, out, n=100, factor=2)
    np.testing.assert_array_equal(out, x * 2)


def test_nothing_is_compiled(tmp_path):
    """Another process loads and runs it while compiling is impossible."""
    (tmp_path / "scale.twa").write_bytes(artifact())
    program = """
import sys, numpy as np, tilewright as tw
from tilewright import engine
engine.compiler = None
x, out = np.ones(8, np.float32), np.zeros(8, np.float32)
tw.load(sys.argv[1])[(1,)](x, out, 5.0, 8)
print(out.tolist())
"""
    done = subprocess.run([sys.executable, "-c", program, tmp_path / "scale.twa"], text=True, capture_output=True)
    assert done.stdout.strip() == str([5.0] * 8), done.stderr


@pytest.mark.parametrize("arguments, error", [
    ((np.ones(8), np.ones(8, np.float32), 1.0, 8), "TW6052: expected an array of fp32 for 'x', got fp64"),
    ((3, np.ones(8, np.float32), 1.0, 8), "TW6052: expected an array of fp32 for 'x', got int"),
    ((np.ones(8, np.float32), np.ones(8, np.float32), 1.0, 8.5), "TW6053: expected a number of type i32 for 'n'"),
    ((np.ones(8, np.float32), np.ones(8, np.float32), 1.0), "TW6055: expected the arguments x, out, factor, n"),
    ((np.ones(8, np.float32),) * 2 + (1.0, 2, 3), "TW6055"),
])
def test_wrong_arguments(arguments, error):
    with pytest.raises(tw.LaunchError, match=error):
        tw.load(artifact())[(1,)](*arguments)


def read_only(count):
    array = np.ones(count, np.float32)
    array.flags.writeable = False
    return array


def test_read_only_arrays_are_not_written():
    """Also where the kernel only reads: that an artifact for *fp32 does not write is not known."""
    kernel, frozen, out = tw.load(artifact()), read_only(8), np.zeros(8, np.float32)
    for arguments in ((out, frozen), (frozen, out)):
        with pytest.raises(tw.LaunchError, match=r"TW6064: expected an array that may be written for '(x|out)' \(\*fp32\)"):
            kernel[(1,)](*arguments, 3.0, 8)
    assert (frozen == 1).all() and not out.any()


def test_read_only_arrays_go_to_read_only_pointers(tilewright, tmp_path):
    signature = "x:*kfp32, out:*fp32, factor:fp32, n:i32, BLOCK=64"
    (tmp_path / "scale.py").write_text("import tilewright as tw\nimport tilewright.language as tl\n\n\n" +
                                       inspect.getsource(scale.fn))
    subprocess.run([tilewright, "bundle", tmp_path / "scale.py", "-o", tmp_path / "scale.twb", "--variant", signature + "; 1"], check=True)
    for launch in (tw.load(artifact(signature))[(1,)], tw.load(tmp_path / "scale.twb")):
        out = np.zeros(8, np.float32)
        launch(read_only(8), out, 3.0, 8)
        assert (out == 3).all()
        with pytest.raises(tw.LaunchError, match="TW6064: .*'out'"):
            launch(read_only(8), read_only(8), 3.0, 8)


def test_facts_are_checked():
    kernel = tw.load(artifact("x:*fp32, out:*fp32, factor:fp32, n:i32[:16], BLOCK=64"))
    x, out = np.ones(64, np.float32), np.zeros(64, np.float32)
    kernel[(1,)](x, out, 2.0, 48)
    assert out[:48].tolist() == [2.0] * 48 and not out[48:].any()
    with pytest.raises(tw.LaunchError):
        kernel[(1,)](x, out, 2.0, 40)


def test_damaged_file(tmp_path):
    content = bytearray(artifact())
    content[len(content) // 2] ^= 1
    with pytest.raises(tw.CacheError, match="TW7104"):
        tw.load(bytes(content))
    with pytest.raises(tw.CacheError, match="TW7107"):
        tw.load(tmp_path / "missing.twa")
