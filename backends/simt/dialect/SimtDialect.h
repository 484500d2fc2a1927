//===- SimtDialect.h - Layouts and types of the simt dialect ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the dialect, its layout attribute and its types.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_DIALECT_SIMTDIALECT_H
#define TILEWRIGHT_BACKENDS_SIMT_DIALECT_SIMTDIALECT_H

#include "backends/simt/layout/LinearLayout.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "backends/simt/dialect/SimtDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "backends/simt/dialect/SimtAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "backends/simt/dialect/SimtTypes.h.inc"

namespace tilewright::simt {

/// Shared memory of the program.
struct SharedMemory : public mlir::SideEffects::Resource::Base<SharedMemory> {
  mlir::StringRef getName() final { return "shared"; }
};

/// Groups of asynchronous copies: commits and waits keep their order.
struct AsyncWork : public mlir::SideEffects::Resource::Base<AsyncWork> {
  mlir::StringRef getName() final { return "async"; }
};

/// The layout of an encoded tensor, null for other types.
LayoutAttr layoutOf(mlir::Type type);
/// The same tensor with a layout.
mlir::RankedTensorType withLayout(mlir::Type tensor, LayoutAttr layout);

/// Offset of an operation's scratch memory, written by simt-allocate-shared.
inline constexpr char kScratchAttr[] = "simt.scratch";
/// Bytes of that scratch memory.
inline constexpr char kScratchBytesAttr[] = "simt.scratch_bytes";
/// On reductions and scans: the single operation of the body, as in the input.
inline constexpr char kCombineAttr[] = "simt.combine";
/// Shape of a kernel's block of threads.
inline constexpr char kNumWarpsAttr[] = "simt.num_warps";
inline constexpr char kLanesAttr[] = "simt.lanes";
/// Bytes of shared memory of a kernel.
/// On kernels: blocks run programs id, id + blocks, ... (unit).
inline constexpr char kStridedAttr[] = "simt.strided";
inline constexpr char kSharedBytesAttr[] = "simt.shared_bytes";

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_DIALECT_SIMTDIALECT_H
