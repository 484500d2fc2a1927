//===- CallOps.h - High-level ops and their bodies ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is done to `tile.call_op` and `kernel.call_op` alike.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_CALLOPS_H
#define TILEWRIGHT_DIALECTS_KERNEL_CALLOPS_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

namespace tilewright::kernel {

/// Mark on a high-level op until Kernel IR is complete: some claim covers it,
/// so it is lowered whole.
inline constexpr llvm::StringLiteral claimsAttribute = "tw.claims";

/// Moves the body before the op and replaces its results by what it yields.
template <typename CallOp> void inlineCall(CallOp call) {
  mlir::Block &body = call.getBody().front();
  for (auto [argument, value] :
       llvm::zip_equal(body.getArguments(), call.getArgs()))
    argument.replaceAllUsesWith(value);
  mlir::Operation *yield = body.getTerminator();
  call->replaceAllUsesWith(yield->getOperands());
  yield->erase();
  call->getBlock()->getOperations().splice(call->getIterator(),
                                           body.getOperations());
  call->erase();
}

} // namespace tilewright::kernel

#endif // TILEWRIGHT_DIALECTS_KERNEL_CALLOPS_H
