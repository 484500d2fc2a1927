//===- LayoutQueries.cpp - What a layout costs ----------------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting by ranks: the distinct values of a linear map on 2^n inputs are
// 2^rank, each met equally often.
//===----------------------------------------------------------------------===//
#include "backends/simt/layout/LayoutQueries.h"

#include "backends/simt/layout/GF2.h"

#include <algorithm>

using namespace tilewright::simt;

static unsigned rankOf(const std::vector<uint64_t> &vectors) {
  GF2Basis basis;
  for (size_t i = 0; i < vectors.size(); ++i)
    basis.insert(vectors[i], i);
  return basis.rank();
}

uint64_t tilewright::simt::replication(const LinearLayout &layout) {
  return uint64_t(1) << (layout.inputBits() - layout.rank());
}

/// The register bit whose basis is exactly `column`, or -1.
static int registerBitOf(const LinearLayout &layout, uint64_t column) {
  for (unsigned bit = 0; bit < layout.inputBits(registerDim); ++bit)
    if (layout.basis(registerDim, bit) == column)
      return bit;
  return -1;
}

std::vector<unsigned>
tilewright::simt::contiguousRegisterBits(const LinearLayout &layout,
                                         const std::string &output) {
  std::vector<unsigned> bits;
  for (unsigned k = 0; k < layout.outputBits(output); ++k) {
    uint64_t step = uint64_t(1) << (layout.outputShift(output) + k);
    int found = registerBitOf(layout, step);
    auto touches = [&](uint64_t column) { return (column & step) != 0; };
    bool alone = std::count_if(layout.columns().begin(), layout.columns().end(),
                               touches) == 1;
    if (found < 0 || !alone)
      break;
    bits.push_back(found);
  }
  return bits;
}

VectorAccess tilewright::simt::vectorAccess(const LinearLayout &layout,
                                            const std::string &output,
                                            unsigned elementBytes,
                                            uint64_t alignmentBytes,
                                            unsigned maxBytes) {
  VectorAccess access{contiguousRegisterBits(layout, output)};
  uint64_t limit = std::min<uint64_t>(alignmentBytes, maxBytes);
  while (!access.registerBits.empty() &&
         uint64_t(access.elements()) * elementBytes > limit)
    access.registerBits.pop_back();
  return access;
}

Coalescing tilewright::simt::coalescing(const LinearLayout &layout,
                                        const std::string &output,
                                        unsigned elementBytes,
                                        const VectorAccess &access,
                                        unsigned segmentBytes) {
  // Bits of the element's address inside a segment do not tell segments apart.
  unsigned inside = 0;
  while ((uint64_t(elementBytes) << (inside + 1)) <= segmentBytes)
    ++inside;
  inside = std::min(inside, layout.outputBits(output));
  uint64_t low = ((uint64_t(1) << inside) - 1) << layout.outputShift(output);
  std::vector<uint64_t> elements, segments;
  auto add = [&](uint64_t column) {
    elements.push_back(column);
    segments.push_back(column & ~low);
  };
  for (unsigned bit = 0; bit < layout.inputBits(laneDim); ++bit)
    add(layout.basis(laneDim, bit));
  for (unsigned bit : access.registerBits)
    add(layout.basis(registerDim, bit));
  uint64_t bytes = (uint64_t(1) << rankOf(elements)) * elementBytes;
  uint64_t spread = std::max<uint64_t>(elementBytes / segmentBytes, 1);
  return {(uint64_t(1) << rankOf(segments)) * spread,
          std::max<uint64_t>((bytes + segmentBytes - 1) / segmentBytes, 1)};
}

BankConflicts tilewright::simt::bankConflicts(
    const LinearLayout &offsets, unsigned elementBytes,
    const std::vector<unsigned> &vectorBits, const Banks &banks) {
  // Byte addresses; an element wider than a bank takes several words.
  unsigned byteShift = ceilLog2(elementBytes);
  unsigned wordShift = ceilLog2(banks.bytes);
  std::vector<uint64_t> vector;
  for (unsigned bit = 0; bit < byteShift; ++bit)
    vector.push_back(uint64_t(1) << bit);
  for (unsigned bit : vectorBits)
    vector.push_back(offsets.basis(registerDim, bit) << byteShift);
  uint64_t vectorBytes = uint64_t(elementBytes) << vectorBits.size();
  uint64_t allBytes = uint64_t(banks.count) * banks.bytes;
  unsigned laneBits = offsets.inputBits(laneDim);
  unsigned together = laneBits;
  while (together > 0 && vectorBytes > banks.bytes &&
         (vectorBytes << together) > allBytes)
    --together;
  std::vector<uint64_t> words, hits;
  auto add = [&](uint64_t byteAddress) {
    words.push_back(byteAddress >> wordShift);
    hits.push_back(byteAddress >> wordShift & (banks.count - 1));
  };
  for (uint64_t address : vector)
    add(address);
  for (unsigned bit = 0; bit < together; ++bit)
    add(offsets.basis(laneDim, bit) << byteShift);
  unsigned wordRank = rankOf(words);
  uint64_t passes = uint64_t(1) << (laneBits - together);
  uint64_t distinct = uint64_t(1) << wordRank;
  uint64_t ideal = std::max<uint64_t>(distinct / banks.count, 1);
  return {passes << (wordRank - rankOf(hits)), passes * ideal};
}
