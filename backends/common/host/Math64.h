//===- Math64.h - Functions on double by number -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library's functions on double, for targets whose code runs on the host:
// they share one table, so that they give the same bits. Needs no LLVM.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_HOST_MATH64_H
#define TILEWRIGHT_BACKENDS_COMMON_HOST_MATH64_H

#include <cstdint>

namespace tilewright::host {

/// The function with a number of math::MathFunction; `b` is the second operand
/// of those that take two. NaN for a number that is not known.
double evaluateMath64(uint32_t function, double a, double b);

} // namespace tilewright::host

#endif // TILEWRIGHT_BACKENDS_COMMON_HOST_MATH64_H
