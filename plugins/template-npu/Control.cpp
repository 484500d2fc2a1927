//===- Control.cpp - Loops and branches -------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control flow as jumps. What a loop carries has a place of its own,
// which the results are, too.
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include <algorithm>

namespace tilewright::npu {

static bool isSame(const Operand &a, const Operand &b) {
  return a.isRegister == b.isRegister && a.number == b.number;
}

/// Assigns values to places at once: one that is the old value of another place
/// is put aside first.
void Lowering::assign(const std::vector<const Value *> &values, size_t first,
                      const std::vector<Operand> &to, const Op &op) {
  std::vector<Operand> from;
  for (size_t i = 0; i < to.size(); ++i) {
    const Value &value = *values[first + i];
    Operand source = at(value);
    bool isOverwritten =
        !isSame(source, to[i]) &&
        std::any_of(to.begin(), to.end(), [&](const Operand &place) {
          return isSame(place, source);
        });
    if (isOverwritten) {
      Operand aside;
      aside.isRegister = source.isRegister;
      aside.number = source.isRegister
                         ? code.newRegister()
                         : code.newTile(value.type->count() *
                                            tw_dtype_bytes(value.type->element),
                                        "old value in a loop", op);
      copyWhole(*value.type, source, aside);
      source = aside;
    }
    from.push_back(source);
  }
  for (size_t i = 0; i < to.size(); ++i)
    if (!isSame(from[i], to[i]))
      copyWhole(*values[first + i]->type, from[i], to[i]);
}

void Lowering::lowerOps(const Region &region) {
  for (size_t i = 0; i + 1 < region.ops.size(); ++i)
    lowerOp(*region.ops[i]);
}

void Lowering::lowerOp(const Op &op) {
  sdk::refuseLacking(op, kVendor, lackingOperations);
  for (const Value *result : op.results)
    checkType(op, *result->type);
  switch (op.id) {
  case TW_PORTABLE_OP_SCF_FOR:
    return lowerFor(op);
  case TW_PORTABLE_OP_SCF_IF:
    return lowerIf(op);
  case TW_PORTABLE_OP_SCF_WHILE:
    return lowerWhile(op);
  case TW_PORTABLE_OP_KERNEL_LOAD:
    return lowerBox(op, /*isLoad=*/true);
  case TW_PORTABLE_OP_KERNEL_STORE:
    return lowerBox(op, /*isLoad=*/false);
  case TW_PORTABLE_OP_LINALG_MATMUL:
    return lowerMatmul(op);
  case TW_PORTABLE_OP_KERNEL_ASSERT:
    return lowerAssert(op);
  case TW_PORTABLE_OP_KERNEL_TRAP:
    return fail(op, 6031, op.text(TW_PORTABLE_ATTR_MESSAGE));
  case TW_PORTABLE_OP_KERNEL_VIEW: // read by the loads and stores
  case TW_PORTABLE_OP_KERNEL_ASSUME:
  case TW_PORTABLE_OP_KERNEL_BARRIER: // a program is one thread
    return;
  case TW_PORTABLE_OP_KERNEL_CALL_OP: {
    const Region &region = op.regions[0];
    for (size_t i = 0; i < op.operands.size(); ++i)
      places[region.arguments[i]] = at(op.operand(i));
    lowerOps(region);
    for (size_t i = 0; i < op.results.size(); ++i)
      places[op.results[i]] = at(*region.last().operands[i]);
    return;
  }
  }
  if (!lowerShape(op) && !lowerElementwise(op))
    refuse(op, "the machine has no such function", "use another target");
}

/// Counts rounds, not values: the counter may not overflow.
void Lowering::lowerFor(const Op &op) {
  enum { Less = 2, LessUnsigned = 6, LessOrEqual = 3 };
  const Region &region = op.regions[0];
  uint32_t dtype = region.arguments[0]->type->element;
  bool isUnsigned = op.has(TW_PORTABLE_ATTR_UNSIGNED_COMPARE);
  Operand lower = at(op.operand(0)), upper = at(op.operand(1)),
          step = at(op.operand(2));
  std::vector<Operand> carried = newPlaces(op.results, op);
  assign(op.operands, 3, carried, op);
  Operand zero = constant(0), one = constant(1);
  Operand counter = newPlace(*region.arguments[0], op);
  Operand runs = compute(TW_PORTABLE_OP_ARITH_CMPI, dtype, TW_DTYPE_I1,
                         isUnsigned ? LessUnsigned : Less, {lower, upper});
  size_t skip = code.emit(JumpIfZero, {runs, 0u});
  Operand isWrong = compute(TW_PORTABLE_OP_ARITH_CMPI, dtype, TW_DTYPE_I1,
                            LessOrEqual, {step, zero});
  size_t good = code.emit(JumpIfZero, {isWrong, 0u});
  fail(op, 6033, "expected a loop with a positive step");
  code.setTarget(good, code.here());
  copyWhole(*region.arguments[0]->type, lower, counter);
  auto next = [&](uint32_t function, Operand a, Operand b, Operand to) {
    code.emit(Compute,
              {function | dtype << 8 | dtype << 16, 0u, 0u, to, a, b, a});
  };
  Operand rounds =
      compute(TW_PORTABLE_OP_ARITH_SUBI, dtype, dtype, 0, {upper, lower});
  next(TW_PORTABLE_OP_ARITH_SUBI, rounds, one, rounds);
  next(TW_PORTABLE_OP_ARITH_DIVUI, rounds, step, rounds);
  next(TW_PORTABLE_OP_ARITH_ADDI, rounds, one, rounds);
  code.beginLoop();
  size_t top = code.here();
  for (size_t i = 0; i < carried.size(); ++i)
    places[region.arguments[i + 1]] = carried[i];
  lowerOps(region);
  assign(region.last().operands, 0, carried, op);
  next(TW_PORTABLE_OP_ARITH_ADDI, counter, step, counter);
  next(TW_PORTABLE_OP_ARITH_SUBI, rounds, one, rounds);
  code.sync();
  size_t leave = code.emit(JumpIfZero, {rounds, 0u});
  code.emit(Jump, {uint32_t(top)});
  code.endLoop();
  code.setTarget(leave, code.here());
  code.setTarget(skip, code.here());
}

void Lowering::lowerIf(const Op &op) {
  std::vector<Operand> results = newPlaces(op.results, op);
  code.sync(); // one way through may not rely on the other's
  size_t toElse = code.emit(JumpIfZero, {at(op.operand(0)), 0u});
  lowerOps(op.regions[0]);
  assign(op.regions[0].last().operands, 0, results, op);
  code.sync();
  if (!op.regions[1].isPresent) {
    code.setTarget(toElse, code.here());
    return;
  }
  size_t toEnd = code.emit(Jump, {0u});
  code.setTarget(toElse, code.here());
  lowerOps(op.regions[1]);
  assign(op.regions[1].last().operands, 0, results, op);
  code.sync();
  code.setTarget(toEnd, code.here());
}

void Lowering::lowerWhile(const Op &op) {
  const Region &before = op.regions[0], &after = op.regions[1];
  std::vector<Operand> results = newPlaces(op.results, op);
  std::vector<Operand> carried = newPlaces(before.arguments, op);
  assign(op.operands, 0, carried, op);
  code.beginLoop();
  size_t top = code.here();
  lowerOps(before);
  assign(before.last().operands, 1, results, op);
  code.sync();
  size_t leave = code.emit(JumpIfZero, {at(*before.last().operands[0]), 0u});
  for (size_t i = 0; i < results.size(); ++i)
    places[after.arguments[i]] = results[i];
  lowerOps(after);
  assign(after.last().operands, 0, carried, op);
  code.sync();
  code.emit(Jump, {uint32_t(top)});
  code.endLoop();
  code.setTarget(leave, code.here());
}

} // namespace tilewright::npu
