//===- MovePlans.h - How values cross threads -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions, reductions, scans and gathers planned from layouts alone: what
// stays in registers, what goes from lane to lane, how much shared memory the
// rest takes. Allocation and emission read the same plan.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_MOVEPLANS_H
#define TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_MOVEPLANS_H

#include "backends/simt/layout/ExchangeLayout.h"

namespace tilewright::simt {

/// What decides about scratch memory besides layouts.
struct ScratchRules {
  unsigned threads = 128; ///< of one program
  bool hasShuffles = false;
  bool hasMatrixAtoms = false; ///< products that name one need no scratch
  Banks banks;                 ///< of shared memory
  /// Operations that need more go in rounds of at most this size.
  uint64_t limitBytes = 24 << 10;
};

/// A buffer of `2^bits` elements that is used `rounds` times: in round r for
/// the elements whose number, of more bits, has r above them.
struct BufferRounds {
  unsigned bits = 0;
  unsigned rounds = 1;
};

/// As many bits as fit the limit, one at least of `totalBits` bits.
BufferRounds splitRounds(unsigned totalBits, uint64_t elementBytes,
                         uint64_t limitBytes);

/// Bytes of consecutive buffers, each 16-byte aligned.
uint64_t bufferBytes(const std::vector<unsigned> &elementBytes,
                     uint64_t elements);

/// The packed number i * others + o of a layout's elements, where i has the
/// given bits of the axis: where reductions, scans and gathers put elements in
/// shared memory. The output is "offset".
LinearLayout axisFirstNumbers(const LinearLayout &layout, unsigned axis,
                              const std::vector<unsigned> &axisBits);

//===----------------------------------------------------------------------===//

/// One layout to another.
struct ConversionPlan {
  Move move;
  std::optional<Exchange> exchange; ///< through shared memory
  BufferRounds rounds;              ///< of the exchange
  uint64_t scratchBytes = 0;
};

ConversionPlan planConversion(const LinearLayout &from, const LinearLayout &to,
                              unsigned elementBytes, const ScratchRules &rules);

//===----------------------------------------------------------------------===//

/// One bit of the axis that is folded without shared memory.
struct Fold {
  unsigned axisBit;
  unsigned inputBit; ///< of the register or the lane
  bool isLane;
};

/// Elements along an axis to one.
///
/// Folded bits are cleared in `partials`: its elements are the lowest indices
/// of what was combined. In shared memory partial (i, o) lies at i * others +
/// o, where i has the bits of the axis that are left and o the other
/// dimensions.
struct ReductionPlan {
  LinearLayout distinct; ///< the operand's layout without copied registers
  std::vector<Fold> folds;
  LinearLayout partials;
  bool isThroughShared = false;
  /// Whether the number of partials is halved, rounded up, at each step: the
  /// stated order of an extent that is no power of two.
  bool isHalved = false;
  std::vector<unsigned> axisBits; ///< left, ascending
  /// A line that exceeds the limit goes in windows of equal low bits, which are
  /// folded last.
  unsigned windowBits = 0;
  unsigned otherBits = 0;
  BufferRounds rounds; ///< over o
  uint64_t scratchBytes = 0;
  /// Where results that need no shared memory come from: the result's
  /// (warp, lane, register) to those of `partials`.
  LinearLayout resultSource;
};

/// `result` is the result's layout; none for scalars.
ReductionPlan planReduction(const LinearLayout &operand, unsigned axis,
                            int64_t extent, bool isStated,
                            const std::optional<LinearLayout> &result,
                            const std::vector<unsigned> &elementBytes,
                            const ScratchRules &rules);

//===----------------------------------------------------------------------===//

/// Prefixes along an axis, in shared memory: element (i, o) lies at
/// i * others + o. Each line is cut into segments that threads scan one after
/// the other; the prefixes of segments are scanned by one thread a line.
struct ScanPlan {
  unsigned axisBits = 0, otherBits = 0;
  unsigned segmentBits = 0; ///< segments of a window
  BufferRounds otherRounds; ///< over o
  BufferRounds axisWindows; ///< over i, in order, with a carried prefix
  bool hasPrefixes() const { return segmentBits > 0 || axisWindows.rounds > 1; }
  uint64_t elements() const {
    return uint64_t(1) << (axisWindows.bits + otherRounds.bits);
  }
  uint64_t prefixes() const {
    return hasPrefixes() ? uint64_t(1) << (segmentBits + otherRounds.bits) : 0;
  }
  uint64_t carries() const {
    return axisWindows.rounds > 1 ? uint64_t(1) << otherRounds.bits : 0;
  }
  uint64_t scratchBytes = 0;
};

/// `isSerial`: one combination after the other, as the operation states.
ScanPlan planScan(const LinearLayout &operand, unsigned axis, bool isSerial,
                  const std::vector<unsigned> &elementBytes,
                  const ScratchRules &rules);

//===----------------------------------------------------------------------===//

/// A tensor in shared memory, element (i, o) at i * others + o, from which
/// every thread picks elements.
struct GatherPlan {
  unsigned axisBits = 0, otherBits = 0;
  BufferRounds rounds; ///< over both
  uint64_t scratchBytes = 0;
};

GatherPlan planGather(const LinearLayout &source, unsigned axis,
                      unsigned elementBytes, const ScratchRules &rules);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_MOVEPLANS_H
