//===- Meetings.cpp - What the lanes of a warp do together ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles, votes, and loads of matrices by rows.
//===----------------------------------------------------------------------===//
#include "backends/simulate/machine/Meetings.h"

#include "backends/simulate/machine/Codes.h"
#include "backends/simulate/machine/Services.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

namespace tilewright::simulate {

static Finding shuffleValues(const WarpLanes &warp) {
  std::vector<uint64_t> values;
  for (Lane *lane : warp)
    values.push_back(lane->value);
  for (Lane *lane : warp) {
    if (lane->from >= warp.size())
      return {kApart, "thread " + std::to_string(lane->thread) +
                          " asks for the value of lane " +
                          std::to_string(lane->from) + " of " +
                          std::to_string(warp.size())};
    lane->value = values[lane->from];
  }
  return {};
}

static Finding countVotes(const WarpLanes &warp) {
  uint64_t votes = 0;
  for (auto [index, lane] : llvm::enumerate(warp))
    votes |= uint64_t(lane->value != 0) << index;
  for (Lane *lane : warp)
    lane->value = votes;
  return {};
}

/// Lane 8 m + r points to row r of matrix m, 16 bytes. Word m of lane 4 r + c
/// is word c of row r; transposed, its halves are the elements r of rows 2 c
/// and 2 c + 1. Source: "PTX ISA", ldmatrix.
static Finding loadMatrices(const WarpLanes &warp) {
  constexpr uint32_t rowBytes = 16, rows = 8;
  uint32_t matrices = warp[0]->matrices;
  for (uint32_t i = 0; i < rows * matrices; ++i)
    if (Finding finding = warp[i]->block->shared.access(
            {warp[i]->thread, services::Read, warp[i]->place}, warp[i]->row,
            rowBytes, rowBytes))
      return finding;
  for (auto [index, lane] : llvm::enumerate(warp))
    for (uint32_t matrix = 0; matrix < matrices; ++matrix) {
      uint32_t r = uint32_t(index) / 4, c = uint32_t(index) % 4;
      char *word = reinterpret_cast<char *>(&lane->words[matrix]);
      auto row = [&](uint32_t number) {
        return warp[rows * matrix + number]->row;
      };
      if (!lane->isTransposed) {
        std::memcpy(word, row(r) + 4 * c, 4);
        continue;
      }
      std::memcpy(word, row(2 * c) + 2 * r, 2);
      std::memcpy(word + 2, row(2 * c + 1) + 2 * r, 2);
    }
  return {};
}

Finding answerMeeting(const WarpLanes &warp) {
  switch (warp[0]->meeting) {
  case Meeting::Shuffle:
    return shuffleValues(warp);
  case Meeting::Ballot:
    return countVotes(warp);
  case Meeting::Matrix:
    return multiplyMatrices(warp);
  case Meeting::MatrixLoad:
    return loadMatrices(warp);
  default:
    return {};
  }
}

} // namespace tilewright::simulate
