//===- CpuDriverTest.cpp - Kernels on the CPU driver ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hand-made kernels through the whole runtime: artifact bytes, C++ interface,
// loader, driver, threads.
//===----------------------------------------------------------------------===//
#include "runtime/artifact/Artifact.h"
#include "test/unit/runtime/TestArtifact.h"
#include "tilewright/expression.h"
#include "tilewright/plugin.h"
#include "tilewright/runtime.hpp"

#include <atomic>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::test;

namespace {
class CpuDriver : public testing::TestWithParam<int> {
protected:
  static ContextOptions withThreads(int threads) {
    ContextOptions options;
    options.threads = threads;
    return options;
  }
  CpuDriver()
      : context(withThreads(GetParam())), device(context.open("cpu")),
        stream(device.stream()) {}

  tilewright::Artifact load(const artifact::Artifact &artifact) {
    artifact::Bytes file = artifact::writeArtifact(artifact);
    return device.loadBytes(file.data(), file.size());
  }
  Kernel load(artifact::Kernel kernel) {
    return load(makeCpuArtifact(TEST_KERNELS, {std::move(kernel)})).kernel();
  }
  Kernel loadAdd() {
    return load(makeKernel(
        "add", {pointer("x", TW_DTYPE_F32), pointer("y", TW_DTYPE_F32),
                pointer("out", TW_DTYPE_F32), scalar("n", TW_DTYPE_I32)}));
  }
  /// The code that a call throws, 0 if it throws nothing.
  template <typename Call> static uint32_t codeOf(Call call) {
    try {
      call();
      return 0;
    } catch (const Error &error) {
      return error.code();
    }
  }

  Context context;
  Device device;
  Stream stream;
};

INSTANTIATE_TEST_SUITE_P(Threads, CpuDriver, testing::Values(1, 2, 7, 0),
                         testing::PrintToStringParamName());
} // namespace

TEST_P(CpuDriver, AddsVectors) {
  const int32_t n = 100003;
  std::vector<float> x(n), y(n), out(n, -1);
  std::iota(x.begin(), x.end(), 0.0f);
  std::fill(y.begin(), y.end(), 0.5f);
  Kernel add = loadAdd();
  Buffer bx = device.allocate(4 * n), by = device.allocate(4 * n);
  Buffer bo = device.wrap(out.data(), 4 * n);
  EXPECT_EQ(bx.address() % 64, 0u);
  bx.write(stream, x.data(), 4 * n);
  by.write(stream, y.data(), 4 * n);
  add.launch(stream, {(n + 63) / 64}, bx, by, bo, n);
  stream.synchronize();
  for (int32_t i = 0; i < n; ++i)
    ASSERT_EQ(out[size_t(i)], float(i) + 0.5f) << i;
}

TEST_P(CpuDriver, RunsEveryProgramOfAGridOnce) {
  Kernel kernel =
      load(makeKernel("coordinates", {pointer("out", TW_DTYPE_I64)}));
  const int64_t grids[][3] = {{1, 1, 1},    {2, 1, 1},   {1, 1, 5}, {7, 11, 13},
                              {1, 4096, 1}, {333, 2, 3}, {1, 3, 1}};
  for (const auto &grid : grids) {
    size_t total = size_t(grid[0] * grid[1] * grid[2]);
    std::vector<int64_t> out(total + 1, 0);
    Buffer buffer = device.wrap(out.data(), 8 * out.size());
    kernel.launch(stream, {grid[0], grid[1], grid[2]}, buffer);
    stream.synchronize();
    size_t id = 0;
    for (int64_t z = 0; z < grid[2]; ++z)
      for (int64_t y = 0; y < grid[1]; ++y)
        for (int64_t x = 0; x < grid[0]; ++x, ++id)
          ASSERT_EQ(out[id], 1 + x + 1000 * y + 1000000 * z) << id;
    EXPECT_EQ(out[total], 0) << "a program too many";
  }
}

