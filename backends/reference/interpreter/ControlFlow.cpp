//===- ControlFlow.cpp - Loops and branches -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions run in place: a block's arguments are set, then its operations run.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Interpreter.h"

#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilewright::reference {

/// Runs a region of one block and moves what it yields to `results`.
static bool runRegion(Interpreter &at, Region &region, ValueRange results) {
  if (region.empty())
    return true;
  Block &block = region.front();
  if (!at.run(block))
    return false;
  at.assign(results, at.copy(block.getTerminator()->getOperands()));
  return true;
}

/// How often a loop runs; the counter itself never overflows.
static uint64_t tripCount(scf::ForOp loop, int64_t lower, int64_t upper,
                          int64_t step) {
  bool isEmpty = loop.getUnsignedCmp() ? uint64_t(lower) >= uint64_t(upper)
                                       : lower >= upper;
  return isEmpty ? 0
                 : (uint64_t(upper) - uint64_t(lower) - 1) / uint64_t(step) + 1;
}

static bool runFor(Interpreter &at, Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  unsigned width = widthOf(loop.getInductionVar().getType());
  int64_t lower = at.scalar(loop.getLowerBound());
  int64_t upper = at.scalar(loop.getUpperBound());
  int64_t step = at.scalar(loop.getStep());
  if (loop.getUnsignedCmp()) {
    lower = int64_t(truncate(lower, width));
    upper = int64_t(truncate(upper, width));
  }
  if (step <= 0 && lower < upper)
    return at.fail(op, kBadStep,
                   "expected a positive step of the loop, got " + Twine(step));
  at.assign(loop.getRegionIterArgs(), at.copy(loop.getInitArgs()));
  uint64_t count = tripCount(loop, lower, upper, step > 0 ? step : 1);
  for (uint64_t i = 0; i < count; ++i) {
    Tile counter = makeTile(loop.getInductionVar().getType());
    counter.bits[0] = truncate(uint64_t(lower) + i * uint64_t(step), width);
    at.set(loop.getInductionVar(), std::move(counter));
    if (!runRegion(at, loop.getRegion(), loop.getRegionIterArgs()))
      return false;
  }
  at.assign(loop.getResults(), at.copy(loop.getRegionIterArgs()));
  return true;
}

static bool runIf(Interpreter &at, Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  bool isTaken = at.get(branch.getCondition()).bits[0];
  return runRegion(at,
                   isTaken ? branch.getThenRegion() : branch.getElseRegion(),
                   branch.getResults());
}

static bool runWhile(Interpreter &at, Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  at.assign(loop.getBeforeArguments(), at.copy(loop.getInits()));
  for (;;) {
    if (!at.run(*loop.getBeforeBody()))
      return false;
    auto condition = loop.getConditionOp();
    std::vector<Tile> passed = at.copy(condition.getArgs());
    if (!at.get(condition.getCondition()).bits[0]) {
      at.assign(loop.getResults(), std::move(passed));
      return true;
    }
    at.assign(loop.getAfterArguments(), std::move(passed));
    if (!runRegion(at, loop.getAfter(), loop.getBeforeArguments()))
      return false;
  }
}

/// A high-level op means what its region says.
static bool runCall(Interpreter &at, Operation *op) {
  Region &region = op->getRegion(0);
  at.assign(region.front().getArguments(), at.copy(op->getOperands()));
  return runRegion(at, region, op->getResults());
}

void addControlFlow(Semantics &semantics) {
  auto &rows = semantics.operations;
  rows["scf.for"] = runFor;
  rows["scf.if"] = runIf;
  rows["scf.while"] = runWhile;
  rows["kernel.call_op"] = runCall;
}

} // namespace tilewright::reference
