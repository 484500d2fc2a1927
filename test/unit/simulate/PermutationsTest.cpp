//===- PermutationsTest.cpp - Lanes that permutations read ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By examples of AMD's documents.
//===----------------------------------------------------------------------===//
#include "backends/simulate/machine/Permutations.h"

#include <gtest/gtest.h>

using namespace tilewright::simulate;

TEST(Permutations, Dpp) {
  // quad_perm:[1,0,3,2]: 1 | 0 << 2 | 3 << 4 | 2 << 6.
  EXPECT_EQ(sourceLane(kPermuteDpp, 0xb1, 4, 64), 5u);
  EXPECT_EQ(sourceLane(kPermuteDpp, 0xb1, 7, 64), 6u);
  // row_shl:1 reads the next higher lane of the row, row_shr:1 the lower one.
  EXPECT_EQ(sourceLane(kPermuteDpp, 0x101, 20, 64), 21u);
  EXPECT_EQ(sourceLane(kPermuteDpp, 0x101, 31, 64), kNoLane);
  EXPECT_EQ(sourceLane(kPermuteDpp, 0x111, 20, 64), 19u);
  EXPECT_EQ(sourceLane(kPermuteDpp, 0x111, 16, 64), kNoLane);
  // row_ror:3 turns to the right: lane 0 of a row reads lane 13.
  EXPECT_EQ(sourceLane(kPermuteDpp, 0x123, 16, 64), 29u);
  EXPECT_EQ(sourceLane(kPermuteDpp, 0x140, 17, 64), 30u); // row_mirror
  EXPECT_EQ(sourceLane(kPermuteDpp, 0x141, 17, 64), 22u); // row_half_mirror
  EXPECT_EQ(sourceLane(kPermuteDpp, 0x165, 18, 32), 23u); // row_xmask:5
  EXPECT_EQ(sourceLane(kPermuteDpp, 0x130, 0, 64), kNoLane);
}

TEST(Permutations, Swizzle) {
  // swizzle(SWAP, 4): and 0x1f, or 0, exclusive or 4.
  EXPECT_EQ(sourceLane(kPermuteSwizzle, 4 << 10 | 0x1f, 33, 64), 37u);
  // swizzle(BROADCAST, 8, 3): and 0x18, or 3.
  EXPECT_EQ(sourceLane(kPermuteSwizzle, 3 << 5 | 0x18, 45, 64), 43u);
  EXPECT_EQ(sourceLane(kPermuteSwizzle, 0x80e4, 0, 64), kNoLane);
}

TEST(Permutations, AddressesAndRows) {
  EXPECT_EQ(sourceLane(kPermuteAddress, 4 * 37, 0, 64), 37u);
  // Nibbles 0, 1, 2, ...: the same lane of the other row.
  uint64_t same = 0xfedcba9876543210ull;
  EXPECT_EQ(sourceLane(kPermuteRows, same, 3, 32), 19u);
  EXPECT_EQ(sourceLane(kPermuteRows, same, 19, 32), 3u);
  EXPECT_EQ(sourceLane(kPermuteRows, same & ~0xfull | 7, 16, 32), 7u);
}
