//===- ConvertTileToKernel.cpp - Convert tile ops and types to Kernel IR ---*-
// C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conversion pass: families of patterns, legality, and the refusals that
// have no Kernel IR form.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelOps.h"
#include "dialects/lowering/Passes.h"
#include "dialects/lowering/analysis/ScalarExpression.h"
#include "dialects/lowering/convert/PopulatePatterns.h"
#include "dialects/tile/TileOps.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace tilewright::lowering {
#define GEN_PASS_DEF_CONVERTTILETOKERNELPASS
#include "dialects/lowering/Passes.h.inc"
} // namespace tilewright::lowering

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

/// Refuses descriptors as arguments: their components would have no place in
/// the argument list of the kernel record.
static LogicalResult checkSignature(func::FuncOp function) {
  for (Type type : function.getFunctionType().getInputs())
    if (isa<tile::DescriptorType>(type))
      return function.emitError()
             << "TW3001: expected a pointer, shape and strides, got a tensor "
                "descriptor as kernel argument; make the descriptor inside the "
                "kernel with tl.make_tensor_descriptor";
  return success();
}

/// Refuses atomics on pointers in memory: Kernel IR has integers and floats.
static LogicalResult checkAtomics(func::FuncOp function) {
  auto result = function.walk([](Operation *op) {
    if (!isa<tile::AtomicRMWOp, tile::AtomicCASOp>(op) ||
        !isa<tile::PointerType>(getElementTypeOrSelf(op->getResult(0))))
      return WalkResult::advance();
    op->emitError() << "TW3002: expected an integer or float element of an "
                       "atomic, got a pointer; cast the address to a pointer "
                       "to tl.int64";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

static void setLegality(ConversionTarget &target,
                        const TileTypeConverter &converter) {
  target.addIllegalDialect<tile::TileDialect>();
  target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
    return converter.isSignatureLegal(op.getFunctionType()) &&
           converter.isLegal(&op.getBody());
  });
  target.markUnknownOpDynamicallyLegal([&](Operation *op) {
    return converter.isLegal(op) &&
           llvm::all_of(op->getRegions(), [&](Region &region) {
             return converter.isLegal(&region);
           });
  });
  scf::populateSCFStructuralTypeConversionTarget(converter, target);
}

/// Moves views and the index arithmetic for them out of loops in which they do
/// not change: descriptor accesses make theirs in place.
static void hoistViews(ModuleOp module) {
  module.walk([](LoopLikeOpInterface loop) {
    moveLoopInvariantCode(
        loop.getLoopRegions(),
        [&](Value value, Region *) {
          return loop.isDefinedOutsideOfLoop(value);
        },
        [](Operation *op, Region *) {
          return isa<kernel::ViewOp, arith::ExtSIOp, arith::MulIOp,
                     arith::AddIOp, arith::ConstantOp>(op) &&
                 llvm::none_of(op->getResultTypes(), [](Type type) {
                   return isa<TensorType, FloatType>(type);
                 });
        },
        [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
  });
}

namespace {
struct ConvertTileToKernelPass
    : lowering::impl::ConvertTileToKernelPassBase<ConvertTileToKernelPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(checkSignature(function)) || failed(checkAtomics(function)))
        return signalPassFailure();

    auto math = module->getAttrOfType<StringAttr>("tw.math");
    TileTypeConverter converter;
    RewritePatternSet patterns(&getContext());
    populateTileToKernelAtomicPatterns(converter, patterns);
    populateTileToKernelDescriptorPatterns(converter, patterns);
    populateTileToKernelDotPatterns(converter, patterns);
    populateTileToKernelMemoryPatterns(converter, patterns);
    populateTileToKernelReducePatterns(converter, patterns,
                                       math && math.getValue() == "portable");
    populateTileToKernelRenamedPatterns(converter, patterns);
    populateTileToKernelShapePatterns(converter, patterns);
    populateTileToKernelStructurePatterns(converter, patterns);

    ConversionTarget target(getContext());
    setLegality(target, converter);
    if (failed(applyFullConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    hoistViews(module);
    // What raising needed to know of tile IR is no part of the contract.
    module.walk([](Operation *op) {
      op->removeDiscardableAttr(carriedMarker);
      op->removeDiscardableAttr(unsignedMarker);
    });
  }
};
} // namespace
