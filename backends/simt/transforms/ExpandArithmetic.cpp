//===- ExpandArithmetic.cpp - What takes several instructions ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shared expansions on tensors, before layouts. Reductions remember which
// single operation combined them.
//===----------------------------------------------------------------------===//
#include "backends/simt/transforms/Passes.h"

#include "backends/math/MathExpansion.h"
#include "dialects/kernel/KernelOps.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tilewright::simt {

#define GEN_PASS_DEF_SIMTEXPANDARITHMETICPASS
#include "backends/simt/transforms/Passes.h.inc"

/// Notes a body of one operation on both arguments, which is what shortcuts ask
/// for, before it is expanded.
static void noteCombine(Operation *op) {
  Block &block = op->getRegion(0).front();
  if (block.getNumArguments() != 2 || block.getOperations().size() != 2)
    return;
  Operation &single = block.front();
  if (single.getNumOperands() == 2 && single.getNumResults() == 1 &&
      single.getOperand(0) != single.getOperand(1))
    op->setAttr(kCombineAttr, StringAttr::get(op->getContext(),
                                              single.getName().getStringRef()));
}

namespace {
struct ExpandArithmeticPass
    : public impl::SimtExpandArithmeticPassBase<ExpandArithmeticPass> {
  using SimtExpandArithmeticPassBase::SimtExpandArithmeticPassBase;

  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (isa<kernel::ReduceOp, kernel::ScanOp>(op))
        noteCombine(op);
    });
    llvm::StringSet<> native;
    for (const std::string &name : nativeFunctions)
      native.insert(name);
    math::ArithmeticOptions options;
    options.functions.mode = llvm::StringSwitch<math::MathMode>(math)
                                 .Case("portable", math::MathMode::Portable)
                                 .Case("fast", math::MathMode::Fast)
                                 .Default(math::MathMode::Accurate);
    bool isPortable = options.functions.mode == math::MathMode::Portable;
    options.functions.hasFma = hasFma || isPortable;
    options.functions.hasRounding = hasRounding;
    options.functions.isNative = [&](math::MathFunction function,
                                     FloatType type) {
      return native.contains(nativeFunctionName(function, type.getWidth()));
    };
    options.hasFma = hasFma;
    options.hasNumberMinMax = hasNumberMinMax && !isPortable;
    options.casts.hasNativeFloat16 = hasFloat16;
    // Which NaN a cast makes is the target's.
    options.casts.hasNativeBFloat16 = hasBFloat16 && !isPortable;
    options.integers.divideVectorsThroughFloat = false;
    options.smallFloats.hasFloat16Arithmetic = hasFloat16Arithmetic;
    math::expandArithmetic(getOperation(), options);
  }
};
} // namespace

std::string nativeFunctionName(math::MathFunction function, unsigned bits) {
  return std::to_string(uint32_t(function)) + ".f" + std::to_string(bits);
}

} // namespace tilewright::simt
