//===- GF2.h - Vectors over GF(2) in machine words --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gaussian elimination on vectors of up to 64 bits.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_LAYOUT_GF2_H
#define TILEWRIGHT_BACKENDS_SIMT_LAYOUT_GF2_H

#include <cstdint>
#include <optional>
#include <vector>

namespace tilewright::simt {

/// Position of the lowest set bit of a word that is not 0.
unsigned lowestBit(uint64_t word);
/// Position of the highest set bit of a word that is not 0.
unsigned highestBit(uint64_t word);
/// Number of set bits.
unsigned countBits(uint64_t word);
/// The smallest b with `value <= 2^b`.
unsigned ceilLog2(uint64_t value);

/// A growing set of independent vectors, each remembered as a combination of
/// the vectors that were inserted.
class GF2Basis {
public:
  /// Adds vector number `index`; false if it depends on the earlier ones, of
  /// which `dependency` is then the combination (with itself) that is zero.
  bool insert(uint64_t vector, unsigned index, uint64_t *dependency = nullptr);
  /// The combination of inserted vectors that equals `vector`, if any.
  std::optional<uint64_t> solve(uint64_t vector) const;
  bool contains(uint64_t vector) const { return solve(vector).has_value(); }
  /// What is left of the vector: 0 in every pivot position.
  uint64_t reduce(uint64_t vector) const;
  /// The positions that `reduce` clears.
  uint64_t pivots() const { return pivotMask; }
  unsigned rank() const { return rows.size(); }

private:
  struct Row {
    uint64_t vector;
    uint64_t combination;
    unsigned pivot;
  };
  std::vector<Row> rows; // each is 0 at the pivots of all others
  uint64_t pivotMask = 0;
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_LAYOUT_GF2_H
