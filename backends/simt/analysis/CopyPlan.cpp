//===- CopyPlan.cpp - Copies of boxes to shared memory --------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes follow the contiguous dimension, so that a warp reads whole segments.
//===----------------------------------------------------------------------===//
#include "backends/simt/analysis/CopyPlan.h"

#include "backends/simt/layout/TensorLayouts.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;

static constexpr unsigned kPieceBytes = 16, kBankBytes = 128;

/// Dimensions, the fastest first.
static std::vector<unsigned> orderOf(size_t rank, unsigned contiguous) {
  std::vector<unsigned> order = {contiguous};
  for (unsigned dim = rank; dim-- > 0;)
    if (dim != contiguous)
      order.push_back(dim);
  return order;
}

LinearLayout simt::bufferLayout(ArrayRef<int64_t> shape, unsigned contiguous,
                                unsigned elementBytes) {
  uint64_t rowBytes = llvm::PowerOf2Ceil(shape[contiguous]) * elementBytes;
  Swizzle swizzle;
  if (rowBytes > kPieceBytes && elementBytes <= kPieceBytes) {
    uint64_t banked = std::min<uint64_t>(rowBytes, kBankBytes);
    swizzle.vector = kPieceBytes / elementBytes;
    swizzle.perPhase = kBankBytes / banked;
    swizzle.phases = banked / kPieceBytes;
  }
  return sharedLayout(TensorShape(shape.begin(), shape.end()),
                      orderOf(shape.size(), contiguous), swizzle);
}

std::optional<CopyPlan> simt::planCopy(const Box &box, ArrayRef<int64_t> shape,
                                       unsigned elementBytes, unsigned laneBits,
                                       unsigned warpBits) {
  std::optional<unsigned> dim = contiguousDim(box);
  if (!dim)
    return std::nullopt;
  CopyPlan plan;
  plan.bytes = std::min<uint64_t>(
      {runAlignment(box, *dim, shape[*dim], elementBytes),
       llvm::PowerOf2Ceil(shape[*dim]) * elementBytes, kPieceBytes});
  if (plan.bytes < 4 || plan.bytes < elementBytes)
    return std::nullopt;
  TensorShape extents(shape.begin(), shape.end());
  plan.threads =
      blockedLayout(extents, chooseBlockedTile(extents, laneBits, warpBits,
                                               plan.bytes / elementBytes,
                                               orderOf(shape.size(), *dim)));
  return plan;
}
