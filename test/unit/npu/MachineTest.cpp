//===- MachineTest.cpp - The simulated accelerator --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code made by hand: where Sync goes, that the machine notices where it is
// missing, how long tiles live, that damaged payloads are refused.
//===----------------------------------------------------------------------===//
#include "plugins/template-npu/Assembler.h"
#include "plugins/template-npu/CyclesInterface.h"
#include "plugins/template-npu/Simulator.h"

#include "tilewright/portable.h"

#include <algorithm>
#include <dlfcn.h>
#include <gtest/gtest.h>

namespace tilewright::npu {
namespace {

constexpr uint32_t kCount = 64; // elements of the tiles below

/// Doubles kCount floats: a load, a function, a store.
struct Doubling {
  float from[kCount], to[kCount] = {};
  sdk::Op kernel;
  Assembler code;

  Doubling() {
    for (uint32_t i = 0; i < kCount; ++i)
      from[i] = float(i) - 7.5f;
    kernel.id = TW_PORTABLE_OP_FUNC_FUNC;
  }
  Operand constant(uint64_t bits) {
    Operand place;
    place.number = code.newRegister();
    code.emit(Set, {place, uint32_t(bits), uint32_t(bits >> 32)});
    return place;
  }
  Operand tile(const char *name) {
    Operand place;
    place.isRegister = false;
    place.number = code.newTile(kCount * sizeof(float), name, kernel);
    return place;
  }
  void move(Opcode opcode, Operand tile, const float *memory) {
    Operand zero = constant(0), one = constant(1), end = constant(kCount);
    Operand base = constant(reinterpret_cast<uintptr_t>(memory));
    code.emit(opcode, {uint32_t(TW_DTYPE_F32), 1u, tile, base, zero, kCount,
                       zero, zero, end, one, 1u});
  }
  void add(Operand result, Operand a, Operand b) {
    code.emit(Compute,
              {TW_PORTABLE_OP_ARITH_ADDF | uint32_t(TW_DTYPE_F32) << 8 |
                   uint32_t(TW_DTYPE_F32) << 16,
               0u, kCount, result, a, b, a});
  }
  Program finish() {
    Operand x = tile("x"), y = tile("y");
    move(Load, x, from);
    add(y, x, x);
    move(Store, y, to);
    return code.finish("double", kernel);
  }
  uint32_t run(const Program &program, Simulator &core) {
    Simulator::Launch launch = {nullptr, {1, 1, 1}, {0, 0, 0}};
    return core.run(program, launch);
  }
};

std::vector<uint32_t>::iterator findSync(Program &program) {
  return std::find(program.words.begin(), program.words.end(), Sync | 1 << 8);
}

TEST(NpuTest, LoadsAreWaitedFor) {
  Doubling doubling;
  Program program = doubling.finish();
  Simulator core;
  ASSERT_EQ(doubling.run(program, core), 0u);
  for (uint32_t i = 0; i < kCount; ++i)
    EXPECT_EQ(doubling.to[i], 2 * doubling.from[i]);
  ASSERT_NE(findSync(program), program.words.end());
}

TEST(NpuTest, AMissingSyncIsAFault) {
  Doubling doubling;
  Program program = doubling.finish();
  program.words.erase(findSync(program)); // there are no jumps
  Simulator core;
  EXPECT_EQ(doubling.run(program, core), Simulator::kFault);
  EXPECT_STREQ(core.fault, "a tile that the DMA engine is at work on");
}

TEST(NpuTest, TransfersRunBesideTheProgram) {
  Doubling doubling;
  Program program = doubling.finish();
  Simulator core;
  ASSERT_EQ(doubling.run(program, core), 0u);
  uint64_t transfer = kDmaStart + kCount * sizeof(float) / kDmaBytes;
  EXPECT_EQ(core.cycles.dma, 2 * transfer);
  EXPECT_EQ(core.cycles.vector, kVectorStart + 1);
  EXPECT_GE(core.cycles.total, 2 * transfer);
}

TEST(NpuTest, TilesThatAreNotLiveAtOnceShareMemory) {
  Doubling doubling;
  Operand a = doubling.tile("a"), b = doubling.tile("b"),
          c = doubling.tile("c"), d = doubling.tile("d");
  Operand one = doubling.constant(0x3f800000);
  doubling.add(a, one, one);
  doubling.add(b, a, one);
  doubling.add(c, b, one);
  doubling.add(d, c, one);
  Program program = doubling.code.finish("chain", doubling.kernel);
  EXPECT_EQ(program.scratchBytes, 2 * kCount * sizeof(float));
}

TEST(NpuTest, WhatALoopNeedsOutlivesIt) {
  Doubling doubling;
  Operand a = doubling.tile("a"), b = doubling.tile("b"),
          c = doubling.tile("c");
  Operand one = doubling.constant(0x3f800000);
  doubling.add(a, one, one);
  doubling.code.beginLoop();
  doubling.add(b, a, one); // the last use in the text, not in time
  doubling.add(c, b, one);
  doubling.code.endLoop();
  Program program = doubling.code.finish("loop", doubling.kernel);
  EXPECT_EQ(program.scratchBytes, 3 * kCount * sizeof(float));
}

TEST(NpuTest, AFullScratchpadNamesItsTiles) {
  Doubling doubling;
  Operand large = doubling.tile("small");
  large.number = doubling.code.newTile(kScratchBytes, "large", doubling.kernel);
  Operand small = doubling.tile("small");
  Operand one = doubling.constant(0x3f800000);
  doubling.add(small, one, one);
  doubling.add(large, small, one);
  try {
    doubling.code.finish("full", doubling.kernel);
    FAIL() << "expected a refusal";
  } catch (const sdk::Refusal &refusal) {
    EXPECT_EQ(refusal.code, 4150u);
    EXPECT_EQ(refusal.notes, (std::vector<std::string>{"small: 256 bytes",
                                                       "large: 262144 bytes"}));
  }
}

TEST(NpuTest, PayloadsAreReadBackAndDamagedOnesRefused) {
  Doubling doubling;
  Program program = doubling.finish();
  program.failures.push_back({6033, 12, "kernel.py", "expected a step"});
  std::string bytes = writePayload({program});
  std::vector<Program> read;
  ASSERT_TRUE(readPayload({bytes.data(), bytes.size()}, read));
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].words, program.words);
  EXPECT_EQ(read[0].failures[0].message, "expected a step");
  for (size_t size = 0; size < bytes.size(); size += 7) {
    read.clear();
    EXPECT_FALSE(readPayload({bytes.data(), size}, read)) << size;
  }
  for (size_t at = 0; at < bytes.size(); at += 5) {
    std::string damaged = bytes;
    damaged[at] ^= 4;
    read.clear();
    EXPECT_FALSE(readPayload({damaged.data(), damaged.size()}, read)) << at;
  }
}

TEST(NpuTest, HostsFindTheCyclesInterfaceByName) {
  void *library = dlopen(TW_TEST_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(library) << dlerror();
  auto entry = reinterpret_cast<tw_backend_entry_fn>(
      dlsym(library, TW_BACKEND_ENTRY_NAME));
  tw_host_offer offer = {};
  offer.size = sizeof offer;
  offer.magic = TW_OFFER_MAGIC;
  offer.max_version = TW_ABI_VERSION(TW_ABI_MAJOR, TW_ABI_MINOR);
  tw_backend_answer answer = {};
  answer.size = sizeof answer;
  ASSERT_EQ(entry(&offer, &answer), TW_OK);
  tw_str name = tw_string(NPU_CYCLES_INTERFACE_NAME);
  auto *found =
      static_cast<const npu_cycles_interface *>(answer.get_interface(name, 1));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->size, sizeof *found);
  EXPECT_TRUE(found->last_launch);
  EXPECT_FALSE(answer.get_interface(name, 2));
  EXPECT_FALSE(answer.get_interface(tw_string("org.example.other"), 1));
  dlclose(library);
}

} // namespace
} // namespace tilewright::npu
