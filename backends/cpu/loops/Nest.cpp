//===- Nest.cpp - Loop nests and stored values ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens the loops of a nest. Before that, every stored value that the nest
// reads at other indices is computed by a nest of its own; one read only at
// the nest's own index is computed and stored along with it.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/Emitter.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tilewright::cpu {

int64_t laneDimension(ArrayRef<int64_t> shape) {
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim)
    if (shape[dim] > 1)
      return dim;
  return -1;
}

namespace {
/// Walks the inline expression of a nest's roots.
struct Collector {
  Plan &plan;
  SmallVector<Value> ready; ///< to store before the nest, in order
  SmallVector<Value> fused;
  llvm::DenseSet<Value> seen[2]; ///< at other indices, at the nest's own
  NestPlan result;

  void visit(Value value, bool isIdentity) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !seen[isIdentity].insert(value).second)
      return;
    Type element = type.getElementType();
    result.widestBytes =
        std::max<unsigned>(result.widestBytes, elementBytes(element));
    const ValueInfo &info = plan[value];
    if (info.isReady)
      return;
    if (info.isStored) {
      if (!isIdentity) {
        ready.push_back(value);
        return;
      }
      fused.push_back(value);
    }
    Operation *op = value.getDefiningOp();
    if (!op || !isInlineable(op))
      return;
    ++result.cost;
    if (auto load = dyn_cast<kernel::LoadOp>(op)) {
      result.hasChecks |= hasBounds(load.getBoundary());
      result.isVolatile |= load.getIsVolatile();
    }
    if (auto gather = dyn_cast<kernel::GatherOp>(op))
      result.isVolatile |= gather.getIsVolatile();
    if (isa<math::MathDialect>(op->getDialect()))
      result.cost += 8;
    bool keepsIndex = op->hasTrait<OpTrait::Elementwise>() ||
                      isa<kernel::FactOp, kernel::AddPtrOp>(op);
    for (Value operand : op->getOperands())
      visit(operand, isIdentity && keepsIndex);
  }
};
} // namespace

NestPlan Emitter::prepare(ValueRange roots) {
  Collector collector{plan, {}, {}, {}, {}};
  for (Value root : roots)
    collector.visit(root, /*isIdentity=*/true);
  for (Value value : collector.ready)
    materialise(value);
  for (Value value : collector.fused)
    if (!plan[value].isReady) {
      auto type = cast<RankedTensorType>(value.getType());
      bindBuffer(value, allocate(type.getShape(), type.getElementType()),
                 /*owns=*/true);
      collector.result.fused.insert(value);
    }
  return collector.result;
}

/// For values that are not read at the next nest's own index.
void Emitter::prepareElsewhere(ValueRange values) {
  Collector collector{plan, {}, {}, {}, {}};
  for (Value value : values)
    collector.visit(value, /*isIdentity=*/false);
  for (Value value : collector.ready)
    materialise(value);
}

/// The values that the regions of `op` read must exist before it.
void Emitter::prepareCaptures(Operation *op) {
  SmallVector<Value> captured;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (inner != op && !plan.isDead(inner) &&
          !op->isAncestor(operand.getParentBlock()->getParentOp()))
        captured.push_back(operand);
  });
  prepareElsewhere(captured);
}

/// Lanes for an extent: as many native vectors as pay, dividing the extent.
unsigned Emitter::chooseWidth(int64_t extent, const NestPlan &nestPlan,
                              unsigned most) {
  if (nestPlan.isVolatile)
    return 1;
  unsigned bytes = std::min(nestPlan.widestBytes, 8u);
  unsigned vectors = nestPlan.cost <= 10 ? most : (most + 1) / 2;
  unsigned width = options.vectorBytes / std::max(bytes, 1u) * vectors;
  while (width > 1 && extent % width != 0)
    width /= 2;
  return std::max(width, 1u);
}

