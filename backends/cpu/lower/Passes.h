//===- Passes.h - Passes of the CPU backend ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations generated from Passes.td.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_LOWER_PASSES_H
#define TILEWRIGHT_BACKENDS_CPU_LOWER_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tilewright::cpu {

/// Suffix of the functions that run one program.
constexpr llvm::StringLiteral kProgramSuffix = ".program";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "backends/cpu/lower/Passes.h.inc"

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_LOWER_PASSES_H
