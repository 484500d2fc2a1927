//===- Allocations.h - Which bytes were ever written ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that the device handed out starts unwritten; stores, copies and fills
// make it written. All other memory belongs to the host and counts as written.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_REFERENCE_INTERPRETER_ALLOCATIONS_H
#define TILEWRIGHT_BACKENDS_REFERENCE_INTERPRETER_ALLOCATIONS_H

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace tilewright::reference {

/// May be used from any thread.
class Allocations {
public:
  void add(uint64_t address, uint64_t bytes);
  void remove(uint64_t address);

  void markWritten(uint64_t address, uint64_t bytes);
  /// What is copied is as written at its new place as at the old one.
  void markCopied(uint64_t to, uint64_t from, uint64_t bytes);
  /// Whether all of these bytes were written.
  bool isWritten(uint64_t address, uint64_t bytes);

private:
  /// The flag of the byte at `address`; null for memory of the host.
  std::vector<bool> *find(uint64_t address, uint64_t &offset);

  std::mutex mutex;
  std::map<uint64_t, std::vector<bool>> written; // a flag for each byte
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_BACKENDS_REFERENCE_INTERPRETER_ALLOCATIONS_H