TEST_P(CpuDriver, EmptyGridsDoNothing) {
  Kernel kernel =
      load(makeKernel("coordinates", {pointer("out", TW_DTYPE_I64)}));
  int64_t untouched = 5;
  Buffer buffer = device.wrap(&untouched, 8);
  kernel.launch(stream, {0}, buffer);
  kernel.launch(stream, {1, 0, 1}, buffer);
  kernel.launch(stream, {0x7fffffff, 0x7fffffff, 0}, buffer);
  stream.synchronize();
  EXPECT_EQ(untouched, 5);
}

/// A call made once and launched again; it outlives the kernel's handle.
TEST_P(CpuDriver, CallsAreLaunchedAgain) {
  Kernel failing = load(makeKernel("fail_at", {scalar("id", TW_DTYPE_I64)}));
  tw_rt_value value = Value(int64_t(3)).value;
  tw_rt_grid few = {3, 1, 1}, enough = {4, 1, 1}, none = {0, 1, 1};
  auto makeCall = [&](const tw_rt_grid &grid, uint64_t count) {
    tw_rt_call *call = nullptr;
    detail::check(
        tw_rt_call_create(failing.get(), &grid, &value, count, &call));
    return std::shared_ptr<tw_rt_call>(call, tw_rt_call_release);
  };
  auto right = makeCall(few, 1), wrong = makeCall(enough, 1);
  auto empty = makeCall(none, 1);
  EXPECT_EQ(codeOf([&] { makeCall(few, 0); }), 6003u);
  EXPECT_EQ(codeOf([&] { makeCall({-1, 1, 1}, 1); }), 6007u);
  value.kind = TW_RT_VALUE_FLOAT;
  EXPECT_EQ(codeOf([&] { makeCall(few, 1); }), 6004u);
  {
    Kernel released = std::move(failing);
  }
  auto launch = [&](const std::shared_ptr<tw_rt_call> &call) {
    detail::check(tw_rt_call_launch(stream.get(), call.get()));
  };
  for (int i = 0; i < 2; ++i) {
    launch(right);
    launch(empty);
    stream.synchronize();
    launch(wrong);
    EXPECT_EQ(codeOf([&] { launch(right); }), 6017u);
    EXPECT_EQ(codeOf([&] { stream.synchronize(); }), 6012u);
  }
}

TEST_P(CpuDriver, OversizeGridsAreRefused) {
  Kernel kernel = load(makeKernel("nothing", {}));
  EXPECT_EQ(codeOf([&] { kernel.launch(stream, {0x80000000}); }), 6007u);
  EXPECT_EQ(codeOf([&] { kernel.launch(stream, {1, -1, 1}); }), 6007u);
  EXPECT_EQ(codeOf([&] { kernel.launch(stream, {1, 1, INT64_MAX}); }), 6007u);
  EXPECT_EQ(codeOf([&] {
              kernel.launch(stream, {0x7fffffff, 0x7fffffff, 0x7fffffff});
            }),
            6016u);
  EXPECT_EQ(codeOf([&] { kernel.launch(stream, {0x7fffffff}); }), 0u);
}

TEST_P(CpuDriver, DeviceErrorsStickUntilReported) {
  Kernel failing = load(makeKernel("fail_at", {scalar("id", TW_DTYPE_I64)}));
  Kernel nothing = load(makeKernel("nothing", {}));
  failing.launch(stream, {1000}, int64_t(-1));
  stream.synchronize();
  failing.launch(stream, {1000}, int64_t(617));
  EXPECT_EQ(codeOf([&] { nothing.launch(stream, {1}); }), 6017u);
  Event event = device.event();
  EXPECT_EQ(codeOf([&] { stream.record(event); }), 6017u);
  try {
    stream.synchronize();
    FAIL() << "the error was not reported";
  } catch (const Error &error) {
    EXPECT_EQ(error.status(), TW_E_DEVICE_ERROR);
    EXPECT_EQ(error.code(), 6012u);
    EXPECT_STREQ(error.what(),
                 "TW6012: kernel.py:42: device assertion failed: x < n");
  }
  stream.synchronize(); // cleared
  nothing.launch(stream, {1});
  // Another stream was never affected.
  failing.launch(stream, {1}, int64_t(0));
  Stream other = device.stream();
  nothing.launch(other, {1});
  other.synchronize();
  EXPECT_EQ(codeOf([&] { stream.synchronize(); }), 6012u);
}

