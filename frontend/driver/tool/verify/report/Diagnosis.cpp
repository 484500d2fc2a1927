//===- Diagnosis.cpp - What a difference looks like -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rule a pattern, over what the comparison counted.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/verify/report/Diagnosis.h"
#include "frontend/driver/tool/arrays/Array.h"

namespace tilewright::tool::verify {

namespace {
struct Rule {
  bool (*holds)(const Row &, const Comparison &);
  const char *cause;
};
} // namespace

/// Elements further apart than `ulpBuckets()[bucket]`, with NaN and infinity.
static int64_t beyond(const Comparison &comparison, size_t bucket) {
  int64_t count = 0;
  for (size_t i = bucket + 1; i < comparison.histogram.size(); ++i)
    count += comparison.histogram[i];
  return count;
}

static bool hasFloats(const Comparison &comparison) {
  return isFloat(parseDType(comparison.dtype));
}

static constexpr Rule rules[] = {
    {[](const Row &, const Comparison &c) {
       return c.nanOnlyHere + c.nanOnlyExpected > 0 &&
              c.nanOnlyHere + c.nanOnlyExpected == c.outside;
     },
     "another rule for NaN: only elements differ that are NaN on one side "
     "(max and min ignore NaN; a load outside its mask brings one in)"},
    {[](const Row &, const Comparison &c) {
       return c.flushedHere > 0 && c.flushedHere == c.outside;
     },
     "subnormal numbers are flushed to zero: every element that differs is 0 "
     "here and subnormal in the reference"},
    {[](const Row &, const Comparison &c) {
       return c.otherZero > 0 && c.otherZero == c.outside;
     },
     "the sign of zero: every element that differs is the other zero"},
    {[](const Row &, const Comparison &c) {
       return c.infiniteOnlyHere + c.infiniteOnlyExpected > 0 &&
              c.infiniteOnlyHere + c.infiniteOnlyExpected == c.outside;
     },
     "overflow: only elements differ that are infinite on one side "
     "(saturation, or an intermediate result of a wider type)"},
    {[](const Row &, const Comparison &c) {
       return c.unwritten > 0 && c.unwritten == c.outside;
     },
     "stores that do not happen: every element that differs still holds its "
     "initial value (a mask, a program or a lane was lost)"},
    {[](const Row &row, const Comparison &c) {
       return hasFloats(c) && row.math == "portable" && beyond(c, 2) == 0;
     },
     "rounding in portable mode: nothing differs by more than 2 units in the "
     "last place (an approximated division or function, a contracted product "
     "and sum)"},
    {[](const Row &row, const Comparison &c) {
       return hasFloats(c) && row.math == "portable" && beyond(c, 5) == 0;
     },
     "order in portable mode: small differences of many sizes (a sum folded in "
     "another order than upper half onto lower)"},
    {[](const Row &, const Comparison &c) {
       return c.saturated > 0 && c.saturated == c.outside;
     },
     "a conversion from float that wraps: every element that differs is the "
     "end "
     "of the type's range in the reference (conversions saturate, NaN gives "
     "0)"},
    {[](const Row &, const Comparison &c) {
       return !hasFloats(c) && c.offByOne > 0 && c.offByOne == c.outside;
     },
     "rounding of integers: every element that differs is off by one (division "
     "truncates, a conversion from float, too)"},
    {[](const Row &, const Comparison &c) { return c.outside == c.elements; },
     "every element differs: look at the types, the order of operands, the "
     "extent of a reduction"},
};

std::vector<std::string> likelyCauses(const Row &row, const Cell &cell) {
  std::vector<std::string> causes;
  auto add = [&](const std::string &cause) {
    for (const std::string &known : causes)
      if (known == cause)
        return;
    causes.push_back(cause);
  };
  for (const StrayWrite &stray : cell.strays)
    add(stray.place == "into the input"
            ? "a store to '" + stray.array +
                  "', which the kernel only reads: a wrong address"
            : "a store whose mask or bound was dropped: it went " +
                  stray.place + " '" + stray.array + "'");
  for (const Comparison &comparison : cell.comparisons)
    if (!comparison.isEqual)
      for (const Rule &rule : rules)
        if (rule.holds(row, comparison)) {
          add(rule.cause);
          break;
        }
  return causes;
}

} // namespace tilewright::tool::verify