/// Rarely run code stays small: LLVM neither unrolls nor vectorises it.
static Attribute rolledLoopAnnotation(MLIRContext *context) {
  BoolAttr yes = BoolAttr::get(context, true);
  auto vectorize =
      LLVM::LoopVectorizeAttr::get(context, yes, {}, {}, {}, {}, {}, {});
  auto unroll = LLVM::LoopUnrollAttr::get(context, yes, {}, {}, {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(context, {}, vectorize, {}, unroll, {},
                                       {}, {}, {}, {}, {}, {}, {}, {}, {}, {});
}

SmallVector<Value> Emitter::emitLoop(int64_t extent, int64_t step,
                                     ValueRange inits, LoopBody body) {
  if (extent <= step)
    return body(Index(), inits);
  auto loop = scf::ForOp::create(b, i64(0), i64(extent), i64(step), inits);
  if (keepsLoopsRolled)
    loop->setAttr("llvm.loop_annotation", rolledLoopAnnotation(b.getContext()));
  nest->levels.emplace_back();
  nest->levels.back().loop = loop;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Index iv;
    iv.base = loop.getInductionVar();
    iv.level = nest->levels.size() - 1;
    SmallVector<Value> results = body(iv, loop.getRegionIterArgs());
    if (!inits.empty()) {
      b.setInsertionPointToEnd(loop.getBody());
      scf::YieldOp::create(b, results);
    }
  }
  nest->levels.pop_back();
  return llvm::to_vector(ValueRange(loop.getResults()));
}

/// Code for chunks within bounds pays where masks are slow, or where memory is
/// all that counts.
bool Emitter::wantsGuard(const NestPlan &nestPlan) {
  return nestPlan.hasChecks &&
         (!options.hasMaskRegisters || nestPlan.cost <= 12);
}

/// Emits `body` for chunks that are within all bounds, without masks, and once
/// more for others: `scf.if %all_in_bounds { .. } else { .. }`.
SmallVector<Value> Emitter::emitGuarded(bool isWanted, TypeRange types,
                                        GuardedBody body) {
  if (!isWanted)
    return body(false);
  auto branch = scf::IfOp::create(b, types, constant(b.getBoolAttr(true)),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard insertion(b);
  BoundsGuard guard{branch, {}};
  auto emitVersion = [&](Block *block, bool isFull) {
    nest->levels.emplace_back();
    nest->levels.back().loop = branch;
    nest->levels.back().isGuard = true;
    nest->guard = isFull ? &guard : nullptr;
    b.setInsertionPointToStart(block);
    SmallVector<Value> values = body(isFull);
    if (!types.empty()) {
      b.setInsertionPointToEnd(block);
      scf::YieldOp::create(b, values);
    }
    nest->guard = nullptr;
    nest->levels.pop_back();
  };
  emitVersion(branch.thenBlock(), true);
  if (guard.condition)
    branch.getConditionMutable().assign(guard.condition);
  emitVersion(branch.elseBlock(), false);
  return llvm::to_vector(ValueRange(branch.getResults()));
}

/// Loops over `shape`; the lane dimension advances by `width`.
void Emitter::emitNest(ArrayRef<int64_t> shape, const NestPlan &nestPlan,
                       unsigned width, NestBody body) {
  Nest scope;
  scope.width = width;
  scope.fused = nestPlan.fused;
  llvm::SaveAndRestore<Nest *> restore(nest, &scope);
  int64_t lane = laneDimension(shape);
  std::function<void(Indices)> emitDim = [&](Indices at) {
    size_t dim = at.size();
    if (dim == shape.size()) {
      bool isWanted = wantsGuard(nestPlan);
      emitGuarded(isWanted, {}, [&](bool isFull) -> SmallVector<Value> {
        bool isLaneByLane =
            isWanted && !isFull && !options.hasMaskRegisters && width > 1;
        scope.identity = at;
        scope.width = width;
        if (!isLaneByLane) {
          body(at, width);
          return {};
        }
        scope.width = 1;
        llvm::SaveAndRestore<bool> rolled(keepsLoopsRolled, true);
        return emitLoop(width, 1, {},
                        [&](Index offset, ValueRange) -> SmallVector<Value> {
                          Indices single = at;
                          Index &index = single[lane];
                          index.base = add(index.base, offset.base);
                          index.level = offset.level;
                          index.step = 0;
                          scope.identity = single;
                          body(single, 1);
                          return {};
                        });
      });
      return;
    }
    bool isLane = int64_t(dim) == lane;
    emitLoop(shape[dim], isLane ? width : 1, {},
             [&](Index iv, ValueRange) -> SmallVector<Value> {
               iv.step = isLane && width > 1 ? 1 : 0;
               at.push_back(iv);
               emitDim(at);
               at.pop_back();
               return {};
             });
  };
  emitDim({});
  finish(nestPlan);
}

/// What the nest stored on its way may be read from memory from now on.
void Emitter::finish(const NestPlan &nestPlan) {
  for (Value value : nestPlan.fused)
    plan[value].isReady = true;
}

} // namespace tilewright::cpu
