"""Overrides of high-level ops in all their forms, and ops that plugins and kernels add.

A plugin whose claims come from files (overrides/ScriptedOverrides.cpp) takes ops over on real targets. What is expected comes
from NumPy in double precision, or from the op's own definition compiled with --no-overrides.
"""
import json
import pathlib
import re
import shutil
import struct
import subprocess

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent / "overrides"
IR, DEVICE, CALLBACK, ARTIFACT, WHOLE = 1, 2, 3, 4, 5
EXACT, ULP, FAST = 1, 2, 3
F16, BF16, F32 = 10, 11, 12
SIGMOID = "x:*fp32[:16], out:*fp32[:16], N=64"
SOFTMAX = "x:*fp32[:16], out:*fp32[:16], R=8, C=16, DIM=1"


class Scripted:
    """A copy of the scripted plugin with its files, and the command that uses it."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        folder.mkdir(exist_ok=True)
        shutil.copy(build / "lib/overrides/libtilewright_scripted.so", folder)
        self.library = folder / "libtilewright_scripted.so"
        self.be("cpu")
        self.claims = []

    def be(self, vendor, manifest=True):
        (self.folder / "vendor").write_text(vendor)
        file = self.folder / "libtilewright_scripted.json"
        file.unlink(missing_ok=True)
        if manifest:
            file.write_text(json.dumps({"schema": 1, "vendor": vendor, "profiles": ["override"]}))

    def claim(self, op, form, provider, **fields):
        fields = {"op": op, "form": form, "provider": provider, **fields}
        self.claims.append(" ".join(f"{key}={value}" for key, value in fields.items()))
        (self.folder / "claims").write_text("\n".join(self.claims) + "\n")

    def tool(self, *arguments, text=True):
        return subprocess.run([self.build / "bin/tilewright", *map(str, arguments)], capture_output=True, text=text, timeout=300)

    def make(self, name, kernel, signature):
        """Writes an IR library from the kernel of library.py."""
        done = self.tool("compile", HERE / "library.py", "--kernel", kernel, "--sig", signature, "--opt", "overrides=whole",
                         "--emit=portable", "-o", self.folder / name)
        assert done.returncode == 0, done.stderr

    def compile(self, kernel, signature, *options, emit="kernel", status=0, target="cpu"):
        done = self.tool("compile", HERE / "kernels.py", "--kernel", kernel, "--sig", signature, "--plugin", self.library,
                         "--target", target, f"--emit={emit}", "--trace-overrides", "-o", "-", *options)
        assert done.returncode == status, done.stderr
        return done.stdout, done.stderr

    def artifact(self, kernel, signature, *options, target="cpu"):
        file = self.folder / "made.twa"
        done = self.tool("compile", HERE / "kernels.py", "--kernel", kernel, "--sig", signature, "--plugin", self.library,
                         "--target", target, "-o", file, *options)
        assert done.returncode == 0, done.stderr
        return file.read_bytes()

    def run(self, kernel, values, *options, target="cpu", **constants):
        """`out` of a launch."""
        np.save(self.folder / "x.npy", values)
        arguments = [f"x=@{self.folder / 'x.npy'}", f"out=fp32[{values.size}]", *(f"{k}={v}" for k, v in constants.items())]
        done = self.tool("run", HERE / "kernels.py", "--kernel", kernel, "--grid", "1", "--plugin", self.library, "--target",
                         target, "--trace-overrides", "--out", f"out={self.folder / 'out.npy'}",
                         *(word for argument in arguments for word in ("--arg", argument)), *options)
        assert done.returncode == 0, done.stderr
        self.trace = done.stderr
        return np.load(self.folder / "out.npy")


@pytest.fixture
def scripted(build, tmp_path):
    return Scripted(build, tmp_path / "plugin")


@pytest.fixture(params=["cpu", "reference"])
def target(request):
    """IR libraries and callbacks need nothing of a target but that it compiles."""
    return request.param


def llvm_tool(build, name):
    """A program of the LLVM that the build uses."""
    cache = (build / "CMakeCache.txt").read_text()
    return pathlib.Path(re.search(r"^LLVM_DIR:\w+=(.*)$", cache, re.M)[1]).parents[2] / "bin" / name


def ulps(got, expected):
    """The largest distance in units of the last place of fp32."""
    got, expected = (np.asarray(v, np.float32) for v in (got, expected))
    return np.max(np.abs(got.astype(np.float64) - expected.astype(np.float64)) / np.spacing(np.abs(expected)))


def sharp():
    """Inputs at which sigmoids that are not careful differ: both tails, zero, and where exp overflows."""
    return np.concatenate([np.linspace(-87, 87, 48), np.array([0, -0.0, 1e-8, -1e-8, 16.63, -16.63, 88.7, -88.7] * 2)]).astype(np.float32)


def exact_sigmoid(x):
    return 1 / (1 + np.exp(-x.astype(np.float64)))


# --- Form 1: IR library ---------------------------------------------------------------------------------------------------


def test_ir_library_takes_an_op(scripted, target):
    scripted.be(target)
    scripted.make("sigmoid.tw", "sigmoid_exp2", SIGMOID)
    scripted.claim("sigmoid", IR, "acme", priority=5, numerics=ULP, ulp=64, dtypes=1 << F32, format="tw.portable", file="sigmoid.tw",
                   symbol="sigmoid_exp2")
    code, trace = scripted.compile("sigmoid", SIGMOID, target=target)
    assert "math.exp2" in code and "kernel.call_op" not in code
    assert "override: sigmoid@1 of tensor<64xf32>: 'acme' (IR library, priority 5, 64 ulp)" in trace
    assert "kernels.py:9:" in trace
    x = sharp()
    own = scripted.run("sigmoid", x, "--no-overrides", target=target, N=64)
    taken = scripted.run("sigmoid", x, target=target, N=64)
    assert 4 < ulps(taken, own) <= 64
    assert ulps(own, exact_sigmoid(x)) <= 4


def test_ir_library_declines_another_type(scripted):
    scripted.make("sigmoid.tw", "sigmoid_exp2", SIGMOID)
    scripted.claim("sigmoid", IR, "acme", dtypes=1 << F32, format="tw.portable", file="sigmoid.tw")
    code, trace = scripted.compile("sigmoid", SIGMOID.replace("fp32", "fp64"))
    assert "math.exp2" not in code
    assert "sigmoid@1 of tensor<64xf64>: its body; not 'acme' (IR library, priority 0, exact): it is for f32, not f64" in trace


def test_ir_library_declines_what_it_has_no_body_for(scripted):
    """Shape and compile-time arguments are those of the library's own call."""
    scripted.make("softmax.tw", "softmax_rows", SOFTMAX)
    scripted.claim("softmax", IR, "acme", numerics=ULP, ulp=4, format="tw.portable", file="softmax.tw")
    code, trace = scripted.compile("softmax", SOFTMAX)
    assert "softmax@1 of tensor<8x16xf32>: 'acme'" in trace and code.count("arith.divf") == 1
    for other in (SOFTMAX.replace("DIM=1", "DIM=0"), SOFTMAX.replace("C=16", "C=32")):
        code, trace = scripted.compile("softmax", other)
        assert "its body; not 'acme' (IR library, priority 0, 4 ulp): it has no body for these types and arguments" in trace
        assert "kernel.call_op" not in code


