//===- StridePrograms.cpp - Several programs a block, loads ahead ---------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that loads a tile, reduces it and stores leaves memory idle while it
// computes. Here a block runs programs id, id + blocks, id + 2 blocks, ... and
// loads the tiles of the next one before it works on its own. Programs are not
// ordered among each other but by atomics, so that no load moves past a store
// that it has to see.
//===----------------------------------------------------------------------===//
#include "backends/simt/transforms/Passes.h"

#include "backends/simt/dialect/SimtOps.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilewright::simt {

#define GEN_PASS_DEF_SIMTSTRIDEPROGRAMSPASS
#include "backends/simt/transforms/Passes.h.inc"

namespace {
/// One kernel to be rewritten.
class Striding {
public:
  Striding(func::FuncOp kernel, uint64_t limitBytes)
      : kernel(kernel), limitBytes(limitBytes) {}
  bool run();

private:
  bool isStraight();
  bool collectLoads();
  SmallVector<Value> cloneLoads(OpBuilder &b, Value program);
  void rewrite();

  func::FuncOp kernel;
  uint64_t limitBytes; ///< of the tiles ahead, a thread
  kernel::ProgramIdOp id;
  SmallVector<kernel::LoadOp> loads;
  llvm::SetVector<Operation *> slice; ///< what the loads' operands take
};
} // namespace

/// Whether programs do nothing but read, compute, reduce and write: what is
/// ordered among programs, or is seen outside, stays as it is.
bool Striding::isStraight() {
  bool hasReduction = false;
  for (Operation &op : kernel.front()) {
    if (isa<kernel::ReduceOp>(op)) {
      hasReduction = true;
      continue;
    }
    if (auto load = dyn_cast<kernel::LoadOp>(op)) {
      if (load.getIsVolatile())
        return false;
      continue;
    }
    if (auto program = dyn_cast<kernel::ProgramIdOp>(op)) {
      if (program.getAxis() == 0 && id)
        return false; // CSE leaves one
      if (program.getAxis() == 0)
        id = program;
      continue;
    }
    bool isPlain = isa<kernel::StoreOp, func::ReturnOp>(op) ||
                   (op.getNumRegions() == 0 && isMemoryEffectFree(&op));
    if (!isPlain)
      return false;
  }
  return hasReduction && id;
}

/// What an operation's operands take, in no order; false if that is more than
/// arithmetic.
static bool collectSlice(Operation *root, llvm::SetVector<Operation *> &slice) {
  SmallVector<Operation *> work = {root};
  while (!work.empty())
    for (Value operand : work.pop_back_val()->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (!op || slice.contains(op))
        continue;
      if (op->getNumRegions() || !isMemoryEffectFree(op))
        return false;
      slice.insert(op);
      work.push_back(op);
    }
  return true;
}

/// Loads of tiles whose place follows from arguments and the program's id,
/// before the first reduction or store.
bool Striding::collectLoads() {
  auto threads = [&](StringRef name) {
    return uint64_t(kernel->getAttrOfType<IntegerAttr>(name).getInt());
  };
  uint64_t bytes = 0;
  for (Operation &op : kernel.front()) {
    if (isa<kernel::ReduceOp, kernel::StoreOp>(op))
      break;
    auto load = dyn_cast<kernel::LoadOp>(op);
    if (!load || !isa<RankedTensorType>(load.getResult().getType()))
      continue;
    llvm::SetVector<Operation *> found;
    if (!collectSlice(load, found) || !found.contains(id))
      continue;
    auto type = cast<RankedTensorType>(load.getResult().getType());
    bytes +=
        type.getNumElements() * std::max(type.getElementTypeBitWidth() / 8, 1u);
    loads.push_back(load);
    slice.insert_range(found);
  }
  uint64_t each = bytes / (threads(kNumWarpsAttr) * threads(kLanesAttr));
  return !loads.empty() && each >= 8 && each <= limitBytes;
}

/// The loads of another program, and what they take, in the body's order.
SmallVector<Value> Striding::cloneLoads(OpBuilder &b, Value program) {
  IRMapping map;
  map.map(id.getResult(), program);
  SmallVector<Value> loaded;
  for (Operation &op : kernel.front()) {
    bool isLoad = llvm::is_contained(loads, &op);
    if (&op == id || (!isLoad && !slice.contains(&op)))
      continue;
    Operation *copy = b.clone(op, map);
    if (isLoad)
      loaded.push_back(copy->getResult(0));
  }
  return loaded;
}

void Striding::rewrite() {
  Block &body = kernel.front();
  Location loc = id.getLoc();
  SmallVector<Operation *> rest;
  for (Operation &op : body)
    if (&op != id && !isa<func::ReturnOp>(op) &&
        !llvm::is_contained(loads, &op))
      rest.push_back(&op);

  OpBuilder b(body.getTerminator());
  Type i64 = b.getI64Type(), i32 = b.getI32Type();
  auto first = kernel::ProgramIdOp::create(b, loc, i32, 0);
  auto widen = [&](Value value) {
    return arith::ExtUIOp::create(b, loc, i64, value).getResult();
  };
  Value count = widen(kernel::NumProgramsOp::create(b, loc, i32, 0));
  Value step = widen(NumBlocksOp::create(b, loc, i32));
  SmallVector<Value> inits = cloneLoads(b, first);
  auto loop = scf::ForOp::create(b, loc, widen(first), count, step, inits);
  b.setInsertionPointToStart(loop.getBody());
  Value program = arith::TruncIOp::create(b, loc, i32, loop.getInductionVar());
  // The last one loads its own tiles again, which are near.
  Value next = arith::AddIOp::create(b, loc, loop.getInductionVar(), step);
  Value hasNext =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, next, count);
  Value ahead = arith::SelectOp::create(
      b, loc, hasNext, arith::TruncIOp::create(b, loc, i32, next), program);
  SmallVector<Value> loaded = cloneLoads(b, ahead);
  auto yield = scf::YieldOp::create(b, loc, loaded);
  for (auto [load, value] : llvm::zip_equal(loads, loop.getRegionIterArgs())) {
    load.getResult().replaceAllUsesWith(value);
    load.erase();
  }
  id.getResult().replaceAllUsesWith(program);
  id.erase();
  for (Operation *op : rest)
    op->moveBefore(yield);
  kernel->setAttr(kStridedAttr, b.getUnitAttr());
}

bool Striding::run() {
  if (kernel->hasAttr("tw.needs_progress") || !isStraight() || !collectLoads())
    return false;
  rewrite();
  return true;
}

namespace {
struct StrideProgramsPass
    : public impl::SimtStrideProgramsPassBase<StrideProgramsPass> {
  using SimtStrideProgramsPassBase::SimtStrideProgramsPassBase;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      Striding(kernel, limitBytes).run();
  }
};
} // namespace

} // namespace tilewright::simt
