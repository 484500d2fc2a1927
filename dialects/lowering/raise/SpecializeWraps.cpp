//===- SpecializeWraps.cpp - A variant without wrap-around ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tries the proofs of AccessPlan.cpp with the integer arguments behind wrap
// extents taken to be positive, and clones the kernel if that helps.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/Passes.h"
#include "dialects/lowering/raise/AccessPlan.h"
#include "dialects/tile/TileOps.h"
#include "mlir/IR/SymbolTable.h"

namespace tilewright::lowering {
#define GEN_PASS_DEF_SPECIALIZEWRAPSPASS
#include "dialects/lowering/Passes.h.inc"
} // namespace tilewright::lowering

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

static bool hasRemainder(func::FuncOp function) {
  return function
      .walk([](arith::RemSIOp op) {
        return isa<RankedTensorType>(op.getType()) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Counts the `offset % extent` that stay index tensors, and collects the
/// arguments in their extents.
static unsigned countUnproved(func::FuncOp function,
                              llvm::SetVector<unsigned> &arguments) {
  DominanceInfo dominance;
  ScalarExpressions scalars(function, dominance);
  IndexExpressions indices(scalars);
  unsigned count = 0;
  function.walk([&](Operation *op) {
    std::string reason;
    if (!isa<tile::LoadOp, tile::StoreOp>(op) ||
        !isa<RankedTensorType>(getPointers(op).getType()))
      return;
    auto address = analyzeAddress(getPointers(op), indices, reason);
    if (!address || llvm::none_of(address->offset.dims, [](auto &term) {
          return term.wrapExtent.has_value();
        }))
      return;
    for (const DimensionTerm &term : address->offset.dims) {
      if (!term.wrapExtent || !scalars.isOverArguments(*term.wrapExtent))
        continue;
      for (const auto &[monomial, coefficient] : term.wrapExtent->getTerms())
        for (unsigned atom : monomial)
          arguments.insert(
              cast<BlockArgument>(scalars.getAtom(atom)).getArgNumber());
    }
    auto plan = planAccess(op, indices, reason);
    count += plan ? plan->unprovedWraps : 1;
  });
  return count;
}

/// Adds "at least 1" to what is known of an argument.
static void requirePositive(func::FuncOp function, unsigned argument) {
  Builder builder(function.getContext());
  unsigned width =
      function.getArgumentTypes()[argument].getIntOrFloatBitWidth();
  int64_t lo = 1, hi = llvm::maxIntN(std::min(width, 64u));
  if (auto range = function.getArgAttrOfType<ArrayAttr>(argument, "tw.range")) {
    lo = std::max(lo, cast<IntegerAttr>(range[0]).getInt());
    hi = std::min(hi, cast<IntegerAttr>(range[1]).getInt());
  }
  function.setArgAttr(argument, "tw.range", builder.getI64ArrayAttr({lo, hi}));
}

/// "M > 0 and N > 0", or nothing if an argument has no name.
static std::optional<std::string>
getPredicate(func::FuncOp function,
             const llvm::SetVector<unsigned> &arguments) {
  std::string predicate;
  for (unsigned argument : arguments) {
    auto name = function.getArgAttrOfType<StringAttr>(argument, "tw.name");
    if (!name)
      return std::nullopt;
    predicate += (predicate.empty() ? "" : " and ") + name.str() + " > 0";
  }
  return predicate;
}

static void specialize(func::FuncOp function) {
  llvm::SetVector<unsigned> arguments, ignored;
  unsigned before = countUnproved(function, arguments);
  auto predicate = getPredicate(function, arguments);
  if (before == 0 || arguments.empty() || !predicate)
    return;
  func::FuncOp variant = function.clone();
  for (unsigned argument : arguments)
    requirePositive(variant, argument);
  if (countUnproved(variant, ignored) >= before) {
    variant.erase();
    return;
  }
  Builder builder(function.getContext());
  variant.setName((function.getName() + "__v1").str());
  variant->setAttr("tw.variant_of", function.getSymNameAttr());
  variant->setAttr("tw.predicate", builder.getStringAttr(*predicate));
  function->getBlock()->getOperations().insert(function->getIterator(),
                                               variant);
}

namespace {
struct SpecializeWrapsPass
    : lowering::impl::SpecializeWrapsPassBase<SpecializeWrapsPass> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> kernels;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr("tw.kernel") &&
          !function->hasAttr("tw.predicate") && hasRemainder(function))
        kernels.push_back(function);
    for (func::FuncOp kernel : kernels)
      specialize(kernel);
  }
};
} // namespace