TEST_P(CpuDriver, ProgramsMayWaitForLowerIds) {
  std::vector<int64_t> slots(5000, 0);
  artifact::Kernel record = makeKernel("chain", {pointer("s", TW_DTYPE_I64)});
  record.flags = TW_KERNEL_NEEDS_PROGRESS;
  Kernel chain = load(record);
  Buffer buffer = device.wrap(slots.data(), 8 * slots.size());
  chain.launch(stream, {int64_t(slots.size())}, buffer);
  stream.synchronize();
  EXPECT_EQ(slots.back(), 5000);
}

TEST_P(CpuDriver, ScratchIsAlignedPrivateAndZeroedOnRequest) {
  artifact::Kernel record = makeKernel(
      "use_scratch", {pointer("out", TW_DTYPE_I64), scalar("n", TW_DTYPE_I64)});
  for (uint64_t words : {1, 1000, 100000, 10}) {
    for (bool zeroed : {true, false}) {
      record.scratchBytes = 8 * words;
      record.scratchAlignment = 64;
      record.flags = zeroed ? TW_KERNEL_SCRATCH_ZEROED : 0;
      Kernel kernel = load(record);
      std::vector<int64_t> out(97, -2);
      Buffer buffer = device.wrap(out.data(), 8 * out.size());
      kernel.launch(stream, {97}, buffer, int64_t(words));
      stream.synchronize();
      for (int64_t seen : out)
        ASSERT_TRUE(zeroed ? seen == 0 : seen >= 0) << seen;
    }
  }
}

TEST_P(CpuDriver, ConcurrentLaunchesFromManyThreads) {
  Kernel kernel =
      load(makeKernel("coordinates", {pointer("out", TW_DTYPE_I64)}));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      Stream mine = device.stream();
      std::vector<int64_t> out(1000);
      Buffer buffer = device.wrap(out.data(), 8 * out.size());
      for (int round = 0; round < 50; ++round) {
        std::fill(out.begin(), out.end(), 0);
        kernel.launch(mine, {10, 10, 10}, buffer);
        mine.synchronize();
        for (int64_t id = 0; id < 1000; ++id)
          wrong += out[size_t(id)] !=
                   1 + id % 10 + 1000 * (id / 10 % 10) + 1000000 * (id / 100);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_P(CpuDriver, TheFirstVariantWhoseFactsHoldRuns) {
  auto variant = [](const char *symbol) {
    artifact::Kernel kernel = makeKernel(
        "pick", {pointer("out", TW_DTYPE_I64), scalar("n", TW_DTYPE_I32)});
    kernel.symbol = symbol;
    return kernel;
  };
  artifact::Kernel fast = variant("variant_fast");
  fast.facts = {makeFact(TW_FACT_DIVISIBLE, 1, 16)};
  artifact::Kernel general = variant("variant_general");
  Kernel kernel =
      load(makeCpuArtifact(TEST_KERNELS, {fast, general})).kernel("pick");
  int64_t ran = 0;
  Buffer buffer = device.wrap(&ran, 8);
  kernel.launch(stream, {1}, buffer, 32);
  EXPECT_EQ(ran, 1);
  kernel.launch(stream, {1}, buffer, 33);
  EXPECT_EQ(ran, 2);
  // Without a general variant the launch is refused, and says why.
  Kernel only = load(makeCpuArtifact(TEST_KERNELS, {fast})).kernel();
  ran = 0;
  try {
    only.launch(stream, {1}, buffer, 33);
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), 6006u);
    EXPECT_NE(
        std::string(error.what())
            .find("argument 'n' is 33, the kernel was compiled for multiples "
                  "of 16"),
        std::string::npos)
        << error.what();
  }
  EXPECT_EQ(ran, 0);
}

