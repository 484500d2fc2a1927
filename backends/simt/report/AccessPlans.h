//===- AccessPlans.h - Instructions of accesses to memory -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a load or store of a box is cut into vectors, decided from the layout,
// the view and facts alone, and what it makes of the memory's sectors.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_REPORT_ACCESSPLANS_H
#define TILEWRIGHT_BACKENDS_SIMT_REPORT_ACCESSPLANS_H

#include "backends/simt/layout/LayoutQueries.h"
#include "dialects/kernel/KernelOps.h"

namespace tilewright::simt {

/// Why an instruction is not as wide as the target's widest.
enum class VectorLimit {
  None,
  Registers, ///< the layout gives a thread no longer run
  Alignment, ///< base, offsets or strides are not known to be divisible
  Bounds,    ///< bounds or an extent may cut a longer run
  Mask,      ///< each element has a condition of its own
  Stride,    ///< no dimension is known to be consecutive
  Addresses  ///< each element has an address of its own
};

/// In words for a user: "the base or a stride is not known to be divisible".
const char *describe(VectorLimit limit);

struct AccessPlan {
  VectorAccess vector; ///< of one instruction
  unsigned elementBytes = 1;
  VectorLimit limit = VectorLimit::None;
  unsigned bytes() const { return vector.elements() * elementBytes; }
};

/// The plan of an access to a tensor of this layout, which may be a part of the
/// tensor's own.
AccessPlan planOf(kernel::LoadOp op, const LinearLayout &layout,
                  unsigned maxVectorBytes);
AccessPlan planOf(kernel::StoreOp op, const LinearLayout &layout,
                  unsigned maxVectorBytes);
/// Gathers, scatters and atomics: one element an instruction.
AccessPlan planOfElements(mlir::Type element);

/// Sectors of memory that one instruction of a warp meets, if the base is
/// aligned to them. Strides that are known count; along a dimension of unknown
/// stride each index lies in sectors of its own.
Coalescing sectorsOf(kernel::LoadOp op, const LinearLayout &layout,
                     const AccessPlan &plan, unsigned sectorBytes = 32);
Coalescing sectorsOf(kernel::StoreOp op, const LinearLayout &layout,
                     const AccessPlan &plan, unsigned sectorBytes = 32);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_REPORT_ACCESSPLANS_H
