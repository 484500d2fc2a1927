//===- Permutations.h - Which lane a permutation reads ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMD's instructions that move words between lanes, by the controls that they
// are encoded with.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_PERMUTATIONS_H
#define TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_PERMUTATIONS_H

#include <cstdint>

namespace tilewright::simulate {

/// Kinds of permutations and what their control is.
enum Permutation : uint32_t {
  kPermuteDpp,     ///< DPP_CTRL
  kPermuteSwizzle, ///< offset of ds_swizzle, in mask mode
  kPermuteAddress, ///< of ds_bpermute: four times the lane
  kPermuteRows     ///< of v_permlanex16: sixteen nibbles
};

/// The lane that `lane` reads; kNoLane for a control that is not known or
/// leads out of the row.
inline constexpr uint32_t kNoLane = ~0u;
uint32_t sourceLane(uint32_t kind, uint64_t control, uint32_t lane,
                    uint32_t lanes);

} // namespace tilewright::simulate

#endif // TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_PERMUTATIONS_H
