//===- ContractMultiplyAdd.cpp - a * b + c in one rounding ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may be contracted is decided here, once, from the program's structure,
// so that a result depends neither on LLVM's effort nor on the processor.
//===----------------------------------------------------------------------===//
#include "backends/cpu/lower/Passes.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tilewright::cpu {

#define GEN_PASS_DEF_CPUCONTRACTMULTIPLYADDPASS
#include "backends/cpu/lower/Passes.h.inc"

static bool mayContract(Operation *op) {
  auto flags = dyn_cast<arith::ArithFastMathInterface>(op);
  arith::FastMathFlagsAttr held =
      flags ? flags.getFastMathFlagsAttr() : arith::FastMathFlagsAttr();
  return held &&
         bitEnumContainsAny(held.getValue(), arith::FastMathFlags::contract);
}

/// The product that `sum` may take up as its operand `value`, or null.
static arith::MulFOp productOf(Value value, Operation *sum) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  bool isTaken = product && product->hasOneUse() && mayContract(product) &&
                 product->getBlock() == sum->getBlock();
  return isTaken ? product : arith::MulFOp();
}

/// Of two products the left one is taken.
static void contract(Operation *sum) {
  Type element = getElementTypeOrSelf(sum->getResult(0).getType());
  if (!isa<Float32Type, Float64Type>(element) || !mayContract(sum))
    return;
  unsigned side = 0;
  arith::MulFOp product = productOf(sum->getOperand(0), sum);
  if (!product) {
    side = 1;
    product = productOf(sum->getOperand(1), sum);
  }
  if (!product)
    return;
  OpBuilder builder(sum);
  Value left = product.getLhs(), addend = sum->getOperand(1 - side);
  if (isa<arith::SubFOp>(sum)) {
    Value &negated = side == 0 ? addend : left;
    negated = arith::NegFOp::create(builder, sum->getLoc(), negated);
  }
  Value fused = math::FmaOp::create(builder, sum->getLoc(), left,
                                    product.getRhs(), addend);
  sum->getResult(0).replaceAllUsesWith(fused);
  sum->erase();
  product->erase();
}

/// Leaves every other freedom as it is.
static void dropFlag(Operation *op) {
  if (!mayContract(op))
    return;
  auto flags = cast<arith::ArithFastMathInterface>(op);
  arith::FastMathFlags rest =
      flags.getFastMathFlagsAttr().getValue() & ~arith::FastMathFlags::contract;
  op->setAttr(flags.getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(op->getContext(), rest));
}

namespace {
struct ContractMultiplyAddPass
    : public impl::CpuContractMultiplyAddPassBase<ContractMultiplyAddPass> {
  using CpuContractMultiplyAddPassBase::CpuContractMultiplyAddPassBase;

  void runOnOperation() override {
    SmallVector<Operation *> sums;
    getOperation().walk([&](Operation *op) {
      if (isa<arith::AddFOp, arith::SubFOp>(op))
        sums.push_back(op);
    });
    if (hasFma)
      for (Operation *sum : sums)
        contract(sum);
    getOperation().walk(dropFlag);
  }
};
} // namespace

} // namespace tilewright::cpu