def test_softmax_agrees_with_numpy(scripted):
    scripted.make("softmax.tw", "softmax_rows", SOFTMAX)
    scripted.claim("softmax", IR, "acme", numerics=ULP, ulp=4, format="tw.portable", file="softmax.tw")
    x = np.random.default_rng(3).normal(0, 20, 128).astype(np.float32)
    rows = x.reshape(8, 16)
    exact = np.exp((rows - rows.max(1, keepdims=True)).astype(np.float64))
    exact /= exact.sum(1, keepdims=True)
    own = scripted.run("softmax", x, "--no-overrides", R=8, C=16, DIM=1)
    taken = scripted.run("softmax", x, R=8, C=16, DIM=1)
    assert ulps(taken, own) <= 4 and not np.array_equal(own, taken)
    assert ulps(taken, exact.ravel()) <= 8


def test_an_exact_claim_keeps_the_bits(scripted, target):
    scripted.be(target)
    scripted.make("sigmoid.tw", "sigmoid_same", SIGMOID)
    scripted.claim("sigmoid", IR, "acme", format="tw.portable", file="sigmoid.tw")
    x = sharp()
    assert np.array_equal(scripted.run("sigmoid", x, target=target, N=64),
                          scripted.run("sigmoid", x, "--no-overrides", target=target, N=64))