TEST_P(CpuDriver, DisjointBuffersAreProvedOrRefused) {
  artifact::Kernel record = makeKernel(
      "variant_fast", {pointer("a", TW_DTYPE_I64), pointer("b", TW_DTYPE_I64)});
  record.facts = {makeFact(TW_FACT_DISJOINT, 0, 0, 0, 1)};
  Kernel kernel = load(record);
  Buffer a = device.allocate(64), b = device.allocate(64);
  auto launch = [&](Value x, Value y) {
    return codeOf([&] { kernel.launch(stream, {1}, x, y); });
  };
  EXPECT_EQ(launch(a, b), 0u);
  EXPECT_EQ(launch(a, a), 6006u);
  EXPECT_EQ(launch(a, Value(a, 32)), 6006u);
  EXPECT_EQ(launch(a, Value::address(b.address())), 6006u) << "size unknown";
  EXPECT_EQ(launch(a, Value::address(b.address(), 64)), 0u);
  EXPECT_EQ(launch(Value::address(a.address(), 8),
                   Value::address(a.address() + 8, 8)),
            0u);
  auto packed = [&](uint64_t x, uint64_t y) {
    uint64_t block[] = {x, y};
    return codeOf([&] { kernel.launchPacked(stream, {1}, block, 16); });
  };
  EXPECT_EQ(packed(a.address(), b.address() + 8), 0u);
  EXPECT_EQ(packed(a.address(), a.address() + 32), 6006u);
  // Memory that is wrapped twice: the smaller buffer must not hide the larger.
  char pool[256];
  Buffer whole = device.wrap(pool, 256), part = device.wrap(pool + 64, 16);
  Buffer tail = device.wrap(pool + 128, 64);
  uint64_t base = whole.address();
  EXPECT_EQ(packed(base + 64, base + 128), 6006u);
  EXPECT_EQ(packed(base, a.address()), 0u);
  EXPECT_EQ(packed(base + 72, a.address()), 0u);
  char halves[128];
  Buffer first = device.wrap(halves, 64), second = device.wrap(halves + 64, 64);
  EXPECT_EQ(packed(first.address(), second.address()), 0u);
  int64_t foreign[2];
  EXPECT_EQ(packed(a.address(), reinterpret_cast<uintptr_t>(foreign)), 6006u);
  // What was answered before the buffers changed is not remembered.
  second = device.wrap(halves + 56, 72);
  EXPECT_EQ(packed(first.address(), second.address()), 6006u);
  first = device.wrap(halves, 8);
  EXPECT_EQ(packed(first.address(), second.address()), 0u);
}

TEST_P(CpuDriver, WrongCallsAreRefusedWithACode) {
  Kernel add = loadAdd();
  Buffer b = device.allocate(256);
  EXPECT_EQ(codeOf([&] { add.launch(stream, {1}, b, b, b); }), 6003u);
  EXPECT_EQ(codeOf([&] { add.launch(stream, {1}, b, b, b, 1.5); }), 6004u);
  EXPECT_EQ(codeOf([&] { add.launch(stream, {1}, 1, b, b, 1); }), 6004u);
  EXPECT_EQ(codeOf([&] { add.launch(stream, {1}, b, b, b, 1ll << 31); }),
            6005u);
  EXPECT_EQ(codeOf([&] { add.launch(stream, {1}, b, b, Value(b, 257), 1); }),
            6008u);
  EXPECT_EQ(codeOf([&] { add.launchPacked(stream, {1}, "", 1); }), 6009u);
  char host[512] = {};
  EXPECT_EQ(codeOf([&] { b.write(stream, host, 257); }), 6008u);
  EXPECT_EQ(codeOf([&] { b.read(stream, host, 1, 256); }), 6008u);
  EXPECT_EQ(codeOf([&] { b.read(stream, host, 2, UINT64_MAX); }), 6008u);
  EXPECT_EQ(codeOf([&] { device.allocate(uint64_t(1) << 62); }), 6002u);
  EXPECT_EQ(codeOf([&] { context.open("cpu@1"); }), 6001u);
  EXPECT_EQ(codeOf([&] { context.open("cpu:"); }), 5010u);
  EXPECT_EQ(codeOf([&] { context.open("vendorless"); }), 5008u);
  EXPECT_EQ(codeOf([&] { device.wrapStream(1); }), 6019u);
  Event a = device.event();
  EXPECT_EQ(codeOf([&] { a.elapsed(a); }), 6018u);
  Context elsewhere;
  Device another = elsewhere.open("cpu");
  Stream foreign = another.stream();
  EXPECT_EQ(codeOf([&] { add.launch(foreign, {1}, b, b, b, 1); }), 6014u);
  Buffer theirs = another.allocate(256);
  EXPECT_EQ(codeOf([&] { add.launch(stream, {1}, b, b, theirs, 1); }), 6014u);
}

