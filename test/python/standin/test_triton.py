"""`import triton` through Tilewright: every form of jit, tuning, driver queries, the attributes that libraries read."""
import pathlib
import subprocess
import sys
import types

import numpy as np
import pytest

import tilewright.triton

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import helpers_for_tests

tilewright.triton.install()

import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.language.extra.cuda.libdevice import pow as cuda_pow
from triton.runtime import driver
from triton.tools.tensor_descriptor import TensorDescriptor

LOG2E = tl.constexpr(1.5) * 2


def teardown_module():
    tilewright.triton.uninstall()


@triton.jit
def copy_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def sum_kernel(x, BLOCK: tl.constexpr):
    tl.store(x, tl.sum(tl.load(x + tl.arange(0, BLOCK))))


def copied(kernel, **options):
    x = np.arange(100, dtype=np.float32)
    y = np.zeros_like(x)
    kernel[lambda meta: (triton.cdiv(100, meta["BLOCK"]),)](x, y, 100, **options)
    np.testing.assert_array_equal(y, x)


def plain(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)


@pytest.mark.parametrize("make", [
    triton.jit, triton.jit(), triton.jit(do_not_specialize=["n"]), triton.jit(do_not_specialize_on_alignment=[0], debug=True),
    triton.jit(repr=lambda spec: "name", launch_metadata=lambda *a: {}, noinline=True, version=1)
])
def test_forms_of_jit(make):
    kernel = make(plain)
    assert isinstance(kernel, triton.JITFunction) and isinstance(kernel, triton.KernelInterface)
    copied(kernel, BLOCK=32)


def test_attributes_that_libraries_read():
    kernel = triton.jit(plain, do_not_specialize=["n"])
    assert kernel.arg_names == ["x", "y", "n", "BLOCK"]
    assert [p.name for p in kernel.params if p.is_constexpr] == ["BLOCK"]
    assert [p.num for p in kernel.params if p.do_not_specialize] == [2]
    assert kernel.fn is plain and kernel.__name__ == "plain"
    assert kernel.src.startswith("def plain(") and len(kernel.cache_key) == 64
    assert kernel.cache_key == triton.jit(plain).cache_key


def test_autotune_takes_the_first_config_that_compiles():
    tuned = triton.autotune([triton.Config({"BLOCK": 48}), triton.Config({"BLOCK": 64}, num_warps=8),
                             triton.Config({"BLOCK": 128})], key=["n"])(copy_kernel)
    copied(tuned)
    assert tuned.best_config.kwargs == {"BLOCK": 64} and tuned.best_config.num_warps == 8


def test_autotune_without_a_valid_config_says_why():
    tuned = triton.autotune([triton.Config({"BLOCK": 48})], key=["n"])(copy_kernel)
    with pytest.raises(triton.CompilationError, match="TW2"):
        copied(tuned)