# --- Choosing -------------------------------------------------------------------------------------------------------------


def two_libraries(scripted):
    scripted.make("fast.tw", "sigmoid_tanh", SIGMOID)
    scripted.make("careful.tw", "sigmoid_exp2", SIGMOID)
    scripted.claim("sigmoid", IR, "careful", priority=1, numerics=ULP, ulp=64, format="tw.portable", file="careful.tw")
    scripted.claim("sigmoid", IR, "tanh", priority=9, numerics=FAST, format="tw.portable", file="fast.tw")


def test_priority_decides_and_numerics_limits(scripted):
    two_libraries(scripted)
    code, trace = scripted.compile("sigmoid", SIGMOID)
    assert "math.exp2" in code
    assert "'careful' (IR library, priority 1, 64 ulp); not 'tanh' (IR library, priority 9, fast): it is fast, which needs math=fast" in trace
    code, trace = scripted.compile("sigmoid", SIGMOID, "--math", "fast")
    assert "math.exp2" not in code and "'tanh' (IR library, priority 9, fast); not 'careful'" in trace
    assert "its priority is not higher" in trace
    code, trace = scripted.compile("sigmoid", SIGMOID, "--math", "portable")
    assert "its body" in trace and "it is not exact, which math=portable asks for" in trace


def test_a_pin_wins(scripted):
    two_libraries(scripted)
    code, trace = scripted.compile("sigmoid", SIGMOID, "--pin-op", "sigmoid=tanh")
    assert "math.exp2" not in code and "'tanh' (IR library, priority 9, fast), pinned; not 'careful'" in trace
    code, trace = scripted.compile("sigmoid", SIGMOID, "--pin-op", "sigmoid=builtin")
    assert "math.exp2" not in code and trace.count("the op is pinned to 'builtin'") == 2
    _, errors = scripted.compile("sigmoid", SIGMOID, "--pin-op", "sigmoid=nobody", status=1)
    assert "TW3126" in errors and "known: builtin, tanh, careful" in errors
    _, errors = scripted.compile("sigmoid", SIGMOID, "--pin-op", "sigmoid", status=1)
    assert "TW4106" in errors


def test_one_switch_turns_all_off(scripted):
    two_libraries(scripted)
    code, trace = scripted.compile("sigmoid", SIGMOID, "--no-overrides")
    assert "sigmoid@1 of tensor<64xf32>: its body; overrides are off" in trace
    (scripted.folder / "claims").unlink()
    assert code == scripted.compile("sigmoid", SIGMOID)[0]


def test_a_predicate_chooses_shapes_and_arguments(scripted):
    """extent 1 == 16 and dim == 1, as postfix code over (extent 0, extent 1, dim)."""
    scripted.make("softmax.tw", "softmax_rows", SOFTMAX)
    number = lambda value: "01" + value.to_bytes(8, "little").hex()
    argument = lambda index: "02" + index.to_bytes(2, "little").hex()
    equal, both = "20", "18"
    code = argument(1) + number(16) + equal + argument(2) + number(1) + equal + both
    scripted.claim("softmax", IR, "acme", numerics=ULP, ulp=4, format="tw.portable", file="softmax.tw", predicate=code,
                   arguments="dim", min_rank=2, max_rank=2)
    assert ": 'acme'" in scripted.compile("softmax", SOFTMAX)[1]
    for other in (SOFTMAX.replace("DIM=1", "DIM=0"), SOFTMAX.replace("C=16", "C=32")):
        assert "it is not for this shape and these arguments" in scripted.compile("softmax", other)[1]


