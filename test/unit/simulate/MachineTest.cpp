//===- MachineTest.cpp - What the machine of lanes finds --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels in C++, written as compiled ones behave.
//===----------------------------------------------------------------------===//
#include "backends/simt/layout/MatrixAtom.h"
#include "backends/simulate/machine/Services.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::services;

namespace {
/// A machine with two warps of 32 lanes and 256 bytes of shared memory.
class Machine {
public:
  Machine() {
    launch.threads = 64;
    launch.sharedBytes = 256;
    launch.fail = [this](uint32_t failed, const char *message, const char *,
                         uint32_t failedLine) {
      code = failed;
      text = message;
      line = failedLine;
    };
  }

  /// The code of what was found, 0: nothing.
  uint32_t run(KernelFunction kernel, const void *arguments = nullptr) {
    code = 0;
    launch.kernel = kernel;
    launch.arguments = arguments;
    bool isDone = block.run(launch, {0, 0, 0});
    EXPECT_EQ(isDone, code == 0);
    return code;
  }

  uint32_t code = 0, line = 0;
  std::string text;

private:
  Launch launch;
  Block block;
};
} // namespace

static const CodePlace here = {"kernel.py", 7};

static Lane *laneOf(const LaneView *view) {
  return static_cast<Lane *>(const_cast<LaneView *>(view));
}

static void store(Lane *lane, uint32_t word, int32_t value) {
  char *at = lane->shared + 4 * word;
  access_shared(lane, at, 4, 4, Write, &here);
  std::memcpy(at, &value, 4);
}

static int32_t load(Lane *lane, uint32_t word) {
  const char *at = lane->shared + 4 * word;
  access_shared(lane, at, 4, 4, Read, &here);
  int32_t value;
  std::memcpy(&value, at, 4);
  return value;
}

TEST(Machine, BuffersEndWhereTheySay) {
  static int32_t words[8], got[64];
  for (int32_t i = 0; i < 8; ++i)
    words[i] = 100 + i;
  Machine machine;
  auto kernel = [](const LaneView *view, const void *) {
    Lane *lane = laneOf(view);
    Buffer buffer = {reinterpret_cast<char *>(words), 24};
    uint32_t last = lane->thread ? 4 * lane->thread : 0x80000000;
    buffer_load(lane, &buffer, last, 4, &got[lane->thread], &here);
    int32_t value = -int32_t(lane->thread);
    barrier(lane, 3, 1, &here);
    buffer_store(lane, &buffer, last, 4, &value, &here);
  };
  EXPECT_EQ(machine.run(kernel), 0u);
  for (int32_t i = 0; i < 64; ++i)
    EXPECT_EQ(got[i], i > 0 && i < 6 ? 100 + i : 0) << i;
  for (int32_t i = 0; i < 8; ++i)
    EXPECT_EQ(words[i], i > 0 && i < 6 ? -i : 100 + i) << i;
  // Words that begin inside and end outside are outside.
  auto across = [](const LaneView *view, const void *) {
    Buffer buffer = {reinterpret_cast<char *>(words), 24};
    buffer_load(laneOf(view), &buffer, 20, 8, got, &here);
  };
  EXPECT_EQ(machine.run(across), 0u);
  EXPECT_EQ(got[0], 0);
}

TEST(Machine, ComparesWhatLanesShare) {
  Machine machine;
  auto same = [](const LaneView *view, const void *) {
    Lane *lane = laneOf(view);
    for (uint32_t turn = 0; turn < 3; ++turn)
      if (lane->thread % 2)
        uniform(lane, lane->thread / 32 + turn, 1, &here);
  };
  EXPECT_EQ(machine.run(same), 0u);
  auto other = [](const LaneView *view, const void *) {
    Lane *lane = laneOf(view);
    uniform(lane, lane->thread == 40, 1, &here);
  };
  EXPECT_EQ(machine.run(other), 6046u);
  EXPECT_EQ(machine.line, 7u);
}

