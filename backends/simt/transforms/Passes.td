//===- Passes.td - Passes of the thread mapping ------------*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every pass of this room, in alphabetical order.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_BACKENDS_SIMT_TRANSFORMS_PASSES
#define TILEWRIGHT_BACKENDS_SIMT_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def SimtAllocateSharedPass : Pass<"simt-allocate-shared", "::mlir::ModuleOp"> {
  let summary = "place buffers and scratch memory in shared memory";
  let description = [{
    By liveness: what is needed at the same time lies apart. `simt.alloc` gets its
    offset, operations that move values between threads get `simt.scratch` and
    `simt.scratch_bytes`, kernels get `simt.shared_bytes`.

    Before: `%1 = simt.convert_layout %0 : ..`
    After: `%1 = simt.convert_layout %0 {simt.scratch = 0 : i64, simt.scratch_bytes = 4096 : i64} : ..`
  }];
  let options = [
    Option<"sharedBytes", "shared-bytes", "uint64_t", "49152", "bytes of a program">,
    Option<"hasShuffles", "shuffles", "bool", "false", "lanes exchange values in registers">,
    Option<"hasMatrixAtoms", "matrix-atoms", "bool", "false",
           "products that name an atom are instructions">
  ];
}

def SimtAssignLayoutsPass : Pass<"simt-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "give every tensor a layout";
  let description = [{
    Tensors of one shape share a layout that spreads their rows over registers,
    lanes and warps in pieces of up to 16 bytes; what an operation derives from
    its operands' layouts (reductions, reshapes) is converted. Products that name
    an atom are anchors: what is computed from their accumulators elementwise, by
    reductions and through loops keeps the atom's layout.

    Before: `%1 = arith.addf %0, %0 : tensor<1024xf32>`
    After: `%1 = arith.addf %0, %0 : tensor<1024xf32, #simt.layout<...>>`
  }];
  let dependentDialects = ["::tilewright::simt::SimtDialect"];
  let options = [
    ListOption<"atoms", "atoms", "std::string", "matrix atoms, as MatrixAtom.h writes them">
  ];
}

def SimtCheckRacesPass : Pass<"simt-check-races", "::mlir::ModuleOp"> {
  let summary = "prove that no two accesses race";
  let description = [{
    Looks for a way from one access to shared or global memory to a conflicting one
    by another thread that meets no barrier (for asynchronous copies: no wait and
    barrier), and reports it. Placing barriers and this check have only the list of
    accesses in common.
  }];
}