def test_content_is_part_of_the_fingerprint(scripted):
    scripted.claim("sigmoid", IR, "acme", numerics=ULP, ulp=4, format="tw.portable", file="sigmoid.tw")
    scripted.make("sigmoid.tw", "sigmoid_exp2", SIGMOID)
    first, again = (scripted.artifact("sigmoid", SIGMOID) for _ in range(2))
    scripted.make("sigmoid.tw", "sigmoid_same", SIGMOID)
    second, off = scripted.artifact("sigmoid", SIGMOID), scripted.artifact("sigmoid", SIGMOID, "--no-overrides")
    marks = [re.findall(rb"override sigmoid@1 'acme' \([^)]*\) ([0-9a-f]+)", file) for file in (first, second, off)]
    assert first == again and marks[0] and marks[1] and marks[0] != marks[1] and not marks[2]


class Cached:
    """Compiles of `sigmoid` with a folder of kernels."""

    def __init__(self, scripted, folder):
        self.scripted, self.folder = scripted, folder

    def compile(self, *options, kernel="sigmoid", signature=SIGMOID):
        """(whether the artifact was in the folder, its bytes)."""
        file = self.scripted.folder / "cached.twa"
        done = self.scripted.tool("compile", HERE / "kernels.py", "--kernel", kernel, "--sig", signature, "--plugin",
                                  self.scripted.library, "--cache", self.folder, "--timings=json", "-o", file, *options)
        assert done.returncode == 0, done.stderr
        return '"cache"' in done.stderr, file.read_bytes()


@pytest.fixture
def cached(scripted, tmp_path):
    return Cached(scripted, tmp_path / "cache")


def write_ir(scripted, name, kernel):
    scripted.make(name, kernel, SIGMOID)


def write_device(scripted, name, slope):
    text = (HERE / "device.ll").read_text()
    assert "%x, 2.5" in text
    subprocess.run([llvm_tool(scripted.build, "llvm-as"), "-o", scripted.folder / name], input=text.replace("%x, 2.5", f"%x, {slope}"),
                   text=True, check=True)


@pytest.mark.parametrize("form, file, write, first, second, fields", [
    (IR, "sigmoid.tw", write_ir, "sigmoid_exp2", "sigmoid_same", {"format": "tw.portable"}),
    (DEVICE, "device.bc", write_device, "2.5", "7.5", {"format": "llvm.bc", "symbol": "acme_hard_sigmoid"}),
    (CALLBACK, "answer", write_ir, "sigmoid_exp2", "sigmoid_same", {})], ids=["IR library", "device library", "callback"])
def test_content_is_part_of_the_key_of_the_cache(scripted, cached, form, file, write, first, second, fields):
    """What a library holds decides whether a kernel that was compiled with it is used again. Of a callback the record's
    `content_hash` says what its answers follow from."""
    def change(content):
        write(scripted, f"{file}.{F32}.64" if form == CALLBACK else file, content)
        scripted.claims.clear()
        stated = {"hash": content.encode().hex()} if form == CALLBACK else {}
        scripted.claim("sigmoid", form, "acme", numerics=ULP, ulp=64, dtypes=1 << F32, file=file, **fields, **stated)

    change(first)
    found, made = cached.compile()
    assert not found and cached.compile() == (True, made)
    change(second)
    found, other = cached.compile()
    assert not found and other != made and cached.compile() == (True, other)
    found, own = cached.compile("--no-overrides")
    assert not found and own not in (made, other) and cached.compile("--no-overrides") == (True, own)
    change(first)
    assert cached.compile() == (True, made)