TEST_P(CpuDriver, ArtifactsThatDoNotFitAreRefused) {
  artifact::Artifact good =
      makeCpuArtifact(TEST_KERNELS, {makeKernel("nothing", {})});
  auto refusal = [&](auto change) {
    artifact::Artifact changed = good;
    change(changed);
    return codeOf([&] { load(changed).kernel(); });
  };
  EXPECT_EQ(refusal([](auto &) {}), 0u);
  EXPECT_EQ(refusal([](auto &a) { a.target = "nvidia:sm_90a"; }), 6011u);
  EXPECT_EQ(refusal([](auto &a) { a.compat = "sparc;"; }), 6011u);
  EXPECT_EQ(refusal([](auto &a) { a.compat += "no-such-feature"; }), 6011u);
  EXPECT_EQ(refusal([](auto &a) { a.payloads[0].format = "ptx"; }), 6011u);
  EXPECT_EQ(refusal([](auto &a) { a.payloads[0].bytes.resize(100); }), 6015u);
  EXPECT_EQ(refusal([](auto &a) { a.payloads[0].bytes[0] = 'x'; }), 6015u);
  EXPECT_EQ(refusal([](auto &a) { a.kernels[0].symbol = "absent"; }), 6020u);
  EXPECT_EQ(
      refusal([](auto &a) { a.kernels[0].flags = TW_KERNEL_COOPERATIVE; }),
      6020u);
  EXPECT_EQ(codeOf([&] { load(good).kernel("other"); }), 6010u);
  good.kernels.push_back(makeKernel("print_line", {}));
  EXPECT_EQ(codeOf([&] { load(good).kernel(); }), 6010u) << "which one?";
  EXPECT_EQ(codeOf([&] { device.load("no-such-file.twa"); }), 7107u);
  EXPECT_EQ(codeOf([&] { device.loadBytes("TWA", 3); }), 7101u);
}

TEST_P(CpuDriver, ModulesStayApartWhenDescriptorsAreReused) {
  // Two payloads that differ in one function; the dynamic loader must not take
  // the second for the first.
  std::vector<Kernel> kernels;
  for (int i = 0; i < 100; ++i)
    kernels.push_back(
        load(makeKernel(i % 2 ? "variant_fast" : "variant_general",
                        {pointer("out", TW_DTYPE_I64)})));
  artifact::Artifact other = makeCpuArtifact(
      OTHER_KERNELS,
      {makeKernel("variant_fast", {pointer("out", TW_DTYPE_I64)})});
  Kernel different = load(other).kernel();
  int64_t ran = 0;
  Buffer buffer = device.wrap(&ran, 8);
  different.launch(stream, {1}, buffer);
  EXPECT_EQ(ran, 10);
  kernels[1].launch(stream, {1}, buffer);
  EXPECT_EQ(ran, 1);
  kernels[98].launch(stream, {1}, buffer);
  EXPECT_EQ(ran, 2);
}

