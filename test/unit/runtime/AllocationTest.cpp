//===- AllocationTest.cpp - A launch allocates nothing ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the allocations of the whole process, plugins included, by standing
// in front of the C library's functions.
//===----------------------------------------------------------------------===//
#include "test/unit/runtime/TestArtifact.h"
#include "tilewright/runtime.hpp"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>

static std::atomic<uint64_t> allocations{0};

extern "C" {
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

void *malloc(size_t bytes) {
  ++allocations;
  return __libc_malloc(bytes);
}
void *calloc(size_t count, size_t bytes) {
  ++allocations;
  return __libc_calloc(count, bytes);
}
void *realloc(void *memory, size_t bytes) {
  ++allocations;
  return __libc_realloc(memory, bytes);
}
int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  ++allocations;
  *memory = __libc_memalign(alignment, bytes);
  return *memory ? 0 : 12; // ENOMEM
}
}

using namespace tilewright;
using namespace tilewright::test;

namespace {
class Allocation : public testing::Test {
protected:
  Allocation() : device(context.open("cpu")), stream(device.stream()) {
    artifact::Kernel record = makeKernel(
        "nothing", {pointer("a", TW_DTYPE_F32), scalar("n", TW_DTYPE_I32)});
    record.facts = {makeFact(TW_FACT_DIVISIBLE, 1, 16)};
    record.scratchBytes = 1 << 16;
    record.scratchAlignment = 64;
    artifact::Bytes file =
        artifact::writeArtifact(makeCpuArtifact(TEST_KERNELS, {record}));
    kernel = std::make_unique<Kernel>(
        device.loadBytes(file.data(), file.size()).kernel());
  }
  /// Allocations of 100 launches after the first few.
  template <typename Launch> uint64_t count(Launch launch) {
    // Every worker grows its scratch once; which launch it first takes part in
    // is up to the scheduler.
    uint64_t fewest = UINT64_MAX;
    for (int round = 0; round < 50 && fewest; ++round) {
      uint64_t before = allocations;
      for (int i = 0; i < 100; ++i)
        launch();
      fewest = std::min(fewest, allocations - before);
    }
    return fewest;
  }
  Context context;
  Device device;
  Stream stream;
  std::unique_ptr<Kernel> kernel;
};
} // namespace

TEST_F(Allocation, TheCountingWorks) {
  uint64_t before = allocations;
  Buffer buffer = device.allocate(4096);
  EXPECT_GT(allocations, before);
}

TEST_F(Allocation, OneProgram) {
  Buffer buffer = device.allocate(64);
  EXPECT_EQ(count([&] { kernel->launch(stream, {1}, buffer, 32); }), 0u);
}

TEST_F(Allocation, AGridOnAllThreads) {
  Buffer buffer = device.allocate(64);
  EXPECT_EQ(count([&] { kernel->launch(stream, {1000}, buffer, 32); }), 0u);
}

TEST_F(Allocation, APackedBlock) {
  struct {
    uint64_t a;
    int32_t n;
  } block = {0, 32};
  EXPECT_EQ(count([&] { kernel->launchPacked(stream, {7}, &block, 12); }), 0u);
}