def test_a_claim_is_part_of_the_key_of_the_cache(scripted, cached):
    """Its priority and accuracy decide who is chosen, also where no content changes."""
    write_ir(scripted, "sigmoid.tw", "sigmoid_exp2")
    own = cached.compile()[1]
    scripted.claim("sigmoid", IR, "acme", numerics=ULP, ulp=64, format="tw.portable", file="sigmoid.tw")
    found, made = cached.compile()
    assert not found and made != own
    scripted.claims.clear()
    scripted.claim("sigmoid", IR, "acme", numerics=FAST, format="tw.portable", file="sigmoid.tw")
    found, declined = cached.compile()
    assert not found and declined == own


@pytest.mark.parametrize("fields, text", [
    ({"form": 9}, "a known form"), ({"numerics": 7}, "a known numerics class"), ({"min": 3, "max": 2}, "versions from 1 on"),
    ({"min_rank": 3, "max_rank": 2}, "ranks in order"), ({"predicate": "10"}, "a well-formed predicate")])
def test_malformed_claims_are_errors(scripted, fields, text):
    scripted.claim("sigmoid", **{"form": IR, "provider": "acme", **fields})
    _, errors = scripted.compile("sigmoid", SIGMOID, status=1)
    assert "TW3125" in errors and text in errors
    scripted.compile("sigmoid", SIGMOID, "--no-overrides")


@pytest.mark.parametrize("content", [b"", b"TWPI\1\0\0\0 not a module", None])
def test_a_broken_library_costs_a_warning(scripted, content):
    if content is not None:
        (scripted.folder / "sigmoid.tw").write_bytes(content)
    scripted.claim("sigmoid", IR, "acme", format="tw.portable", file="sigmoid.tw")
    code, trace = scripted.compile("sigmoid", SIGMOID)
    assert "TW3127" in trace and "by 'acme' cannot be used" in trace and "its body" in trace
    assert code == scripted.compile("sigmoid", SIGMOID, "--no-overrides")[0]


def test_overrides_work_from_a_worker(scripted):
    """Without a manifest nobody knows whose library it is: it is asked in a process of its own."""
    scripted.be("cpu", manifest=False)
    scripted.make("sigmoid.tw", "sigmoid_exp2", SIGMOID)
    scripted.claim("sigmoid", IR, "acme", numerics=ULP, ulp=4, format="tw.portable", file="sigmoid.tw")
    code, trace = scripted.compile("sigmoid", SIGMOID)
    assert "math.exp2" in code and "'acme' (IR library" in trace


# --- Form 2: device library -----------------------------------------------------------------------------------------------


@pytest.fixture
def bitcode(scripted, build):
    subprocess.run([llvm_tool(build, "llvm-as"), HERE / "device.ll", "-o", scripted.folder / "device.bc"], check=True)
    return "device.bc"


def test_device_library_is_linked(scripted, bitcode):
    scripted.claim("sigmoid", DEVICE, "acme", numerics=FAST, dtypes=1 << F32, format="llvm.bc", file=bitcode, symbol="acme_hard_sigmoid")
    code, trace = scripted.compile("sigmoid", SIGMOID, "--math", "fast")
    assert 'kernel.extern_call "acme" "acme_hard_sigmoid" pure' in code
    assert "'acme' (device library, priority 0, fast)" in trace
    x = np.array([-100, -2, -1, 0, 1, 2, 100, 1e30] * 8, np.float32)
    taken = scripted.run("sigmoid", x, "--math", "fast", N=64)
    assert np.array_equal(taken, np.clip(x * np.float32(0.25) + np.float32(0.5), 0, 1))
    assert "its body" in scripted.compile("sigmoid", SIGMOID)[1]
    _, trace = scripted.compile("sigmoid", SIGMOID.replace("fp32", "fp64"), "--math", "fast")
    assert "it is for f32, not f64" in trace
    code, trace = scripted.compile("sigmoid", SIGMOID, "--math", "fast", "--pin-op", "sigmoid=builtin")
    assert "extern_call" not in code and "pinned to 'builtin'" in trace


