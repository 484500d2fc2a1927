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

/// The largest size that divides all of `bytes`; 0 if there is none.
static unsigned largestSize(unsigned sizes, uint64_t bytes) {
  return bytes ? llvm::bit_floor(sizes & ((bytes & -bytes) * 2 - 1)) : 0;
}

/// Threads as the buffer's bytes count: registers of one piece, lanes, warps,
/// pieces. What is swizzled in the buffer is read from swizzled places.
static LinearLayout consecutiveThreads(const LinearLayout &buffer,
                                       unsigned pieceBits, unsigned laneBits,
                                       unsigned warpBits) {
  auto threads = buffer.columns().begin() + pieceBits;
  auto pieces = threads + laneBits + warpBits;
  std::vector<uint64_t> columns(buffer.columns().begin(), threads);
  columns.insert(columns.end(), pieces, buffer.columns().end());
  columns.insert(columns.end(), threads, pieces);
  return LinearLayout({{warpDim, warpBits},
                       {laneDim, laneBits},
                       {registerDim, buffer.inputBits() - laneBits - warpBits}},
                      buffer.outputs(), columns);
}

std::optional<CopyPlan> simt::planCopy(const Box &box, ArrayRef<int64_t> shape,
                                       unsigned elementBytes, unsigned laneBits,
                                       unsigned warpBits,
                                       const CopyRules &rules) {
  std::optional<unsigned> dim = contiguousDim(box);
  if (!dim)
    return std::nullopt;
  uint64_t rowBytes = llvm::PowerOf2Ceil(shape[*dim]) * elementBytes;
  CopyPlan plan;
  plan.bytes = largestSize(
      rules.sizes,
      std::min<uint64_t>({runAlignment(box, *dim, shape[*dim], elementBytes),
                          rowBytes, kPieceBytes}));
  if (plan.bytes == 0 || plan.bytes < elementBytes)
    return std::nullopt;
  unsigned elements = plan.bytes / elementBytes;
  TensorShape extents(shape.begin(), shape.end());
  if (!rules.areConsecutive) {
    plan.threads = blockedLayout(
        extents, chooseBlockedTile(extents, laneBits, warpBits, elements,
                                   orderOf(shape.size(), *dim)));
    return plan;
  }
  LinearLayout buffer = bufferLayout(shape, *dim, elementBytes);
  unsigned pieceBits = llvm::Log2_32(elements);
  if (buffer.inputBits() < pieceBits + laneBits + warpBits)
    return std::nullopt;
  plan.threads = consecutiveThreads(buffer, pieceBits, laneBits, warpBits);
  return plan;
}
