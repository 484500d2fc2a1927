//===- VerifyKernelIR.cpp - Check that a module is Kernel IR ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass `kernel-verify`. Legality and element types are rows of
// KernelIRTable.def, attributes those of AttributeSchema.cpp; here are the
// rules of single operations and of kernels.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelOps.h"
#include "dialects/kernel/Passes.h"
#include "dialects/kernel/rules/OpRules.h"
#include "dialects/kernel/verify/AttributeSchema.h"
#include "dialects/kernel/verify/KernelIRTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace tilewright::kernel {
#define GEN_PASS_DEF_VERIFYKERNELIRPASS
#include "dialects/kernel/Passes.h.inc"
} // namespace tilewright::kernel

using namespace mlir;
using namespace tilewright::kernel;

//===----------------------------------------------------------------------===//
// Types and shapes
//===----------------------------------------------------------------------===//

/// TW3103 and TW3102: one operand's or result's type.
static LogicalResult verifyValueType(Operation *op, Type type,
                                     StringRef classes, StringRef what) {
  if (isa<ShapedType>(type)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() || tensor.getEncoding())
      return op->emitError()
             << "TW3103: expected a tensor of static shape as " << what
             << " of '" << op->getName() << "', got " << type;
  }
  char letter = elementClass(getElementTypeOrSelf(type));
  if (letter && classes.contains(letter))
    return success();
  return op->emitError() << "TW3102: expected " << describeElements(classes)
                         << " as " << what << " of '" << op->getName()
                         << "', got " << type;
}

static LogicalResult verifyTypes(Operation *op, const LegalOp &row) {
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes())) {
    bool isCondition = isa<arith::SelectOp>(op) && index == 0;
    if (failed(verifyValueType(
            op, type, isCondition ? StringRef("B") : StringRef(row.operands),
            "operand")))
      return failure();
  }
  for (Type type : op->getResultTypes())
    if (failed(verifyValueType(op, type, row.results, "result")))
      return failure();
  return success();
}

/// TW3103: elementwise operations neither mix shapes nor tensors and scalars.
static LogicalResult verifyForm(Operation *op, const LegalOp &row) {
  if (row.form != OpForm::Elementwise)
    return success();
  Type result = op->getResult(0).getType();
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes())) {
    bool isScalarCondition =
        isa<arith::SelectOp>(op) && index == 0 && !isa<ShapedType>(type);
    if (!isScalarCondition && !rules::haveSameShape(type, result))
      return op->emitError() << "TW3103: expected operands of the shape of "
                             << result << ", got " << type;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Rules of single operations
//===----------------------------------------------------------------------===//

/// TW3104: the body of linalg.reduce is one op that takes both arguments.
static LogicalResult verifyLinalgReduce(linalg::ReduceOp op) {
  Block *body = op.getBody();
  Operation &combine = body->front();
  bool takesBoth =
      op.getInputs().size() == 1 && llvm::hasNItems(*body, 2) &&
      combine.getNumOperands() == 2 &&
      llvm::is_contained(combine.getOperands(), body->getArgument(0)) &&
      llvm::is_contained(combine.getOperands(), body->getArgument(1)) &&
      body->getTerminator()->getOperand(0) == combine.getResult(0);
  if (takesBoth &&
      isa<arith::AddFOp, arith::AddIOp, arith::AndIOp, arith::MaximumFOp,
          arith::MaxNumFOp, arith::MaxSIOp, arith::MaxUIOp, arith::MinimumFOp,
          arith::MinNumFOp, arith::MinSIOp, arith::MinUIOp, arith::MulFOp,
          arith::MulIOp, arith::OrIOp, arith::XOrIOp>(combine))
    return success();
  return op.emitError() << "TW3104: expected linalg.reduce of one operand by "
                           "one add, mul, min, max, and, or or xor; any other "
                           "combination is kernel.reduce";
}

/// TW3105: a matrix product states its precision and permutes nothing.
template <typename MatmulOp> static LogicalResult verifyMatmul(MatmulOp op) {
  for (StringRef name : {"kernel.precision", "kernel.max_imprecise_acc"})
    if (!op->hasAttr(name))
      return op.emitError() << "TW3105: expected attribute '" << name
                            << "' on '" << op->getName() << "'";
  if (op.hasUserDefinedMaps())
    return op.emitError() << "TW3105: expected '" << op->getName()
                          << "' without indexing maps of its own";
  Type lhs = getElementTypeOrSelf(op.getInputs()[0].getType());
  Type rhs = getElementTypeOrSelf(op.getInputs()[1].getType());
  Type acc = getElementTypeOrSelf(op.getOutputs()[0].getType());
  if (rules::areDotOperands(lhs, rhs) && rules::isDotAccumulator(lhs, acc))
    return success();
  return op.emitError() << "TW3102: expected operands of one type with an "
                           "accumulator that fits, got "
                        << lhs << " x " << rhs << " + " << acc;
}

/// TW3106: no region carries, takes or gives a view.
static LogicalResult verifyNoViewCarried(Operation *op) {
  auto isView = [](Type type) { return isa<ViewType>(type); };
  bool carries = llvm::any_of(op->getOperandTypes(), isView) ||
                 llvm::any_of(op->getResultTypes(), isView);
  if (!carries)
    return success();
  return op->emitError() << "TW3106: expected no view across a region of '"
                         << op->getName()
                         << "'; carry offsets and make the view inside";
}

/// TW3111: constants are scalars or splats.
static LogicalResult verifyConstant(arith::ConstantOp op) {
  if (!isa<ShapedType>(op.getType()) || isa<SplatElementsAttr>(op.getValue()))
    return success();
  return op.emitError()
         << "TW3111: expected a constant of one repeated value, got "
         << op.getType();
}

/// TW3112: a wrapped dimension needs to know its size.
template <typename AccessOp> static LogicalResult verifyWrap(AccessOp op) {
  auto view = op.getView().template getDefiningOp<ViewOp>();
  for (auto [dimension, mode] : llvm::enumerate(op.getBoundary())) {
    if (mode != static_cast<int32_t>(BoundaryMode::Wrap))
      continue;
    APInt size;
    if (view &&
        matchPattern(view.getSizes()[dimension], m_ConstantInt(&size)) &&
        !size.isStrictlyPositive())
      return op.emitError() << "TW3112: expected a positive size of wrapped "
                               "dimension "
                            << dimension << ", got " << size.getSExtValue();
  }
  return success();
}

static LogicalResult verifySpecialRules(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](linalg::ReduceOp reduce) { return verifyLinalgReduce(reduce); })
      .Case([](linalg::MatmulOp matmul) { return verifyMatmul(matmul); })
      .Case([](linalg::BatchMatmulOp matmul) { return verifyMatmul(matmul); })
      .Case([](arith::ConstantOp constant) { return verifyConstant(constant); })
      .Case([](LoadOp load) { return verifyWrap(load); })
      .Case([](StoreOp store) { return verifyWrap(store); })
      .Default(success());
}