def test_device_library_on_an_opencl_device(scripted, bitcode):
    scripted.be("spirv")
    x = np.array([-100, -2, -1, 0, 1, 2, 100, 1e30] * 8, np.float32)
    try:
        scripted.run("sigmoid", x, target="spirv", N=64)
    except AssertionError as error:
        if "TW6001" in str(error) or "TW6002" in str(error):
            pytest.skip("there is no OpenCL device")
        raise
    scripted.claim("sigmoid", DEVICE, "acme", numerics=FAST, dtypes=1 << F32, format="llvm.bc", file=bitcode, symbol="acme_hard_sigmoid")
    taken = scripted.run("sigmoid", x, "--math", "fast", target="spirv", N=64)
    assert "'acme' (device library" in scripted.trace
    assert np.array_equal(taken, np.clip(x * np.float32(0.25) + np.float32(0.5), 0, 1))


def test_device_library_is_part_of_ptx(scripted, bitcode):
    scripted.be("nvidia")
    scripted.claim("sigmoid", DEVICE, "acme", numerics=FAST, dtypes=1 << F32, format="llvm.bc", file=bitcode, symbol="acme_hard_sigmoid")
    text, trace = scripted.compile("sigmoid", SIGMOID, "--math", "fast", emit="llvm", target="nvidia:sm_90a")
    assert "'acme' (device library" in trace and "call float @acme_hard_sigmoid" not in text and "2.500000e-01" in text


@pytest.mark.parametrize("symbol, text", [("acme_wrong_type", "expected 'acme_wrong_type' to be float (float), got double (float)"),
                                          ("acme_nothing", "expected a function 'acme_nothing', got none")])
def test_device_library_is_checked(scripted, bitcode, symbol, text):
    scripted.claim("sigmoid", DEVICE, "acme", format="llvm.bc", file=bitcode, symbol=symbol)
    _, errors = scripted.compile("sigmoid", SIGMOID, emit="llvm", status=1)
    assert "TW4116" in errors and text in errors


def test_device_library_must_be_one_that_the_target_links(scripted, bitcode):
    scripted.claim("sigmoid", DEVICE, "acme", format="ptx", file=bitcode, symbol="acme_hard_sigmoid")
    assert "the target links no library of format 'ptx'" in scripted.compile("sigmoid", SIGMOID)[1]
    scripted.be("reference")
    assert "the target links no library of format 'ptx'" in scripted.compile("sigmoid", SIGMOID, target="reference")[1]


# --- Form 3: callback -----------------------------------------------------------------------------------------------------


def test_callback_answers_by_type(scripted, target):
    scripted.be(target)
    scripted.make(f"answer.{F32}.64", "sigmoid_exp2", SIGMOID)
    scripted.claim("sigmoid", CALLBACK, "acme", numerics=ULP, ulp=64, file="answer")
    code, trace = scripted.compile("sigmoid", SIGMOID, target=target)
    assert "math.exp2" in code and "'acme' (callback, priority 0, 64 ulp)" in trace
    x = sharp()
    own, taken = (scripted.run("sigmoid", x, *options, target=target, N=64) for options in (["--no-overrides"], []))
    assert 4 < ulps(taken, own) <= 64
    for other in (SIGMOID.replace("fp32", "fp64"), SIGMOID.replace("N=64", "N=32")):
        code, trace = scripted.compile("sigmoid", other, target=target)
        assert "math.exp2" not in code and "its body; not 'acme' (callback, priority 0, 64 ulp): it declined" in trace
    assert "math.exp2" not in scripted.compile("sigmoid", SIGMOID, "--pin-op", "sigmoid=builtin", target=target)[0]