TEST(Machine, WaitsForAllButTheLastCopies) {
  static int32_t words[2] = {5, 6}, got;
  Machine machine;
  auto kernel = [](const LaneView *view, const void *) {
    Lane *lane = laneOf(view);
    if (lane->thread)
      return;
    for (uint32_t i = 0; i < 2; ++i)
      copy(lane, lane->shared + 4 * i,
           reinterpret_cast<const char *>(words + i), 4, 1, &here);
    wait_copies(lane, 1);
    got = load(lane, 0);
    load(lane, 1);
  };
  EXPECT_EQ(machine.run(kernel), 6042u);
  EXPECT_EQ(got, 5);
}

TEST(Machine, PassesValuesBehindBarriers) {
  static int32_t got[64];
  Machine machine;
  auto kernel = [](const LaneView *view, const void *) {
    Lane *lane = laneOf(view);
    store(lane, lane->thread, int32_t(10 * lane->thread));
    barrier(lane, 3, 1, &here);
    got[lane->thread] = load(lane, 63 - lane->thread);
  };
  for (int turn = 0; turn < 3; ++turn) {
    ASSERT_EQ(machine.run(kernel), 0u) << machine.text;
    for (int thread = 0; thread < 64; ++thread)
      EXPECT_EQ(got[thread], 10 * (63 - thread));
  }
}

TEST(Machine, FindsMissingBarrier) {
  Machine machine;
  EXPECT_EQ(machine.run([](const LaneView *view, const void *) {
    Lane *lane = laneOf(view);
    store(lane, lane->thread, 1);
    load(lane, lane->thread ^ 32);
  }),
            6041u);
  EXPECT_EQ(machine.line, 7u);
  EXPECT_NE(machine.text.find("at line 7 with no barrier between"),
            std::string::npos)
      << machine.text;
}

TEST(Machine, LetsAtomicsMeet) {
  Machine machine;
  EXPECT_EQ(machine.run([](const LaneView *view, const void *) {
    Lane *lane = laneOf(view);
    access_shared(lane, lane->shared, 4, 4, Atomic, &here);
  }),
            0u);
}

/// A barrier for shared memory alone does not make a store to an array seen.
TEST(Machine, OrdersGlobalMemoryByItsOwnBarriers) {
  static int32_t array[64];
  static uint32_t spaces;
  Machine machine;
  auto kernel = [](const LaneView *view, const void *) {
    Lane *lane = laneOf(view);
    auto touch = [&](uint32_t index, Access access) {
      access_global(lane, reinterpret_cast<const char *>(&array[index]), 4, 4,
                    access, &here);
    };
    touch(lane->thread, Write);
    touch(lane->thread, Read);
    barrier(lane, spaces, 1, &here);
    touch(63 - lane->thread, Read);
  };
  spaces = 1;
  EXPECT_EQ(machine.run(kernel), 6041u);
  for (uint32_t enough : {2, 3}) {
    spaces = enough;
    EXPECT_EQ(machine.run(kernel), 0u) << machine.text;
  }
}

TEST(Machine, SharedMemoryBeginsAsNaN) {
  static int32_t got = 0;
  Machine machine;
  ASSERT_EQ(machine.run([](const LaneView *view, const void *) {
    Lane *lane = laneOf(view);
    if (lane->thread == 0)
      got = load(lane, 5);
  }),
            0u);
  EXPECT_EQ(got, -1);
}

TEST(Machine, LandsCopiesInWaits) {
  static const int32_t source[4] = {1, 2, 3, 4};
  static int32_t before, after;
  Machine machine;
  auto kernel = [](const LaneView *view, const void *) {
    Lane *lane = laneOf(view);
    if (lane->thread)
      return;
    copy(lane, lane->shared, reinterpret_cast<const char *>(source), 16, 1,
         &here);
    commit(lane);
    copy(lane, lane->shared + 16, reinterpret_cast<const char *>(source), 16, 0,
         &here);
    commit(lane);
    std::memcpy(&before, lane->shared, 4);
    wait(lane, 1);
    after = load(lane, 0) + load(lane, 3);
    load(lane, 4);
  };
  EXPECT_EQ(machine.run(kernel), 6042u) << machine.text;
  EXPECT_EQ(before, -1);
  EXPECT_EQ(after, 5);
}

