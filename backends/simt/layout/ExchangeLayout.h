//===- ExchangeLayout.h - A buffer between two layouts ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a tensor moves from one layout to another: inside each thread, inside
// each warp, or through shared memory, and then in which order elements lie
// there so that both sides use vectors and meet few bank conflicts.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_LAYOUT_EXCHANGELAYOUT_H
#define TILEWRIGHT_BACKENDS_SIMT_LAYOUT_EXCHANGELAYOUT_H

#include "backends/simt/layout/LayoutQueries.h"

namespace tilewright::simt {

/// What elements have to cross.
enum class Crossing { Registers, Lanes, Warps };

/// Where a result's registers come from.
struct Move {
  Crossing crossing = Crossing::Registers;
  /// (warp, lane, register) of the result to those of the source.
  LinearLayout sourceOf;
};

/// How elements get from `from` to `to`, both onto one tensor. The source must
/// hold every element.
Move planMove(const LinearLayout &from, const LinearLayout &to);

/// A buffer in shared memory that one layout is written to and another is read
/// from.
struct Exchange {
  LinearLayout buffer; ///< offset -> tensor; invertible
  LinearLayout write;  ///< (warp, lane, register) of `from` -> offset
  LinearLayout read;   ///< the same of `to`
  VectorAccess writeVector, readVector;
  BankConflicts writeConflicts, readConflicts; ///< of one vector access
};

/// The buffer of a given order.
Exchange makeExchange(const LinearLayout &from, const LinearLayout &to,
                      const LinearLayout &buffer, unsigned elementBytes,
                      const Banks &banks = {});

/// The cheapest of a row-major buffer and of swizzled ones that are derived
/// from both layouts, by computed passes over the banks.
Exchange chooseExchange(const LinearLayout &from, const LinearLayout &to,
                        unsigned elementBytes, const Banks &banks = {});

/// Passes over the banks that one warp needs for all its registers.
uint64_t exchangeCost(const Exchange &exchange);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_LAYOUT_EXCHANGELAYOUT_H
