//===- Faults.cpp - Seeded portability faults -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function a fault; the table at the end names them.
//===----------------------------------------------------------------------===//
#include "test/verify/faults/Faults.h"

#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilewright;

namespace {
/// A builder before an operation, at its place in the source.
struct Before : ImplicitLocOpBuilder {
  explicit Before(Operation *op) : ImplicitLocOpBuilder(op->getLoc(), op) {}
};
} // namespace

/// Bounds and mask of an access are forgotten.
template <typename Box, typename Indexed>
static void dropMasks(ModuleOp module) {
  module.walk([](Box op) {
    op.setBoundary(SmallVector<int32_t>(op.getBoundary().size(), 1));
    op.getMaskMutable().clear();
  });
  module.walk([](Indexed op) { op.getMaskMutable().clear(); });
}

static void dropStoreMasks(ModuleOp module) {
  dropMasks<kernel::StoreOp, kernel::ScatterOp>(module);
}

static void dropLoadMasks(ModuleOp module) {
  module.walk([](kernel::LoadOp op) { op.getOtherMutable().clear(); });
  module.walk([](kernel::GatherOp op) { op.getOtherMutable().clear(); });
  dropMasks<kernel::LoadOp, kernel::GatherOp>(module);
}

/// The first 32 elements of a tensor along an axis, as if a program were one
/// warp of 32 lanes.
static Value firstLanes(OpBuilder &builder, Location loc, Value tensor,
                        int64_t axis) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> sizes(type.getShape());
  sizes[axis] = std::min<int64_t>(sizes[axis], 32);
  SmallVector<OpFoldResult> offsets, extents, strides;
  for (int64_t size : sizes) {
    offsets.push_back(builder.getIndexAttr(0));
    extents.push_back(builder.getIndexAttr(size));
    strides.push_back(builder.getIndexAttr(1));
  }
  return tensor::ExtractSliceOp::create(builder, loc, tensor, offsets, extents,
                                        strides);
}

static void reduceOneWarp(ModuleOp module) {
  module.walk([](kernel::ReduceOp op) {
    Before builder(op);
    for (OpOperand &operand : op->getOpOperands())
      operand.set(
          firstLanes(builder, op.getLoc(), operand.get(), op.getAxis()));
  });
  module.walk([](linalg::ReduceOp op) {
    Before builder(op);
    for (OpOperand *operand : op.getDpsInputOperands())
      operand->set(firstLanes(builder, op.getLoc(), operand->get(),
                              op.getDimensions()[0]));
  });
}

/// From every operation of one kind another with the same operands.
template <typename From, typename To> static void exchange(ModuleOp module) {
  module.walk([](From op) {
    Before builder(op);
    op.replaceAllUsesWith(
        To::create(builder, op.getLoc(), op.getLhs(), op.getRhs()).getResult());
    op.erase();
  });
}

static void propagateNaN(ModuleOp module) {
  exchange<arith::MaxNumFOp, arith::MaximumFOp>(module);
  exchange<arith::MinNumFOp, arith::MinimumFOp>(module);
}

/// Quotients round down: one less where there is a remainder and the signs
/// differ.
static void floorDivisions(ModuleOp module) {
  module.walk([](arith::DivSIOp op) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Location loc = op.getLoc();
    Value zero = arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(op.getType())));
    auto isNegative = [&](Value value) -> Value {
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                   value, zero);
    };
    Value rest = arith::RemSIOp::create(builder, loc, op.getLhs(), op.getRhs());
    Value hasRest = arith::CmpIOp::create(builder, loc,
                                          arith::CmpIPredicate::ne, rest, zero);
    Value signs = arith::XOrIOp::create(builder, loc, isNegative(rest),
                                        isNegative(op.getRhs()));
    Value isLess = arith::AndIOp::create(builder, loc, hasRest, signs);
    Value less = arith::ExtSIOp::create(builder, loc, op.getType(), isLess);
    Value result = arith::AddIOp::create(builder, loc, op.getResult(), less);
    op.getResult().replaceAllUsesExcept(result, result.getDefiningOp());
  });
}

