//===- LowerToLoops.h - Kernel IR to vector loops ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU backend's own lowering: one Kernel IR function becomes loops over
// 1-D vectors that run one program, with no tensor left.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_LOOPS_LOWERTOLOOPS_H
#define TILEWRIGHT_BACKENDS_CPU_LOOPS_LOWERTOLOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilewright::cpu {

/// What the emitter must know about the processor.
struct CpuLoopOptions {
  unsigned vectorBytes = 16;     ///< width of a vector register
  unsigned registerCount = 16;   ///< vector registers
  bool hasFma = false;           ///< fused multiply-add of f32 and f64
  bool hasMaskRegisters = false; ///< masked accesses cost no more than others
  std::vector<std::string> libraries; ///< device code that is linked later
};

/// Attribute of the result: bytes of scratch memory that a program needs.
inline constexpr llvm::StringLiteral kScratchBytesAttr = "tw.scratch_bytes";

/// Turns `kernel` into
/// `(args ptr, pid 3 x i32, num 3 x i32, services ptr, scratch ptr)`. The
/// argument block is packed in order of `tw.index`, each at its natural
/// alignment. Diagnostics TW4xxx are attached to the operation refused.
mlir::LogicalResult lowerKernelToLoops(mlir::func::FuncOp kernel,
                                       const CpuLoopOptions &options);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_LOOPS_LOWERTOLOOPS_H
