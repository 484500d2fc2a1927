//===- sweep.cpp - Exhaustive and spread tests of the maths library ---*- C++
//-*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the largest error of every function, and fails if one is beyond its
// limit, if a cast is not exactly rounded or an integer result is wrong.
// With an argument, also measures throughput.
//
//===----------------------------------------------------------------------===//

#include "test/unit/math/Jit.h"

#include <cstdio>

using namespace tilewright::math::test;

int main(int argc, char **argv) {
  sweepFunctions("math-expand-functions,math-expand-float-conversions",
                 "accurate");
  sweepConversions();
  checkIntegers();
  checkMinMax();
  if (argc > 1)
    measureThroughput("math-expand-functions,math-expand-float-conversions");
  std::printf("%u failures\n", failureCount());
  return failureCount() ? 1 : 0;
}
