//===- InlineCallOps.cpp - Replace unclaimed high-level ops by their bodies
//---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Claims are plain data: a mark on the ops that somebody may take.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/CallOps.h"
#include "dialects/lowering/Passes.h"
#include "dialects/tile/TileOps.h"

namespace tilewright::lowering {
#define GEN_PASS_DEF_INLINECALLOPSPASS
#include "dialects/lowering/Passes.h.inc"
} // namespace tilewright::lowering

using namespace mlir;
using namespace tilewright;

namespace {
struct InlineCallOpsPass
    : lowering::impl::InlineCallOpsPassBase<InlineCallOpsPass> {
  void runOnOperation() override {
    getOperation().walk<WalkOrder::PostOrder>([](tile::CallOpOp op) {
      if (!op->hasAttr(kernel::claimsAttribute))
        kernel::inlineCall(op);
    });
  }
};
} // namespace
