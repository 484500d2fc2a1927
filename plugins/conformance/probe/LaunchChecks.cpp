//===- LaunchChecks.cpp - Rules TWB-8xx -------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frozen call: what it refuses, what it costs, from how many threads.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/probe/Probe.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace tilewright::conformance {

static std::string refusesBlocks(Session &session) {
  Launch launch(session, session.anyCase());
  uint32_t size = uint32_t(launch.block.size());
  for (uint32_t wrong : {size + 8, size ? size - 1 : 4, 0u})
    if (wrong != size)
      expect(launch.run(session.stream(), nullptr, nullptr, wrong) != TW_OK,
             "a block of " + std::to_string(wrong) + " instead of " +
                 std::to_string(size) + " bytes was taken");
  expect(launch.run(session.stream()) == TW_OK, "the right block is refused");
  launch.finish(session.stream());
  return {};
}

static std::string knowsExtensions(Session &session) {
  Launch launch(session, session.anyCase());
  tw_extension second = {};
  second.size = sizeof second;
  second.id = 0x7e57ab1e;
  tw_extension first = second;
  first.next = &second;
  int32_t status = launch.run(session.stream(), &first);
  expect(status == TW_OK,
         "two unknown extensions that may be skipped: status " +
             std::to_string(status));
  second.flags = TW_EXTENSION_MUST_UNDERSTAND;
  status = launch.run(session.stream(), &first);
  expect(status == TW_E_UNKNOWN_FIELD,
         "an unknown extension that must be understood: expected status 64, "
         "got " +
             std::to_string(status));
  launch.finish(session.stream());
  return {};
}

static std::string refusesDims(Session &session) {
  Launch launch(session, session.anyCase());
  for (tw_dims dims : {tw_dims{-1, 1, 1}, tw_dims{1, -1, 1}, tw_dims{1, 1, -1}})
    expect(launch.run(session.stream(), nullptr, &dims) != TW_OK,
           "a negative number of programs was launched");
  tw_dims none = {0, 1, 1};
  int32_t status = launch.run(session.stream(), nullptr, &none);
  expect(status == TW_OK,
         "no programs at all: status " + std::to_string(status));
  launch.finish(session.stream());
  for (const Launch::Array &array : launch.arrays)
    expect(array.after == array.given, "a launch of no programs wrote memory");
  return {};
}

static std::string encodesArguments(Session &session) {
  Launch launch(session, session.anyCase());
  const tw_launch_table &table = session.launcher().launch();
  tw_dims one = {1, 1, 1};
  constexpr uint32_t guard = 64;
  std::vector<char> space(launch.deviceBlockBytes + launch.block.size() + guard,
                          '\x5a');
  uint32_t written = 0;
  uint32_t capacity = uint32_t(space.size() - guard);
  int32_t status = table.encode_args(launch.kernel, &one, launch.block.data(),
                                     uint32_t(launch.block.size()),
                                     space.data(), capacity, &written);
  if (status == TW_E_UNIMPLEMENTED)
    throw Skipped("encode_args says that it is not implemented");
  expect(status == TW_OK, "encode_args returned " + std::to_string(status));
  expect(written <= capacity, "more was written than there is space");
  for (size_t i = written; i < space.size(); ++i)
    expect(space[i] == '\x5a', "bytes behind the block were written");
  if (written == 0)
    return "the block is empty";
  status = table.encode_args(launch.kernel, &one, launch.block.data(),
                             uint32_t(launch.block.size()), space.data(),
                             written - 1, &written);
  expect(status != TW_OK, "a space that is one byte too small was taken");
  return std::to_string(written) + " bytes";
}

static std::string allocatesNothing(Session &session) {
  constexpr int launches = 200;
  Launch launch(session, session.anyCase());
  for (int i = 0; i < 20; ++i)
    launch.run(session.stream());
  session.launcher().runtime().stream_synchronize(session.stream(), nullptr);
  uint64_t before = allocationCount();
  for (int i = 0; i < launches; ++i)
    launch.run(session.stream());
  uint64_t count = allocationCount() - before;
  launch.finish(session.stream());
  expect(count == 0, std::to_string(count) + " allocations in " +
                         std::to_string(launches) + " launches");
  return {};
}

