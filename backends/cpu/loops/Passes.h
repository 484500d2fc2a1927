//===- Passes.h - Passes of the CPU loop emitter ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares and registers the passes of Passes.td.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_LOOPS_PASSES_H
#define TILEWRIGHT_BACKENDS_CPU_LOOPS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tilewright::cpu {

#define GEN_PASS_DECL
#include "backends/cpu/loops/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "backends/cpu/loops/Passes.h.inc"

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_LOOPS_PASSES_H
