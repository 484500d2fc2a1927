//===- KernelOps.cpp - Operations of the kernel dialect ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generated operation classes.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilewright::kernel;

LogicalResult AddPtrOp::verify() { return success(); }
LogicalResult AtomicCASOp::verify() { return success(); }
LogicalResult AtomicRMWOp::verify() { return success(); }
LogicalResult CallOpOp::verifyRegions() { return success(); }
LogicalResult CatOp::verify() { return success(); }
LogicalResult DotScaledOp::verify() { return success(); }
LogicalResult FactOp::verify() { return success(); }
LogicalResult GatherInTileOp::verify() { return success(); }
LogicalResult GatherOp::verify() { return success(); }
LogicalResult HistogramOp::verify() { return success(); }
LogicalResult IntToPtrOp::verify() { return success(); }
LogicalResult JoinOp::verify() { return success(); }
LogicalResult LoadOp::verify() { return success(); }
LogicalResult MulHiOp::verify() { return success(); }
LogicalResult NumProgramsOp::verify() { return success(); }
LogicalResult ProgramIdOp::verify() { return success(); }
LogicalResult PtrCastOp::verify() { return success(); }
LogicalResult PtrToIntOp::verify() { return success(); }
LogicalResult RangeOp::verify() { return success(); }
LogicalResult ReduceOp::verify() { return success(); }
LogicalResult ReduceOp::verifyRegions() { return success(); }
LogicalResult ScanOp::verify() { return success(); }
LogicalResult ScanOp::verifyRegions() { return success(); }
LogicalResult ScatterOp::verify() { return success(); }
LogicalResult SplitOp::verify() { return success(); }
LogicalResult StoreOp::verify() { return success(); }
LogicalResult ViewOp::verify() { return success(); }

#define GET_OP_CLASSES
#include "dialects/kernel/KernelOps.cpp.inc"
