//===- Checks.cpp - Errors that programs do not notice ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NaN out of numbers, and signed overflow where the language forbids it: in
// sums and products of ids, arguments and ranges that reach an address or a
// mask. Unsigned arithmetic, casts, bit operations and values from memory end
// such a chain; quotients and remainders may be part of one.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Interpreter.h"
#include "backends/reference/interpreter/Numbers.h"
#include "dialects/kernel/KernelDialect.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace tilewright::reference {

std::optional<Checks> parseChecks(StringRef text) {
  Checks checks;
  while (!text.empty()) {
    auto [word, rest] = text.split(',');
    bool *found = word == "bounds"     ? &checks.bounds
                  : word == "nan"      ? &checks.nan
                  : word == "overflow" ? &checks.overflow
                  : word == "races"    ? &checks.races
                  : word == "uninit"   ? &checks.uninit
                                       : nullptr;
    if (!found)
      return std::nullopt;
    *found = true;
    text = rest;
  }
  return checks;
}

static bool isSumOrProduct(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op);
}

/// Operations that move elements of their first operand only.
static bool movesElements(Operation *op) {
  return isa<tensor::SplatOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ExtractSliceOp, linalg::BroadcastOp, linalg::TransposeOp,
             linalg::FillOp, kernel::FactOp, arith::ExtSIOp>(op);
}

/// Adds the arithmetic behind `value` if all of it is signed and comes from
/// ids, arguments, ranges and constants; false if it does not.
static bool collect(Value value, llvm::DenseSet<Operation *> &found) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return argument == loop.getInductionVar();
    auto kernel = dyn_cast<func::FuncOp>(parent);
    auto dtype = kernel ? kernel.getArgAttrOfType<StringAttr>(
                              argument.getArgNumber(), "tw.dtype")
                        : StringAttr();
    return dtype && dtype.getValue().starts_with("i");
  }
  Operation *op = value.getDefiningOp();
  if (isa<kernel::ProgramIdOp, kernel::NumProgramsOp, kernel::RangeOp,
          arith::ConstantOp>(op))
    return true;
  if (movesElements(op))
    return collect(op->getOperand(0), found);
  if (!isSumOrProduct(op) && !isa<arith::DivSIOp, arith::RemSIOp>(op))
    return false;
  bool isSigned = collect(op->getOperand(0), found);
  isSigned &= collect(op->getOperand(1), found);
  if (isSigned && isSumOrProduct(op))
    found.insert(op);
  return isSigned;
}

/// Adds the arithmetic behind the signed comparisons that make up a mask.
static void collectMask(Value mask, llvm::DenseSet<Operation *> &found) {
  Operation *op = mask.getDefiningOp();
  if (!op)
    return;
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (compare && compare.getPredicate() >= arith::CmpIPredicate::slt &&
      compare.getPredicate() <= arith::CmpIPredicate::sge) {
    collect(compare.getLhs(), found);
    collect(compare.getRhs(), found);
  } else if (isa<arith::AndIOp, arith::OrIOp>(op) || movesElements(op)) {
    for (Value operand : op->getOperands())
      collectMask(operand, found);
  }
}

/// Operands of an access that are no part of its address or mask.
static SmallVector<Value, 2> dataOf(Operation *op) {
  if (isa<kernel::StoreOp, kernel::ScatterOp>(op))
    return {op->getOperand(0)};
  if (auto load = dyn_cast<kernel::LoadOp>(op))
    return {load.getOther()};
  if (auto gather = dyn_cast<kernel::GatherOp>(op))
    return {gather.getOther()};
  if (auto atomic = dyn_cast<kernel::AtomicRMWOp>(op))
    return {atomic.getValue()};
  if (auto atomic = dyn_cast<kernel::AtomicCASOp>(op))
    return {atomic.getCompare(), atomic.getValue()};
  return {};
}

llvm::DenseSet<Operation *> findAddressArithmetic(func::FuncOp kernel) {
  llvm::DenseSet<Operation *> found;
  kernel.walk([&](Operation *op) {
    if (!isa<kernel::AddPtrOp, kernel::ViewOp, kernel::LoadOp, kernel::StoreOp,
             kernel::GatherOp, kernel::ScatterOp, kernel::AtomicRMWOp,
             kernel::AtomicCASOp>(op))
      return;
    SmallVector<Value, 2> data = dataOf(op);
    for (Value operand : op->getOperands()) {
      Type element = getElementTypeOrSelf(operand.getType());
      if (llvm::is_contained(data, operand))
        continue;
      if (element.isInteger(1))
        collectMask(operand, found);
      else if (element.isInteger())
        collect(operand, found);
    }
  });
  return found;
}

static __int128 exactResult(Operation *op, int64_t a, int64_t b) {
  if (isa<arith::AddIOp>(op))
    return __int128(a) + b;
  return isa<arith::SubIOp>(op) ? __int128(a) - b : __int128(a) * b;
}

bool Interpreter::checkElement(Operation *op, ArrayRef<uint64_t> operands,
                               uint64_t result) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (addressArithmetic.contains(op)) {
    unsigned width = widthOf(type);
    int64_t a = signExtend(operands[0], width);
    int64_t b = signExtend(operands[1], width);
    if (exactResult(op, a, b) != signExtend(result, width))
      return fail(op, kOverflow,
                  "expected a value of " + Twine(width) + " bits, got " +
                      Twine(a) +
                      (isa<arith::AddIOp>(op)   ? " + "
                       : isa<arith::SubIOp>(op) ? " - "
                                                : " * ") +
                      Twine(b));
  }
  if (!environment.checks.nan || !isa<FloatType>(type) ||
      isa<arith::BitcastOp>(op) || !toNumber(result, type).isNaN())
    return true;
  for (auto [operand, bits] : llvm::zip_equal(op->getOperands(), operands)) {
    Type from = getElementTypeOrSelf(operand.getType());
    if (isa<FloatType>(from) && toNumber(bits, from).isNaN())
      return true;
  }
  return fail(op, kMadeNaN,
              "expected a number, got NaN from '" +
                  op->getName().getStringRef() + "'");
}

} // namespace tilewright::reference
