//===- Ptx.h - From an LLVM module to PTX -----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's NVPTX target on the module of one request.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_PTX_H
#define TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_PTX_H

#include "backends/nvidia/Target.h"

#include "llvm/Target/TargetMachine.h"

namespace tilewright::nvidia {

/// Null after an error in the report. Initialises LLVM's target once.
std::unique_ptr<llvm::TargetMachine>
createMachine(const Target &target, unsigned level, Report &report);

/// PTX without `sub.s16`, `neg.s16` and `abs.s16`, which ptxas computes wrongly
/// for -32768: up to its version 13.0 it takes 0 - x as 32-bit arithmetic on
/// what it believes to be within 16 bits.
///
///     neg.s16 %d, %a;   ->   sub.u16 %d, 0, %a;
std::string withWrappingHalves(llvm::StringRef ptx);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_PTX_H
