//===- sweep.cpp - Exhaustive and spread tests of the maths -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the largest error of every function, and fails if one is beyond its
// limit, if a cast is not exactly rounded or an integer result is wrong.
// `math-sweep time` measures throughput instead; `math-sweep dense [stride]`
// tests the unary functions on every stride-th f32 (exhaustively, some
// minutes); `math-sweep double` the functions on f64 alone.
//
//===----------------------------------------------------------------------===//

#include "test/unit/math/Jit.h"

#include <cstdio>
#include <cstdlib>

using namespace tilewright::math::test;

static const std::string kPasses =
    "math-expand-functions,math-expand-float-conversions";
/// For a processor without fma, rounding and f16 instructions.
static const std::string kBaselinePasses =
    "math-expand-functions{has-fma=false has-rounding=false},"
    "math-expand-float-conversions{native-f16=false}";
/// exp through exp2, which a second run expands in place of the hardware.
static const std::string kExp2Passes =
    "math-expand-functions{native-exp2=true}," + kPasses;

static const std::string kBranchingPasses =
    "math-expand-functions{has-branches=true},math-expand-float-conversions";

int main(int argc, char **argv) {
  std::string command = argc > 1 ? argv[1] : "";
  if (command == "time") {
    measureThroughput(kPasses);
    std::printf("\nwith branches\n");
    measureThroughput(kBranchingPasses);
    measureConversions();
    measureIntegers();
    measureMinMax();
    return failureCount() != 0;
  }
  if (command == "dense") {
    sweepDensely(kPasses, argc > 2 ? std::atoi(argv[2]) : 1);
    return failureCount() != 0;
  }
  sweepDoubles(kPasses);
  if (command == "double")
    return failureCount() != 0;
  sweepFunctions("accurate", kPasses);
  sweepFunctions("accurate, with branches", kBranchingPasses);
  sweepFunctions("accurate, exp through exp2", kExp2Passes);
#if defined(__x86_64__)
  sweepFunctions("accurate, x86-64 without extensions", kBaselinePasses,
                 "x86-64");
  checkFma(kBaselinePasses, "x86-64");
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    sweepFunctions("accurate, x86-64-v3", kPasses, "x86-64-v3");
#endif
  sweepConversions();
  checkIntegers();
  checkMinMax();
  checkPatterns();
  std::printf("%u failures\n", failureCount());
  return failureCount() ? 1 : 0;
}
