//===- BoxAlignment.h - Aligned runs of boxes -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far vectors along the contiguous dimension of a box of a view may reach,
// by what facts prove about base, strides, offsets and bounds.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_BOXALIGNMENT_H
#define TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_BOXALIGNMENT_H

#include "dialects/kernel/KernelOps.h"

namespace tilewright::simt {

/// The operands of a load, store or copy that make up its addresses.
struct Box {
  kernel::ViewOp view;
  mlir::ValueRange offsets, lo, hi;
  llvm::ArrayRef<int32_t> boundary;
  std::optional<uint32_t> indexDim;
};

template <typename Op> Box boxOf(Op op) {
  return {op.getView().template getDefiningOp<kernel::ViewOp>(),
          op.getOffsets(),
          op.getLo(),
          op.getHi(),
          op.getBoundary(),
          std::nullopt};
}

/// The last dimension whose neighbours are neighbours in memory and whose
/// positions are the offset plus the element's index.
std::optional<unsigned> contiguousDim(Box box);

/// Bytes that divide the address of any element whose index along the
/// contiguous dimension `dim` is a multiple of that many bytes.
uint64_t addressAlignment(Box box, unsigned dim, unsigned elementBytes);

/// The same, and runs of that many bytes are inside the bounds and the box's
/// extent as a whole or not at all.
uint64_t runAlignment(Box box, unsigned dim, int64_t extent,
                      unsigned elementBytes);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_BOXALIGNMENT_H
