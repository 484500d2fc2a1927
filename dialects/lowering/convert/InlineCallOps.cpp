//===- InlineCallOps.cpp - Replace unclaimed high-level ops by their bodies
//---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Claims are plain data: the names of the ops that the target implements.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/Passes.h"
#include "dialects/tile/TileOps.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::lowering {
#define GEN_PASS_DEF_INLINECALLOPSPASS
#include "dialects/lowering/Passes.h.inc"
} // namespace tilewright::lowering

using namespace mlir;
using namespace tilewright;

namespace {
/// An op that the target implements: name@version[:types[:lowest-highest]] by
/// element type and rank of the first operand; no types means all.
struct Claim {
  StringRef name;
  SmallVector<StringRef, 4> types;
  unsigned lowestRank = 0;
  unsigned highestRank = ~0u;

  bool covers(tile::CallOpOp op) const {
    if (op.getName() != name)
      return false;
    Type type = op.getArgs().empty() ? Type() : op.getArgs()[0].getType();
    auto tensor = dyn_cast_or_null<RankedTensorType>(type);
    unsigned rank = tensor ? tensor.getRank() : 0;
    std::string element;
    llvm::raw_string_ostream stream(element);
    if (type)
      getElementTypeOrSelf(type).print(stream);
    return rank >= lowestRank && rank <= highestRank &&
           (types.empty() || llvm::is_contained(types, element));
  }
};
} // namespace

static std::optional<Claim> parseClaim(StringRef text) {
  Claim claim;
  auto [name, conditions] = text.split(':');
  auto [types, ranks] = conditions.split(':');
  claim.name = name;
  unsigned version;
  if (name.split('@').second.getAsInteger(10, version))
    return std::nullopt;
  types.split(claim.types, '|', -1, /*KeepEmpty=*/false);
  auto [low, high] = ranks.split('-');
  bool isBadRank = low.getAsInteger(10, claim.lowestRank) ||
                   high.getAsInteger(10, claim.highestRank);
  if (!ranks.empty() && isBadRank)
    return std::nullopt;
  return claim;
}

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
    SmallVector<Claim> claimed;
    for (const std::string &text : claims) {
      std::optional<Claim> claim = parseClaim(text);
      if (!claim) {
        getOperation().emitError()
            << "TW3125: expected a claim such as softmax@1:f32|f16:1-2, got '"
            << text << "'";
        return signalPassFailure();
      }
      claimed.push_back(*claim);
    }
    getOperation().walk<WalkOrder::PostOrder>([&](tile::CallOpOp op) {
      if (llvm::none_of(claimed,
                        [&](const Claim &claim) { return claim.covers(op); }))
        inlineBody(op);
    });
  }
};
} // namespace
