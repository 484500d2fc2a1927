//===- Comparison.h - Comparing arrays of two targets -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits, or a tolerance that knows the element type; always with the distances
// in units in the last place and with the pattern of NaNs and infinities.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_COMPARISON_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_COMPARISON_H

#include "frontend/driver/tool/arrays/Array.h"
#include "frontend/driver/tool/verify/Verdict.h"

namespace tilewright::tool::verify {

/// When two floats count as the same. An element agrees when any one holds:
/// its distance is at most `ulp` units in the last place; the difference is at
/// most `scale` epsilons of the upper quartile of the expected magnitudes,
/// which is what cancellation leaves of sums; or at most `absolute + relative *
/// |expected|`. NaN agrees with NaN, an infinity with the same one.
struct Tolerance {
  bool isBits = false;   ///< nothing but equal bits (of a NaN: any NaN)
  bool isDefault = true; ///< nobody chose the numbers
  double ulp = 4;
  double scale = 32;
  double relative = 0;
  double absolute = 0;

  std::string text() const;
  /// The default is smaller for types of few digits: 4 units of an fp8e5 are a
  /// factor of 2. Arithmetic happens in fp32, so that one unit is what rounding
  /// leaves there. What was chosen holds for every type.
  Tolerance forType(uint32_t dtype) const;
};

/// "bits" or a list "ulp=2,relative=1e-3"; what is not named is 0. Throws
/// Failure.
Tolerance parseTolerance(const std::string &text);

/// Distance in representable numbers; both must be finite. Zeros are one.
uint64_t ulpDistance(uint32_t dtype, uint64_t a, uint64_t b);

/// Compares arrays of one type and shape. Integers always compare by bits.
/// `initial`, where known, is what the array held before the launch.
Comparison compareArrays(const std::string &name, const Array &got,
                         const Array &expected, const Tolerance &tolerance,
                         const Array *initial = nullptr);

} // namespace tilewright::tool::verify

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_COMPARISON_H
