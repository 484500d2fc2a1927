//===- ExpandPasses.cpp - The expansions as passes ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each pass walks once, collects the operations and rewrites them in place: no
// pattern driver, so that the cost is that of the operations created.
//
//===----------------------------------------------------------------------===//

#include "backends/math/MathExpansion.h"
#include "backends/math/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tilewright::math {

#define GEN_PASS_DEF_MATHEXPANDFLOATCONVERSIONSPASS
#define GEN_PASS_DEF_MATHEXPANDFUNCTIONSPASS
#define GEN_PASS_DEF_MATHEXPANDINTEGERSPASS
#define GEN_PASS_DEF_MATHEXPANDMINMAXPASS
#include "backends/math/Passes.h.inc"

/// Offers every arith and math operation that exists now to `expand`, which
/// succeeds if it replaced it.
static void expandAll(
    Operation *root,
    llvm::function_ref<LogicalResult(RewriterBase &, Operation *)> expand) {
  SmallVector<Operation *> operations;
  root->walk([&](Operation *op) {
    if (isa_and_present<arith::ArithDialect, ::mlir::math::MathDialect>(
            op->getDialect()))
      operations.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (Operation *op : operations) {
    rewriter.setInsertionPoint(op);
    (void)expand(rewriter, op);
  }
}

namespace {
struct MathExpandFloatConversionsPass
    : public impl::MathExpandFloatConversionsPassBase<
          MathExpandFloatConversionsPass> {
  using MathExpandFloatConversionsPassBase::MathExpandFloatConversionsPassBase;

  void runOnOperation() override {
    FloatConversionOptions options;
    options.hasNativeFloat16 = nativeFloat16;
    options.hasNativeBFloat16 = nativeBFloat16;
    expandAll(getOperation(), [&](RewriterBase &rewriter, Operation *op) {
      return expandFloatConversion(rewriter, op, options);
    });
  }
};

struct MathExpandFunctionsPass
    : public impl::MathExpandFunctionsPassBase<MathExpandFunctionsPass> {
  using MathExpandFunctionsPassBase::MathExpandFunctionsPassBase;

  void runOnOperation() override {
    MathExpansionOptions options;
    options.mode = mode;
    options.hasFma = hasFma;
    options.hasRounding = hasRounding;
    options.hasBranches = hasBranches;
    if (nativeExp2)
      options.isNative = [](MathFunction function, FloatType type) {
        return function == MathFunction::Exp2 && type.isF32();
      };
    expandAll(getOperation(), [&](RewriterBase &rewriter, Operation *op) {
      return expandMathOperation(rewriter, op, options);
    });
  }
};

struct MathExpandIntegersPass
    : public impl::MathExpandIntegersPassBase<MathExpandIntegersPass> {
  using MathExpandIntegersPassBase::MathExpandIntegersPassBase;

  void runOnOperation() override {
    IntegerSemanticsOptions options;
    options.divideVectorsThroughFloat = divideVectorsThroughFloat;
    expandAll(getOperation(), [&](RewriterBase &rewriter, Operation *op) {
      return expandIntegerSemantics(rewriter, op, options);
    });
  }
};

struct MathExpandMinMaxPass
    : public impl::MathExpandMinMaxPassBase<MathExpandMinMaxPass> {
  using MathExpandMinMaxPassBase::MathExpandMinMaxPassBase;

  void runOnOperation() override {
    expandAll(getOperation(), [](RewriterBase &rewriter, Operation *op) {
      return expandMinMax(rewriter, op);
    });
  }
};
} // namespace

} // namespace tilewright::math
