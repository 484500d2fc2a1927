//===- RaceTest.cpp - Races and reads of unwritten memory -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses of programs in every order that the memory model distinguishes: the
// expected answers follow the model's text, written out by hand.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Allocations.h"
#include "backends/reference/interpreter/Races.h"
#include "dialects/kernel/Dialects.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace tilewright::reference::test {
namespace {

/// Programs told step by step what they do.
class Races : public testing::Test {
protected:
  Races() {
    mlir::DialectRegistry registry;
    kernel::registerKernelIRDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// A launch of a kernel that has, or lacks, an acquire.
  void launch(bool hasAcquire = true) {
    std::string atomic = std::string("%0 = kernel.atomic_rmw add ") +
                         (hasAcquire ? "acq_rel" : "relaxed") +
                         " gpu %v, %p : i32, !kernel.ptr<i32> -> i32\n";
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func @k(%p: !kernel.ptr<i32>, %v: i32) {\n" + atomic +
            "return\n}\n",
        &context);
    detector.emplace(*module);
    nextId = 0;
  }
  void program() { detector->startProgram({nextId++, 0, 0}); }
  /// Whether four bytes are touched without a race.
  bool touch(Access access, uint64_t address, unsigned bytes = 4) {
    found = detector->touch(*module, address, bytes, access);
    return !found;
  }
  bool atomic(uint64_t address, bool acquires, bool releases) {
    bool isFine = touch(Access::AtomicWrite, address);
    detector->synchronize(address, acquires, releases);
    detector->endAtomic();
    return isFine;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<RaceDetector> detector;
  const AccessEvent *found = nullptr;
  int64_t nextId = 0;
};

constexpr uint64_t kData = 0x1000, kFlag = 0x2000;

TEST_F(Races, EveryPairOfAccesses) {
  const Access kinds[] = {Access::Read, Access::Write, Access::AtomicRead,
                          Access::AtomicWrite};
  const bool isRace[4][4] = {{false, true, false, true},
                             {true, true, true, true},
                             {false, true, false, false},
                             {true, true, false, false}};
  for (bool hasAcquire : {false, true})
    for (int first = 0; first < 4; ++first)
      for (int second = 0; second < 4; ++second) {
        launch(hasAcquire);
        program();
        EXPECT_TRUE(touch(kinds[first], kData));
        EXPECT_TRUE(touch(kinds[second], kData)) << "within a program";
        launch(hasAcquire);
        program();
        touch(kinds[first], kData);
        program();
        EXPECT_EQ(!touch(kinds[second], kData), isRace[first][second])
            << first << " then " << second;
      }
}

TEST_F(Races, TheEarlierAccessIsNamed) {
  launch();
  program();
  program();
  touch(Access::Write, kData);
  program();
  ASSERT_FALSE(touch(Access::Read, kData));
  EXPECT_EQ(found->access, Access::Write);
  EXPECT_EQ(detector->idsOf(*found)[0], 1);
}

TEST_F(Races, BytesCountNotAddresses) {
  launch();
  program();
  touch(Access::Write, kData, 4);
  program();
  EXPECT_TRUE(touch(Access::Write, kData + 4, 4));
  EXPECT_FALSE(touch(Access::Read, kData + 3, 1));
}

TEST_F(Races, AnEarlierReaderIsNotForgotten) {
  for (bool hasAcquire : {false, true}) {
    launch(hasAcquire);
    program();
    touch(Access::Read, kData);
    program();
    touch(Access::Read, kData);
    EXPECT_FALSE(touch(Access::Write, kData));
  }
}

TEST_F(Races, ReleaseAndAcquireOrder) {
  launch();
  program();
  touch(Access::Write, kData);
  EXPECT_TRUE(atomic(kFlag, false, true));
  program();
  EXPECT_TRUE(atomic(kFlag, true, false));
  EXPECT_TRUE(touch(Access::Read, kData));
  EXPECT_TRUE(touch(Access::Write, kData));
}

TEST_F(Races, BothHalvesAreNeeded) {
  for (bool releases : {false, true}) {
    launch();
    program();
    touch(Access::Write, kData);
    atomic(kFlag, false, releases);
    program();
    atomic(kFlag, !releases, false);
    EXPECT_FALSE(touch(Access::Read, kData));
  }
}

TEST_F(Races, WhatFollowsTheReleaseIsNotOrdered) {
  launch();
  program();
  atomic(kFlag, false, true);
  touch(Access::Write, kData);
  program();
  atomic(kFlag, true, false);
  EXPECT_FALSE(touch(Access::Read, kData));
}

TEST_F(Races, AnotherAddressOrdersNothing) {
  launch();
  program();
  touch(Access::Write, kData);
  atomic(kFlag, true, true);
  program();
  atomic(kFlag + 4, true, true);
  EXPECT_FALSE(touch(Access::Read, kData));
}

TEST_F(Races, OrderIsTransitive) {
  launch();
  program();
  touch(Access::Write, kData);
  atomic(kFlag, true, true);
  program();
  atomic(kFlag, true, false);
  atomic(kFlag + 4, false, true);
  program();
  atomic(kFlag + 4, true, false);
  EXPECT_TRUE(touch(Access::Write, kData));
}

TEST_F(Races, RelaxedUpdatesKeepWhatWasReleased) {
  launch();
  program();
  touch(Access::Write, kData);
  atomic(kFlag, false, true);
  program();
  atomic(kFlag, false, false);
  program();
  atomic(kFlag, true, false);
  EXPECT_TRUE(touch(Access::Read, kData));
}

TEST_F(Races, AllReadersHaveToComeBeforeAWrite) {
  launch();
  program();
  touch(Access::Read, kData);
  program();
  touch(Access::Read, kData);
  atomic(kFlag, false, true);
  program();
  atomic(kFlag, true, false);
  EXPECT_FALSE(touch(Access::Write, kData)) << "the first is not ordered";
}

TEST(Allocations, StartUnwritten) {
  Allocations memory;
  memory.add(0x1000, 16);
  EXPECT_FALSE(memory.isWritten(0x1000, 4));
  EXPECT_TRUE(memory.isWritten(0x0ff0, 4)) << "memory of the host";
  EXPECT_TRUE(memory.isWritten(0x1010, 4)) << "memory of the host";
  memory.markWritten(0x1004, 4);
  EXPECT_TRUE(memory.isWritten(0x1004, 4));
  EXPECT_FALSE(memory.isWritten(0x1004, 5));
  EXPECT_FALSE(memory.isWritten(0x1003, 2));
}

TEST(Allocations, CopiesKeepWhatIsUnwritten) {
  Allocations memory;
  memory.add(0x1000, 8);
  memory.add(0x2000, 8);
  memory.markWritten(0x1000, 4);
  memory.markCopied(0x2000, 0x1000, 8);
  EXPECT_TRUE(memory.isWritten(0x2000, 4));
  EXPECT_FALSE(memory.isWritten(0x2004, 1));
  memory.markCopied(0x2004, 0x9000, 4); // from the host
  EXPECT_TRUE(memory.isWritten(0x2000, 8));
  memory.remove(0x2000);
  memory.add(0x2000, 8);
  EXPECT_FALSE(memory.isWritten(0x2000, 1));
}

} // namespace
} // namespace tilewright::reference::test
