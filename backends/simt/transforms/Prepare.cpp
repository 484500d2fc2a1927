//===- Prepare.cpp - Kernel IR that takes layouts ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rewrite an operation: what upstream's verifiers tie to tensors without
// encoding becomes an operation of ours with the same meaning.
//===----------------------------------------------------------------------===//
#include "backends/simt/transforms/Passes.h"

#include "backends/common/Decompose.h"
#include "backends/simt/transforms/PrepareDot.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright::simt {

#define GEN_PASS_DEF_SIMTPREPAREPASS
#include "backends/simt/transforms/Passes.h.inc"

/// Contents that nobody may rely on.
static LogicalResult prepareEmpty(RewriterBase &b, tensor::EmptyOp op) {
  if (op->use_empty()) {
    b.eraseOp(op);
    return success();
  }
  auto type = cast<RankedTensorType>(op.getType());
  if (isa<kernel::PointerType>(type.getElementType()))
    return failure();
  Value zero = arith::ConstantOp::create(b, op.getLoc(),
                                         b.getZeroAttr(type.getElementType()));
  b.replaceOpWithNewOp<tensor::SplatOp>(op, zero, type);
  return success();
}

static LogicalResult prepareFill(RewriterBase &b, linalg::FillOp op) {
  b.replaceOpWithNewOp<tensor::SplatOp>(op, op.getInputs()[0],
                                        op.getResultTypes()[0]);
  return success();
}

static LogicalResult prepareBroadcast(RewriterBase &b, linalg::BroadcastOp op) {
  b.replaceOpWithNewOp<BroadcastOp>(op, op->getResultTypes()[0], op.getInput(),
                                    op.getDimensions());
  return success();
}

static LogicalResult prepareTranspose(RewriterBase &b, linalg::TransposeOp op) {
  b.replaceOpWithNewOp<TransposeOp>(op, op->getResultTypes()[0], op.getInput(),
                                    op.getPermutation());
  return success();
}

template <typename Reshape>
static LogicalResult prepareReshape(RewriterBase &b, Reshape op) {
  b.replaceOpWithNewOp<ReshapeOp>(op, op.getResultType(), op.getSrc());
  return success();
}

/// Halves whose extent is no power of two do not differ in one index bit: they
/// are joined, transposed and read in row-major order.
static LogicalResult prepareCat(RewriterBase &b, kernel::CatOp op) {
  auto type = cast<RankedTensorType>(op.getLhs().getType());
  int64_t extent = type.getDimSize(0);
  if (llvm::isPowerOf2_64(extent))
    return failure();
  Value pairs =
      kernel::JoinOp::create(b, op.getLoc(), op.getLhs(), op.getRhs());
  Value rows = TransposeOp::create(
      b, op.getLoc(), RankedTensorType::get({2, extent}, type.getElementType()),
      pairs, ArrayRef<int64_t>{1, 0});
  b.replaceOpWithNewOp<ReshapeOp>(op, op.getResult().getType(), rows);
  return success();
}

/// The type of a reduction's result; a scalar for rank 1.
static Type withoutDimension(RankedTensorType type, int64_t dim) {
  if (type.getRank() == 1)
    return type.getElementType();
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  return RankedTensorType::get(shape, type.getElementType());
}

/// Clones a one-operation body in front of `b` on other operands.
static Value cloneBody(OpBuilder &b, Block &body, ValueRange operands) {
  IRMapping mapping;
  mapping.map(body.getArguments(), operands);
  for (Operation &op : body.without_terminator()) {
    Operation *copy = b.clone(op, mapping);
    for (auto [from, to] : llvm::zip(op.getResults(), copy->getResults()))
      if (auto shaped = dyn_cast<RankedTensorType>(operands[0].getType()))
        to.setType(shaped.clone(getElementTypeOrSelf(from.getType())));
  }
  return mapping.lookup(body.getTerminator()->getOperand(0));
}