def SimtExpandArithmeticPass : Pass<"simt-expand-arithmetic", "::mlir::ModuleOp"> {
  let summary = "expand what takes more than one instruction";
  let description = [{
    Functions, casts of small floats, total integer arithmetic and minima by
    backends/math, on tensors. `simt.combine` on a reduction or scan names the
    single operation that its body held before.

    Before: `%1 = math.exp %0 : tensor<1024xf32>`
    After: about 25 operations of arith and `math.fma`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let options = [
    Option<"math", "math", "std::string", "\"accurate\"", "accurate, portable or fast">,
    Option<"hasFma", "fma", "bool", "true", "fused multiply-add is an instruction">,
    Option<"hasNumberMinMax", "number-min-max", "bool", "false",
           "maxnum and minnum of f32 are instructions">,
    Option<"hasRounding", "rounding", "bool", "true", "rounding to integers is an instruction">,
    Option<"hasFloat16", "f16", "bool", "true", "casts of f16 are instructions">,
    Option<"hasBFloat16", "bf16", "bool", "false", "casts of bf16 are the emitter's">,
    Option<"hasFloat16Arithmetic", "f16-arithmetic", "bool", "true", "arithmetic on f16 is">,
    ListOption<"nativeFunctions", "native-functions", "std::string",
               "functions of the target, such as 2.f32 (the number of MathFunctions.h)">
  ];
}

def SimtInsertBarriersPass : Pass<"simt-insert-barriers", "::mlir::ModuleOp"> {
  let summary = "order conflicting accesses of different threads";
  let description = [{
    A program sees its own accesses in program order, and scratch memory is used
    again and again: a block barrier goes before each operation that conflicts with
    an access since the last barrier. Two global accesses do not conflict if both
    arguments are declared disjoint, or if each thread touches the same elements of
    its own in both.

    Before: `kernel.store %0, %v[%i] ..`, `%1 = kernel.load %w[%j] ..`
    After: `kernel.store %0, %v[%i] ..`, `simt.barrier global`, `%1 = kernel.load %w[%j] ..`
  }];
  let dependentDialects = ["::tilewright::simt::SimtDialect"];
}

def SimtOptimizeConversionsPass : Pass<"simt-optimize-conversions", "::mlir::ModuleOp"> {
  let summary = "drop conversions that layouts do not need";
  let description = [{
    A conversion of a conversion is one; constants, splats, ranges and what few
    operations make of them are made in the layout that is wanted. Conversions
    move before broadcasts, transposes and casts to wider elements, and out of
    loops. Where a thread has no registers for a tensor in two layouts, it is
    stored from the one that it has, if that meets few enough sectors of memory.

    Before: `%1 = simt.convert_layout %0 : #a -> #b`, `%2 = simt.convert_layout %1 : #b -> #a`
    After: `%0`
  }];
  let dependentDialects = ["::tilewright::simt::SimtDialect"];
  let options = [
    Option<"registers", "registers", "unsigned", "0", "of a thread">,
    Option<"maxVectorBytes", "max-vector-bytes", "unsigned", "16", "of one access">,
    Option<"sectorBytes", "sector-bytes", "unsigned", "32", "of global memory">,
    Option<"mostSectors", "most-sectors", "unsigned", "0",
           "times the fewest that a store without conversion may meet; 0: all are converted">
  ];
}

def SimtPipelineLoopsPass : Pass<"simt-pipeline-loops", "::mlir::ModuleOp"> {
  let summary = "copy operands of products ahead of their use";
  let description = [{
    In loops with products that name an atom: loads that feed them become
    asynchronous copies to `stages` buffers in shared memory, `stages - 1`
    iterations ahead. Copies beyond the last iteration write zeros. Loads that
    cannot be copied (masks, index tensors, alignment, stores that may alias)
    stay as they are.

    Consecutive copies are all or nothing: a loop with one operand that they
    cannot copy goes through registers.

    In registers, for targets without such copies: an iteration loads what the
    next one reads (the last one its own once more), computes, and stores it to
    the other of two buffers, or to the only one if there is no room for two.

    Before: `scf.for %i .. { %1 = kernel.load %v[%i] .., simt.dot %1, .. }`
    After: copies for the first iterations, then `scf.for %i .. { simt.async_wait 1,
    simt.async_copy %v[%i + 2] .., simt.async_commit, %1 = simt.local_load .., simt.dot %1, .. }`
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilewright::simt::SimtDialect"];
  let options = [
    Option<"numStages", "stages", "unsigned", "3", "buffers of each operand">,
    Option<"sharedBytes", "shared-bytes", "uint64_t", "49152", "bytes of a program">,
    Option<"inRegisters", "in-registers", "bool", "false", "copies go through registers">,
    Option<"copySizes", "copy-sizes", "unsigned", "28", "bytes of a lane's copy, a sum of powers of two">,
    Option<"areConsecutive", "consecutive", "bool", "false", "a warp's copy fills consecutive bytes">
  ];
}

def SimtPreparePass : Pass<"simt-prepare", "::mlir::ModuleOp"> {
  let summary = "bring Kernel IR into the form that layouts are assigned to";
  let description = [{
    Inlines the decompositions of high-level ops, decomposes `kernel.dot_scaled`
    unless an atom with factors serves it, and replaces `linalg` and `tensor` operations by those that take layouts.
    Kernels get `simt.num_warps` and `simt.lanes`. Products of types and extents
    that one of `atoms` serves name it, and keep their operands' types.

    Before: `%1 = linalg.broadcast ins(%0 ..) outs(%e ..) dimensions = [1]`
    After: `%1 = simt.broadcast %0 [1] : tensor<8xf32> -> tensor<8x4xf32>`
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilewright::simt::SimtDialect"];
  let options = [
    Option<"numWarps", "num-warps", "unsigned", "4", "warps of a program">,
    Option<"lanes", "lanes", "unsigned", "32", "threads of a warp">,
    Option<"isPortable", "portable", "bool", "false", "matrix products in the stated order">,
    ListOption<"atoms", "atoms", "std::string", "matrix atoms, as MatrixAtom.h writes them">
  ];
}

def SimtReportMissedPass : Pass<"simt-report-missed", "::mlir::ModuleOp"> {
  let summary = "remarks on what the mapping to threads could not do well";
  let description = [{
    Changes nothing. Through MLIR's remark engine, category `simt`: accesses of
    global memory in narrow vectors (with the reason) or over more sectors than
    hold the data, conflicts of banks, products without matrix instructions
    where the target has some, and more live registers than a thread has.
    Comes last: shared memory is allocated.

    Example: `remark: coalesce: a warp's read meets 32 sectors of 32 bytes, 4 hold it`
  }];
  let dependentDialects = ["::tilewright::simt::SimtDialect"];
  let options = [
    Option<"maxVectorBytes", "max-vector-bytes", "unsigned", "16", "widest access of one thread">,
    Option<"sectorBytes", "sector-bytes", "unsigned", "32", "what global memory moves at least">,
    Option<"sharedBytes", "shared-bytes", "uint64_t", "49152", "shared memory of a program">,
    Option<"hasShuffles", "shuffles", "bool", "false", "lanes exchange values in registers">,
    Option<"bankCount", "banks", "unsigned", "32", "banks of shared memory">,
    Option<"bankBytes", "bank-bytes", "unsigned", "4", "width of a bank">,
    Option<"registers", "registers", "unsigned", "128", "registers of a thread">,
    Option<"hasAtoms", "atoms", "bool", "false", "the target has matrix instructions">
  ];
}

def SimtStrideProgramsPass : Pass<"simt-stride-programs", "::mlir::ModuleOp"> {
  let summary = "run several programs a block and load ahead";
  let description = [{
    Kernels that load tiles, reduce them and store, without a loop or anything
    that orders programs: a block runs programs id, id + blocks, ..., and loads
    the next one's tiles before it works on its own. The kernel gets
    `simt.strided`: a launch may have fewer blocks than programs.

    Before: `%x = kernel.load %v[%p] ..`, `%m = "kernel.reduce"(%x) ..`
    After: `scf.for %p = %id to %programs step %blocks iter_args(%x = %first) { %next = kernel.load .. }`
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::tilewright::simt::SimtDialect"];
  let options = [
    Option<"limitBytes", "limit-bytes", "uint64_t", "0", "bytes of a thread's tiles ahead; 0: none">
  ];
}

#endif // TILEWRIGHT_BACKENDS_SIMT_TRANSFORMS_PASSES
