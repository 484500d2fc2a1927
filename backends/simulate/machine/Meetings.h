//===- Meetings.h - What the lanes of a warp do together --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles, votes and matrix instructions, computed once all lanes are there.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_MEETINGS_H
#define TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_MEETINGS_H

#include "backends/simulate/machine/Block.h"

namespace tilewright::simulate {

using WarpLanes = std::vector<Lane *>;

/// Gives every lane its answer.
Finding answerMeeting(const WarpLanes &warp);
/// The part of it that multiplies; see MatrixFacts.h.
Finding multiplyMatrices(const WarpLanes &warp);

} // namespace tilewright::simulate

#endif // TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_MEETINGS_H
