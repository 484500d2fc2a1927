//===- SharedMemory.cpp - A program's shared memory, watched ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One trace a byte. Nothing is cleared between programs: epochs only grow.
//===----------------------------------------------------------------------===//
#include "backends/simulate/machine/SharedMemory.h"

#include "backends/simulate/machine/Codes.h"
#include "backends/simulate/machine/Services.h"

#include <cstring>

namespace tilewright::simulate {

using namespace services;

void SharedMemory::begin(uint64_t newSize) {
  size = newSize;
  if (bytes.size() < size + 2 * kMargin)
    bytes.resize(size + 2 * kMargin);
  if (traces.size() < size)
    traces.resize(size);
  std::memset(data(), 0xff, size);
  beginning = ++epoch;
}

Finding SharedMemory::locate(const char *address, uint32_t count,
                             uint32_t alignment, uint64_t &offset) const {
  const char *base = bytes.data() + kMargin;
  offset = uint64_t(address - base);
  if (address < base || offset > size || count > size - offset)
    return {kOutside, "shared memory of " + std::to_string(size) +
                          " bytes, reached at byte " +
                          std::to_string(int64_t(address - base)) + " for " +
                          std::to_string(count)};
  if (offset % alignment)
    return {kMisaligned, "an access of shared memory at byte " +
                             std::to_string(offset) +
                             " was compiled as aligned to " +
                             std::to_string(alignment) + " bytes"};
  return {};
}

std::string lineOf(const Toucher &who) {
  return who.place && who.place->line
             ? " at line " + std::to_string(who.place->line)
             : "";
}

Finding SharedMemory::conflict(const Toucher &who, uint64_t offset) const {
  const Trace &trace = traces[offset];
  // "thread 5 reads byte 16 of shared memory, which thread 0 .."
  auto say = [&](uint32_t code, const std::string &what) {
    const char *does = who.access == Read    ? " reads byte "
                       : who.access == Write ? " writes byte "
                                             : " updates byte ";
    return Finding{code, "thread " + std::to_string(who.thread) + does +
                             std::to_string(offset) + " of shared memory, " +
                             what};
  };
  auto writer = [&] { return "thread " + std::to_string(trace.writer.thread); };
  if (trace.isLanding && trace.written >= beginning)
    return say(kUnwritten, "where a copy of " + writer() +
                               lineOf(trace.writer) +
                               " is under way that nobody waited for");
  bool isOther = trace.writer.thread != who.thread && trace.written == epoch;
  bool areAtomic = who.access == Atomic && trace.writer.access == Atomic;
  if (isOther && !areAtomic)
    return say(kUnordered, "which " + writer() + " wrote" +
                               lineOf(trace.writer) +
                               " with no barrier between");
  if (who.access == Read || trace.read != epoch ||
      trace.reader.thread == who.thread)
    return {};
  return say(kUnordered,
             (trace.reader.thread == kManyThreads
                  ? "which several threads"
                  : "which thread " + std::to_string(trace.reader.thread)) +
                 " read" + lineOf(trace.reader) + " with no barrier between");
}

Finding SharedMemory::access(const Toucher &who, const char *address,
                             uint32_t count, uint32_t alignment) {
  uint64_t offset;
  if (Finding finding = locate(address, count, alignment, offset))
    return finding;
  for (uint64_t at = offset; at < offset + count; ++at) {
    if (Finding finding = conflict(who, at))
      return finding;
    Trace &trace = traces[at];
    if (who.access == Read) {
      bool isFirst = trace.read != epoch || trace.reader.thread == who.thread;
      trace.reader = who;
      if (!isFirst)
        trace.reader.thread = kManyThreads;
      trace.read = epoch;
      continue;
    }
    trace.written = epoch;
    trace.writer = who;
    trace.isLanding = false;
  }
  return {};
}

Finding SharedMemory::startCopy(const Toucher &who, const char *address,
                                uint32_t count) {
  if (Finding finding = access(who, address, count, count))
    return finding;
  uint64_t offset = uint64_t(address - data());
  for (uint64_t at = offset; at < offset + count; ++at)
    traces[at].isLanding = true;
  return {};
}

void SharedMemory::landCopy(const Toucher &who, const char *address,
                            uint32_t count) {
  uint64_t offset = uint64_t(address - data());
  for (uint64_t at = offset; at < offset + count; ++at) {
    traces[at].isLanding = false;
    traces[at].writer = who;
    traces[at].written = epoch;
  }
}

} // namespace tilewright::simulate
