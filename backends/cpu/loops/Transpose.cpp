//===- Transpose.cpp - Reading along another dimension ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value whose memory runs along another dimension than its own last one is
// read in that direction, a square block of N vectors at a time, and turned in
// registers: log2(N) rounds that interleave the vectors i and i + N/2.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/Emitter.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/SaveAndRestore.h"

#include <functional>

using namespace mlir;

namespace tilewright::cpu {

/// Below this, element by element costs no more.
static constexpr unsigned kSmallestBlock = 4;

/// The dimension that has consecutive elements in the memory behind a load.
static int64_t memoryDimensionOfLoad(kernel::LoadOp load, int64_t last) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(load.getType()).getShape();
  auto view = load.getView().getDefiningOp<kernel::ViewOp>();
  if (!view || load.getIndex())
    return last;
  for (int64_t dim = last; dim >= 0; --dim)
    if (shape[dim] > 1 && matchPattern(view.getStrides()[dim], m_One()))
      return dim;
  return last;
}

/// The dimension along which `value` lies in memory, or -1 if it does not
/// matter. Values that are used several times are looked at once.
int64_t Emitter::memoryDimension(Value value) {
  DenseMap<Value, int64_t> known;
  std::function<int64_t(Value)> find, compute = [&](Value value) -> int64_t {
    Operation *op = value.getDefiningOp();
    int64_t last = laneDimension(shapeOf(value));
    if (plan[value].isReady || !op || last < 0)
      return last;
    if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
      int64_t source = find(transpose.getInput());
      for (auto [dim, from] : llvm::enumerate(transpose.getPermutation()))
        if (from == source)
          return dim;
      return -1;
    }
    if (auto load = dyn_cast<kernel::LoadOp>(op))
      return memoryDimensionOfLoad(load, last);
    if (!op->hasTrait<OpTrait::Elementwise>() || !isInlineable(op))
      return -1;
    int64_t found = -1;
    for (Value operand : op->getOperands()) {
      if (!isa<RankedTensorType>(operand.getType()))
        continue;
      int64_t dim = find(operand);
      if (dim >= 0 && found >= 0 && dim != found)
        return -1;
      found = std::max(found, dim);
    }
    return found;
  };
  find = [&](Value value) {
    auto it = known.find(value);
    if (it != known.end())
      return it->second;
    int64_t dim = compute(value);
    known[value] = dim;
    return dim;
  };
  return find(value);
}

/// Turns N vectors of N lanes.
SmallVector<Value> Emitter::turnBlock(SmallVector<Value> rows) {
  unsigned size = rows.size();
  SmallVector<int64_t> low, high;
  for (unsigned lane = 0; lane < size / 2; ++lane)
    for (unsigned source = 0; source < 2; ++source) {
      low.push_back(source * size + lane);
      high.push_back(source * size + size / 2 + lane);
    }
  for (unsigned round = 1; round < size; round *= 2) {
    SmallVector<Value> next;
    for (unsigned i = 0; i < size / 2; ++i) {
      Value a = rows[i], c = rows[i + size / 2];
      next.push_back(vector::ShuffleOp::create(b, a, c, low));
      next.push_back(vector::ShuffleOp::create(b, a, c, high));
    }
    rows = next;
  }
  return rows;
}

/// One block at `at`, whose two turned dimensions are at their first element.
void Emitter::emitTurnedBlock(Value value, const Buffer &buffer,
                              const Indices &at, int64_t lane, int64_t along,
                              unsigned width) {
  SmallVector<Value> rows;
  for (unsigned row = 0; row < width; ++row) {
    Indices source = at;
    source[lane].constant += row;
    source[along].step = 1;
    nest->identity = source;
    rows.push_back(evaluate(value, source, width));
  }
  rows = turnBlock(rows);
  for (unsigned row = 0; row < width; ++row) {
    Indices target = at;
    target[along].constant += row;
    target[lane].step = 1;
    writeBuffer(rows[row], buffer, target, width);
  }
}

/// The same, element by element, for blocks that are not within bounds.
void Emitter::emitTurnedElements(Value value, const Buffer &buffer,
                                 const Indices &at, int64_t lane, int64_t along,
                                 unsigned width) {
  using Results = SmallVector<Value>;
  llvm::SaveAndRestore<bool> rolled(keepsLoopsRolled, true);
  emitLoop(width, 1, {}, [&](Index outer, ValueRange) -> Results {
    return emitLoop(width, 1, {}, [&](Index inner, ValueRange) -> Results {
      Indices single = at;
      auto advance = [&](Index &index, const Index &by) {
        index.base = add(index.base, by.base);
        index.level = nest->levels.size() - 1;
      };
      advance(single[along], outer);
      advance(single[lane], inner);
      nest->identity = single;
      writeBuffer(evaluate(value, single, 1), buffer, single, 1);
      return {};
    });
  });
}

/// Writes `value` to `buffer` through turned blocks. False if its memory does
/// not run across its last dimension, or if the extents are too small.
bool Emitter::writeTurned(Value value, const Buffer &buffer,
                          const NestPlan &nestPlan) {
  ArrayRef<int64_t> shape = shapeOf(value);
  int64_t lane = laneDimension(shape), along = memoryDimension(value);
  if (lane < 0 || along < 0 || along == lane || nestPlan.isVolatile)
    return false;
  unsigned width = options.vectorBytes / std::max(nestPlan.widestBytes, 4u);
  while (shape[lane] % width != 0 || shape[along] % width != 0)
    width /= 2;
  if (width < kSmallestBlock)
    return false;
  Nest scope;
  scope.width = width;
  scope.fused = nestPlan.fused;
  scope.fused.erase(value);
  llvm::SaveAndRestore<Nest *> restore(nest, &scope);
  bool isGuarded = nestPlan.hasChecks;
  std::function<void(Indices)> emitDim = [&](Indices at) {
    int64_t dim = at.size();
    if (dim == int64_t(shape.size())) {
      emitGuarded(isGuarded, {}, [&](bool isFull) -> SmallVector<Value> {
        if (isGuarded && !isFull)
          emitTurnedElements(value, buffer, at, lane, along, width);
        else
          emitTurnedBlock(value, buffer, at, lane, along, width);
        return {};
      });
      return;
    }
    emitLoop(shape[dim], dim == lane || dim == along ? width : 1, {},
             [&](Index iv, ValueRange) -> SmallVector<Value> {
               at.push_back(iv);
               emitDim(at);
               at.pop_back();
               return {};
             });
  };
  emitDim({});
  finish(nestPlan);
  return true;
}

} // namespace tilewright::cpu