def test_a_callback_that_fails_costs_a_warning(scripted):
    scripted.claim("sigmoid", CALLBACK, "acme", file="broken")
    _, trace = scripted.compile("sigmoid", SIGMOID)
    assert "TW3127" in trace and "the script says so" in trace and "its body" in trace


# --- Form 4: artifact -----------------------------------------------------------------------------------------------------


def prebuilt(scripted, *options, **fields):
    """Claims the kernel `softmax` with an artifact whose code is another library's."""
    scripted.make("softmax.tw", "softmax_rows", SOFTMAX)
    scripted.claim("softmax", IR, "helper", numerics=ULP, ulp=4, format="tw.portable", file="softmax.tw")
    (scripted.folder / "softmax.twa").write_bytes(scripted.artifact("softmax", SOFTMAX, *options))
    identity, _ = scripted.compile("softmax", SOFTMAX, emit="identity")
    scripted.claims.clear()
    scripted.claim("softmax", ARTIFACT, "acme", **{"numerics": ULP, "ulp": 4, "format": "twa", "file": "softmax.twa",
                                                   "hash": identity.strip(), **fields})


def payload(artifact):
    """The code in a `.twa` file: where its first payload is stands behind the header (docs/formats.md)."""
    offset, size = struct.unpack_from("<QQ", artifact, 64 + 32 + 8)
    return artifact[offset:offset + size]


def trace_of(scripted, signature, *options):
    done = scripted.tool("compile", HERE / "kernels.py", "--kernel", "softmax", "--sig", signature, "--plugin", scripted.library,
                         "--trace-overrides", "-o", scripted.folder / "traced.twa", *options)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_an_artifact_replaces_a_kernel(scripted):
    prebuilt(scripted)
    assert "override: kernel softmax: 'acme' (artifact, priority 0, 4 ulp)" in trace_of(scripted, SOFTMAX)
    made = scripted.artifact("softmax", SOFTMAX)
    assert b"override softmax 'acme' (artifact" in made
    x = np.random.default_rng(4).normal(0, 20, 128).astype(np.float32)
    kernel = dict(R=8, C=16, DIM=1)
    own = scripted.run("softmax", x, "--no-overrides", **kernel)
    taken = scripted.run("softmax", x, "--sig", SOFTMAX, **kernel)
    assert "kernel softmax: 'acme' (artifact" in scripted.trace
    assert ulps(taken, own) <= 4 and not np.array_equal(own, taken)


@pytest.mark.parametrize("signature, options, text", [
    (SOFTMAX.replace("fp32", "fp16"), (), "it is for the kernel "),
    (SOFTMAX.replace("C=16", "C=32"), (), "it is for the kernel "),
    (SOFTMAX.replace(", R", ",  R"), (), "its signature is "),
    (SOFTMAX, ("--opt", "num_warps=8"), "it was compiled with other options"),
    (SOFTMAX, ("--target", "cpu:x86-64"), "it is for "),
    (SOFTMAX, ("--pin-op", "softmax=builtin"), "the op is pinned to 'builtin'")])
def test_an_artifact_declines(scripted, signature, options, text):
    prebuilt(scripted)
    trace = trace_of(scripted, signature, *options)
    assert "kernel softmax: its own code; not 'acme' (artifact, priority 0, 4 ulp): " in trace and text in trace


def test_content_of_an_artifact_is_part_of_the_key_of_the_cache(scripted, cached):
    """Another file behind the same claim is another key."""
    def compiled(*options):
        found, made = cached.compile(*options, kernel="softmax", signature=SOFTMAX)
        assert cached.compile(*options, kernel="softmax", signature=SOFTMAX) == (True, made)
        return found, made

    file = scripted.folder / "softmax.twa"
    own = scripted.artifact("softmax", SOFTMAX)
    prebuilt(scripted)
    first = file.read_bytes()
    found, made = compiled()
    assert not found and payload(made) == payload(first) != payload(own)
    file.write_bytes(own)
    found, other = compiled()
    assert not found and payload(other) == payload(own)
    found, off = compiled("--no-overrides")
    assert not found and b"override softmax" in other and b"override softmax" not in off
    file.write_bytes(first)
    assert compiled() == (True, made)


