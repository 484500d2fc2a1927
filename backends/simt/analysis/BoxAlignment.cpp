//===- BoxAlignment.cpp - Aligned runs of boxes ---------------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is a minimum of powers of two.
//===----------------------------------------------------------------------===//
#include "backends/simt/analysis/BoxAlignment.h"

#include "backends/simt/analysis/Divisibility.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;

std::optional<unsigned> simt::contiguousDim(Box box) {
  for (unsigned dim = box.offsets.size(); dim-- > 0;)
    if (box.boundary[dim] != int32_t(kernel::BoundaryMode::Wrap) &&
        box.indexDim != dim &&
        matchPattern(box.view.getStrides()[dim], m_One()))
      return dim;
  return std::nullopt;
}

uint64_t simt::addressAlignment(Box box, unsigned dim, unsigned elementBytes) {
  uint64_t result = divisibilityOf(box.view.getBase());
  auto limit = [&](Value elements) {
    result = std::min(result, divisibilityOf(elements) * elementBytes);
  };
  if (Value offset = box.view.getOffset())
    limit(offset);
  for (unsigned d = 0; d < box.offsets.size(); ++d)
    limit(d == dim ? box.offsets[d] : box.view.getStrides()[d]);
  return result;
}

uint64_t simt::runAlignment(Box box, unsigned dim, int64_t extent,
                            unsigned elementBytes) {
  uint64_t result = addressAlignment(box, dim, elementBytes);
  if (box.boundary[dim] == int32_t(kernel::BoundaryMode::Checked))
    for (Value bound : {Value(box.lo[dim]), Value(box.hi[dim])})
      result = std::min(result, divisibilityOf(bound) * elementBytes);
  if (!llvm::isPowerOf2_64(extent))
    result = std::min<uint64_t>(result, (extent & -extent) * elementBytes);
  return result;
}
