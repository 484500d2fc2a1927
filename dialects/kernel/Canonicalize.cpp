//===- Canonicalize.cpp - Canonicalise without changing a value -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass `kernel-canonicalize`. Upstream's patterns and folds know neither
// saturating conversions nor that portable maths has stated bits; where they
// would change a result they are left out or kept away.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelOps.h"
#include "dialects/kernel/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tilewright::kernel {
#define GEN_PASS_DEF_CANONICALIZEPASS
#include "dialects/kernel/Passes.h.inc"
} // namespace tilewright::kernel

using namespace mlir;
using namespace tilewright::kernel;

/// Whether folding evaluates the op with the compiler's own maths library,
/// whose last bit is its own.
static bool isApproximate(Operation *op) {
  return isa<math::MathDialect>(op->getDialect()) &&
         !isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
              math::CountLeadingZerosOp, math::CountTrailingZerosOp,
              math::CtPopOp, math::FloorOp, math::FmaOp, math::IsFiniteOp,
              math::IsInfOp, math::IsNaNOp, math::RoundEvenOp, math::RoundOp,
              math::SqrtOp, math::TruncOp>(op);
}

/// Puts an identity before each operand of `op`, so that neither a fold nor a
/// pattern sees what is behind it.
static void pinOperands(Operation *op) {
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands()) {
    auto pin = FactOp::create(builder, op->getLoc(), operand.get(), nullptr,
                              nullptr, nullptr);
    operand.set(pin);
  }
}

/// Removes the identities; those of other origin say something.
static void removePins(ModuleOp module) {
  module.walk([](FactOp fact) {
    if (fact.getDivisibility() || fact.getContiguity() || fact.getConstancy())
      return;
    fact.getResult().replaceAllUsesWith(fact.getSource());
    fact.erase();
  });
}

namespace {
struct CanonicalizePass
    : tilewright::kernel::impl::CanonicalizePassBase<CanonicalizePass> {
  LogicalResult initialize(MLIRContext *context) override {
    // These skip the rounding to the middle type: 16777217 as i32 -> f32 -> f16
    // is not what i32 -> f16 gives.
    const std::string inexact[] = {
        "(anonymous namespace)::TruncFSIToFPToSIToFP",
        "(anonymous namespace)::TruncFUIToFPToUIToFP",
    };
    RewritePatternSet all(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(all);
    for (RegisteredOperationName name : context->getRegisteredOperations())
      name.getCanonicalizationPatterns(all, context);
    patterns = FrozenRewritePatternSet(std::move(all), inexact);
    return success();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto math = module->getAttrOfType<StringAttr>("tw.math");
    bool isPortable = math && math.getValue() == "portable";
    module.walk([&](Operation *op) {
      bool saturates = isa<arith::TruncFOp>(op) && op->hasAttr("tw.saturate");
      if (saturates || (isPortable && isApproximate(op)))
        pinOperands(op);
    });
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal();
    // Rewriting may stop before a fixed point: what is left is still correct.
    (void)applyPatternsGreedily(module, patterns, config);
    removePins(module);
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