def test_a_damaged_artifact_costs_a_warning(scripted):
    prebuilt(scripted)
    file = scripted.folder / "softmax.twa"
    file.write_bytes(file.read_bytes()[:-1])
    trace = trace_of(scripted, SOFTMAX)
    assert "TW3127" in trace and "its artifact cannot be read" in trace


def test_ops_stay_whole_only_for_the_compiling_library(scripted):
    scripted.claim("sigmoid", WHOLE, "acme")
    assert "only the library that compiles gets ops whole" in scripted.compile("sigmoid", SIGMOID)[1]


# --- Added ops ------------------------------------------------------------------------------------------------------------


def test_a_kernel_adds_an_op(scripted):
    """Its body is what it means; a plugin may claim it."""
    code, trace = scripted.compile("own", SIGMOID)
    assert "call_op" not in code and "override" not in trace
    x = np.arange(64, dtype=np.float32)
    assert np.array_equal(scripted.run("own", x, N=64), 2 * x)
    whole, _ = scripted.compile("own", SIGMOID, "--opt", "overrides=whole")
    assert '<{name = "acme.twice@1"}>' in whole and "factor = 2" in whole
    scripted.claim("acme.twice", IR, "acme", format="tw.portable", file="twice.tw")
    done = scripted.tool("compile", HERE / "kernels.py", "--kernel", "own", "--sig", SIGMOID, "--opt", "overrides=whole",
                         "--emit=portable", "-o", scripted.folder / "twice.tw")
    assert done.returncode == 0, done.stderr
    assert "acme.twice@1 of tensor<64xf32>: 'acme'" in scripted.compile("own", SIGMOID)[1]


def test_names_without_a_vendor_are_refused(scripted):
    _, errors = scripted.compile("misnamed", SIGMOID, status=1)
    assert "TW2309" in errors and '"vendor.name@1"' in errors and "kernels.py:36:" in errors


SWISH = '''"""Ops of acme."""
import tilewright.language as tl


@op("acme.swish@1")
def swish(x, beta=1.0):
    return x * tl.sigmoid(x * beta)
'''


def test_a_plugin_adds_an_op(scripted, target):
    """Any target runs the decomposition; the vendor's claims count where its ops are used."""
    scripted.be("acme")
    (scripted.folder / "ops.py").write_text(SWISH)
    x = np.linspace(-8, 8, 64).astype(np.float32)
    own = scripted.run("added", x, target=target, N=64)
    assert ulps(own, x * exact_sigmoid(x * np.float32(0.5))) <= 4
    scripted.claim("acme.swish", IR, "acme", arch=f"{target}", format="tw.portable", file="swish.tw")
    done = scripted.tool("compile", HERE / "kernels.py", "--kernel", "added", "--sig", SIGMOID, "--plugin", scripted.library,
                         "--opt", "overrides=whole", "--emit=portable", "-o", scripted.folder / "swish.tw")
    assert done.returncode == 0, done.stderr
    assert "acme.swish@1 of tensor<64xf32>: 'acme' (IR library" in scripted.compile("added", SIGMOID, target=target)[1]
    assert np.array_equal(scripted.run("added", x, target=target, N=64), own)


def test_without_the_plugin_its_ops_are_unknown(scripted):
    _, errors = scripted.compile("added", SIGMOID, status=1)
    assert "swish" in errors and "kernels.py" in errors


def test_a_vendor_keeps_to_its_names(scripted):
    scripted.be("acme")
    (scripted.folder / "ops.py").write_text(SWISH.replace("acme.swish@1", "other.swish@1"))
    _, errors = scripted.compile("added", SIGMOID, status=1)
    assert "TW2309" in errors and '"acme.name@1"' in errors