/// Loads move before the store in front of them, whatever it writes.
static void reorderAccesses(ModuleOp module) {
  SmallVector<Operation *> loads;
  module.walk([&](Operation *op) {
    if (isa<kernel::LoadOp, kernel::GatherOp>(op))
      loads.push_back(op);
  });
  for (Operation *load : loads)
    for (Operation *op = load->getPrevNode(); op; op = op->getPrevNode()) {
      if (llvm::is_contained(load->getOperands(),
                             op->getNumResults() ? op->getResult(0) : Value()))
        break;
      if (!isa<kernel::StoreOp, kernel::ScatterOp>(op))
        continue;
      load->moveBefore(op);
      break;
    }
}

/// x / y as x times an approximation of 1 / y.
static void approximateDivisions(ModuleOp module) {
  module.walk([](arith::DivFOp op) {
    Before builder(op);
    Value one = arith::ConstantOp::create(
        builder, op.getLoc(),
        cast<TypedAttr>(builder.getOneAttr(op.getType())));
    Value inverse =
        arith::DivFOp::create(builder, op.getLoc(), one, op.getRhs());
    op.replaceAllUsesWith(
        arith::MulFOp::create(builder, op.getLoc(), op.getLhs(), inverse)
            .getResult());
    op.erase();
  });
}

/// Products of fp32 that are subnormal become 0.
static void flushSubnormals(ModuleOp module) {
  module.walk([](arith::MulFOp op) {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    auto constant = [&](double value) -> Value {
      TypedAttr scalar = builder.getF32FloatAttr(float(value));
      auto shaped = dyn_cast<ShapedType>(op.getType());
      TypedAttr whole =
          shaped ? cast<TypedAttr>(DenseElementsAttr::get(shaped, scalar))
                 : scalar;
      return arith::ConstantOp::create(builder, op.getLoc(), whole);
    };
    Value size = math::AbsFOp::create(builder, op.getLoc(), op.getResult());
    Value isSmall =
        arith::CmpFOp::create(builder, op.getLoc(), arith::CmpFPredicate::OLT,
                              size, constant(0x1p-126));
    Value result = arith::SelectOp::create(builder, op.getLoc(), isSmall,
                                           constant(0), op.getResult());
    llvm::SmallPtrSet<Operation *, 2> own = {size.getDefiningOp(),
                                             result.getDefiningOp()};
    op.getResult().replaceAllUsesExcept(result, own);
  });
}

/// a * b + c rounds once.
static void contractSums(ModuleOp module) {
  module.walk([](arith::AddFOp op) {
    auto product = op.getLhs().getDefiningOp<arith::MulFOp>();
    Value other = op.getRhs();
    if (!product) {
      product = op.getRhs().getDefiningOp<arith::MulFOp>();
      other = op.getLhs();
    }
    if (!product)
      return;
    Before builder(op);
    op.replaceAllUsesWith(math::FmaOp::create(builder, op.getLoc(),
                                              product.getLhs(),
                                              product.getRhs(), other)
                              .getResult());
    op.erase();
  });
}

/// Sums fold neighbours first: [n] as [n / 2, 2].
static void foldNeighbours(ModuleOp module) {
  SmallVector<kernel::ReduceOp> reductions;
  module.walk([&](kernel::ReduceOp op) {
    auto type = cast<RankedTensorType>(op.getOperands()[0].getType());
    if (op.getOperands().size() == 1 && type.getRank() == 1 &&
        type.getDimSize(0) % 2 == 0)
      reductions.push_back(op);
  });
  for (kernel::ReduceOp op : reductions) {
    Before builder(op);
    Value source = op.getOperands()[0];
    auto type = cast<RankedTensorType>(source.getType());
    auto pairs = RankedTensorType::get({type.getDimSize(0) / 2, 2},
                                       type.getElementType());
    SmallVector<ReassociationIndices> groups = {{0, 1}};
    Value paired = tensor::ExpandShapeOp::create(builder, op.getLoc(), pairs,
                                                 source, groups);
    auto first = cast<kernel::ReduceOp>(builder.clone(*op));
    first.setAxis(1);
    first->setOperand(0, paired);
    first->getResult(0).setType(
        RankedTensorType::get({type.getDimSize(0) / 2}, type.getElementType()));
    op->setOperand(0, first->getResult(0));
  }
}

