//===- Combine.cpp - Reductions and scans with a region ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the region by running the combine function on its block arguments.
//===----------------------------------------------------------------------===//

#include "frontend/sema/builtins/Combine.h"

#include "dialects/tile/TileOps.h"

using namespace tilewright;
using namespace tilewright::sema;

/// False when the combine function failed.
static bool fillRegion(Interpreter &in, mlir::Region &region,
                       llvm::ArrayRef<Value> values, Combine combine) {
  auto &b = in.builder();
  mlir::OpBuilder::InsertionGuard guard(b);
  llvm::SmallVector<mlir::Type> types;
  for (int side = 0; side < 2; ++side)
    for (const Value &value : values)
      types.push_back(value.dtype().toMLIR(b.getContext()));
  llvm::SmallVector<mlir::Location> locations(types.size(), b.getLoc());
  if (region.empty())
    region.emplaceBlock();
  mlir::Block &block = region.front();
  block.clear();
  if (block.getNumArguments() == 0)
    block.addArguments(types, locations);
  b.setInsertionPointToStart(&block);
  std::vector<Value> left, right;
  for (size_t i = 0; i < values.size(); ++i) {
    left.push_back(Value::tensor(block.getArgument(i), values[i].dtype()));
    right.push_back(
        Value::tensor(block.getArgument(values.size() + i), values[i].dtype()));
  }
  std::vector<Value> results = combine(left, right);
  llvm::SmallVector<mlir::Value> yields;
  for (const Value &result : results) {
    if (result.isError())
      return false;
    yields.push_back(result.ssa());
  }
  if (results.size() != values.size())
    return false;
  tile::YieldOp::create(b, yields);
  return true;
}

static llvm::SmallVector<mlir::Value> operandsOf(llvm::ArrayRef<Value> values) {
  llvm::SmallVector<mlir::Value> operands;
  for (const Value &value : values)
    operands.push_back(value.ssa());
  return operands;
}

template <typename Op>
static std::vector<Value>
finish(Interpreter &in, Op op, llvm::ArrayRef<Value> values, Combine combine) {
  std::vector<Value> results;
  if (!fillRegion(in, op.getCombine(), values, combine)) {
    op.erase();
    results.assign(values.size(), Value::error());
    return results;
  }
  for (size_t i = 0; i < values.size(); ++i)
    results.push_back(Value::tensor(op->getResult(i), values[i].dtype()));
  return results;
}

std::vector<Value> sema::emitReduction(Interpreter &in,
                                       llvm::ArrayRef<Value> values,
                                       int64_t axis, Combine combine) {
  std::vector<int64_t> shape(values[0].shape());
  shape.erase(shape.begin() + axis);
  llvm::SmallVector<mlir::Type> types;
  for (const Value &value : values)
    types.push_back(in.emitter.typeFor(value.dtype(), shape));
  mlir::OperationState state(in.builder().getLoc(),
                             tile::ReduceOp::getOperationName());
  state.addOperands(operandsOf(values));
  state.addTypes(types);
  state.addRegion();
  state.addAttribute("axis", in.builder().getI32IntegerAttr(axis));
  auto op = llvm::cast<tile::ReduceOp>(in.builder().create(state));
  return finish(in, op, values, combine);
}

std::vector<Value> sema::emitScan(Interpreter &in, llvm::ArrayRef<Value> values,
                                  int64_t axis, bool isReverse,
                                  Combine combine) {
  llvm::SmallVector<mlir::Value> operands = operandsOf(values);
  mlir::OperationState state(in.builder().getLoc(),
                             tile::ScanOp::getOperationName());
  state.addOperands(operands);
  state.addTypes(llvm::to_vector(mlir::ValueRange(operands).getTypes()));
  state.addRegion();
  state.addAttribute("axis", in.builder().getI32IntegerAttr(axis));
  if (isReverse)
    state.addAttribute("reverse", in.builder().getUnitAttr());
  auto op = llvm::cast<tile::ScanOp>(in.builder().create(state));
  return finish(in, op, values, combine);
}
