//===- LayoutRule.cpp - Layouts in words ----------------------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits that step together are one shifted field.
//===----------------------------------------------------------------------===//
#include "backends/simt/layout/GF2.h"
#include "backends/simt/report/MappingReport.h"

using namespace tilewright::simt;

/// `lane[0:4] << 2`, or with a minus where the field moves down.
static std::string field(const std::string &input, unsigned bit,
                         unsigned length, uint64_t first) {
  std::string text = input + "[" + std::to_string(bit);
  if (length > 1)
    text += ":" + std::to_string(bit + length - 1);
  text += "]";
  if (first != 1)
    text += (first & (first - 1)) ? " * " + std::to_string(first)
                                  : " << " + std::to_string(lowestBit(first));
  return text;
}

std::string tilewright::simt::layoutRule(const LinearLayout &layout,
                                         const std::string &output) {
  unsigned shift = layout.outputShift(output);
  uint64_t mask = layout.outputMask(output);
  std::string text;
  for (const LayoutDim &input : layout.inputs()) {
    auto column = [&](unsigned bit) {
      return (layout.basis(input.name, bit) & mask) >> shift;
    };
    for (unsigned bit = 0; bit < input.bits;) {
      uint64_t first = column(bit);
      unsigned length = 1;
      if (first && !(first & (first - 1)))
        while (bit + length < input.bits &&
               column(bit + length) == first << length)
          ++length;
      if (first)
        text +=
            (text.empty() ? "" : " ^ ") + field(input.name, bit, length, first);
      bit += length;
    }
  }
  return output + " = " + (text.empty() ? "0" : text);
}