//===----------------------------------------------------------------------===//
// Kernels and modules
//===----------------------------------------------------------------------===//

static LogicalResult verifyOperation(Operation *op) {
  const LegalOp *row = lookupLegalOp(op->getName().getStringRef());
  if (!row)
    return op->emitError()
           << "TW3101: expected an operation of Kernel IR, got '"
           << op->getName() << "'";
  if (isa<scf::SCFDialect>(op->getDialect()) || isa<CallOpOp, YieldOp>(op))
    if (failed(verifyNoViewCarried(op)))
      return failure();
  if (failed(verifyTypes(op, *row)) || failed(verifyForm(op, *row)) ||
      failed(verifyAttributes(op)))
    return failure();
  return verifySpecialRules(op);
}

/// TW3109: what a kernel looks like from outside.
static LogicalResult verifyKernel(func::FuncOp function) {
  auto problem = [&](const Twine &text) {
    return function.emitError()
           << "TW3109: kernel '" << function.getSymName() << "': " << text;
  };
  if (!function->hasAttr("tw.kernel"))
    return problem("expected the attribute tw.kernel");
  if (!function.getBody().hasOneBlock())
    return problem("expected a body of one block");
  if (function.getNumResults() != 0)
    return problem("expected no results");
  for (Type type : function.getArgumentTypes())
    if (isa<ShapedType>(type) ||
        !StringRef("BIFP").contains(elementClass(type)))
      return function.emitError()
             << "TW3109: kernel '" << function.getSymName()
             << "': expected scalar and pointer arguments, got " << type;
  if (function->hasAttr("tw.predicate") && !function->hasAttr("tw.variant_of"))
    return problem("expected tw.variant_of beside tw.predicate");
  return verifyArgumentAttributes(function);
}

LogicalResult tilewright::kernel::verifyKernelIR(ModuleOp module) {
  bool isValid = succeeded(verifyAttributes(module));
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function) {
      op.emitError() << "TW3109: expected only kernels in a module, got '"
                     << op.getName() << "'";
      isValid = false;
      continue;
    }
    isValid &= succeeded(verifyKernel(function));
    function.walk<WalkOrder::PreOrder>([&](Operation *inner) {
      isValid &= succeeded(verifyOperation(inner));
      // The regions of linalg's named operations follow from their names.
      return isa<linalg::LinalgOp>(inner) ? WalkResult::skip()
                                          : WalkResult::advance();
    });
  }
  return success(isValid);
}

namespace {
struct VerifyKernelIRPass
    : tilewright::kernel::impl::VerifyKernelIRPassBase<VerifyKernelIRPass> {
  void runOnOperation() override {
    if (failed(verifyKernelIR(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
