//===- ControlFlow.cpp - Loops, branches, carried tensors -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars stay SSA values. A tensor that control flow carries has one buffer;
// a yield writes it in place when nothing else reads the old value.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/Emitter.h"

using namespace mlir;

namespace tilewright::cpu {

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

/// Whether computing `value` reads `buffer`; `onlyIdentity` turns false when
/// it does at another index than its own.
bool Emitter::readsOf(Value value, const Buffer &buffer, bool isIdentity,
                      bool &onlyIdentity) {
  if (!isTensor(value))
    return false;
  ValueInfo info = plan[value];
  if (info.isReady) {
    bool isRead = info.buffer.offset == buffer.offset;
    onlyIdentity &= !isRead || isIdentity;
    return isRead;
  }
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  bool isRead = false;
  bool keepsIndex = op->hasTrait<OpTrait::Elementwise>() && isInlineable(op);
  for (Value operand : op->getOperands())
    isRead |= readsOf(operand, buffer, isIdentity && keepsIndex, onlyIdentity);
  return isRead;
}

/// Writes what a loop body yields into the carried buffers. A value whose
/// target is still read by a later one goes through a temporary first.
void Emitter::writeYields(ValueRange yields, ArrayRef<Buffer> buffers,
                          ValueRange arguments) {
  SmallVector<std::pair<Buffer, Buffer>> copies;
  for (size_t i = 0; i < yields.size(); ++i) {
    if (!buffers[i])
      continue;
    const ValueInfo &info = plan[yields[i]];
    if (info.isReady && info.buffer.offset == buffers[i].offset)
      continue;
    bool isSafe = true;
    readsOf(yields[i], buffers[i], /*isIdentity=*/true, isSafe);
    for (size_t later = i + 1; later < yields.size() && isSafe; ++later) {
      bool ignored = true;
      isSafe = !readsOf(yields[later], buffers[i], true, ignored);
    }
    if (isSafe) {
      writeValue(yields[i], buffers[i]);
      continue;
    }
    Buffer temporary = allocate(buffers[i].shape, buffers[i].element);
    writeValue(yields[i], temporary);
    copies.push_back({temporary, buffers[i]});
  }
  for (auto &[from, to] : copies) {
    copyBuffer(from, to);
    release(from);
  }
}

/// Buffers for the tensors among `values`; empty ones for scalars.
static SmallVector<Buffer>
makeBuffers(TypeRange types,
            llvm::function_ref<Buffer(ArrayRef<int64_t>, Type)> allocate) {
  SmallVector<Buffer> buffers;
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    buffers.push_back(tensor
                          ? allocate(tensor.getShape(), tensor.getElementType())
                          : Buffer());
  }
  return buffers;
}

void Emitter::emitFor(scf::ForOp op) {
  prepareCaptures(op);
  auto make = [&](ArrayRef<int64_t> shape, Type element) {
    return allocate(shape, element);
  };
  SmallVector<Buffer> buffers = makeBuffers(op.getResultTypes(), make);
  SmallVector<Value> inits;
  for (auto [init, buffer] : llvm::zip(op.getInitArgs(), buffers)) {
    if (buffer)
      writeValue(init, buffer);
    else
      inits.push_back(scalar(init));
  }
  b.setLoc(op.getLoc());
  auto loop = scf::ForOp::create(
      b, scalar(op.getLowerBound()), scalar(op.getUpperBound()),
      scalar(op.getStep()), inits, nullptr, op.getUnsignedCmp());
  scalars.map(op.getInductionVar(), loop.getInductionVar());
  unsigned next = 0;
  for (auto [argument, buffer] : llvm::zip(op.getRegionIterArgs(), buffers)) {
    if (!buffer) {
      scalars.map(argument, loop.getRegionIterArg(next++));
      continue;
    }
    bindBuffer(argument, buffer, /*owns=*/false);
    plan[argument].isReady = true;
    carriedBuffers[argument] = buffer;
  }
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    emitBody(*op.getBody(), [&](Operation *yield) {
      writeYields(yield->getOperands(), buffers, op.getRegionIterArgs());
      SmallVector<Value> yielded;
      for (auto [value, buffer] : llvm::zip(yield->getOperands(), buffers))
        if (!buffer)
          yielded.push_back(scalar(value));
      if (!yielded.empty())
        scf::YieldOp::create(b, yielded);
    });
  }
  next = 0;
  for (auto [result, buffer] : llvm::zip(op.getResults(), buffers)) {
    if (!buffer) {
      scalars.map(result, loop.getResult(next++));
      continue;
    }
    bindBuffer(result, buffer, /*owns=*/true);
    plan[result].isReady = true;
  }
}

