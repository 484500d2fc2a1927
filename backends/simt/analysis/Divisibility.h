//===- Divisibility.h - Powers of two that divide integers ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What facts about arguments and arithmetic prove about scalars, for vector
// widths and alignments.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_DIVISIBILITY_H
#define TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_DIVISIBILITY_H

#include "mlir/IR/Value.h"

#include <cstdint>

namespace tilewright::simt {

/// What 0 counts as.
inline constexpr uint64_t kMostDivisible = uint64_t(1) << 32;

/// The largest power of two that provably divides an integer, or a pointer's
/// address in bytes.
uint64_t divisibilityOf(mlir::Value value);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_DIVISIBILITY_H