TEST_P(CpuDriver, EventsMeasureRealTime) {
  Event start = device.event(), end = device.event();
  stream.record(start);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  stream.record(end);
  stream.wait(end);
  EXPECT_GE(start.elapsed(end), 5'000'000u);
  EXPECT_LT(start.elapsed(end), 5'000'000'000u);
}

TEST_P(CpuDriver, FillsWithEveryWidth) {
  Buffer buffer = device.allocate(16);
  uint64_t back[2];
  buffer.fill(stream, uint16_t(0xabcd));
  buffer.read(stream, back, 16);
  EXPECT_EQ(back[1], 0xabcdabcdabcdabcdu);
  buffer.fill(stream, 1.0);
  buffer.read(stream, back, 16);
  EXPECT_EQ(back[0], 0x3ff0000000000000u);
  EXPECT_EQ(codeOf([&] { device.allocate(3).fill(stream, 1); }), 6008u);
  device.allocate(0).fill(stream, 1);
}

TEST_P(CpuDriver, MathServicesAreTheLibrarys) {
  Kernel kernel = load(makeKernel("math", {pointer("out", TW_DTYPE_F64),
                                           scalar("a", TW_DTYPE_F64),
                                           scalar("b", TW_DTYPE_F64)}));
  double out[32];
  Buffer buffer = device.wrap(out, sizeof out);
  kernel.launch(stream, {32}, buffer, 0.7, 2.5);
  stream.synchronize();
  EXPECT_EQ(out[1], std::exp(0.7));
  EXPECT_EQ(out[14], std::atan2(0.7, 2.5));
  EXPECT_EQ(out[21], std::pow(0.7, 2.5));
  EXPECT_EQ(out[27], std::lgamma(0.7));
  EXPECT_TRUE(std::isnan(out[0]) && std::isnan(out[31]));
}

TEST_P(CpuDriver, ObjectsMayBeReleasedInAnyOrder) {
  auto context = std::make_unique<Context>(withThreads(GetParam()));
  auto device = std::make_unique<Device>(context->open("cpu"));
  artifact::Bytes file = artifact::writeArtifact(
      makeCpuArtifact(TEST_KERNELS, {makeKernel("nothing", {})}));
  auto artifact = std::make_unique<tilewright::Artifact>(
      device->loadBytes(file.data(), file.size()));
  Kernel kernel = artifact->kernel();
  Stream stream = device->stream();
  Buffer buffer = device->allocate(64);
  artifact.reset();
  device.reset();
  context.reset();
  kernel.launch(stream, {100});
  buffer.fill(stream, 1);
  stream.synchronize();
}

TEST_P(CpuDriver, AForkedChildRunsKernelsByItself) {
  Kernel kernel =
      load(makeKernel("coordinates", {pointer("out", TW_DTYPE_I64)}));
  std::vector<int64_t> out(500);
  Buffer buffer = device.wrap(out.data(), 8 * out.size());
  kernel.launch(stream, {500}, buffer);
  pid_t child = fork();
  if (child == 0) {
    alarm(20); // a deadlock ends the child
    kernel.launch(stream, {500}, buffer);
    _exit(out[499] == 2 * 500 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST_P(CpuDriver, DescribesArgumentsAndDevice) {
  Kernel add = loadAdd();
  std::vector<Argument> arguments = add.arguments();
  ASSERT_EQ(arguments.size(), 4u);
  EXPECT_EQ(arguments[2].name, "out");
  EXPECT_TRUE(arguments[2].isPointer);
  EXPECT_EQ(arguments[3].offset, 24u);
  EXPECT_EQ(arguments[3].dtype, uint32_t(TW_DTYPE_I32));
  EXPECT_EQ(add.blockBytes(), 28u);
  EXPECT_FALSE(device.name().empty());
  EXPECT_EQ(device.capability(TW_CAP_FLAT_ADDRESSES), 1);
  EXPECT_EQ(device.capability(TW_CAP_COOPERATIVE_LAUNCH), std::nullopt);
  EXPECT_EQ(device.capability(123456), std::nullopt);
  if (GetParam())
    EXPECT_EQ(device.capability(TW_CAP_PROCESSORS), GetParam());
  EXPECT_EQ(context.deviceCount("cpu"), 1u);
}
