//===- HooksTest.cpp - Kernels that are built through the hooks -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ids, barriers, shuffles, tickets, prints and failures, on a device.
//===----------------------------------------------------------------------===//
#include "backends/spirv/hooks/SpirvHooks.h"
#include "backends/spirv/opencl/Device.h"
#include "test/unit/spirv/Harness.h"

#include <algorithm>
#include <cmath>

namespace tilewright::spirv::test {
namespace {

/// One kernel of i32 pointers under construction.
class Kernel {
public:
  Kernel(const Target &target, unsigned pointers, unsigned threads,
         bool needsProgress = false)
      : target(target), hooks(target), module("test", context), b(context) {
    module.setDataLayout(hooks.target().dataLayout);
    simt::KernelSignature signature;
    signature.symbol = "kernel";
    signature.threads = threads;
    signature.needsProgress = needsProgress;
    for (unsigned i = 0; i < pointers; ++i) {
      simt::KernelArgument argument;
      argument.type = b.getPtrTy(1);
      argument.name = "p" + std::to_string(i);
      signature.arguments.push_back(argument);
    }
    frame = hooks.beginKernel(b, module, signature);
    launch.threads = threads;
    launch.flags = needsProgress ? TW_KERNEL_NEEDS_PROGRESS : 0;
  }

  llvm::Value *at(unsigned pointer, llvm::Value *index) {
    return b.CreateGEP(b.getInt32Ty(), frame.arguments[pointer], index);
  }
  /// program * threads + thread
  llvm::Value *globalId() {
    return b.CreateAdd(
        b.CreateMul(hooks.programId(b, 0), b.getInt32(launch.threads)),
        hooks.threadId(b));
  }
  Generated finish() {
    hooks.endKernel(b, frame);
    return generate(module, target, hooks.texts());
  }
  std::vector<uint32_t> run(size_t count, int32_t expected = TW_OK) {
    std::vector<char> out(count * 4);
    EXPECT_EQ(test::run(finish(), launch, {&out}, messages), expected)
        << messages.text;
    return fromBytes<uint32_t>(out);
  }

