//===- RenamedToKernel.cpp - Ops that both dialects have ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops whose Kernel IR form differs in the dialect's name only.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelOps.h"
#include "dialects/lowering/convert/PopulatePatterns.h"
#include "dialects/tile/TileOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

namespace {
/// Keeps operands, attributes and regions, converts types.
template <typename TileOp, typename KernelOp>
struct Rename : OpConversionPattern<TileOp> {
  using OpConversionPattern<TileOp>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TileOp op, typename TileOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const TypeConverter *converter = this->getTypeConverter();
    SmallVector<Type> types;
    if (failed(converter->convertTypes(op->getResultTypes(), types)))
      return rewriter.notifyMatchFailure(op, "result type has no Kernel form");
    OperationState state(op.getLoc(), KernelOp::getOperationName(),
                         adaptor.getOperands(), types, op->getAttrs());
    for (unsigned i = 0, e = op->getNumRegions(); i < e; ++i)
      state.addRegion();
    Operation *renamed = rewriter.create(state);
    for (auto [from, to] :
         llvm::zip_equal(op->getRegions(), renamed->getRegions())) {
      rewriter.inlineRegionBefore(from, to, to.end());
      if (!to.empty() && failed(rewriter.convertRegionTypes(&to, *converter)))
        return rewriter.notifyMatchFailure(op, "region has no Kernel form");
    }
    rewriter.replaceOp(op, renamed->getResults());
    return success();
  }
};
} // namespace

void lowering::populateTileToKernelRenamedPatterns(
    const TileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<Rename<tile::AddPtrOp, kernel::AddPtrOp>,
               Rename<tile::AssertOp, kernel::AssertOp>,
               Rename<tile::AssumeOp, kernel::AssumeOp>,
               Rename<tile::BarrierOp, kernel::BarrierOp>,
               Rename<tile::CallOpOp, kernel::CallOpOp>,
               Rename<tile::CatOp, kernel::CatOp>,
               Rename<tile::ClockOp, kernel::ClockOp>,
               Rename<tile::DotScaledOp, kernel::DotScaledOp>,
               Rename<tile::ExternCallOp, kernel::ExternCallOp>,
               Rename<tile::FactOp, kernel::FactOp>,
               Rename<tile::GatherOp, kernel::GatherInTileOp>,
               Rename<tile::HistogramOp, kernel::HistogramOp>,
               Rename<tile::InlineAsmOp, kernel::InlineAsmOp>,
               Rename<tile::IntToPtrOp, kernel::IntToPtrOp>,
               Rename<tile::JoinOp, kernel::JoinOp>,
               Rename<tile::MulHiOp, kernel::MulHiOp>,
               Rename<tile::NumProgramsOp, kernel::NumProgramsOp>,
               Rename<tile::PrintOp, kernel::PrintOp>,
               Rename<tile::ProgramIdOp, kernel::ProgramIdOp>,
               Rename<tile::PtrCastOp, kernel::PtrCastOp>,
               Rename<tile::PtrToIntOp, kernel::PtrToIntOp>,
               Rename<tile::RangeOp, kernel::RangeOp>,
               Rename<tile::ScanOp, kernel::ScanOp>,
               Rename<tile::SplitOp, kernel::SplitOp>,
               Rename<tile::TrapOp, kernel::TrapOp>,
               Rename<tile::YieldOp, kernel::YieldOp>>(converter,
                                                       patterns.getContext());
}
