//===- MatmulPlan.h - One matrix product ------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the two ways of multiplying matrices share.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_LOOPS_PRODUCTS_MATMULPLAN_H
#define TILEWRIGHT_BACKENDS_CPU_LOOPS_PRODUCTS_MATMULPLAN_H

#include "backends/cpu/loops/Emitter.h"

namespace tilewright::cpu {

/// Sizes, operands and blocking of one product.
struct MatmulPlan {
  Buffer lhs, rhs, result;
  Type element; ///< of operands and accumulators
  int64_t batches = 1, m = 1, n = 1, k = 1;
  unsigned width = 1;  ///< lanes of an accumulator
  int64_t rows = 1;    ///< MR
  int64_t vectors = 1; ///< NR / width
  bool isBatched = false;
  bool startsAtZero = false;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_LOOPS_PRODUCTS_MATMULPLAN_H
