//===- Block.cpp - The lanes of one program ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scheduler: which lane runs next, and when lanes have met.
//===----------------------------------------------------------------------===//
#include "backends/simulate/machine/Block.h"

#include "backends/simulate/machine/Codes.h"
#include "backends/simulate/machine/Meetings.h"

#include <cstdlib>

namespace tilewright::simulate {

void Lane::meet(Meeting newMeeting, uint32_t newSite,
                const CodePlace *newPlace) {
  meeting = newMeeting;
  site = newSite;
  place = newPlace;
  fiber.pause();
}

void Lane::stop(const Finding &finding) {
  block->report(finding, *this);
  fiber.pause();
  std::abort(); // nobody resumes a lane of a stopped program
}

void Block::report(const Finding &finding, const Lane &lane) {
  if (!isStopped)
    launch->fail(finding.code, finding.text.c_str(),
                 lane.place ? lane.place->file : nullptr,
                 lane.place ? lane.place->line : 0);
  isStopped = true;
}

/// The bit of simt::Spaces::Global.
static constexpr uint64_t kOrdersGlobal = 2;

static void runLane(void *argument) {
  auto *lane = static_cast<Lane *>(argument);
  const Launch &launch = *lane->block->launch;
  launch.kernel(lane, launch.arguments);
  lane->meeting = Meeting::End;
}

bool Block::prepare(const uint32_t (&program)[3]) {
  while (lanes.size() < launch->threads) {
    lanes.push_back(std::make_unique<Lane>());
    if (!lanes.back()->fiber) {
      lanes.pop_back();
      launch->fail(6002, "there is no memory for the stacks of the lanes",
                   nullptr, 0);
      return false;
    }
  }
  shared.begin(launch->sharedBytes);
  global.begin();
  uniforms.clear();
  for (uint32_t thread = 0; thread < launch->threads; ++thread) {
    Lane &lane = *lanes[thread];
    lane.thread = thread;
    for (unsigned axis = 0; axis < 3; ++axis) {
      lane.program[axis] = program[axis];
      lane.programs[axis] = launch->programs[axis];
    }
    lane.shared = shared.data();
    lane.block = this;
    lane.meeting = Meeting::None;
    lane.executions.clear();
    lane.copies.clear();
    lane.group = 0;
    lane.place = nullptr;
    lane.fiber.begin(runLane, &lane);
  }
  isStopped = false;
  return true;
}

/// Every second turn backwards, and each time with another warp first.
static uint32_t permute(uint32_t index, uint32_t count, uint32_t turn) {
  uint32_t rotated = (index + turn / 2) % count;
  return turn % 2 ? count - 1 - rotated : rotated;
}

bool Block::run(const Launch &given, const uint32_t (&program)[3]) {
  launch = &given;
  if (!prepare(program))
    return false;
  uint32_t warps = launch->threads / launch->warpLanes;
  do {
    for (uint32_t i = 0; i < warps && !isStopped; ++i)
      runWarp(permute(i, warps, turn));
    ++turn;
  } while (!isStopped && passBarrier());
  return !isStopped;
}

void Block::runWarp(uint32_t warp) {
  uint32_t count = launch->warpLanes, first = warp * count;
  do {
    for (uint32_t i = 0; i < count; ++i) {
      Lane &lane = *lanes[first + (turn % 2 ? count - 1 - i : i)];
      if (lane.meeting == Meeting::None)
        lane.fiber.resume();
      if (isStopped)
        return;
    }
    if (!warpMeets(first))
      return;
    answer(first);
  } while (!isStopped);
}

static const char *nameOf(Meeting meeting) {
  static constexpr const char *names[] = {
      "runs",  "has ended",           "waits at a barrier", "exchanges",
      "votes", "multiplies matrices", "loads matrices"};
  return names[static_cast<unsigned>(meeting)];
}

static Finding apart(const Lane &one, const Lane &other) {
  std::string where =
      one.meeting == other.meeting ? ", but at another place" : "";
  return {kApart, "thread " + std::to_string(one.thread) + " " +
                      nameOf(one.meeting) + ", thread " +
                      std::to_string(other.thread) + " " +
                      nameOf(other.meeting) + where};
}

bool Block::warpMeets(uint32_t first) {
  const Lane &one = *lanes[first];
  for (uint32_t i = 1; i < launch->warpLanes; ++i) {
    const Lane &other = *lanes[first + i];
    if (one.meeting != other.meeting || one.site != other.site) {
      bool isEnd = one.meeting == Meeting::End && other.meeting == one.meeting;
      if (!isEnd)
        report(apart(one, other), other);
    }
  }
  return !isStopped && one.meeting > Meeting::Barrier;
}

void Block::answer(uint32_t first) {
  WarpLanes warp;
  for (uint32_t i = 0; i < launch->warpLanes; ++i)
    warp.push_back(lanes[first + i].get());
  if (Finding finding = answerMeeting(warp))
    return report(finding, *warp[0]);
  for (Lane *lane : warp)
    lane->meeting = Meeting::None;
}

bool Block::passBarrier() {
  const Lane &one = *lanes[0];
  for (uint32_t thread = 1; thread < launch->threads; ++thread) {
    const Lane &other = *lanes[thread];
    bool isEnd = one.meeting == Meeting::End && other.meeting == one.meeting;
    if (!isEnd && (one.meeting != other.meeting || one.site != other.site))
      report(apart(one, other), other);
  }
  if (isStopped || one.meeting == Meeting::End)
    return false;
  for (uint32_t thread = 0; thread < launch->threads; ++thread)
    lanes[thread]->meeting = Meeting::None;
  // Every barrier orders shared memory; not every one waits for global memory.
  shared.passBarrier();
  if (one.value & kOrdersGlobal)
    global.passBarrier();
  return true;
}

} // namespace tilewright::simulate
