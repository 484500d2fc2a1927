//===- Divisibility.cpp - Powers of two that divide integers ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bounded walk up the operands; what it does not know is divided by 1 only.
// Sums, differences and products keep powers of two even where they wrap.
//===----------------------------------------------------------------------===//
#include "backends/simt/analysis/Divisibility.h"

#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright::simt {

static constexpr unsigned kMaxDepth = 12;

static uint64_t ofConstant(const APInt &value) {
  if (value.isZero() || value.countTrailingZeros() >= 32)
    return kMostDivisible;
  return uint64_t(1) << value.countTrailingZeros();
}

static uint64_t lowestBit(uint64_t value) {
  return value ? std::min(value & -value, kMostDivisible) : kMostDivisible;
}

static uint64_t product(uint64_t a, uint64_t b) {
  return a >= kMostDivisible / b ? kMostDivisible : a * b;
}

static uint64_t walk(Value value, unsigned depth);

static uint64_t ofArgument(BlockArgument argument, unsigned depth) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto kernel = dyn_cast<func::FuncOp>(parent)) {
    unsigned index = argument.getArgNumber();
    if (auto known = kernel.getArgAttrOfType<IntegerAttr>(index, "tw.value"))
      return lowestBit(known.getInt());
    auto divisor =
        kernel.getArgAttrOfType<IntegerAttr>(index, "tw.divisibility");
    return divisor ? lowestBit(divisor.getInt()) : 1;
  }
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (loop && argument == loop.getInductionVar())
    return std::min(walk(loop.getLowerBound(), depth),
                    walk(loop.getStep(), depth));
  return 1;
}

/// The fact's promise about a scalar, or what its operand has.
static uint64_t ofFact(kernel::FactOp op, unsigned depth) {
  uint64_t known = walk(op.getSource(), depth);
  if (auto promised = op.getDivisibility())
    if (promised->size() == 1)
      known = std::max(known, lowestBit((*promised)[0]));
  return known;
}

static uint64_t ofPointer(kernel::AddPtrOp op, unsigned depth) {
  auto pointer =
      cast<kernel::PointerType>(getElementTypeOrSelf(op.getResult().getType()));
  uint64_t bytes =
      std::max(pointer.getPointee().getIntOrFloatBitWidth() / 8, 1u);
  return std::min(walk(op.getPtr(), depth),
                  product(walk(op.getOffset(), depth), bytes));
}

static uint64_t walk(Value value, unsigned depth) {
  if (depth++ > kMaxDepth)
    return 1;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofArgument(argument, depth);
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned index) {
    return walk(op->getOperand(index), depth);
  };
  return llvm::TypeSwitch<Operation *, uint64_t>(op)
      .Case([&](arith::ConstantOp o) -> uint64_t {
        auto integer = dyn_cast<IntegerAttr>(o.getValue());
        return integer ? ofConstant(integer.getValue()) : 1;
      })
      .Case<arith::AddIOp, arith::SubIOp, arith::MaxSIOp, arith::MinSIOp,
            arith::OrIOp, arith::XOrIOp>(
          [&](auto) { return std::min(operand(0), operand(1)); })
      .Case([&](arith::MulIOp) { return product(operand(0), operand(1)); })
      .Case([&](arith::AndIOp) { return std::max(operand(0), operand(1)); })
      .Case([&](arith::SelectOp) { return std::min(operand(1), operand(2)); })
      .Case<arith::ExtSIOp, arith::ExtUIOp, kernel::PtrCastOp,
            kernel::IntToPtrOp, kernel::PtrToIntOp>(
          [&](auto) { return operand(0); })
      .Case([&](kernel::FactOp o) { return ofFact(o, depth); })
      .Case([&](kernel::AddPtrOp o) { return ofPointer(o, depth); })
      .Default([](Operation *) { return 1; });
}

uint64_t divisibilityOf(Value value) { return walk(value, 0); }

} // namespace tilewright::simt
