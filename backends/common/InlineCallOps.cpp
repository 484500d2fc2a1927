//===- InlineCallOps.cpp - High-level ops by their bodies -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decomposition that every `kernel.call_op` carries takes its place.
//===----------------------------------------------------------------------===//
#include "backends/common/Decompose.h"

#include "dialects/kernel/CallOps.h"
#include "dialects/kernel/KernelOps.h"

using namespace mlir;

namespace tilewright::backend {

void inlineCallOps(func::FuncOp function) {
  SmallVector<kernel::CallOpOp> calls;
  function.walk<WalkOrder::PreOrder>(
      [&](kernel::CallOpOp call) { calls.push_back(call); });
  for (kernel::CallOpOp call : calls)
    kernel::inlineCall(call);
}

} // namespace tilewright::backend
