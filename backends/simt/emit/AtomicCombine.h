//===- AtomicCombine.h - The new value of an atomic -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop of compare-and-swap computes: arith operations on one element,
// expanded for the target like all others.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_EMIT_ATOMICCOMBINE_H
#define TILEWRIGHT_BACKENDS_SIMT_EMIT_ATOMICCOMBINE_H

#include "backends/simt/emit/Emitter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilewright::simt {

class AtomicCombine {
public:
  AtomicCombine(kernel::AtomicKind kind, mlir::Type element,
                const SimtTarget &target);

  /// The value that replaces `old`.
  llvm::Value *emit(Emitter &e, llvm::Value *old, llvm::Value *value);

private:
  void build();

  kernel::AtomicKind kind;
  mlir::Type element;
  const SimtTarget &target;
  /// Holds the function of old and new value; made when first needed.
  mlir::OwningOpRef<mlir::ModuleOp> library;
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_EMIT_ATOMICCOMBINE_H
