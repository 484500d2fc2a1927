//===- Atomics.cpp - Atomic operations, lane by lane ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every active element performs its own operation, in order of its index.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilewright::cpu {

static LLVM::AtomicOrdering orderingOf(kernel::MemorySemantics semantics) {
  switch (semantics) {
  case kernel::MemorySemantics::Relaxed:
    return LLVM::AtomicOrdering::monotonic;
  case kernel::MemorySemantics::Acquire:
    return LLVM::AtomicOrdering::acquire;
  case kernel::MemorySemantics::Release:
    return LLVM::AtomicOrdering::release;
  case kernel::MemorySemantics::AcquireRelease:
    return LLVM::AtomicOrdering::acq_rel;
  }
  llvm_unreachable("all memory semantics are listed");
}

/// A failed exchange writes nothing, so it cannot release.
static LLVM::AtomicOrdering failureOrdering(LLVM::AtomicOrdering ordering) {
  if (ordering == LLVM::AtomicOrdering::acq_rel)
    return LLVM::AtomicOrdering::acquire;
  if (ordering == LLVM::AtomicOrdering::release)
    return LLVM::AtomicOrdering::monotonic;
  return ordering;
}

static LLVM::AtomicBinOp binaryOpOf(kernel::AtomicKind kind) {
  switch (kind) {
  case kernel::AtomicKind::Add:
    return LLVM::AtomicBinOp::add;
  case kernel::AtomicKind::FAdd:
    return LLVM::AtomicBinOp::fadd;
  case kernel::AtomicKind::Max:
    return LLVM::AtomicBinOp::max;
  case kernel::AtomicKind::Min:
    return LLVM::AtomicBinOp::min;
  case kernel::AtomicKind::UMax:
    return LLVM::AtomicBinOp::umax;
  case kernel::AtomicKind::UMin:
    return LLVM::AtomicBinOp::umin;
  case kernel::AtomicKind::FMax:
    return LLVM::AtomicBinOp::fmax;
  case kernel::AtomicKind::FMin:
    return LLVM::AtomicBinOp::fmin;
  case kernel::AtomicKind::And:
    return LLVM::AtomicBinOp::_and;
  case kernel::AtomicKind::Or:
    return LLVM::AtomicBinOp::_or;
  case kernel::AtomicKind::Xor:
    return LLVM::AtomicBinOp::_xor;
  case kernel::AtomicKind::Xchg:
    return LLVM::AtomicBinOp::xchg;
  }
  llvm_unreachable("all kinds are listed");
}

/// The new value of a float operation, in f32 where the type is smaller.
Value Emitter::combineAtomic(kernel::AtomicKind kind, Value old, Value value) {
  Type element = old.getType();
  Type wide =
      element.getIntOrFloatBitWidth() < 32 ? Type(b.getF32Type()) : element;
  Value a = convertFloat(old, wide), c = convertFloat(value, wide);
  Value result;
  if (kind == kernel::AtomicKind::FAdd)
    result = arith::AddFOp::create(b, a, c);
  else if (kind == kernel::AtomicKind::FMax)
    result = arith::MaxNumFOp::create(b, a, c);
  else
    result = arith::MinNumFOp::create(b, a, c);
  return convertFloat(result, element);
}

/// Compare-and-swap until nothing came in between; bits travel as integers.
Value Emitter::atomicFloatLoop(kernel::AtomicKind kind, Value pointer,
                               Value value, LLVM::AtomicOrdering ordering) {
  Type element = value.getType();
  unsigned bits = element.getIntOrFloatBitWidth();
  Type raw = b.getIntegerType(bits);
  Value first = LLVM::LoadOp::create(
      b, raw, pointer, bits / 8, /*isVolatile=*/false, /*isNonTemporal=*/false,
      /*isInvariant=*/false, /*isInvariantGroup=*/false,
      LLVM::AtomicOrdering::monotonic);
  auto loop = scf::WhileOp::create(b, TypeRange{raw}, ValueRange{first});
  OpBuilder::InsertionGuard guard(b);
  Block *before =
      b.createBlock(&loop.getBefore(), {}, TypeRange{raw}, {b.getLoc()});
  Value old = before->getArgument(0);
  Value next =
      combineAtomic(kind, arith::BitcastOp::create(b, element, old), value);
  Value exchange = LLVM::AtomicCmpXchgOp::create(
      b, pointer, old, arith::BitcastOp::create(b, raw, next), ordering,
      failureOrdering(ordering));
  Value seen = LLVM::ExtractValueOp::create(b, exchange, 0);
  Value succeeded = LLVM::ExtractValueOp::create(b, exchange, 1);
  Value failed =
      arith::XOrIOp::create(b, succeeded, constant(b.getBoolAttr(true)));
  scf::ConditionOp::create(b, failed, seen);
  Block *after =
      b.createBlock(&loop.getAfter(), {}, TypeRange{raw}, {b.getLoc()});
  scf::YieldOp::create(b, after->getArguments());
  b.setInsertionPointAfter(loop);
  return arith::BitcastOp::create(b, element, loop.getResult(0));
}