void Emitter::emitIf(scf::IfOp op) {
  prepareCaptures(op);
  SmallVector<Buffer> buffers =
      makeBuffers(op.getResultTypes(), [&](ArrayRef<int64_t> shape, Type e) {
        return allocate(shape, e);
      });
  SmallVector<Type> types;
  for (auto [type, buffer] : llvm::zip(op.getResultTypes(), buffers))
    if (!buffer)
      types.push_back(scalarType(type));
  auto branch = scf::IfOp::create(b, types, scalar(op.getCondition()),
                                  !op.getElseRegion().empty());
  auto emitBranch = [&](Region &from, Region &to) {
    if (from.empty())
      return;
    OpBuilder::InsertionGuard guard(b);
    if (!to.front().empty())
      to.front().getTerminator()->erase();
    b.setInsertionPointToStart(&to.front());
    emitBody(from.front(), [&](Operation *yield) {
      SmallVector<Value> yielded;
      for (auto [value, buffer] : llvm::zip(yield->getOperands(), buffers)) {
        if (buffer)
          writeValue(value, buffer);
        else
          yielded.push_back(scalar(value));
      }
      scf::YieldOp::create(b, yielded);
    });
  };
  emitBranch(op.getThenRegion(), branch.getThenRegion());
  emitBranch(op.getElseRegion(), branch.getElseRegion());
  unsigned next = 0;
  for (auto [result, buffer] : llvm::zip(op.getResults(), buffers)) {
    if (!buffer) {
      scalars.map(result, branch.getResult(next++));
      continue;
    }
    bindBuffer(result, buffer, /*owns=*/true);
    plan[result].isReady = true;
  }
}

/// Two sets of buffers: what the condition sees, and what it hands on.
void Emitter::emitWhile(scf::WhileOp op) {
  prepareCaptures(op);
  auto make = [&](ArrayRef<int64_t> shape, Type element) {
    return allocate(shape, element);
  };
  SmallVector<Buffer> before = makeBuffers(op.getInits().getTypes(), make);
  SmallVector<Buffer> after = makeBuffers(op.getResultTypes(), make);
  SmallVector<Value> inits;
  SmallVector<Type> types;
  for (auto [init, buffer] : llvm::zip(op.getInits(), before)) {
    if (buffer)
      writeValue(init, buffer);
    else
      inits.push_back(scalar(init));
  }
  for (auto [type, buffer] : llvm::zip(op.getResultTypes(), after))
    if (!buffer)
      types.push_back(scalarType(type));
  b.setLoc(op.getLoc());
  auto loop = scf::WhileOp::create(b, types, inits);
  auto emitRegion = [&](Block &from, Region &to, TypeRange argumentTypes,
                        ArrayRef<Buffer> bound,
                        llvm::function_ref<void(Operation *)> terminator) {
    OpBuilder::InsertionGuard guard(b);
    Block *block =
        b.createBlock(&to, {}, argumentTypes,
                      SmallVector<Location>(argumentTypes.size(), op.getLoc()));
    unsigned next = 0;
    for (auto [argument, buffer] : llvm::zip(from.getArguments(), bound)) {
      if (!buffer) {
        scalars.map(argument, block->getArgument(next++));
        continue;
      }
      bindBuffer(argument, buffer, /*owns=*/false);
      plan[argument].isReady = true;
    }
    emitBody(from, terminator);
  };
  auto scalarsOf = [&](ValueRange values, ArrayRef<Buffer> buffers) {
    SmallVector<Value> result;
    for (auto [value, buffer] : llvm::zip(values, buffers))
      if (!buffer)
        result.push_back(scalar(value));
    return result;
  };
  emitRegion(*op.getBeforeBody(), loop.getBefore(), TypeRange(inits), before,
             [&](Operation *terminator) {
               auto condition = cast<scf::ConditionOp>(terminator);
               writeYields(condition.getArgs(), after, {});
               scf::ConditionOp::create(b, scalar(condition.getCondition()),
                                        scalarsOf(condition.getArgs(), after));
             });
  emitRegion(*op.getAfterBody(), loop.getAfter(), types, after,
             [&](Operation *yield) {
               writeYields(yield->getOperands(), before, {});
               scf::YieldOp::create(b, scalarsOf(yield->getOperands(), before));
             });
  unsigned next = 0;
  for (auto [result, buffer] : llvm::zip(op.getResults(), after)) {
    if (!buffer) {
      scalars.map(result, loop.getResult(next++));
      continue;
    }
    bindBuffer(result, buffer, /*owns=*/true);
    plan[result].isReady = true;
  }
  for (Buffer &buffer : before)
    if (buffer)
      release(buffer);
}

} // namespace tilewright::cpu
