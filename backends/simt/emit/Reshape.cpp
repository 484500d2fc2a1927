//===- Reshape.cpp - Values that stay in their thread -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simt-assign-layouts gave operands and results layouts under which these move
// whole registers, and no code is emitted; only shapes whose extents are no
// powers of two go through shared memory.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/Families.h"

#include "backends/simt/analysis/Exchanges.h"

using namespace mlir;

namespace tilewright::simt {

void emitSplat(Emitter &e, tensor::SplatOp op) {
  e.set(op.getResult(),
        Registers(e.layout(op.getResult()).registers, e.scalar(op.getInput())));
}

void emitRange(Emitter &e, kernel::RangeOp op) {
  EmittedLayout &layout = e.layout(op.getResult());
  Registers results;
  for (unsigned index = 0; index < layout.registers; ++index) {
    llvm::Value *position = e.coordinate(layout, 0, index);
    results.push_back(op.getStart()
                          ? e.b.CreateAdd(position, e.i32(op.getStart()))
                          : position);
  }
  e.set(op.getResult(), std::move(results));
}

void emitBroadcast(Emitter &e, BroadcastOp op) {
  EmittedLayout &from = e.layout(op.getSource());
  EmittedLayout &to = e.layout(op.getResult());
  const Registers &source = e.registers(op.getSource());
  Registers results;
  LinearLayout kept = to.map;
  for (int64_t dim : op.getDimensions())
    kept = kept.removeOutput(tensorDim(dim));
  for (unsigned index = 0; index < to.registers; ++index)
    results.push_back(source[from.find(kept.apply(index))]);
  e.set(op.getResult(), std::move(results));
}

void emitTranspose(Emitter &e, TransposeOp op) {
  e.set(op.getResult(), e.registers(op.getSource()));
}

/// Row-major number of a register's element, i32.
llvm::Value *emitElementNumber(Emitter &e, EmittedLayout &layout,
                               unsigned index) {
  llvm::Value *number = nullptr;
  for (auto [dim, extent] : llvm::enumerate(layout.shape)) {
    llvm::Value *at = e.coordinate(layout, dim, index);
    number =
        number ? e.b.CreateAdd(e.b.CreateMul(number, e.i32(extent)), at) : at;
  }
  return number ? number : e.i32(0);
}

void emitReshape(Emitter &e, ReshapeOp op) {
  if (!needsExchange(op)) {
    e.set(op.getResult(), e.registers(op.getSource()));
    return;
  }
  emitExchange(e, op, op.getSource(), op.getResult(),
               [&](EmittedLayout *to, unsigned index) {
                 return emitElementNumber(e, *to, index);
               });
}

void emitJoin(Emitter &e, kernel::JoinOp op) {
  const Registers &lhs = e.registers(op.getLhs());
  const Registers &rhs = e.registers(op.getRhs());
  Registers results;
  if (isa<RankedTensorType>(op.getLhs().getType())) {
    for (auto [left, right] : llvm::zip_equal(lhs, rhs)) {
      results.push_back(left);
      results.push_back(right);
    }
  } else {
    EmittedLayout &layout = e.layout(op.getResult());
    for (unsigned index = 0; index < layout.registers; ++index) {
      llvm::Value *isLeft =
          e.b.CreateICmpEQ(e.coordinate(layout, 0, index), e.i32(0));
      results.push_back(e.b.CreateSelect(isLeft, lhs[0], rhs[0]));
    }
  }
  e.set(op.getResult(), std::move(results));
}

/// The lowest register bit tells the halves apart; two scalars are read by all.
void emitSplit(Emitter &e, kernel::SplitOp op) {
  if (!isa<RankedTensorType>(op.getLhs().getType())) {
    for (unsigned half = 0; half < 2; ++half) {
      if (half)
        e.barrier(); // the scratch memory is written again
      emitExchange(e, op, op.getSource(), op->getResult(half),
                   [&](EmittedLayout *, unsigned) { return e.i32(half); });
    }
    return;
  }
  const Registers &source = e.registers(op.getSource());
  Registers lhs, rhs;
  for (unsigned index = 0; index < source.size(); index += 2) {
    lhs.push_back(source[index]);
    rhs.push_back(source[index + 1]);
  }
  e.set(op.getLhs(), std::move(lhs));
  e.set(op.getRhs(), std::move(rhs));
}

void emitCat(Emitter &e, kernel::CatOp op) {
  Registers results = e.registers(op.getLhs());
  llvm::append_range(results, e.registers(op.getRhs()));
  e.set(op.getResult(), std::move(results));
}

void emitExtractSlice(Emitter &e, tensor::ExtractSliceOp op) {
  ArrayRef<int64_t> shape = op.getSourceType().getShape();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  emitExchange(
      e, op, op.getSource(), op.getResult(),
      [&](EmittedLayout *to, unsigned index) {
        llvm::Value *number = e.i32(0);
        for (unsigned dim = 0, kept = 0; dim < shape.size(); ++dim) {
          llvm::Value *at = e.i32(op.getStaticOffset(dim));
          if (!dropped.test(dim))
            at = e.b.CreateAdd(at,
                               e.b.CreateMul(e.coordinate(*to, kept++, index),
                                             e.i32(op.getStaticStride(dim))));
          number = e.b.CreateAdd(e.b.CreateMul(number, e.i32(shape[dim])), at);
        }
        return number;
      });
}

} // namespace tilewright::simt
