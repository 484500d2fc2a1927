"""Triton's code for an older architecture, on this machine's GPU through the driver's compiler.

Triton compiles for the device it finds. For a fair comparison of two compilers at one architecture its PTX is made
for that architecture and loaded as any PTX is; ours is compiled with `assembler=none` and takes the same way.
"""
import ctypes

import torch
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton import compile as triton_compile

_MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
_SCRATCH_POINTERS = 2  # what Triton 3.6 adds to a kernel's parameters


def _check(status, what):
    if status:
        raise RuntimeError(f"{what} failed with CUDA error {status}")


def compile_ptx(kernel, arguments, constants, arch, warps, stages):
    """PTX, dynamic shared bytes and name of a kernel. Integers and pointers count as multiples of 16."""
    names = kernel.arg_names
    signature, attributes = {}, {}
    values = iter(arguments)
    for position, name in enumerate(names):
        if name in constants:
            signature[name] = "constexpr"
            continue
        value = next(values)
        signature[name] = "i32" if isinstance(value, int) else {torch.bfloat16: "*bf16", torch.float16: "*fp16",
                                                                torch.float32: "*fp32", torch.int8: "*i8"}[value.dtype]
        attributes[(position,)] = [["tt.divisibility", 16]]
    source = ASTSource(kernel, signature=signature, constexprs=constants, attrs=attributes)
    made = triton_compile(source, target=GPUTarget("cuda", arch, 32), options={"num_warps": warps, "num_stages": stages})
    return made.asm["ptx"], made.metadata.shared, made.metadata.name


class PtxKernel:
    """A kernel of a PTX text, loaded by the driver."""

    def __init__(self, ptx, shared, name, warps):
        torch.cuda.current_stream()  # a context exists
        torch.empty(1, device="cuda")
        self.driver = ctypes.CDLL("libcuda.so.1")
        self.shared, self.warps = shared, warps
        module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        _check(self.driver.cuModuleLoadData(ctypes.byref(module), ptx.encode() + b"\0"), "cuModuleLoadData")
        _check(self.driver.cuModuleGetFunction(ctypes.byref(self.function), module, name.encode()), "cuModuleGetFunction")
        _check(self.driver.cuFuncSetAttribute(self.function, _MAX_DYNAMIC_SHARED, shared), "cuFuncSetAttribute")

    def launcher(self, grid, arguments):
        """A function that launches on torch's current stream."""
        values = [ctypes.c_int32(value) if isinstance(value, int) else ctypes.c_void_p(value.data_ptr()) for value in arguments]
        values += [ctypes.c_void_p(0)] * _SCRATCH_POINTERS
        block = (ctypes.c_void_p * len(values))(*(ctypes.cast(ctypes.byref(value), ctypes.c_void_p) for value in values))

        def launch(keep=values):
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            _check(self.driver.cuLaunchKernel(self.function, *grid, 32 * self.warps, 1, 1, self.shared, stream, block, None),
                   "cuLaunchKernel")

        return launch