/// Atomic updates become a read, an operation and a write.
static void loseUpdates(ModuleOp module) {
  SmallVector<kernel::AtomicRMWOp> updates;
  module.walk([&](kernel::AtomicRMWOp op) {
    if (op.getKind() == kernel::AtomicKind::Add)
      updates.push_back(op);
  });
  for (kernel::AtomicRMWOp op : updates) {
    Before builder(op);
    auto old = kernel::GatherOp::create(builder, op.getLoc(),
                                        op.getValue().getType(), op.getBase(),
                                        op.getOffsets(), op.getMask(), Value());
    Value sum = arith::AddIOp::create(builder, op.getLoc(), old.getResult(),
                                      op.getValue());
    kernel::ScatterOp::create(builder, op.getLoc(), sum, op.getBase(),
                              op.getOffsets(), op.getMask());
    op.replaceAllUsesWith(old.getResult());
    op.erase();
  }
}

/// Conversions to i32 keep the low bits of i64 instead of saturating.
static void wrapConversions(ModuleOp module) {
  module.walk([](arith::FPToSIOp op) {
    if (!getElementTypeOrSelf(op.getType()).isInteger(32))
      return;
    Before builder(op);
    Type wide = builder.getI64Type();
    if (auto shaped = dyn_cast<RankedTensorType>(op.getType()))
      wide = shaped.clone(wide);
    Value whole =
        arith::FPToSIOp::create(builder, op.getLoc(), wide, op.getIn());
    op.replaceAllUsesWith(
        arith::TruncIOp::create(builder, op.getLoc(), op.getType(), whole)
            .getResult());
    op.erase();
  });
}

/// The last program does the work of the one before it.
static void loseLastProgram(ModuleOp module) {
  module.walk([](kernel::ProgramIdOp op) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Value count = kernel::NumProgramsOp::create(builder, op.getLoc(),
                                                op.getType(), op.getAxis());
    Value two =
        arith::ConstantIntOp::create(builder, op.getLoc(), op.getType(), 2);
    Value last = arith::SubIOp::create(builder, op.getLoc(), count, two);
    Value id =
        arith::MinSIOp::create(builder, op.getLoc(), op.getResult(), last);
    op.getResult().replaceAllUsesExcept(id, id.getDefiningOp());
  });
}

/// Boxes of stores end one element early: only raised accesses have boxes.
static void shortenBoxes(ModuleOp module) {
  module.walk([](kernel::StoreOp op) {
    Before builder(op);
    for (OpOperand &high : op.getHiMutable()) {
      Value one = arith::ConstantIntOp::create(builder, op.getLoc(),
                                               builder.getI64Type(), 1);
      high.set(arith::SubIOp::create(builder, op.getLoc(), high.get(), one));
    }
  });
}

/// Variants of a kernel, which a predicate chooses, subtract instead of adding.
static void breakVariants(ModuleOp module) {
  module.walk([](arith::AddFOp op) {
    if (!op->getParentOfType<func::FuncOp>()->hasAttr("tw.predicate"))
      return;
    Before builder(op);
    op.replaceAllUsesWith(
        arith::SubFOp::create(builder, op.getLoc(), op.getLhs(), op.getRhs())
            .getResult());
    op.erase();
  });
}

namespace {
struct Fault {
  StringLiteral name;
  void (*plant)(ModuleOp);
};
} // namespace

static constexpr Fault table[] = {
    {"store-mask", dropStoreMasks},    {"load-mask", dropLoadMasks},
    {"one-warp", reduceOneWarp},       {"nan-rule", propagateNaN},
    {"store-load", reorderAccesses},   {"division", approximateDivisions},
    {"subnormals", flushSubnormals},   {"contraction", contractSums},
    {"fold-order", foldNeighbours},    {"floor-division", floorDivisions},
    {"lost-updates", loseUpdates},     {"wrapping-conversion", wrapConversions},
    {"last-program", loseLastProgram}, {"short-box", shortenBoxes},
    {"variant", breakVariants},
};

bool faults::plant(StringRef name, ModuleOp module) {
  for (const Fault &fault : table)
    if (fault.name == name) {
      fault.plant(module);
      return true;
    }
  return false;
}
