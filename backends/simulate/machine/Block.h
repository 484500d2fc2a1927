//===- Block.h - The lanes of one program -----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs every lane of a program as a fiber, warp after warp, in an order that
// changes from barrier to barrier. A lane pauses where it has to meet others:
// all of its warp, or all of the program.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_BLOCK_H
#define TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_BLOCK_H

#include "backends/simulate/machine/Fiber.h"
#include "backends/simulate/machine/GlobalMemory.h"
#include "backends/simulate/machine/LaneABI.h"
#include "backends/simulate/machine/SharedMemory.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>

namespace tilewright::simulate {

class Block;

/// What a paused lane waits for.
enum class Meeting : uint8_t {
  None, ///< it runs
  End,
  Barrier,
  Shuffle,
  Ballot,
  Matrix,
  MatrixLoad
};

/// A copy that was started and has not landed.
struct PendingCopy {
  char *shared;
  const char *global;
  uint32_t bytes;
  uint32_t group;
  bool isZero;
  const CodePlace *place;
};

/// A lane, and what it brings to a meeting.
struct Lane : LaneView {
  Block *block = nullptr;
  Fiber fiber;
  Meeting meeting = Meeting::None;
  uint32_t site = 0;
  const CodePlace *place = nullptr; ///< of the last service

  uint64_t value = 0; ///< of shuffle, ballot, barrier; then the answer
  uint32_t from = 0;  ///< the lane whose value is asked for

  const MatrixShape *shape = nullptr; ///< of a matrix instruction
  const char *lhs = nullptr, *rhs = nullptr, *accumulator = nullptr;
  char *result = nullptr;

  const char *row = nullptr; ///< of a matrix load
  uint32_t matrices = 0;
  bool isTransposed = false;
  uint32_t *words = nullptr;

  std::map<uint32_t, uint32_t> executions; ///< of `uniform`, by site
  std::deque<PendingCopy> copies;
  uint32_t group = 0; ///< groups of copies that were closed

  /// Pauses until all who have to are there.
  void meet(Meeting newMeeting, uint32_t newSite, const CodePlace *newPlace);
  /// Ends the launch with a finding; does not return.
  [[noreturn]] void stop(const Finding &finding);
};

/// What a launch gives to its programs.
struct Launch {
  KernelFunction kernel = nullptr;
  const void *arguments = nullptr;
  uint32_t programs[3] = {1, 1, 1};
  uint32_t threads = 0;
  uint32_t warpLanes = 32;
  uint64_t sharedBytes = 0;
  std::function<void(uint32_t code, const char *message, const char *file,
                     uint32_t line)>
      fail;
  std::function<void(const char *text, uint64_t bytes)> print;
};

class Block {
public:
  /// Runs one program; false when a finding ended it.
  bool run(const Launch &launch, const uint32_t (&program)[3]);

  SharedMemory shared;
  GlobalMemory global;
  const Launch *launch = nullptr;
  /// Values of `uniform` in order of execution, by warp and site.
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint64_t>> uniforms;

private:
  friend struct Lane;
  bool prepare(const uint32_t (&program)[3]);
  /// Runs the lanes of a warp until each of them waits for other warps or
  /// ended.
  void runWarp(uint32_t warp);
  /// Whether all lanes of the warp are at one meeting of warps.
  bool warpMeets(uint32_t first);
  void answer(uint32_t first);
  /// Whether the program goes on: all lanes are at one barrier.
  bool passBarrier();
  /// A finding about a lane, at its place.
  void report(const Finding &finding, const Lane &lane);

  /// Grows; lanes keep their stacks.
  std::vector<std::unique_ptr<Lane>> lanes;
  uint32_t turn = 0; ///< barriers so far: what changes the order
  bool isStopped = false;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_BLOCK_H