/// Runs `perform` for each element of `value` whose mask is set and keeps the
/// old values when somebody reads them.
void Emitter::emitAtomic(
    Operation *op, Value shaped, Value base, Value offsets, Value mask,
    llvm::function_ref<Value(const Indices &, Value)> perform) {
  NestPlan nestPlan = prepare(llvm::to_vector(op->getOperands()));
  Value result = op->getResult(0);
  Type element = elementOf(shaped);
  bool isTensor = isa<RankedTensorType>(result.getType());
  bool isRead = !result.use_empty();
  if (isTensor && isRead)
    bindBuffer(result, allocate(shapeOf(result), element), /*owns=*/true);
  emitNest(shapeOf(shaped), nestPlan, 1, [&](const Indices &at, unsigned) {
    Address address = resolve(base, offsets, mask, at, 1, element);
    Value old;
    if (!address.mask) {
      old = perform(at, address.pointer);
    } else {
      auto guarded = scf::IfOp::create(b, TypeRange{element}, address.mask,
                                       /*withElseRegion=*/true);
      // Operands are computed outside, so that they may be reused.
      for (Value operand : op->getOperands())
        if (operand != base && elementOf(operand) == element)
          evaluateBefore(guarded, operand, at);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(guarded.elseBlock());
      scf::YieldOp::create(b, zero(element));
      b.setInsertionPointToEnd(guarded.thenBlock());
      scf::YieldOp::create(b, perform(at, address.pointer));
      old = guarded.getResult(0);
    }
    if (isTensor && isRead)
      writeBuffer(old, plan[result].buffer, at, 1);
    else if (!isTensor)
      scalars.map(result, old);
  });
  if (isTensor && isRead)
    plan[result].isReady = true;
}

void Emitter::evaluateBefore(Operation *op, Value value, const Indices &at) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  evaluate(value, isa<RankedTensorType>(value.getType()) ? at : Indices(), 1);
}

void Emitter::emitAtomicRMW(kernel::AtomicRMWOp op) {
  LLVM::AtomicOrdering ordering = orderingOf(op.getSemantics());
  kernel::AtomicKind kind = op.getKind();
  Type element = elementOf(op.getValue());
  unsigned bits = element.getIntOrFloatBitWidth();
  if (bits < 8 || (isa<FloatType>(element) && bits < 16)) {
    refuse(op, "TW4126: expected an atomic on at least 16-bit floats or 8-bit "
               "integers");
    return;
  }
  bool isExtreme =
      kind == kernel::AtomicKind::FMax || kind == kernel::AtomicKind::FMin;
  bool isFloatLoop =
      isExtreme || (kind == kernel::AtomicKind::FAdd && bits < 32);
  emitAtomic(op, op.getValue(), op.getBase(), op.getOffsets(), op.getMask(),
             [&](const Indices &at, Value pointer) -> Value {
               Value value = evaluate(op.getValue(), at, 1);
               if (isFloatLoop)
                 return atomicFloatLoop(kind, pointer, value, ordering);
               return LLVM::AtomicRMWOp::create(b, binaryOpOf(kind), pointer,
                                                value, ordering);
             });
}

void Emitter::emitAtomicCAS(kernel::AtomicCASOp op) {
  LLVM::AtomicOrdering ordering = orderingOf(op.getSemantics());
  Type element = elementOf(op.getValue());
  Type raw = b.getIntegerType(element.getIntOrFloatBitWidth());
  emitAtomic(
      op, op.getValue(), op.getBase(), op.getOffsets(), Value(),
      [&](const Indices &at, Value pointer) -> Value {
        auto bitsOf = [&](Value value) -> Value {
          value = evaluate(value, at, 1);
          return element == raw ? value
                                : arith::BitcastOp::create(b, raw, value);
        };
        Value compare = bitsOf(op.getCompare());
        Value value = bitsOf(op.getValue());
        Value exchange = LLVM::AtomicCmpXchgOp::create(
            b, pointer, compare, value, ordering, failureOrdering(ordering));
        Value old = LLVM::ExtractValueOp::create(b, exchange, 0);
        return element == raw ? old : arith::BitcastOp::create(b, element, old);
      });
}

} // namespace tilewright::cpu