  Target target;
  llvm::LLVMContext context;
  SpirvHooks hooks;
  llvm::Module module;
  llvm::IRBuilder<> b;
  simt::KernelFrame frame;
  Launch launch;
  Messages messages;
};

std::vector<std::string> deviceTargets() {
  std::vector<std::string> names = {""};
  opencl::Discovery found = opencl::discoverDevices();
  if (!found.devices.empty())
    for (uint64_t width : found.devices[0].subgroupWidths)
      if (width >= 8)
        names.push_back("spirv+sg" + std::to_string(width));
  names[0] = "spirv:opencl2.0+int64_atomics+fp64";
  return names;
}

TEST(Hooks, NumberThreadsAndPrograms) {
  TW_NEED_DEVICE();
  for (const std::string &name : deviceTargets()) {
    Kernel kernel(target(name), 1, 128);
    kernel.launch.dims = {3, 1, 1};
    kernel.b.CreateStore(
        kernel.b.CreateAdd(kernel.globalId(),
                           kernel.hooks.numPrograms(kernel.b, 0)),
        kernel.at(0, kernel.globalId()));
    std::vector<uint32_t> got = kernel.run(3 * 128);
    for (uint32_t i = 0; i < got.size(); ++i)
      ASSERT_EQ(got[i], i + 3) << name;
  }
}

TEST(Hooks, ProgramsHaveThreeAxes) {
  TW_NEED_DEVICE();
  Kernel kernel(target("spirv"), 1, 64);
  kernel.launch.dims = {2, 3, 4};
  llvm::IRBuilder<> &b = kernel.b;
  auto id = [&](unsigned axis) { return kernel.hooks.programId(b, axis); };
  auto count = [&](unsigned axis) { return kernel.hooks.numPrograms(b, axis); };
  llvm::Value *linear = b.CreateAdd(
      id(0),
      b.CreateMul(count(0), b.CreateAdd(id(1), b.CreateMul(count(1), id(2)))));
  b.CreateStore(b.CreateAdd(linear, b.getInt32(100)), kernel.at(0, linear));
  std::vector<uint32_t> got = kernel.run(24);
  for (uint32_t i = 0; i < 24; ++i)
    EXPECT_EQ(got[i], i + 100);
}

/// Every thread reads what another one wrote before a barrier.
TEST(Hooks, BarriersOrderSharedMemory) {
  TW_NEED_DEVICE();
  for (const std::string &name : deviceTargets()) {
    Kernel kernel(target(name), 1, 256);
    llvm::IRBuilder<> &b = kernel.b;
    llvm::Value *shared = kernel.hooks.sharedMemory(b, 256 * 4);
    llvm::Value *thread = kernel.hooks.threadId(b);
    b.CreateStore(b.CreateMul(thread, thread),
                  b.CreateGEP(b.getInt32Ty(), shared, thread));
    kernel.hooks.barrier(b, simt::Spaces::Shared);
    llvm::Value *other = b.CreateSub(b.getInt32(255), thread);
    llvm::Value *seen = b.CreateLoad(
        b.getInt32Ty(), b.CreateGEP(b.getInt32Ty(), shared, other));
    b.CreateStore(seen, kernel.at(0, thread));
    std::vector<uint32_t> got = kernel.run(256);
    for (uint32_t i = 0; i < 256; ++i)
      ASSERT_EQ(got[i], (255 - i) * (255 - i)) << name;
  }
}

/// Loads that LLVM would take from registers if barriers did not reach memory.
TEST(Hooks, BarriersReachMemoryThatDoesNotEscape) {
  TW_NEED_DEVICE();
  constexpr uint32_t threads = 64, rounds = 5;
  Kernel kernel(target("spirv"), 1, threads);
  llvm::IRBuilder<> &b = kernel.b;
  llvm::Value *shared = kernel.hooks.sharedMemory(b, (threads + 1) * 4);
  llvm::Value *thread = kernel.hooks.threadId(b);
  auto at = [&](llvm::Value *index) {
    return b.CreateGEP(b.getInt32Ty(), shared, index);
  };
  llvm::Value *next = b.CreateAdd(thread, b.getInt32(1));
  b.CreateStore(b.getInt32(0), at(next));
  b.CreateStore(b.getInt32(7), at(b.getInt32(0)));
  for (uint32_t round = 0; round < rounds; ++round) {
    kernel.hooks.barrier(b, simt::Spaces::Shared);
    llvm::Value *left = b.CreateLoad(b.getInt32Ty(), at(thread));
    kernel.hooks.barrier(b, simt::Spaces::Shared);
    b.CreateStore(left, at(next));
  }
  kernel.hooks.barrier(b, simt::Spaces::Shared);
  b.CreateStore(b.CreateLoad(b.getInt32Ty(), at(next)), kernel.at(0, thread));
  std::vector<uint32_t> got = kernel.run(threads);
  for (uint32_t i = 0; i < threads; ++i)
    EXPECT_EQ(got[i], i < rounds ? 7u : 0u) << i;
}

TEST(Hooks, ShufflesAndBallots) {
  TW_NEED_DEVICE();
  for (const std::string &name : deviceTargets()) {
    Kernel kernel(target(name), 1, 64);
    if (!kernel.hooks.hasShuffles())
      continue;
    uint32_t width = kernel.hooks.target().warpLanes();
    llvm::IRBuilder<> &b = kernel.b;
    llvm::Value *thread = kernel.hooks.threadId(b);
    llvm::Value *lane = kernel.hooks.laneId(b);
    llvm::Value *wide = b.CreateZExt(thread, b.getInt64Ty());
    wide = kernel.hooks.shuffleXor(b, b.CreateShl(wide, 32), width / 2);
    llvm::Value *values[] = {
        b.CreateTrunc(b.CreateLShr(wide, 32), b.getInt32Ty()),
        kernel.hooks.shuffleUp(b, thread, 1),
        kernel.hooks.shuffleIndex(b, thread, b.getInt32(width - 1)),
        b.CreateZExtOrTrunc(
            kernel.hooks.ballot(b, b.CreateICmpULT(lane, b.getInt32(3))),
            b.getInt32Ty())};
    for (uint32_t i = 0; i < 4; ++i)
      b.CreateStore(values[i],
                    kernel.at(0, b.CreateAdd(thread, b.getInt32(64 * i))));
    std::vector<uint32_t> got = kernel.run(4 * 64);
    for (uint32_t i = 0; i < 64; ++i) {
      ASSERT_EQ(got[i], i ^ (width / 2)) << name;
      ASSERT_EQ(got[64 + i], i % width ? i - 1 : i) << name;
      ASSERT_EQ(got[128 + i], i / width * width + width - 1) << name;
      ASSERT_EQ(got[192 + i], 7u) << name;
    }
  }
}

/// Ids of kernels that wait are given in order of starting, each once.
TEST(Hooks, TicketsAreAllIds) {
  TW_NEED_DEVICE();
  for (int round = 0; round < 3; ++round) {
    Kernel kernel(target("spirv"), 1, 64, /*needsProgress=*/true);
    kernel.launch.dims = {5, 4, 3};
    llvm::IRBuilder<> &b = kernel.b;
    llvm::Value *id = b.CreateAdd(
        kernel.hooks.programId(b, 0),
        b.CreateMul(b.getInt32(5),
                    b.CreateAdd(kernel.hooks.programId(b, 1),
                                b.CreateMul(b.getInt32(4),
                                            kernel.hooks.programId(b, 2)))));
    kernel.hooks.atomicRMW(
        b, kernel::AtomicKind::Add, kernel::MemorySemantics::Relaxed,
        kernel::MemoryScope::Device, kernel.at(0, id), b.getInt32(1));
    EXPECT_EQ(kernel.run(60), std::vector<uint32_t>(60, 64));
  }
}

TEST(Hooks, Prints) {
  TW_NEED_DEVICE();
  Kernel kernel(target("spirv"), 1, 16);
  llvm::IRBuilder<> &b = kernel.b;
  llvm::Value *thread = kernel.hooks.threadId(b);
  llvm::Value *half = b.CreateFDiv(b.CreateUIToFP(thread, b.getDoubleTy()),
                                   llvm::ConstantFP::get(b.getDoubleTy(), 2));
  kernel.hooks.print(b, "%d, %lld, %.2f, 100%%\n",
                     {b.CreateNeg(thread), b.getInt64(int64_t(1) << 40), half});
  device().printed.clear();
  kernel.run(1);
  std::vector<std::string> lines;
  for (llvm::StringRef rest = device().printed; !rest.empty();) {
    auto [line, tail] = rest.split('\n');
    lines.push_back(line.str());
    rest = tail;
  }
  std::sort(lines.begin(), lines.end());
  ASSERT_EQ(lines.size(), 16u);
  EXPECT_TRUE(
      std::count(lines.begin(), lines.end(), "-3, 1099511627776, 1.50, 100%"))
      << device().printed;
}

TEST(Hooks, TooMuchPrintIsSaid) {
  TW_NEED_DEVICE();
  Kernel kernel(target("spirv"), 1, 256);
  kernel.launch.dims.x = 1000;
  kernel.hooks.print(kernel.b, "%d\n", {kernel.globalId()});
  device().printed.clear();
  kernel.run(1);
  EXPECT_NE(device().printed.find("the rest is lost"), std::string::npos);
  EXPECT_LT(device().printed.size(), 1u << 20);
}

TEST(Hooks, FailuresReachTheHostOnce) {
  TW_NEED_DEVICE();
  Kernel kernel(target("spirv"), 1, 32);
  kernel.hooks.fail(kernel.b, 6030, "too small", {"file.py", 12});
  kernel.run(1, TW_E_DEVICE_ERROR);
  EXPECT_EQ(kernel.messages.text, "TW6030: too small at file.py:12\n");
  Kernel next(target("spirv"), 1, 32);
  next.b.CreateStore(next.b.getInt32(9), next.at(0, next.b.getInt32(0)));
  EXPECT_EQ(next.run(1)[0], 9u) << "the error was cleared";
}

/// Buffers without addresses: two arguments each, through the memory map.
TEST(Hooks, HandlesAreBuffersAndOffsets) {
  TW_NEED_DEVICE();
  Kernel kernel(target("spirv:opencl1.2"), 1, 64);
  llvm::Value *thread = kernel.hooks.threadId(kernel.b);
  kernel.b.CreateStore(thread, kernel.at(0, thread));
  std::vector<uint32_t> got = kernel.run(64);
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(got[i], i);
}

/// Quotients and roots against the host's, which are correctly rounded.
TEST(Hooks, DivisionAndRootAreExact) {
  TW_NEED_DEVICE();
  constexpr unsigned threads = 256, programs = 64;
  Kernel kernel(target("spirv"), 4, threads);
  kernel.launch.dims.x = programs;
  llvm::IRBuilder<> &b = kernel.b;
  llvm::Value *id = kernel.globalId();
  llvm::Value *x = b.CreateLoad(b.getFloatTy(), kernel.at(0, id));
  llvm::Value *y = b.CreateLoad(b.getFloatTy(), kernel.at(1, id));
  b.CreateStore(kernel.hooks.divide(b, x, y), kernel.at(2, id));
  b.CreateStore(kernel.hooks.squareRoot(b, x), kernel.at(3, id));
  std::vector<uint32_t> p(threads * programs), q(p.size());
  uint32_t state = 1;
  for (size_t i = 0; i < p.size(); ++i) { // any bits, denormals among them
    p[i] = (state = state * 1664525u + 1013904223u) >> (i % 3 ? 0 : 9);
    q[i] = (state = state * 1664525u + 1013904223u);
  }
  std::vector<char> bytes[4] = {toBytes(p), toBytes(q)};
  bytes[2].resize(4 * p.size());
  bytes[3].resize(4 * p.size());
  ASSERT_EQ(run(kernel.finish(), kernel.launch,
                {&bytes[0], &bytes[1], &bytes[2], &bytes[3]}, kernel.messages),
            TW_OK)
      << kernel.messages.text;
  std::vector<float> a = fromBytes<float>(bytes[0]),
                     c = fromBytes<float>(bytes[1]),
                     quotients = fromBytes<float>(bytes[2]),
                     roots = fromBytes<float>(bytes[3]);
  auto isSame = [](float got, float wanted) {
    return std::isnan(wanted) ? std::isnan(got)
                              : std::memcmp(&got, &wanted, 4) == 0;
  };
  for (size_t i = 0; i < a.size(); ++i) {
    ASSERT_TRUE(isSame(quotients[i], a[i] / c[i])) << a[i] << " / " << c[i];
    ASSERT_TRUE(isSame(roots[i], std::sqrt(a[i]))) << a[i];
  }
}

} // namespace
} // namespace tilewright::spirv::test
