//===- Runtime.cpp - Rules TWB-7xx ------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices, memory, copies, fills, events, modules.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/probe/Probe.h"

#include <algorithm>
#include <cstring>

namespace tilewright::conformance {

static const tw_runtime_table &table(Session &session) {
  return session.launcher().runtime();
}

static void expectOk(int32_t status, const std::string &what) {
  expect(status == TW_OK, what + " returned " + std::to_string(status));
}

static uint64_t addressOf(const void *memory) {
  return uint64_t(uintptr_t(memory));
}

namespace {
/// Device memory for a check.
class Memory {
public:
  Memory(Session &session, uint64_t bytes, uint64_t alignment = 64)
      : session(session) {
    expectOk(table(session).memory_allocate(session.device(), bytes, alignment,
                                            &address),
             "memory_allocate of " + std::to_string(bytes) + " bytes");
  }
  ~Memory() { table(session).memory_free(session.device(), address); }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  void write(const std::string &bytes) {
    copy(address, addressOf(bytes.data()), bytes.size(),
         TW_COPY_HOST_TO_DEVICE);
  }
  std::string read(uint64_t bytes) {
    std::string result(bytes, '\0');
    copy(addressOf(&result[0]), address, bytes, TW_COPY_DEVICE_TO_HOST);
    expectOk(table(session).stream_synchronize(session.stream(), nullptr),
             "stream_synchronize");
    return result;
  }
  void copy(uint64_t to, uint64_t from, uint64_t bytes, uint32_t kind) {
    expectOk(
        table(session).memory_copy(session.stream(), to, from, bytes, kind),
        "memory_copy of kind " + std::to_string(kind));
  }
  uint64_t address = 0;

private:
  Session &session;
};
} // namespace

static std::string pattern(uint64_t bytes, unsigned seed) {
  std::string text(bytes, '\0');
  for (uint64_t i = 0; i < bytes; ++i)
    text[i] = char((i * 131 + seed * 17 + (i >> 8)) & 0xff);
  return text;
}

static std::string opensDevices(Session &session) {
  std::string name;
  expectOk(table(session).device_name(session.device(), writerTo(name)),
           "device_name");
  expect(!name.empty(), "the device has no name");
  tw_capability cap = {};
  cap.id = 0xfff0;
  cap.answer = 77;
  expectOk(table(session).get_caps(session.device(), &cap, 1), "get_caps");
  expect(cap.answer == TW_ANSWER_UNKNOWN,
         "capability 65520, which does not exist, is answered with " +
             std::to_string(cap.answer));
  return name;
}

static std::string refusesOrdinals(Session &session) {
  uint32_t count = 0;
  session.device();
  expectOk(table(session).device_count(session.launchBackend(), &count),
           "device_count");
  for (uint32_t ordinal : {count, 0xffffffffu}) {
    tw_device *device = nullptr;
    int32_t status = table(session).device_open(session.launchBackend(),
                                                ordinal, nullptr, &device);
    expect(status != TW_OK, "device " + std::to_string(ordinal) + " of " +
                                std::to_string(count) + " was opened");
  }
  return std::to_string(count) + " devices";
}

static std::string allocates(Session &session) {
  struct Block {
    uint64_t begin, end;
  };
  std::vector<Block> blocks;
  std::vector<std::unique_ptr<Memory>> memory;
  for (uint64_t alignment : {1, 16, 64, 256, 4096})
    for (uint64_t bytes : {1, 17, 4096, 100000}) {
      memory.push_back(std::make_unique<Memory>(session, bytes, alignment));
      uint64_t address = memory.back()->address;
      expect(address != 0 && address % alignment == 0,
             "memory at " + std::to_string(address) + " is not aligned to " +
                 std::to_string(alignment));
      blocks.push_back({address, address + bytes});
    }
  std::sort(blocks.begin(), blocks.end(),
            [](const Block &a, const Block &b) { return a.begin < b.begin; });
  for (size_t i = 1; i < blocks.size(); ++i)
    expect(blocks[i - 1].end <= blocks[i].begin, "two allocations overlap");
  return {};
}

static std::string copies(Session &session) {
  for (uint64_t bytes : {1, 3, 64, 1000, 65537}) {
    Memory first(session, bytes), second(session, bytes);
    std::string one = pattern(bytes, 1), two = pattern(bytes, 2);
    first.write(one);
    second.write(two);
    second.copy(second.address, first.address, bytes, TW_COPY_DEVICE_TO_DEVICE);
    first.write(two); // behind the copy that reads it
    expect(second.read(bytes) == one,
           "host to device to device to host is not what went in, " +
               std::to_string(bytes) + " bytes");
    expect(first.read(bytes) == two,
           "a later write did not arrive, " + std::to_string(bytes) + " bytes");
  }
  return {};
}

static std::string fills(Session &session) {
  constexpr uint64_t bytes = 96;
  constexpr uint64_t value = 0x1122334455667788;
  for (uint32_t size : {1u, 2u, 4u, 8u}) {
    Memory memory(session, bytes + 16);
    memory.write(std::string(bytes + 16, 'x'));
    expectOk(table(session).memory_fill(session.stream(), memory.address, value,
                                        size, bytes),
             "memory_fill with " + std::to_string(size) + " bytes");
    std::string wanted(bytes + 16, 'x');
    for (uint64_t i = 0; i < bytes; ++i)
      wanted[i] = char(value >> (8 * (i % size)));
    expect(memory.read(bytes + 16) == wanted,
           "a fill with " + std::to_string(size) + " bytes is wrong");
  }
  Memory memory(session, bytes);
  for (uint32_t size : {0u, 3u, 16u})
    expect(table(session).memory_fill(session.stream(), memory.address, value,
                                      size, bytes) != TW_OK,
           "a pattern of " + std::to_string(size) + " bytes was taken");
  return {};
}

static std::string refusesTooMuch(Session &session) {
  uint64_t address = 0;
  int32_t status = table(session).memory_allocate(
      session.device(), uint64_t(1) << 60, 64, &address);
  expect(status != TW_OK, "an exbibyte was allocated");
  expect(status == TW_E_EXHAUSTED,
         "expected status 8 for an exbibyte, got " + std::to_string(status));
  Memory memory(session, 64); // it still works
  return {};
}

static std::string knowsEvents(Session &session) {
  tw_event *start = nullptr, *end = nullptr;
  expectOk(table(session).event_create(session.device(), &start),
           "event_create");
  expectOk(table(session).event_create(session.device(), &end), "event_create");
  uint64_t time = 0;
  expect(table(session).event_elapsed(start, end, &time) != TW_OK,
         "there is a time between events that were not recorded");
  expectOk(table(session).event_record(start, session.stream()),
           "event_record");
  expect(table(session).event_elapsed(start, end, &time) != TW_OK,
         "there is a time to an event that was not recorded");
  expectOk(table(session).event_record(end, session.stream()), "event_record");
  expectOk(table(session).event_synchronize(end), "event_synchronize");
  expectOk(table(session).event_elapsed(start, end, &time), "event_elapsed");
  expect(time < 60'000'000'000, "a minute between two events in a row");
  tw_stream *other = nullptr;
  expectOk(table(session).stream_create(session.device(), &other),
           "stream_create");
  expectOk(table(session).stream_wait(other, end), "stream_wait");
  expectOk(table(session).stream_synchronize(other, nullptr),
           "stream_synchronize");
  table(session).stream_destroy(other);
  table(session).event_destroy(start);
  table(session).event_destroy(end);
  return {};
}

/// module_load of some bytes; unloads what was loaded.
static int32_t loadModule(Session &session, const std::string &format,
                          std::string_view payload, Collector &reports) {
  tw_module *module = nullptr;
  int32_t status = table(session).module_load(session.device(), toStr(format),
                                              {payload.data(), payload.size()},
                                              reports.sink(), &module);
  if (status == TW_OK && module)
    table(session).module_unload(module);
  return status;
}

static std::string refusesFormats(Session &session) {
  Collector reports;
  int32_t status =
      loadModule(session, "org.tilewright.unheard-of", "bytes", reports);
  expect(status != TW_OK, "a payload of an unknown format was loaded");
  expect(status != TW_E_DIAGNOSED || reports.errors,
         "module_load says that it told the user, and told nothing");
  return {};
}

static std::string refusesTruncated(Session &session) {
  const Compiled &artifact = session.artifact(session.anyCase());
  Collector reports;
  expectOk(loadModule(session, artifact.format, artifact.payload, reports),
           "module_load");
  for (double part : {0.0, 0.1, 0.5}) {
    std::string_view cut(artifact.payload);
    cut = cut.substr(0, size_t(double(cut.size()) * part));
    expect(loadModule(session, artifact.format, cut, reports) != TW_OK,
           "a payload that was cut to " + std::to_string(int(part * 100)) +
               " % was loaded");
  }
  return {};
}

static std::string grades(Session &session) {
  const Compiled &artifact = session.artifact(session.anyCase());
  auto grade = [&](const std::string &format, const std::string &compat) {
    uint32_t grade = 77;
    expectOk(table(session).grade_artifact(session.device(), toStr(format),
                                           toStr(compat), &grade),
             "grade_artifact");
    return grade;
  };
  uint32_t own = grade(artifact.format, artifact.compat);
  expect(own == TW_GRADE_USABLE || own == TW_GRADE_OPTIMAL,
         "an artifact made here is graded " + std::to_string(own));
  expect(grade("org.tilewright.unheard-of", artifact.compat) ==
             TW_GRADE_UNUSABLE,
         "a payload of an unknown format is not unusable");
  return {};
}

const std::vector<CheckEntry> runtimeChecks = {
    {701, opensDevices}, {702, refusesOrdinals}, {703, allocates},
    {704, copies},       {705, fills},           {706, refusesTooMuch},
    {707, knowsEvents},  {708, refusesFormats},  {709, refusesTruncated},
    {710, grades},
};

} // namespace tilewright::conformance
