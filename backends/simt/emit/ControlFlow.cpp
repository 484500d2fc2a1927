//===- ControlFlow.cpp - Loops and branches ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions and bounds are scalars, the same for all threads of a program, so
// barriers may stand inside. Tensors are carried as one phi a register.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/Families.h"

using namespace mlir;

namespace tilewright::simt {

/// All registers of several values, one after the other.
static Registers flatten(Emitter &e, ValueRange values) {
  Registers all;
  for (Value value : values)
    llvm::append_range(all, e.registers(value));
  return all;
}

/// Gives values their part of `all`.
template <typename Range>
static void distribute(Emitter &e, Range values, const Registers &all) {
  auto next = all.begin();
  for (Value value : values) {
    unsigned count =
        isa<RankedTensorType>(value.getType()) ? e.layout(value).registers : 1;
    e.set(value, Registers(next, next + count));
    next += count;
  }
}

/// One phi a value, with a first incoming edge.
static Registers createPhis(Emitter &e, const Registers &incoming,
                            llvm::BasicBlock *from) {
  Registers phis;
  for (llvm::Value *value : incoming) {
    llvm::PHINode *phi = e.b.CreatePHI(value->getType(), 2);
    phi->addIncoming(value, from);
    phis.push_back(phi);
  }
  return phis;
}

static void addIncoming(const Registers &phis, const Registers &values,
                        llvm::BasicBlock *from) {
  for (auto [phi, value] : llvm::zip_equal(phis, values))
    llvm::cast<llvm::PHINode>(phi)->addIncoming(value, from);
}

void emitFor(Emitter &e, scf::ForOp op) {
  Block &body = *op.getBody();
  llvm::Value *begin = e.scalar(op.getLowerBound());
  llvm::Value *end = e.scalar(op.getUpperBound());
  llvm::Value *step = e.scalar(op.getStep());
  llvm::BasicBlock *before = e.b.GetInsertBlock();
  llvm::BasicBlock *head = e.newBlock("for"), *inside = e.newBlock("for.body");
  llvm::BasicBlock *after = e.newBlock("for.end");
  Registers inits = flatten(e, op.getInitArgs());
  e.b.CreateBr(head);
  e.b.SetInsertPoint(head);
  llvm::PHINode *index = e.b.CreatePHI(begin->getType(), 2);
  index->addIncoming(begin, before);
  Registers phis = createPhis(e, inits, before);
  llvm::Value *goesOn = op.getUnsignedCmp() ? e.b.CreateICmpULT(index, end)
                                            : e.b.CreateICmpSLT(index, end);
  e.b.CreateCondBr(goesOn, inside, after);
  e.b.SetInsertPoint(inside);
  e.set(op.getInductionVar(), index);
  distribute(e, op.getRegionIterArgs(), phis);
  e.emitBody(body);
  index->addIncoming(e.b.CreateAdd(index, step), e.b.GetInsertBlock());
  addIncoming(phis, flatten(e, body.getTerminator()->getOperands()),
              e.b.GetInsertBlock());
  e.b.CreateBr(head);
  e.b.SetInsertPoint(after);
  distribute(e, op.getResults(), phis);
}

void emitIf(Emitter &e, scf::IfOp op) {
  bool hasElse = !op.getElseRegion().empty();
  llvm::BasicBlock *then = e.newBlock("if.then"), *end = e.newBlock("if.end");
  llvm::BasicBlock *other = hasElse ? e.newBlock("if.else") : end;
  e.b.CreateCondBr(e.scalar(op.getCondition()), then, other);
  e.b.SetInsertPoint(then);
  e.emitBody(*op.thenBlock());
  Registers thenValues = flatten(e, op.thenYield().getOperands());
  llvm::BasicBlock *thenEnd = e.b.GetInsertBlock();
  e.b.CreateBr(end);
  Registers elseValues;
  llvm::BasicBlock *elseEnd = nullptr;
  if (hasElse) {
    e.b.SetInsertPoint(other);
    e.emitBody(*op.elseBlock());
    elseValues = flatten(e, op.elseYield().getOperands());
    elseEnd = e.b.GetInsertBlock();
    e.b.CreateBr(end);
  }
  e.b.SetInsertPoint(end);
  if (op->getNumResults() == 0)
    return;
  Registers phis = createPhis(e, thenValues, thenEnd);
  addIncoming(phis, elseValues, elseEnd);
  distribute(e, op.getResults(), phis);
}

void emitWhile(Emitter &e, scf::WhileOp op) {
  llvm::BasicBlock *before = e.b.GetInsertBlock();
  llvm::BasicBlock *head = e.newBlock("while"),
                   *inside = e.newBlock("while.body");
  llvm::BasicBlock *after = e.newBlock("while.end");
  Registers inits = flatten(e, op.getInits());
  e.b.CreateBr(head);
  e.b.SetInsertPoint(head);
  Registers phis = createPhis(e, inits, before);
  distribute(e, op.getBeforeArguments(), phis);
  e.emitBody(*op.getBeforeBody());
  scf::ConditionOp condition = op.getConditionOp();
  Registers passed = flatten(e, condition.getArgs());
  e.b.CreateCondBr(e.scalar(condition.getCondition()), inside, after);
  e.b.SetInsertPoint(inside);
  distribute(e, op.getAfterArguments(), passed);
  e.emitBody(*op.getAfterBody());
  addIncoming(phis, flatten(e, op.getYieldOp().getOperands()),
              e.b.GetInsertBlock());
  e.b.CreateBr(head);
  e.b.SetInsertPoint(after);
  distribute(e, op.getResults(), passed);
}

} // namespace tilewright::simt
