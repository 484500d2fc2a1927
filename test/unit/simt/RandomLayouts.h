//===- RandomLayouts.h - Layouts for property tests -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seeded random layouts of ranks 1 to 5, and maps as plain tables of elements.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEST_UNIT_SIMT_RANDOMLAYOUTS_H
#define TILEWRIGHT_TEST_UNIT_SIMT_RANDOMLAYOUTS_H

#include "backends/simt/layout/LinearLayout.h"

#include <random>

namespace tilewright::simt::test {

/// A layout as the list of all its packed outputs.
using Table = std::vector<uint64_t>;

Table tableOf(const LinearLayout &layout);

class LayoutGenerator {
public:
  explicit LayoutGenerator(unsigned seed) : engine(seed) {}

  unsigned below(unsigned limit) { return engine() % limit; }
  /// `count` dimensions named `prefix`0.. whose bits sum to at most `maxBits`.
  LayoutDims dims(const std::string &prefix, unsigned count, unsigned maxBits);
  /// Any linear map between the dimensions: zero and equal columns included.
  LinearLayout any(const LayoutDims &ins, const LayoutDims &outs);
  /// A one-to-one map onto the outputs; the inputs have as many bits.
  LinearLayout invertible(const LayoutDims &ins, const LayoutDims &outs);
  /// A layout (warp, lane, register) that holds every element of a tensor of
  /// random rank, some of them more than once.
  LinearLayout tensor(unsigned rank, unsigned maxBits);
  /// The same for given tensor dimensions, with at least these bits of warps
  /// and lanes.
  LinearLayout covering(const LayoutDims &outs, unsigned warpBits,
                        unsigned laneBits, unsigned extraRegisterBits);

private:
  std::mt19937 engine;
};

} // namespace tilewright::simt::test

#endif // TILEWRIGHT_TEST_UNIT_SIMT_RANDOMLAYOUTS_H
