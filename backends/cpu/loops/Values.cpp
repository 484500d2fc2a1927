//===- Values.cpp - Constants, scalars and lanes ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small building blocks. Constants live once at the entry; index arithmetic is
// folded while it is built, so that little is left for the optimiser.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilewright::cpu {

Value Emitter::constant(TypedAttr attribute) {
  Value &value = constants[attribute];
  if (value)
    return value;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(entry);
  value = arith::ConstantOp::create(b, attribute);
  return value;
}

Value Emitter::i64(int64_t value) {
  return constant(b.getI64IntegerAttr(value));
}

Value Emitter::zero(Type type) {
  if (isa<LLVM::LLVMPointerType>(type)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(entry);
    return LLVM::ZeroOp::create(b, type);
  }
  return constant(cast<TypedAttr>(b.getZeroAttr(type)));
}

Value Emitter::scalar(Value old) {
  if (Value value = scalars.lookupOrNull(old))
    return value;
  Operation *op = old.getDefiningOp();
  hadError = true;
  emitError(op ? op->getLoc() : old.getLoc())
      << "TW4110: the CPU backend has no value for this scalar";
  return zero(scalarType(old.getType()));
}

Type Emitter::scalarType(Type old) {
  if (isa<kernel::PointerType>(old))
    return LLVM::LLVMPointerType::get(b.getContext());
  return old;
}

/// Pointers travel in lanes as addresses.
Type Emitter::laneType(Type element, unsigned width) {
  if (isa<kernel::PointerType, LLVM::LLVMPointerType>(element))
    element = b.getI64Type();
  return width == 1 ? element
                    : Type(VectorType::get({int64_t(width)}, element));
}

/// i1 takes a byte; LLVM has no type for 8-bit floats.
Type Emitter::memoryType(Type element) {
  if (element.isIndex() || isa<kernel::PointerType>(element))
    return b.getI64Type();
  if (element.isInteger(1) ||
      (isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8))
    return b.getI8Type();
  return element;
}

Value Emitter::splat(Value value, unsigned width) {
  if (width == 1)
    return value;
  auto type = VectorType::get({int64_t(width)}, value.getType());
  Attribute attribute;
  if (matchPattern(value, m_Constant(&attribute)))
    return constant(DenseElementsAttr::get(type, attribute));
  return vector::BroadcastOp::create(b, type, value);
}

Value Emitter::iota(unsigned bits, int64_t step, unsigned width) {
  SmallVector<APInt> elements;
  for (unsigned lane = 0; lane < width; ++lane)
    elements.push_back(APInt(64, lane * step).trunc(bits));
  auto type = VectorType::get({int64_t(width)}, b.getIntegerType(bits));
  return constant(DenseElementsAttr::get(type, elements));
}

Value Emitter::add(Value a, Value c) {
  if (!a || !c)
    return a ? a : c;
  return b.createOrFold<arith::AddIOp>(a, c);
}

Value Emitter::multiply(Value a, int64_t factor) {
  if (!a || factor == 1)
    return a;
  return factor == 0 ? Value() : multiply(a, i64(factor));
}

Value Emitter::multiply(Value a, Value c) {
  return b.createOrFold<arith::MulIOp>(a, c);
}

Value Emitter::baseOf(const Index &index) {
  if (!index.base)
    return i64(index.constant);
  return index.constant ? add(index.base, i64(index.constant)) : index.base;
}

Value Emitter::lanesOf(const Index &index, unsigned width) {
  if (index.lanes)
    return index.lanes;
  Value base = splat(baseOf(index), width);
  if (index.step == 0)
    return base;
  return b.createOrFold<arith::AddIOp>(base, iota(64, index.step, width));
}

Value Emitter::refuse(Operation *op, const Twine &message, Type dummy) {
  hadError = true;
  op->emitError() << message;
  return dummy ? zero(dummy) : Value();
}

/// Conservative; index arithmetic of programs does not overflow by contract.
bool Emitter::isNonNegative(Value old, unsigned depth) {
  APInt value;
  if (matchPattern(old, m_ConstantInt(&value)))
    return !value.isNegative();
  if (depth > 8)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(old)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop)
      return argument == loop.getInductionVar() &&
             isNonNegative(loop.getLowerBound(), depth + 1);
    if (argument.getOwner()->getParentOp() != function)
      return false;
    auto range = function.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(),
                                                      "tw.range");
    auto low = range && !range.empty() ? dyn_cast<IntegerAttr>(range[0])
                                       : IntegerAttr();
    return low && low.getInt() >= 0;
  }
  Operation *op = old.getDefiningOp();
  if (isa<kernel::ProgramIdOp, kernel::NumProgramsOp>(op))
    return true;
  if (op->hasAttr("tw.unsigned"))
    return false; // wraps as written
  if (!isa<arith::AddIOp, arith::MulIOp, arith::ExtSIOp, arith::IndexCastOp,
           arith::MinSIOp, kernel::FactOp>(op))
    return isa<arith::ExtUIOp>(op);
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return isNonNegative(operand, depth + 1);
  });
}

/// Between float types; no operation when they are equal.
Value Emitter::convertFloat(Value value, Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  Type to = element;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    to = vector.clone(element);
  if (isa<IntegerType>(from))
    return arith::ExtSIOp::create(b, to, value);
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, to, value);
  return arith::TruncFOp::create(b, to, value);
}

} // namespace tilewright::cpu
