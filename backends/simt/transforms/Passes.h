//===- Passes.h - Passes of the thread mapping ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares and registers the passes of Passes.td.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_TRANSFORMS_PASSES_H
#define TILEWRIGHT_BACKENDS_SIMT_TRANSFORMS_PASSES_H

#include "backends/math/MathFunctions.h"
#include "backends/simt/SimtTarget.h"
#include "backends/simt/dialect/SimtDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tilewright::simt {

/// How simt-expand-arithmetic spells a function of the target.
std::string nativeFunctionName(math::MathFunction function, unsigned bits);

/// The atoms that a pass was given as texts; none after an error at `op`.
std::optional<std::vector<MatrixAtom>>
parseAtoms(mlir::Operation *op, llvm::ArrayRef<std::string> texts);

#define GEN_PASS_DECL
#include "backends/simt/transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "backends/simt/transforms/Passes.h.inc"

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_TRANSFORMS_PASSES_H