TEST(Machine, FindsLanesApart) {
  Machine machine;
  EXPECT_EQ(machine.run([](const LaneView *view, const void *) {
    Lane *lane = laneOf(view);
    if (lane->thread != 5)
      barrier(lane, 3, 1, &here);
  }),
            6043u);
  EXPECT_EQ(machine.run([](const LaneView *view, const void *) {
    Lane *lane = laneOf(view);
    barrier(lane, 3, lane->thread < 32 ? 1 : 2, &here);
  }),
            6043u);
  EXPECT_EQ(machine.run([](const LaneView *view, const void *) {
    shuffle(laneOf(view), 0, 32, 1, &here);
  }),
            6043u);
}

TEST(Machine, ShufflesAndVotes) {
  static uint64_t got[64], votes[64];
  Machine machine;
  ASSERT_EQ(machine.run([](const LaneView *view, const void *) {
    Lane *lane = laneOf(view);
    uint32_t thread = lane->thread;
    got[thread] = shuffle(lane, 100 + thread, (thread + 1) % 32, 1, &here);
    votes[thread] = ballot(lane, thread % 3 == 0, 2, &here);
  }),
            0u)
      << machine.text;
  EXPECT_EQ(got[0], 101u);
  EXPECT_EQ(got[31], 100u);
  EXPECT_EQ(got[63], 132u);
  EXPECT_EQ(votes[1], 0x49249249u);
  EXPECT_EQ(votes[40], 0x92492492u);
}

TEST(Machine, FindsBadAddresses) {
  Machine machine;
  EXPECT_EQ(machine.run([](const LaneView *view, const void *) {
    load(laneOf(view), 64);
  }),
            6044u);
  EXPECT_EQ(machine.run([](const LaneView *view, const void *) {
    access_global(laneOf(view), nullptr, 4, 4, Read, &here);
  }),
            6044u);
  EXPECT_EQ(machine.run([](const LaneView *view, const void *) {
    Lane *lane = laneOf(view);
    access_shared(lane, lane->shared + 4, 8, 8, Read, &here);
  }),
            6045u);
  static const int32_t array[4] = {};
  EXPECT_EQ(machine.run([](const LaneView *view, const void *) {
    access_global(laneOf(view), reinterpret_cast<const char *>(array) + 2, 4, 4,
                  Read, &here);
  }),
            6045u);
}

/// A product of the identity, with the wrong number of registers, and with
/// halves of the wave that hold different copies.
TEST(Machine, ChecksRegistersOfMatrixInstructions) {
  using E = simt::Element;
  static MatrixShape shape = {uint32_t(MatrixFamily::WmmaGfx11),
                              16,
                              16,
                              16,
                              uint32_t(E::I8),
                              uint32_t(E::I8),
                              uint32_t(E::I32),
                              16,
                              16,
                              8};
  static int32_t sums[64][8];
  static bool isSpoilt = false;
  Machine machine;
  auto kernel = [](const LaneView *view, const void *) {
    Lane *lane = laneOf(view);
    int8_t lhs[16] = {}, rhs[16];
    lhs[lane->thread % 16] = isSpoilt && lane->thread == 20 ? 2 : 1;
    for (int k = 0; k < 16; ++k)
      rhs[k] = int8_t(16 * (lane->thread % 16 % 8) + k);
    std::memset(sums[lane->thread], 0, sizeof sums[0]);
    matrix(lane, &shape, lhs, rhs, sums[lane->thread], sums[lane->thread], 1,
           &here);
  };
  ASSERT_EQ(machine.run(kernel), 0u) << machine.text;
  // Lane 19 holds the odd rows of column 3: element (2 r + 1, 3).
  EXPECT_EQ(sums[19][0], 16 * 3 + 1);
  EXPECT_EQ(sums[19][7], 16 * 3 + 15);
  isSpoilt = true;
  EXPECT_EQ(machine.run(kernel), 6046u);
  isSpoilt = false;
  shape.lhsCount = 8;
  EXPECT_EQ(machine.run(kernel), 6046u);
}
