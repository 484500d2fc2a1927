//===- RandomLayouts.cpp - Layouts for property tests ---------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random matrices; those that must be onto start from a permuted identity and
// are mixed by elementary column operations, which keep the rank.
//===----------------------------------------------------------------------===//
#include "RandomLayouts.h"

#include <algorithm>

namespace tilewright::simt::test {

Table tableOf(const LinearLayout &layout) {
  Table table(uint64_t(1) << layout.inputBits());
  for (uint64_t x = 0; x < table.size(); ++x)
    table[x] = layout.apply(x);
  return table;
}

LayoutDims LayoutGenerator::dims(const std::string &prefix, unsigned count,
                                 unsigned maxBits) {
  LayoutDims result;
  for (unsigned d = 0; d < count; ++d)
    result.push_back({prefix + std::to_string(d), 0});
  for (unsigned bit = below(maxBits + 1); count && bit > 0; --bit)
    ++result[below(count)].bits;
  return result;
}

LinearLayout LayoutGenerator::any(const LayoutDims &ins,
                                  const LayoutDims &outs) {
  std::vector<uint64_t> columns(totalBits(ins));
  uint64_t limit = uint64_t(1) << totalBits(outs);
  for (size_t i = 0; i < columns.size(); ++i) {
    bool repeat = i > 0 && below(8) == 0;
    columns[i] = repeat ? columns[below(i)] : engine() % limit;
  }
  return LinearLayout(ins, outs, columns);
}

LinearLayout LayoutGenerator::invertible(const LayoutDims &ins,
                                         const LayoutDims &outs) {
  unsigned bits = totalBits(outs);
  std::vector<uint64_t> columns(bits);
  for (unsigned i = 0; i < bits; ++i)
    columns[i] = uint64_t(1) << i;
  std::shuffle(columns.begin(), columns.end(), engine);
  for (unsigned step = below(2) ? 2 * bits : 0; step > 0 && bits > 1; --step) {
    unsigned to = below(bits), from = below(bits);
    if (to != from)
      columns[to] ^= columns[from];
  }
  return LinearLayout(ins, outs, columns);
}

LinearLayout LayoutGenerator::covering(const LayoutDims &outs,
                                       unsigned warpBits, unsigned laneBits,
                                       unsigned extraRegisterBits) {
  unsigned bits = totalBits(outs);
  unsigned threadBits = warpBits + laneBits;
  unsigned extra = extraRegisterBits;
  // Some thread bits hold copies: all must where the tensor is too small.
  extra += below(threadBits + 1);
  unsigned copies = std::max(extra, threadBits > bits ? threadBits - bits : 0);
  unsigned held = bits + copies;
  unsigned registerBits = held > threadBits ? held - threadBits : 0;
  unsigned total = threadBits + registerBits;
  std::vector<uint64_t> columns = invertible({{"all", bits}}, outs).columns();
  for (unsigned i = bits; i < total; ++i) {
    bool zero = bits == 0 || below(3) != 0;
    columns.push_back(zero ? 0 : engine() % (uint64_t(1) << bits));
  }
  std::shuffle(columns.begin(), columns.end(), engine);
  return LinearLayout(
      {{warpDim, warpBits}, {laneDim, laneBits}, {registerDim, registerBits}},
      outs, columns);
}

LinearLayout LayoutGenerator::tensor(unsigned rank, unsigned maxBits) {
  return covering(dims("dim", rank, maxBits), below(4), below(6), below(2));
}

} // namespace tilewright::simt::test
