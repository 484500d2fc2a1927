//===- launch_cost.cpp - What a launch costs on the host --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program of a kernel that does nothing, launched through the runtime,
// beside a direct call of the same function, interleaved call by call. The
// counters are nanoseconds; `over_direct` is the median above the direct call's
// median. Budget: 200 ns at p50, 1000 ns at p99.
//===----------------------------------------------------------------------===//
#include "backends/cpu/driver/KernelABI.h"
#include "test/unit/runtime/TestArtifact.h"
#include "tilewright/runtime.hpp"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <dlfcn.h>

using namespace tilewright;

namespace {
using Clock = std::chrono::steady_clock;

/// Device, kernel of four pointers and a count, and the same function bare.
struct Setup {
  Setup() : device(context.open("cpu")), stream(device.stream()) {
    auto fp = [](const char *name) {
      return test::pointer(name, TW_DTYPE_F32);
    };
    artifact::Kernel record =
        test::makeKernel("nothing", {fp("a"), fp("b"), fp("c"), fp("d"),
                                     test::scalar("n", TW_DTYPE_I32)});
    for (uint32_t i = 0; i < 5; ++i)
      record.facts.push_back(test::makeFact(TW_FACT_DIVISIBLE, i, 16));
    artifact::Bytes file =
        artifact::writeArtifact(test::makeCpuArtifact(TEST_KERNELS, {record}));
    kernel = std::make_unique<Kernel>(
        device.loadBytes(file.data(), file.size()).kernel());
    void *library = dlopen(TEST_KERNELS, RTLD_NOW | RTLD_LOCAL);
    direct = reinterpret_cast<tw_cpu_kernel_fn>(dlsym(library, "nothing"));
  }
  Context context;
  Device device;
  Stream stream;
  std::unique_ptr<Kernel> kernel;
  tw_cpu_kernel_fn direct;
};

struct Block {
  uint64_t pointers[4];
  int32_t n;
};

int64_t nanoseconds(Clock::duration duration) {
  return std::chrono::nanoseconds(duration).count();
}

/// Times `launch` and the direct call alternately, one clock pair a call.
template <typename Launch>
void measure(benchmark::State &state, Setup &setup, Launch launch) {
  std::vector<int64_t> launched, called;
  launched.reserve(1 << 20);
  called.reserve(1 << 20);
  Block block = {};
  tw_cpu_grid grid = {{1, 1, 1}, nullptr};
  for (auto _ : state) {
    Clock::time_point start = Clock::now();
    launch();
    Clock::time_point middle = Clock::now();
    setup.direct(&block, &grid, 0, 1, nullptr);
    Clock::time_point end = Clock::now();
    launched.push_back(nanoseconds(middle - start));
    called.push_back(nanoseconds(end - middle));
    state.SetIterationTime(double(launched.back()) * 1e-9);
  }
  auto percentile = [](std::vector<int64_t> &times, double fraction) {
    size_t index = size_t(double(times.size() - 1) * fraction);
    std::nth_element(times.begin(), times.begin() + long(index), times.end());
    return double(times[index]);
  };
  state.counters["p50"] = percentile(launched, 0.5);
  state.counters["p99"] = percentile(launched, 0.99);
  state.counters["direct_p50"] = percentile(called, 0.5);
  state.counters["over_direct"] =
      percentile(launched, 0.5) - percentile(called, 0.5);
}
} // namespace

/// The block is packed once: what a framework's own launcher pays.
static void launchPacked(benchmark::State &state) {
  Setup setup;
  Block block = {{64, 128, 192, 256}, 1024};
  Grid grid(1);
  measure(state, setup, [&] {
    setup.kernel->launchPacked(setup.stream, grid, &block,
                               setup.kernel->blockBytes());
  });
}
BENCHMARK(launchPacked)->UseManualTime();

/// Five values are checked and packed at every call.
static void launchValues(benchmark::State &state) {
  Setup setup;
  Buffer buffer = setup.device.allocate(4096);
  measure(state, setup, [&] {
    setup.kernel->launch(setup.stream, {1}, buffer, buffer, buffer, buffer,
                         1024);
  });
}
BENCHMARK(launchValues)->UseManualTime();

/// Many programs on all threads: waking up and coming together.
static void launchGrid(benchmark::State &state) {
  Setup setup;
  Block block = {{64, 128, 192, 256}, 1024};
  Grid grid(state.range(0));
  measure(state, setup, [&] {
    setup.kernel->launchPacked(setup.stream, grid, &block,
                               setup.kernel->blockBytes());
  });
}
BENCHMARK(launchGrid)->Arg(2)->Arg(64)->Arg(4096)->UseManualTime();

BENCHMARK_MAIN();
