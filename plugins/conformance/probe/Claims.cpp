//===- Claims.cpp - Rule TWB-603 --------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every claimed op against its own definition on the same device, on inputs at
// the edges, with the bound that the claim states: in units of the last place
// of each result.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/probe/Probe.h"

#include <algorithm>
#include <cmath>

namespace tilewright::conformance {

/// The unit of the last place of a number.
static double unitAt(double value, uint32_t dtype) {
  struct Format {
    int digits, lowest; // of the fraction; exponent of normal numbers
  };
  Format format = dtype == TW_DTYPE_F16    ? Format{10, -14}
                  : dtype == TW_DTYPE_BF16 ? Format{7, -126}
                  : dtype == TW_DTYPE_F64  ? Format{52, -1022}
                                           : Format{23, -126};
  int exponent = value == 0 ? format.lowest : std::ilogb(value);
  return std::ldexp(1.0, std::max(exponent, format.lowest) - format.digits);
}

/// The largest difference in units; infinite where one is not finite and the
/// other differs.
static double largestDifference(const std::string &got,
                                const std::string &wanted, uint32_t dtype) {
  double largest = 0;
  for (uint64_t i = 0; i < wanted.size() / tw_dtype_bytes(dtype); ++i) {
    double a = realAt(got, dtype, i), b = realAt(wanted, dtype, i);
    if (a == b || (std::isnan(a) && std::isnan(b)))
      continue;
    bool isFinite = std::isfinite(a) && std::isfinite(b);
    largest = std::max(largest, isFinite ? std::abs(a - b) / unitAt(b, dtype)
                                         : INFINITY);
  }
  return largest;
}

static std::vector<Launch::Array> runCase(Session &session, const Case &given) {
  Launch launch(session, given);
  int32_t status = launch.run(session.stream(), nullptr, &given.grid);
  expect(status == TW_OK,
         "launch of '" + given.name + "' returned " + std::to_string(status));
  launch.finish(session.stream());
  return launch.arrays;
}

/// The difference of a claim, as "sigmoid-fp32 by acme: 3 units".
static std::string examineClaim(Session &session, const ClaimCase &claim) {
  double bound = claim.numerics == "exact"  ? 0
                 : claim.numerics == "fast" ? INFINITY
                                            : std::stod(claim.numerics);
  auto own = runCase(session, claim.own), taken = runCase(session, claim.taken);
  expect(own.size() == taken.size(),
         "'" + claim.taken.name + "' takes other arguments");
  double largest = 0;
  for (size_t i = 0; i < own.size(); ++i)
    if (own[i].isOutput)
      largest =
          std::max(largest, largestDifference(taken[i].content(),
                                              own[i].content(), own[i].dtype));
  // A fast claim may be far off, but not turn numbers into none.
  bool isGood = std::isinf(bound) ? !std::isinf(largest) : largest <= bound;
  std::string text = "'" + claim.taken.name + "': " + std::to_string(largest) +
                     " units of the last place";
  expect(isGood,
         text + " from the op's own definition, claimed: " + claim.numerics);
  return text;
}

const std::vector<CheckEntry> claimChecks = {
    {603,
     [](Session &session) {
       session.stream();
       std::string text, left;
       for (const ClaimCase &claim : session.settings.claims)
         if (claim.refusal.empty())
           text += (text.empty() ? "" : "; ") + examineClaim(session, claim);
         else
           left += "; not " + claim.own.name + ": " + claim.refusal;
       if (text.empty())
         throw Skipped("it claims no op that the kit has a kernel for" + left);
       return text + left;
     }},
};

} // namespace tilewright::conformance
