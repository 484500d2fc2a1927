//===- GlobalMemory.cpp - What a program does to global memory --*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces by blocks of 64 bytes, made when they are first touched.
//===----------------------------------------------------------------------===//
#include "backends/simulate/machine/GlobalMemory.h"

#include "backends/simulate/machine/Codes.h"
#include "backends/simulate/machine/Services.h"

namespace tilewright::simulate {

using namespace services;

/// Traces that are kept from program to program.
static constexpr size_t kMostBlocks = 1 << 14;

void GlobalMemory::begin() {
  ++epoch;
  if (blocks.size() <= kMostBlocks)
    return;
  blocks.clear();
  lastBlock = nullptr;
}

static std::string nameOf(const Toucher &who) {
  return "thread " + std::to_string(who.thread);
}

GlobalMemory::Trace &GlobalMemory::traceAt(uint64_t address) {
  uint64_t number = address / kBlockBytes;
  if (!lastBlock || number != last) {
    std::unique_ptr<TraceBlock> &block = blocks[number];
    if (!block)
      block = std::make_unique<TraceBlock>();
    last = number;
    lastBlock = block.get();
  }
  return (*lastBlock)[address % kBlockBytes];
}

/// Atomics may meet, and so may the plain read that begins a loop of
/// compare-and-swap: it stands where the atomic does.
static bool areAtomic(const Toucher &one, const Toucher &other) {
  bool isOne = one.access == Atomic, isOther = other.access == Atomic;
  return isOne && isOther ? true
                          : (isOne || isOther) && one.place == other.place;
}

Finding GlobalMemory::conflict(const Toucher &who, const Trace &trace) const {
  bool isUnseen = trace.written == epoch && trace.writer.thread != who.thread &&
                  !areAtomic(who, trace.writer);
  if (isUnseen && who.access != Write)
    return {kUnordered, nameOf(who) + " reads global memory that " +
                            nameOf(trace.writer) + " wrote" +
                            lineOf(trace.writer) + " with no barrier between"};
  bool isEarly = trace.read == epoch && trace.reader.thread != who.thread &&
                 !areAtomic(who, trace.reader);
  if (isEarly && who.access != Read)
    return {kUnordered, nameOf(who) +
                            " writes global memory that other "
                            "threads read" +
                            lineOf(trace.reader) + " with no barrier between"};
  return {};
}

Finding GlobalMemory::access(const Toucher &who, const char *address,
                             uint32_t count, uint32_t alignment) {
  auto number = reinterpret_cast<uint64_t>(address);
  constexpr uint64_t firstPage = 4096;
  if (number < firstPage || number + count < number)
    return {kOutside,
            nameOf(who) + " reaches address " + std::to_string(number)};
  if (number % alignment)
    return {kMisaligned, nameOf(who) + " reaches address " +
                             std::to_string(number) +
                             ", and the access was compiled as aligned to " +
                             std::to_string(alignment) + " bytes"};
  for (uint64_t at = number; at < number + count; ++at) {
    Trace &trace = traceAt(at);
    if (Finding finding = conflict(who, trace))
      return finding;
    // An atomic reads what its own kind may write: it counts as a writer.
    if (who.access == Read) {
      bool isFirst = trace.read != epoch || trace.reader.thread == who.thread;
      trace.reader = who;
      if (!isFirst)
        trace.reader.thread = kManyThreads;
      trace.read = epoch;
    } else {
      trace.written = epoch;
      trace.writer = who;
    }
  }
  return {};
}

} // namespace tilewright::simulate
