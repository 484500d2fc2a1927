//===- InlineCallOps.cpp - Replace unclaimed high-level ops by their bodies
//---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Claims are plain data: the names of the ops that the target implements.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/Passes.h"
#include "dialects/tile/TileOps.h"
#include "llvm/ADT/StringSet.h"

namespace tilewright::lowering {
#define GEN_PASS_DEF_INLINECALLOPSPASS
#include "dialects/lowering/Passes.h.inc"
} // namespace tilewright::lowering

using namespace mlir;
using namespace tilewright;

/// Moves the body before the op and replaces its results by what it yields.
static void inlineBody(tile::CallOpOp op) {
  Block &body = op.getBody().front();
  for (auto [argument, value] :
       llvm::zip_equal(body.getArguments(), op.getArgs()))
    argument.replaceAllUsesWith(value);
  auto yield = cast<tile::YieldOp>(body.getTerminator());
  for (auto [result, value] :
       llvm::zip_equal(op.getResults(), yield.getValues()))
    result.replaceAllUsesWith(value);
  yield.erase();
  Block *block = op->getBlock();
  block->getOperations().splice(op->getIterator(), body.getOperations());
  op.erase();
}

namespace {
struct InlineCallOpsPass
    : lowering::impl::InlineCallOpsPassBase<InlineCallOpsPass> {
  using InlineCallOpsPassBase::InlineCallOpsPassBase;

  void runOnOperation() override {
    llvm::StringSet<> claimed;
    for (const std::string &name : claims)
      claimed.insert(name);
    getOperation().walk<WalkOrder::PostOrder>([&](tile::CallOpOp op) {
      if (!claimed.contains(op.getName()))
        inlineBody(op);
    });
  }
};
} // namespace