/// One `kernel.reduce` a dimension, the last dimension first, then the initial
/// values elementwise.
static LogicalResult prepareReduce(RewriterBase &b, linalg::ReduceOp op) {
  if (op.getInputs().size() != 1)
    return failure();
  Block &body = op.getCombiner().front();
  Value value = op.getInputs()[0];
  SmallVector<int64_t> dims(op.getDimensions());
  llvm::sort(dims, std::greater<>());
  for (int64_t dim : dims) {
    auto type = cast<RankedTensorType>(value.getType());
    auto reduce = kernel::ReduceOp::create(
        b, op.getLoc(), TypeRange{withoutDimension(type, dim)},
        ValueRange{value}, uint32_t(dim), kernel::ReduceOrder::Any);
    OpBuilder::InsertionGuard guard(b);
    Type element = type.getElementType();
    Block *block = b.createBlock(&reduce.getCombine(), {}, {element, element},
                                 {op.getLoc(), op.getLoc()});
    Value combined = cloneBody(b, body, block->getArguments());
    kernel::YieldOp::create(b, op.getLoc(), combined);
    value = reduce.getResult(0);
  }
  auto type = cast<RankedTensorType>(op.getInits()[0].getType());
  if (!isa<RankedTensorType>(value.getType()))
    value = tensor::SplatOp::create(b, op.getLoc(), value, type);
  value = cloneBody(b, body, {op.getInits()[0], value});
  b.replaceOp(op, value);
  return success();
}

/// Numbers are printed as f32 at least: small floats may be bits in registers.
static LogicalResult preparePrint(RewriterBase &b, kernel::PrintOp op) {
  if (op.getHex())
    return failure();
  for (OpOperand &operand : op.getValuesMutable()) {
    Type type = operand.get().getType();
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    if (!element || element.getWidth() >= 32)
      continue;
    Type wide = b.getF32Type();
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      wide = tensor.clone(wide);
    operand.set(arith::ExtFOp::create(b, op.getLoc(), wide, operand.get()));
  }
  return success();
}

namespace {
struct PreparePass : public impl::SimtPreparePassBase<PreparePass> {
  using SimtPreparePassBase::SimtPreparePassBase;

  void runOnOperation() override {
    if (!readAtoms())
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      backend::inlineCallOps(kernel);
      prepareScaled(kernel);
      backend::decomposeDotScaled(kernel);
      kernel->setAttr(kNumWarpsAttr,
                      Builder(kernel).getI32IntegerAttr(numWarps));
      kernel->setAttr(kLanesAttr, Builder(kernel).getI32IntegerAttr(lanes));
    }
    SmallVector<Operation *> operations;
    getOperation().walk([&](Operation *op) { operations.push_back(op); });
    IRRewriter rewriter(&getContext());
    // Users before what they use, so that dead tensor.empty is seen as such.
    for (Operation *op : llvm::reverse(operations)) {
      rewriter.setInsertionPoint(op);
      (void)prepare(rewriter, op);
    }
  }

private:
  /// Only products need the atoms, and reading them takes longer than preparing
  /// a small kernel.
  bool readAtoms() {
    WalkResult products = getOperation().walk([](Operation *op) {
      return isa<linalg::MatmulOp, linalg::BatchMatmulOp, kernel::DotScaledOp>(
                 op)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (!products.wasInterrupted())
      return true;
    std::optional<std::vector<MatrixAtom>> read = parseAtoms(
        getOperation(), SmallVector<std::string>(atoms.begin(), atoms.end()));
    if (read)
      parsed = std::move(*read);
    return read.has_value();
  }

  /// What no atom serves is left to be decomposed.
  void prepareScaled(func::FuncOp kernel) {
    SmallVector<kernel::DotScaledOp> products;
    kernel.walk([&](kernel::DotScaledOp op) { products.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (kernel::DotScaledOp op : products) {
      rewriter.setInsertionPoint(op);
      if (!isPortable)
        (void)prepareDotScaled(rewriter, op, {parsed, numWarps});
    }
  }

  LogicalResult prepare(RewriterBase &b, Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](tensor::EmptyOp o) { return prepareEmpty(b, o); })
        .Case([&](tensor::CollapseShapeOp o) { return prepareReshape(b, o); })
        .Case([&](tensor::ExpandShapeOp o) { return prepareReshape(b, o); })
        .Case([&](linalg::FillOp o) { return prepareFill(b, o); })
        .Case([&](linalg::BroadcastOp o) { return prepareBroadcast(b, o); })
        .Case([&](linalg::TransposeOp o) { return prepareTranspose(b, o); })
        .Case([&](kernel::CatOp o) { return prepareCat(b, o); })
        .Case([&](kernel::PrintOp o) { return preparePrint(b, o); })
        .Case([&](linalg::ReduceOp o) { return prepareReduce(b, o); })
        .Case<linalg::MatmulOp, linalg::BatchMatmulOp>([&](auto o) {
          return prepareDot(b, cast<linalg::LinalgOp>(o.getOperation()),
                            {parsed, numWarps}, isPortable);
        })
        .Default([](Operation *) { return failure(); });
  }

  std::vector<MatrixAtom> parsed;
};
} // namespace

} // namespace tilewright::simt