static std::string launchesFast(Session &session) {
  constexpr int launches = 500;
  constexpr int64_t limit = 100000; // ns
  Launch launch(session, session.anyCase());
  std::vector<int64_t> times;
  for (int i = 0; i < launches; ++i) {
    auto start = std::chrono::steady_clock::now();
    int32_t status = launch.run(session.stream());
    auto end = std::chrono::steady_clock::now();
    expect(status == TW_OK, "launch returned " + std::to_string(status));
    times.push_back(
        std::chrono::duration_cast<std::chrono::nanoseconds>(end - start)
            .count());
    if (i % 64 == 63)
      session.launcher().runtime().stream_synchronize(session.stream(),
                                                      nullptr);
  }
  launch.finish(session.stream());
  std::sort(times.begin(), times.end());
  int64_t median = times[launches / 2], late = times[launches * 99 / 100];
  std::string figures = "median " + std::to_string(median) + " ns, p99 " +
                        std::to_string(late) + " ns";
  expect(median <= limit, figures + ", the limit is 100000 ns");
  return figures;
}

static std::string launchesConcurrently(Session &session) {
  constexpr unsigned threadCount = 4;
  constexpr int launches = 50;
  const Case &entry = session.anyCase();
  Launch launch(session, entry);
  const tw_runtime_table &runtime = session.launcher().runtime();
  tw_stream *streams[threadCount] = {};
  for (tw_stream *&stream : streams)
    expect(runtime.stream_create(session.device(), &stream) == TW_OK,
           "a second stream cannot be created");
  std::string wrong[threadCount];
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < threadCount; ++i)
    threads.emplace_back([&, i] {
      int32_t status = TW_OK;
      for (int round = 0; round < launches && status == TW_OK; ++round)
        status = launch.run(streams[i], nullptr, &entry.grid);
      if (status == TW_OK)
        status = runtime.stream_synchronize(streams[i], nullptr);
      if (status != TW_OK)
        wrong[i] = "a launch beside others returned " + std::to_string(status);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (tw_stream *stream : streams)
    runtime.stream_destroy(stream);
  for (const std::string &text : wrong)
    expect(text.empty(), text);
  launch.finish(session.stream());
  Launch alone(session, entry);
  alone.run(session.stream(), nullptr, &entry.grid);
  alone.finish(session.stream());
  for (size_t i = 0; i < alone.arrays.size(); ++i)
    expect(launch.arrays[i].after == alone.arrays[i].after,
           "launches beside others gave other results than one alone");
  return std::to_string(threadCount * launches) + " launches";
}

static std::string keepsErrors(Session &session) {
  if (session.settings.failures.empty())
    throw Skipped("the kit has no kernel that fails");
  const Case &entry = session.settings.failures.front();
  Launch failing(session, entry), next(session, session.anyCase());
  const tw_runtime_table &runtime = session.launcher().runtime();
  tw_stream *stream = session.stream();
  auto isRefused = [](const std::string &what, int32_t status) {
    expect(status == TW_E_DEVICE_ERROR,
           what + ": expected status 68, got " + std::to_string(status));
  };
  int32_t status = failing.run(stream, nullptr, &entry.grid);
  if (status != TW_OK) // a device may run before `launch` returns
    isRefused("a launch whose device code fails", status);
  isRefused("stream_synchronize without a sink behind it",
            runtime.stream_synchronize(stream, nullptr));
  isRefused("a launch behind it", next.run(stream));
  Collector reports;
  isRefused("stream_synchronize with a sink",
            runtime.stream_synchronize(stream, reports.sink()));
  expect(reports.errors, "stream_synchronize reported the error of device "
                         "code without a text");
  if (next.run(stream) == TW_OK) {
    next.finish(stream);
    return "'" + reports.first + "', then the stream works again";
  }
  return "'" + reports.first + "'; the device works no more";
}

const std::vector<CheckEntry> launchChecks = {
    {801, refusesBlocks},        {802, knowsExtensions},  {803, refusesDims},
    {804, encodesArguments},     {805, allocatesNothing}, {806, launchesFast},
    {807, launchesConcurrently}, {808, keepsErrors},
};

} // namespace tilewright::conformance
