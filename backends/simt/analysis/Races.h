//===- Races.h - Unordered conflicting accesses -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches for a way through a kernel from one access to a conflicting one
// that no barrier orders. It shares the accesses with the placement of
// barriers, and nothing of how they are placed.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_RACES_H
#define TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_RACES_H

#include "backends/simt/analysis/Accesses.h"

namespace tilewright::simt {

/// Two accesses that different threads may make in either order.
struct Race {
  Access first, second;
};

/// The first race of a kernel whose shared memory has been allocated. An
/// asynchronous copy is under way until a wait covers its group, and seen by
/// other threads after the barrier behind that.
std::optional<Race> findRace(mlir::func::FuncOp kernel);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_RACES_H
