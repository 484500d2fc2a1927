//===- GF2.cpp - Vectors over GF(2) in machine words ----------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elimination that keeps the basis reduced, so that solving is one pass.
//===----------------------------------------------------------------------===//
#include "backends/simt/layout/GF2.h"

#include <cassert>

using namespace tilewright::simt;

unsigned tilewright::simt::lowestBit(uint64_t word) {
  assert(word && "no bit is set");
  return __builtin_ctzll(word);
}

unsigned tilewright::simt::highestBit(uint64_t word) {
  assert(word && "no bit is set");
  return 63 - __builtin_clzll(word);
}

unsigned tilewright::simt::countBits(uint64_t word) {
  return __builtin_popcountll(word);
}

unsigned tilewright::simt::ceilLog2(uint64_t value) {
  return value <= 1 ? 0 : highestBit(value - 1) + 1;
}

bool GF2Basis::insert(uint64_t vector, unsigned index, uint64_t *dependency) {
  uint64_t combination = uint64_t(1) << index;
  for (const Row &row : rows)
    if (vector >> row.pivot & 1) {
      vector ^= row.vector;
      combination ^= row.combination;
    }
  if (!vector) {
    if (dependency)
      *dependency = combination;
    return false;
  }
  unsigned pivot = highestBit(vector);
  for (Row &row : rows)
    if (row.vector >> pivot & 1) {
      row.vector ^= vector;
      row.combination ^= combination;
    }
  rows.push_back({vector, combination, pivot});
  pivotMask |= uint64_t(1) << pivot;
  return true;
}

std::optional<uint64_t> GF2Basis::solve(uint64_t vector) const {
  uint64_t combination = 0;
  for (const Row &row : rows)
    if (vector >> row.pivot & 1) {
      vector ^= row.vector;
      combination ^= row.combination;
    }
  if (vector)
    return std::nullopt;
  return combination;
}

uint64_t GF2Basis::reduce(uint64_t vector) const {
  for (const Row &row : rows)
    if (vector >> row.pivot & 1)
      vector ^= row.vector;
  return vector;
}