def test_heuristics_under_autotune():
    @triton.autotune([triton.Config({"BLOCK": 32})], key=["n"])
    @triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
    @triton.jit
    def kernel(x, y, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        value = tl.load(x + i) if EVEN else tl.load(x + i, mask=i < n)
        tl.store(y + i, value, mask=i < n)

    copied(kernel)


class Measuring(triton.runtime.Autotuner):
    """A library's tuner: asks `_bench` for the times of all configurations."""

    def run(self, *args, **kwargs):
        self.nargs = dict(zip(self.arg_names, args))
        times = {config: self._bench(*args, config=config, **kwargs) for config in self.prune_configs(kwargs)}
        self.best_config = min(times, key=times.get)
        return self.fn.run(*args, **kwargs, **self.best_config.all_kwargs())


def test_subclass_of_autotuner():
    tuned = Measuring(copy_kernel, copy_kernel.arg_names, [triton.Config({"BLOCK": 24}), triton.Config({"BLOCK": 16})],
                      ["n"], None, None)
    copied(tuned)
    assert tuned.best_config.kwargs == {"BLOCK": 16}


class Entry(triton.KernelInterface):
    """A library's launcher: launches what the first launch gave."""

    def __init__(self, fn):
        self.fn, self.known = fn, None

    def run(self, *args, grid, **kwargs):
        self.known = self.known or self.fn.run(*args, grid=grid, **kwargs)
        self.known[grid](*args, **{key: value for key, value in kwargs.items() if key != "warmup"})


def test_compiled_kernel_is_launched_again():
    copied(Entry(copy_kernel), BLOCK=32)


@triton.jit
def helper(x):
    return x * LOG2E


Wrapped = Entry(helper)


@triton.jit
def names_kernel(x, y, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    tl.store(y + i, Wrapped(v) + libdevice.floor(v) + cuda_pow(v, 2.0))


def test_names_that_kernels_capture():
    x = np.linspace(0, 7, 32, dtype=np.float32)
    y = np.zeros_like(x)
    names_kernel[(1,)](x, y, BLOCK=32)
    np.testing.assert_allclose(y, x * 3 + np.floor(x) + x ** 2, rtol=1e-6)


def unwrapped(value):
    return value.value if isinstance(value, tl.constexpr) else value


@triton.constexpr_function
def half(count):
    count = unwrapped(count)
    return count // 2


@triton.jit
def host_function_kernel(y, BLOCK: tl.constexpr):
    i = tl.arange(0, half(BLOCK))
    tl.store(y + i, i)


def test_functions_that_the_host_would_run():
    y = np.full(8, -1, np.int32)
    host_function_kernel[(1,)](y, BLOCK=8)
    np.testing.assert_array_equal(y, [0, 1, 2, 3, -1, -1, -1, -1])
    assert half(8) == 4


@triton.jit
def descriptor_kernel(source, target):
    target.store([0, 0], source.load([8, 0]))


def test_descriptor_of_the_host():
    x = np.arange(20 * 16, dtype=np.float32).reshape(20, 16)
    y = np.full_like(x, -1)
    descriptor_kernel[(1,)](TensorDescriptor.from_tensor(x, [16, 16]), TensorDescriptor(y, y.shape, [16, 1], [16, 16]))
    expected = np.zeros((16, 16), np.float32)
    expected[:12] = x[8:]
    np.testing.assert_array_equal(y[:16], expected)
    np.testing.assert_array_equal(y[16:], -1)


@pytest.mark.parametrize("padding, beyond", [("zero", 0), ("nan", np.nan)])
def test_padding_of_a_descriptor_of_the_host(padding, beyond):
    x = np.arange(4 * 16, dtype=np.float32).reshape(4, 16)
    y = np.full((16, 16), -1, np.float32)
    descriptor_kernel[(1,)](TensorDescriptor.from_tensor(np.concatenate([x, x, x]), [16, 16], padding), TensorDescriptor.from_tensor(y, [16, 16]))
    np.testing.assert_array_equal(y[:4], x)
    np.testing.assert_array_equal(y[4:], beyond)


def test_names_of_the_language():
    """`hasattr` tells what the compiler knows, as libraries ask for names of other versions."""
    for module in (tl, tilewright.language):
        assert all(hasattr(module, name) for name in ("load", "map_elementwise", "swizzle2d", "float8e4nv", "math", "extra", "PropagateNan", "_log2"))
        assert not any(hasattr(module, name) for name in ("lload", "async_copy", "_experimental_make_tensor_descriptor", "unheard_of"))
    assert hasattr(libdevice, "tanh") and not hasattr(libdevice, "tanhh")
    with pytest.raises(AttributeError, match="has no attribute 'unheard_of'"):
        tl.unheard_of


def test_descriptor_refuses_what_it_cannot_do():
    x = np.zeros((8, 8), np.float32)
    with pytest.raises(triton.TritonError, match="TW6058"):
        TensorDescriptor.from_tensor(x.T, [8, 8])
    with pytest.raises(triton.TritonError, match="TW6058.*NaN padding, got i32"):
        TensorDescriptor.from_tensor(x.astype(np.int32), [8, 8], padding="nan")


def test_driver_queries():
    target = driver.active.get_current_target()
    assert target.backend == "cpu" and target.warp_size == 1
    properties = triton.runtime.driver.active.utils.get_device_properties(0)
    assert properties["multiprocessor_count"] >= 1 and properties["max_shared_mem"] > 0


@triton.jit
def write_nothing(n):
    pass


def test_kernel_without_arrays_runs_on_the_current_device(monkeypatch):
    """As with Triton; what torch says counts at each launch."""
    current = [1]
    torch = types.SimpleNamespace(version=types.SimpleNamespace(cuda="13.0"),
                                  cuda=types.SimpleNamespace(is_available=lambda: bool(current), current_device=lambda: current[0],
                                                             get_device_capability=lambda: (8, 0)))
    monkeypatch.setitem(sys.modules, "torch", torch)
    assert ".target sm_" in write_nothing.warmup(3, grid=(1,)).asm["ptx"]
    assert "ptx" not in write_nothing.warmup(3, grid=(1,), target="cpu").asm
    source = triton.compiler.ASTSource(fn=write_nothing, signature={"n": "i32"})
    assert ".target sm_80" in triton.compile(source).asm["ptx"]
    launched = []
    monkeypatch.setattr(sys.modules["tilewright.jit"].Call, "launch", lambda call, grid: launched.append((call.place.vendor, call.place.torch_device)))
    for number in (1, 0):
        current[:] = [number]
        write_nothing[(1,)](3)
    current.clear()
    write_nothing[(1,)](3)
    write_nothing[(1,)](3, target="cpu")
    assert launched == [("nvidia", 1), ("nvidia", 0), ("cpu", -1), ("cpu", -1)]


def test_compile_a_source():
    source = triton.compiler.ASTSource(fn=copy_kernel, signature={"x": "*fp32", "y": "*fp32", "n": "i32"},
                                       constexprs={"BLOCK": 32}, attrs={(0,): [["tt.divisibility", 16]]})
    compiled = triton.compile(source)
    assert compiled.signature == "x:*fp32[:16], y:*fp32, n:i32, BLOCK=32" and len(compiled.artifact) > 0


def test_compile_for_a_gpu():
    """What programs read of a compiled kernel: PTX, launch options, shared memory and registers for a sum of occupancy."""
    source = triton.compiler.ASTSource(fn=copy_kernel, signature={"x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"},
                                       constexprs={"BLOCK": 1024})
    compiled = triton.compile(source, target=triton.backends.compiler.GPUTarget("cuda", 90, 32), options={"num_warps": 8})
    assert isinstance(compiled, triton.compiler.CompiledKernel) and compiled.name == "copy_kernel"
    assert compiled.metadata.num_warps == 8 and compiled.metadata.shared == 0
    compiled._init_handles()
    assert 0 < compiled.n_regs <= 255
    assert ".target sm_90" in compiled.asm["ptx"] and "define" in compiled.asm["llir"]
    assert "ptx" in compiled.asm and "amdgcn" not in compiled.asm and set(compiled.asm) > {"tile", "asm", "llir"}
    with pytest.raises(KeyError, match="no stage 'ttgir'; its stages are"):
        compiled.asm["ttgir"]


def test_shared_memory_of_a_compiled_kernel():
    source = triton.compiler.ASTSource(fn=sum_kernel, signature={"x": "*fp32"}, constexprs={"BLOCK": 1024})
    compiled = triton.compile(source, target=triton.backends.compiler.GPUTarget("cuda", 90, 32))
    assert compiled.metadata.shared >= 4 * 4  # at least a number for each warp


def test_dtypes_answer_on_the_host():
    assert str(tl.float32) == "fp32" and tl.float8e5.primitive_bitwidth == 8 and tl.bfloat16.is_floating()
    assert tl.pointer_type(tl.float16).element_ty == tl.float16 and tl.int1.is_int() and not tl.uint8.is_int_signed()


def test_host_helpers():
    assert triton.__version__ == "3.6.0"
    assert (triton.cdiv(7, 2), triton.next_power_of_2(33)) == (4, 64)
    assert triton.testing.do_bench(lambda: None, warmup=1, rep=1, quantiles=[0.5, 0.2, 0.8])[0] >= 0
    with pytest.raises(NotImplementedError):
        triton.knobs.runtime.interpret = True


def test_a_script_runs_unchanged(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import sys, triton\nprint(triton.__version__, sys.argv[1:], __name__)\n")
    done = subprocess.run([sys.executable, "-m", "tilewright.triton", str(script), "a"], capture_output=True, text=True,
                          check=True)
    assert done.stdout.split("\n")[0] == "3.6.0 ['a'] __main__"


@pytest.mark.parametrize("argument, status", [("--help", 0), ("-c", 1), ("no such script.py", 1)])
def test_what_is_no_script_gets_the_usage(argument, status):
    done = subprocess.run([sys.executable, "-m", "tilewright.triton", argument], capture_output=True, text=True)
    text = done.stdout + done.stderr
    assert done.returncode == status and "usage: python -m tilewright.triton script.py" in text and "Traceback" not in text
    assert status == 0 or f"got '{argument}'" in text


def test_errors_in_helpers_name_their_file():
    @triton.jit
    def kernel(x):
        tl.store(x, helpers_for_tests.broken_for_tests(1))

    with pytest.raises(triton.CompilationError, match=r"helpers_for_tests\.py:\d+:\d+: error: TW2171"):
        kernel[(1,)](np.zeros(1, np.int32))


def test_install_refuses_a_loaded_triton(tmp_path):
    (tmp_path / "triton.py").write_text("")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import triton, tilewright.triton as t; t.install()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "call tilewright.triton.install() first" in done.stderr


@triton.jit
def first_block_kernel(source, out, BLOCK: tl.constexpr):
    tl.store(out + tl.arange(0, BLOCK), tl.reshape(source.load([0]), [BLOCK]))


def test_hooks_that_give_descriptors_their_blocks():
    """As programs with descriptors tune: the block shape is the configuration's, set by its hook, also when a library's tuner asks for times."""
    def set_block(arguments):
        arguments["source"].block_shape = [arguments["BLOCK"]]

    tuned = triton.autotune([triton.Config({"BLOCK": 16}, pre_hook=set_block)] * 2, key=[])(first_block_kernel)
    x, y = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
    descriptor = TensorDescriptor.from_tensor(x, [1])
    tuned.nargs = dict(zip(tuned.arg_names, (descriptor, y)))
    assert tuned._bench(descriptor, y, config=tuned.configs[0], grid=(1,)) == [0.0] * 3
    assert descriptor.block_shape == [1]
    tuned[(1,)](descriptor, y)
    np.testing.assert_array_equal(y, x)
