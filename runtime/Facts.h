//===- Facts.h - Does a variant allow these arguments? ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks a packed argument block against the facts and the predicate of a
// kernel record. Runs at every launch: no allocation for ordinary kernels.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_RUNTIME_FACTS_H
#define TILEWRIGHT_RUNTIME_FACTS_H

#include "runtime/artifact/Artifact.h"
#include "tilewright/runtime.h"

#include <functional>

namespace tilewright::runtime {

/// The memory that a pointer argument may reach.
struct Extent {
  uint64_t begin = 0;
  uint64_t end = 0;
  bool known = false;
};

/// Gives the extent of an argument; asked only for disjointness.
struct ExtentSource {
  Extent (*find)(void *ctx, uint32_t argument, uint64_t address);
  void *ctx;
};

/// An integer or pointer argument of the block, extended to 64 bits.
int64_t readArgument(const artifact::Parameter &parameter, const void *block);

/// Index of the first fact that does not hold, facts.size() when only the
/// predicate does not, or -1 when the variant may run.
int64_t firstBrokenFact(const artifact::Kernel &kernel, const void *block,
                        const tw_rt_grid &grid, ExtentSource extents);

/// "argument 'n' is 17, the kernel was compiled for multiples of 16".
std::string describeBrokenFact(const artifact::Kernel &kernel,
                               const void *block, int64_t index);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_FACTS_H
