//===- Permutations.cpp - Which lane a permutation reads --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources: "AMD Instinct MI300 Instruction Set Architecture", tables of DPP
// controls and of ds_swizzle_b32; "RDNA3 Instruction Set Architecture",
// v_permlanex16_b32 and row_xmask.
//===----------------------------------------------------------------------===//
#include "backends/simulate/machine/Permutations.h"

namespace tilewright::simulate {

/// Rows are 16 lanes.
static uint32_t sourceOfDpp(uint32_t control, uint32_t lane) {
  uint32_t row = lane & ~15u, inRow = lane & 15u, amount = control & 15u;
  if (control <= 0xff) // quad_perm: two bits a lane
    return (lane & ~3u) | (control >> (2 * (lane & 3u)) & 3u);
  switch (control & ~15u) {
  case 0x100: // row_shl: towards lower lanes
    return inRow + amount < 16 ? lane + amount : kNoLane;
  case 0x110: // row_shr
    return inRow >= amount ? lane - amount : kNoLane;
  case 0x120: // row_ror
    return row | ((inRow - amount) & 15u);
  case 0x150: // row_share
    return row | amount;
  case 0x160: // row_xmask
    return row | (inRow ^ amount);
  }
  if (control == 0x140) // row_mirror
    return row | (15u - inRow);
  if (control == 0x141) // row_half_mirror
    return (lane & ~7u) | (7u - (lane & 7u));
  return kNoLane;
}

/// Inside of 32 lanes: and, or, exclusive or with five bits each.
static uint32_t sourceOfSwizzle(uint32_t offset, uint32_t lane) {
  if (offset & 0x8000u)
    return kNoLane;
  uint32_t keep = offset & 31u, set = offset >> 5 & 31u, flip = offset >> 10;
  return (lane & ~31u) | (((lane & 31u & keep) | set) ^ (flip & 31u));
}

uint32_t sourceLane(uint32_t kind, uint64_t control, uint32_t lane,
                    uint32_t lanes) {
  switch (kind) {
  case kPermuteDpp:
    return sourceOfDpp(uint32_t(control), lane);
  case kPermuteSwizzle:
    return sourceOfSwizzle(uint32_t(control), lane);
  case kPermuteAddress:
    return uint32_t(control) / 4 % lanes;
  case kPermuteRows: // the other row of 32 lanes
    return (lane & ~31u) | ((lane ^ 16u) & 16u) |
           (uint32_t(control >> (4 * (lane & 15u))) & 15u);
  default:
    return kNoLane;
  }
}

} // namespace tilewright::simulate
