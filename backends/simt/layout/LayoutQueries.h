//===- LayoutQueries.h - What a layout costs --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector widths, coalescing, bank conflicts and replication, computed from the
// algebra: an access of a warp is a linear image, so ranks count what it meets.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_LAYOUT_LAYOUTQUERIES_H
#define TILEWRIGHT_BACKENDS_SIMT_LAYOUT_LAYOUTQUERIES_H

#include "backends/simt/layout/LinearLayout.h"

namespace tilewright::simt {

/// How many inputs hold each element that is held at all.
uint64_t replication(const LinearLayout &layout);

/// The register bits that step through consecutive indices 1, 2, 4, ... of an
/// output, such that the other inputs never touch those low bits: registers
/// that differ in them form aligned runs of `2^result.size()` elements.
std::vector<unsigned> contiguousRegisterBits(const LinearLayout &layout,
                                             const std::string &output);

/// A memory access split into vectors.
struct VectorAccess {
  std::vector<unsigned> registerBits; ///< of one vector, the lowest first
  unsigned elements() const { return 1u << registerBits.size(); }
};

/// The widest vectors along `output` (whose elements are consecutive in
/// memory): bounded by the layout, by `maxBytes`, and by the alignment of each
/// run, in bytes, that the caller can prove.
VectorAccess vectorAccess(const LinearLayout &layout, const std::string &output,
                          unsigned elementBytes, uint64_t alignmentBytes,
                          unsigned maxBytes = 16);

/// Memory segments that one access of a warp meets.
struct Coalescing {
  uint64_t segments; ///< distinct segments met
  uint64_t ideal;    ///< the fewest that hold as many distinct bytes
};

/// Counts the segments of one vector access by all lanes, `output` being
/// consecutive in memory and other dimensions lying in other segments.
Coalescing coalescing(const LinearLayout &layout, const std::string &output,
                      unsigned elementBytes, const VectorAccess &access,
                      unsigned segmentBytes = 32);

/// A shared memory's banks; all powers of two.
struct Banks {
  unsigned count = 32;
  unsigned bytes = 4;
};

/// How often the banks must be visited by one access of a warp.
struct BankConflicts {
  uint64_t wavefronts; ///< passes over the banks
  uint64_t ideal;      ///< passes without any conflict
};

/// Counts the passes of one access by all lanes: `offsets` maps (warp, lane,
/// register) to the element's offset in the buffer, and `vectorBits` are the
/// register bits of one vector. Equal words are broadcast. Lanes whose vectors
/// together exceed the banks go in separate passes, low lanes first.
BankConflicts bankConflicts(const LinearLayout &offsets, unsigned elementBytes,
                            const std::vector<unsigned> &vectorBits,
                            const Banks &banks = {});

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_LAYOUT_LAYOUTQUERIES_H
