//===- ThreadMachine.h - Runs simt kernels in this process ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target for tests: each thread of a program is a coroutine that runs until
// it meets a barrier or a shuffle. The order in which threads run can be
// chosen, so that a missing barrier shows as a wrong result.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_THREADMACHINE_H
#define TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_THREADMACHINE_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::simt::test {

/// The shape of the machine.
struct MachineOptions {
  unsigned numWarps = 4;
  unsigned lanes = 32;
  bool hasShuffles = false;
  uint64_t sharedBytes = 48 << 10;
  /// Whether tensors of four registers a thread are worked on in loops already,
  /// as larger ones are elsewhere.
  bool hasSmallChunks = false;
};

/// Threads in ascending or descending order between two barriers.
enum class Order { Ascending, Descending };

/// A compiled kernel.
class MachineKernel {
public:
  virtual ~MachineKernel();
  /// Runs one program on the buffers; false if threads met in different ways.
  virtual bool run(const std::vector<void *> &buffers, Order order) = 0;
  /// LLVM instructions as emitted.
  virtual uint64_t instructions() const = 0;
};

/// Parses simt IR, allocates, places barriers, checks races, emits and compiles
/// the only kernel, whose arguments are pointers; null with the reason in
/// `error`.
std::unique_ptr<MachineKernel> compile(const std::string &text,
                                       const MachineOptions &options,
                                       std::string &error);

} // namespace tilewright::simt::test

#endif // TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_THREADMACHINE_H
