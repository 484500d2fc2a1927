//===- ExpandArithmetic.cpp - All expansions in one walk --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worklist: an expansion may create operations that have to be expanded in
// turn (the f32 casts around an f16 function, for instance).
//
//===----------------------------------------------------------------------===//

#include "backends/math/MathExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilewright::math {

namespace {
/// Operations still to look at, kept in step with the rewriter.
class Worklist : public RewriterBase::Listener {
public:
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    pending.insert(op);
  }
  void notifyOperationErased(Operation *op) override { pending.remove(op); }
  void add(Operation *op) { pending.insert(op); }
  Operation *take() {
    return pending.empty() ? nullptr : pending.pop_back_val();
  }

private:
  llvm::SmallSetVector<Operation *, 32> pending;
};
} // namespace

static LogicalResult expand(RewriterBase &rewriter, Operation *op,
                            const ArithmeticOptions &options,
                            const MathExpansionOptions &exact) {
  const MathExpansionOptions &functions =
      isa<::mlir::math::FmaOp>(op) ? exact : options.functions;
  if (succeeded(expandMathOperation(rewriter, op, functions)) ||
      succeeded(expandFloatConversion(rewriter, op, options.casts)) ||
      succeeded(expandIntegerSemantics(rewriter, op, options.integers)) ||
      succeeded(expandClassTest(rewriter, op)) ||
      succeeded(expandSmallFloat(rewriter, op, options.smallFloats)))
    return success();
  bool isNative = options.hasNumberMinMax &&
                  isa<arith::MaxNumFOp, arith::MinNumFOp>(op) &&
                  getElementTypeOrSelf(op->getResult(0).getType()).isF32();
  return isNative ? failure() : expandMinMax(rewriter, op);
}

void expandArithmetic(Operation *root, const ArithmeticOptions &options) {
  MathExpansionOptions exact = options.functions;
  exact.hasFma = options.hasFma;
  exact.lowerFloat64 = nullptr;
  Worklist worklist;
  IRRewriter rewriter(root->getContext(), &worklist);
  root->walk([&](Operation *op) {
    if (isa_and_nonnull<arith::ArithDialect, ::mlir::math::MathDialect>(
            op->getDialect()))
      worklist.add(op);
  });
  while (Operation *op = worklist.take()) {
    rewriter.setInsertionPoint(op);
    (void)expand(rewriter, op, options, exact);
  }
}

} // namespace tilewright::math
