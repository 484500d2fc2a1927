//===- Prints.h - What kernels print ----------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One queue of lines for a device, in memory that both sides see. Lines are
// complete one by one, whatever stream their kernel runs on, so the host may
// read at any time.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_DRIVER_PRINTS_H
#define TILEWRIGHT_BACKENDS_SIMT_DRIVER_PRINTS_H

#include "backends/simt/driver/Api.h"
#include "backends/simt/driver/KernelABI.h"

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

namespace tilewright::gpu {

class Prints {
public:
  /// Tells a module's kernels where their lines go and learns their formats;
  /// makes the queue for the first module that prints.
  /// `image` is the module's code.
  Status connect(const Api &api, Module module, const std::string &image,
                 std::vector<Address> &formats);
  /// Forgets formats of a module that is unloaded.
  void forget(const std::vector<Address> &formats);
  /// Sends all complete lines that were not sent yet; `sink` may be null.
  void drain(const tw_print_interface *sink);
  /// Frees the queue.
  void close(const Api &api);

private:
  Status makeQueue(const Api &api);
  Status readFormats(const Api &api, Module module, const std::string &image,
                     std::vector<Address> &formats);
  bool takeLine(uint64_t number, std::string &text);

  std::atomic<tw_gpu_prints *> queue{nullptr};
  std::atomic<uint64_t> next{0}; // the first number never looked at
  std::atomic<bool> hasPending{false};
  std::mutex mutex;
  Address onDevice = 0;
  std::map<Address, std::string> texts;
  std::vector<uint64_t> pending; // numbers whose lines were not complete
};

} // namespace tilewright::gpu

#endif // TILEWRIGHT_BACKENDS_SIMT_DRIVER_PRINTS_H
