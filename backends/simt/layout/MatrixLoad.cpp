//===- MatrixLoad.cpp - Fragments by rows of 16 bytes ---------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lane l of word w gets the bytes [4 (l % 4), + 4) of row l / 4 of matrix w.
// So the low 16 bytes of the offset must be moved by the bits inside a word and
// by the lowest two lane bits alone, and the other lane bits pick rows.
// Transposed, lane bits 2 to 4 move inside a row of 16-bit elements, and rows
// are picked by the word's one bit and by the lowest two lane bits.
//===----------------------------------------------------------------------===//
#include "backends/simt/layout/MatrixLoad.h"

#include "backends/simt/layout/GF2.h"

using namespace tilewright::simt;

static constexpr unsigned kLaneBits = 5, kWordBytes = 4;

/// Whether these columns are 1, 2, 4, .. and no other column touches their
/// bits.
static bool spanLowBits(const LinearLayout &offsets,
                        const std::vector<uint64_t> &low) {
  uint64_t mask = (uint64_t(1) << low.size()) - 1;
  for (unsigned i = 0; i < low.size(); ++i)
    if (low[i] != uint64_t(1) << i)
      return false;
  unsigned touching = 0;
  for (uint64_t column : offsets.columns())
    touching += (column & mask) != 0;
  return touching == low.size();
}

/// The register bit whose column is `offset`.
static std::optional<unsigned> registerBitOf(const LinearLayout &offsets,
                                             uint64_t offset) {
  for (unsigned bit = 0; bit < offsets.inputBits(registerDim); ++bit)
    if (offsets.basis(registerDim, bit) == offset)
      return bit;
  return std::nullopt;
}

/// Two register bits outside of words that move offsets.
static std::vector<unsigned> chooseMatrixBits(const LinearLayout &offsets,
                                              const std::vector<unsigned> &word,
                                              uint64_t preferred) {
  std::vector<unsigned> chosen;
  for (bool isPreferred : {true, false})
    for (unsigned bit = 0; bit < offsets.inputBits(registerDim); ++bit) {
      bool isWord = false;
      for (unsigned other : word)
        isWord |= other == bit;
      if (!isWord && chosen.size() < 2 && offsets.basis(registerDim, bit) &&
          (preferred >> bit & 1) == isPreferred)
        chosen.push_back(bit);
    }
  return chosen;
}

/// The row that each lane points to: three lane bits count rows, two count
/// matrices.
static LinearLayout addressLayout(const LinearLayout &offsets,
                                  const MatrixLoad &load,
                                  const std::vector<uint64_t> &rows) {
  unsigned registerBits = offsets.inputBits(registerDim);
  std::vector<uint64_t> columns;
  for (unsigned bit = 0; bit < registerBits; ++bit)
    columns.push_back(offsets.basis(registerDim, bit));
  for (const auto *bits : {&load.wordBits, &load.matrixBits})
    for (unsigned bit : *bits)
      columns[bit] = 0;
  columns.insert(columns.end(), rows.begin(), rows.end());
  for (unsigned i = 0; i < 2; ++i)
    columns.push_back(i < load.matrixBits.size()
                          ? offsets.basis(registerDim, load.matrixBits[i])
                          : 0);
  for (unsigned bit = 0; bit < offsets.inputBits(warpDim); ++bit)
    columns.push_back(offsets.basis(warpDim, bit));
  return LinearLayout({{warpDim, offsets.inputBits(warpDim)},
                       {laneDim, kLaneBits},
                       {registerDim, registerBits}},
                      offsets.outputs(), std::move(columns));
}

std::optional<MatrixLoad>
tilewright::simt::planMatrixLoad(const LinearLayout &offsets,
                                 unsigned elementBytes, uint64_t preferred) {
  if (offsets.inputBits(laneDim) != kLaneBits || elementBytes > kWordBytes)
    return std::nullopt;
  auto lane = [&](unsigned bit) { return offsets.basis(laneDim, bit); };
  MatrixLoad load;
  std::vector<uint64_t> low;
  std::vector<uint64_t> rows;
  unsigned wordBits = ceilLog2(kWordBytes / elementBytes);
  for (unsigned i = 0; i < wordBits; ++i)
    if (auto bit = registerBitOf(offsets, uint64_t(1) << i)) {
      load.wordBits.push_back(*bit);
      low.push_back(uint64_t(1) << i);
    }
  for (unsigned bit = 0; bit < 2; ++bit)
    low.push_back(lane(bit));
  rows = {lane(2), lane(3), lane(4)};
  bool isPlain = load.wordBits.size() == wordBits && spanLowBits(offsets, low);
  if (!isPlain) {
    if (elementBytes != 2)
      return std::nullopt;
    load.isTransposed = true;
    low.clear();
    for (unsigned bit = 2; bit < kLaneBits; ++bit)
      low.push_back(lane(bit));
    if (!spanLowBits(offsets, low) || offsets.inputBits(registerDim) == 0)
      return std::nullopt;
    // The atom's lowest register bit is the one inside a word.
    load.wordBits = {0};
    rows = {offsets.basis(registerDim, 0), lane(0), lane(1)};
  }
  load.matrixBits = chooseMatrixBits(offsets, load.wordBits, preferred);
  load.address = addressLayout(offsets, load, rows);
  return load;
}
