//===- Reductions.cpp - Reductions and scans -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions fold the upper half onto the lower until one element is left (of
// an odd number the middle one stays): the stated order, used for all of them.
// Scans go element by element.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Indexing.h"
#include "backends/reference/interpreter/Interpreter.h"

#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace tilewright::reference {

/// One value of each operand.
using Tuple = std::vector<uint64_t>;

/// Runs a combine region on left and right values.
static bool combine(Interpreter &at, Region &region, const Tuple &left,
                    const Tuple &right, Tuple &result) {
  Block &block = region.front();
  for (size_t i = 0; i < left.size() + right.size(); ++i) {
    Tile scalar = makeTile(block.getArgument(i).getType());
    scalar.bits[0] = i < left.size() ? left[i] : right[i - left.size()];
    at.set(block.getArgument(i), std::move(scalar));
  }
  if (!at.run(block))
    return false;
  result.clear();
  for (Value yielded : block.getTerminator()->getOperands())
    result.push_back(at.get(yielded).bits[0]);
  return true;
}

/// Leaves the combination of all entries in the first.
static bool fold(Interpreter &at, Region &region, std::vector<Tuple> &line) {
  for (size_t count = line.size(); count > 1;) {
    size_t half = (count + 1) / 2;
    for (size_t i = 0; i + half < count; ++i) {
      Tuple result;
      if (!combine(at, region, line[i], line[i + half], result))
        return false;
      line[i] = std::move(result);
    }
    count = half;
  }
  return true;
}

/// The entries along one axis at a position; position[axis] is overwritten.
static std::vector<Tuple> lineOf(ArrayRef<const Tile *> operands,
                                 Position position, unsigned axis) {
  std::vector<Tuple> line;
  ArrayRef<int64_t> shape = operands[0]->shape;
  for (int64_t i = 0; i < shape[axis]; ++i) {
    position[axis] = i;
    Tuple tuple;
    for (const Tile *operand : operands)
      tuple.push_back(operand->bits[numberOf(position, shape)]);
    line.push_back(std::move(tuple));
  }
  return line;
}

static std::vector<const Tile *> tilesOf(Interpreter &at, ValueRange values) {
  std::vector<const Tile *> tiles;
  for (Value value : values)
    tiles.push_back(&at.get(value));
  return tiles;
}

static std::vector<Tile> makeResults(Operation *op) {
  std::vector<Tile> results;
  for (Type type : op->getResultTypes())
    results.push_back(makeTile(type));
  return results;
}

static bool reduce(Interpreter &at, Operation *op) {
  auto reduce = cast<kernel::ReduceOp>(op);
  unsigned axis = reduce.getAxis();
  std::vector<const Tile *> operands = tilesOf(at, reduce.getOperands());
  std::vector<Tile> results = makeResults(op);
  for (int64_t i = 0; i < results[0].size(); ++i) {
    Position position = positionOf(i, results[0].shape);
    position.insert(position.begin() + axis, 0);
    std::vector<Tuple> line = lineOf(operands, position, axis);
    if (!fold(at, reduce.getCombine(), line))
      return false;
    for (size_t k = 0; k < results.size(); ++k)
      results[k].bits[i] = line[0][k];
  }
  at.assign(op->getResults(), std::move(results));
  return true;
}

static bool scan(Interpreter &at, Operation *op) {
  auto scan = cast<kernel::ScanOp>(op);
  unsigned axis = scan.getAxis();
  std::vector<const Tile *> operands = tilesOf(at, scan.getOperands());
  std::vector<Tile> results = makeResults(op);
  ArrayRef<int64_t> shape = results[0].shape;
  for (int64_t i = 0; i < results[0].size(); ++i) {
    Position position = positionOf(i, shape);
    if (position[axis] != 0)
      continue; // one turn a line
    std::vector<Tuple> line = lineOf(operands, position, axis);
    if (scan.getReverse())
      std::reverse(line.begin(), line.end());
    for (size_t j = 1; j < line.size(); ++j) {
      Tuple result;
      if (!combine(at, scan.getCombine(), line[j - 1], line[j], result))
        return false;
      line[j] = std::move(result);
    }
    if (scan.getReverse())
      std::reverse(line.begin(), line.end());
    for (size_t j = 0; j < line.size(); ++j) {
      position[axis] = j;
      for (size_t k = 0; k < results.size(); ++k)
        results[k].bits[numberOf(position, shape)] = line[j][k];
    }
  }
  at.assign(op->getResults(), std::move(results));
  return true;
}

/// Folds the reduced dimensions, taken as one in row-major order, then combines
/// with the initial value.
static bool reduceWithInit(Interpreter &at, Operation *op) {
  auto reduce = cast<linalg::ReduceOp>(op);
  std::vector<const Tile *> inputs = tilesOf(at, reduce.getInputs());
  std::vector<Tile> results = at.copy(reduce.getInits());
  ArrayRef<int64_t> shape = inputs[0]->shape;
  // Lines of input elements by the result's element they go to.
  std::vector<std::vector<Tuple>> lines(results[0].size());
  for (int64_t i = 0; i < inputs[0]->size(); ++i) {
    Position position = positionOf(i, shape), kept;
    for (size_t d = 0; d < shape.size(); ++d)
      if (!llvm::is_contained(reduce.getDimensions(), int64_t(d)))
        kept.push_back(position[d]);
    Tuple tuple;
    for (const Tile *input : inputs)
      tuple.push_back(input->bits[i]);
    lines[numberOf(kept, results[0].shape)].push_back(std::move(tuple));
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    Tuple init, result;
    for (const Tile &tile : results)
      init.push_back(tile.bits[i]);
    if (!fold(at, reduce.getCombiner(), lines[i]) ||
        !combine(at, reduce.getCombiner(), lines[i][0], init, result))
      return false;
    for (size_t k = 0; k < results.size(); ++k)
      results[k].bits[i] = result[k];
  }
  at.assign(op->getResults(), std::move(results));
  return true;
}

void addReductions(Semantics &semantics) {
  semantics.operations["kernel.reduce"] = reduce;
  semantics.operations["kernel.scan"] = scan;
  semantics.operations["linalg.reduce"] = reduceWithInit;
}

} // namespace tilewright::reference
