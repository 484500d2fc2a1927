//===- TileOps.cpp - Operations of the tile dialect ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generated operation classes.
//===----------------------------------------------------------------------===//

#include "dialects/tile/TileOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilewright::tile;

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Type pointee) {
  return success();
}
LogicalResult AddPtrOp::verify() { return success(); }
OpFoldResult AddPtrOp::fold(FoldAdaptor) { return {}; }
LogicalResult AtomicCASOp::verify() { return success(); }
LogicalResult AtomicRMWOp::verify() { return success(); }
LogicalResult BroadcastOp::verify() { return success(); }
OpFoldResult BroadcastOp::fold(FoldAdaptor) { return {}; }
LogicalResult CallOpOp::verifyRegions() { return success(); }
LogicalResult CatOp::verify() { return success(); }
LogicalResult DescriptorGatherOp::verify() { return success(); }
LogicalResult DescriptorLoadOp::verify() { return success(); }
LogicalResult DescriptorScatterOp::verify() { return success(); }
LogicalResult DescriptorStoreOp::verify() { return success(); }
LogicalResult DotOp::verify() { return success(); }
LogicalResult DotScaledOp::verify() { return success(); }
LogicalResult FactOp::verify() { return success(); }
LogicalResult GatherOp::verify() { return success(); }
LogicalResult HistogramOp::verify() { return success(); }
LogicalResult IntToPtrOp::verify() { return success(); }
LogicalResult JoinOp::verify() { return success(); }
LogicalResult LoadOp::verify() { return success(); }
LogicalResult MakeDescriptorOp::verify() { return success(); }
LogicalResult MulHiOp::verify() { return success(); }
LogicalResult NumProgramsOp::verify() { return success(); }
LogicalResult ProgramIdOp::verify() { return success(); }
LogicalResult PtrCastOp::verify() { return success(); }
OpFoldResult PtrCastOp::fold(FoldAdaptor) { return {}; }
LogicalResult PtrToIntOp::verify() { return success(); }
LogicalResult RangeOp::verify() { return success(); }
LogicalResult ReduceOp::verify() { return success(); }
LogicalResult ReduceOp::verifyRegions() { return success(); }
LogicalResult ReshapeOp::verify() { return success(); }
OpFoldResult ReshapeOp::fold(FoldAdaptor) { return {}; }
LogicalResult ScanOp::verify() { return success(); }
LogicalResult ScanOp::verifyRegions() { return success(); }
LogicalResult SplatOp::verify() { return success(); }
OpFoldResult SplatOp::fold(FoldAdaptor) { return {}; }
LogicalResult SplitOp::verify() { return success(); }
LogicalResult StoreOp::verify() { return success(); }
LogicalResult TransposeOp::verify() { return success(); }
OpFoldResult TransposeOp::fold(FoldAdaptor) { return {}; }

#define GET_OP_CLASSES
#include "dialects/tile/TileOps.cpp.inc"
