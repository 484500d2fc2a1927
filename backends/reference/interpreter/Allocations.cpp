//===- Allocations.cpp - Which bytes were ever written ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One flag a byte, so that elements of any size may overlap.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Allocations.h"

#include <algorithm>

namespace tilewright::reference {

using Lock = std::lock_guard<std::mutex>;

void Allocations::add(uint64_t address, uint64_t bytes) {
  Lock lock(mutex);
  written[address].assign(bytes, false);
}

void Allocations::remove(uint64_t address) {
  Lock lock(mutex);
  written.erase(address);
}

std::vector<bool> *Allocations::find(uint64_t address, uint64_t &offset) {
  auto behind = written.upper_bound(address);
  if (behind == written.begin())
    return nullptr;
  auto &[start, flags] = *std::prev(behind);
  offset = address - start;
  return offset < flags.size() ? &flags : nullptr;
}

void Allocations::markWritten(uint64_t address, uint64_t bytes) {
  Lock lock(mutex);
  uint64_t offset;
  std::vector<bool> *flags = find(address, offset);
  if (!flags)
    return;
  uint64_t end = offset + std::min<uint64_t>(bytes, flags->size() - offset);
  std::fill(flags->begin() + offset, flags->begin() + end, true);
}

void Allocations::markCopied(uint64_t to, uint64_t from, uint64_t bytes) {
  Lock lock(mutex);
  uint64_t toOffset, fromOffset;
  std::vector<bool> *target = find(to, toOffset);
  if (!target)
    return;
  bytes = std::min<uint64_t>(bytes, target->size() - toOffset);
  std::vector<bool> copied(bytes, true);
  if (std::vector<bool> *source = find(from, fromOffset))
    std::copy_n(source->begin() + fromOffset,
                std::min<uint64_t>(bytes, source->size() - fromOffset),
                copied.begin());
  std::copy(copied.begin(), copied.end(), target->begin() + toOffset);
}

bool Allocations::isWritten(uint64_t address, uint64_t bytes) {
  Lock lock(mutex);
  uint64_t offset;
  std::vector<bool> *flags = find(address, offset);
  if (!flags)
    return true;
  uint64_t end = offset + std::min<uint64_t>(bytes, flags->size() - offset);
  return std::find(flags->begin() + offset, flags->begin() + end, false) ==
         flags->begin() + end;
}

} // namespace tilewright::reference
