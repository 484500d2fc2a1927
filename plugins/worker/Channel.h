//===- Channel.h - Frames over a socket, with deadlines ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both ends of the connection between host and worker.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_WORKER_CHANNEL_H
#define TILEWRIGHT_PLUGINS_WORKER_CHANNEL_H

#include "plugins/worker/Messages.h"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace tilewright::worker {

using Clock = std::chrono::steady_clock;

struct Frame {
  Kind kind = Kind::Answer;
  std::string bytes;
};

enum class Transfer { Done, Closed, Late };

/// Called while waiting, every few milliseconds; may bring the deadline
/// forward.
using Tick = std::function<void(Clock::time_point &deadline)>;

class Channel {
public:
  explicit Channel(int descriptor) : descriptor(descriptor) {}

  /// Without a deadline these wait for ever.
  Transfer send(Kind kind, std::string_view bytes,
                Clock::time_point deadline = Clock::time_point::max());
  Transfer receive(Frame &frame,
                   Clock::time_point deadline = Clock::time_point::max(),
                   const Tick &tick = {});

private:
  Transfer wait(short events, Clock::time_point &deadline, const Tick &tick);
  Transfer sendAll(const void *data, size_t size, Clock::time_point deadline);
  Transfer receiveAll(void *data, size_t size, Clock::time_point &deadline,
                      const Tick &tick);
  int descriptor;
};

} // namespace tilewright::worker

#endif // TILEWRIGHT_PLUGINS_WORKER_CHANNEL_H
