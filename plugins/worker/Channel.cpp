//===- Channel.cpp - Frames over a socket, with deadlines -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The socket is never read or written without poll(), so that a partner that
// hangs in the middle of a frame is noticed, too.
//===----------------------------------------------------------------------===//
#include "plugins/worker/Channel.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>

namespace tilewright::worker {

static constexpr auto tickTime = std::chrono::milliseconds(5);

Transfer Channel::wait(short events, Clock::time_point &deadline,
                       const Tick &tick) {
  for (;;) {
    int timeout = -1;
    if (tick)
      tick(deadline);
    if (deadline != Clock::time_point::max()) {
      auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
      if (left.count() <= 0)
        return Transfer::Late;
      timeout = int(std::min<int64_t>(left.count(), 1 << 30));
    }
    if (tick)
      timeout = timeout < 0 ? int(tickTime.count())
                            : std::min(timeout, int(tickTime.count()));
    pollfd entry = {descriptor, events, 0};
    int ready = poll(&entry, 1, timeout);
    if (ready > 0)
      return Transfer::Done;
    if (ready < 0 && errno != EINTR)
      return Transfer::Closed;
  }
}

Transfer Channel::sendAll(const void *data, size_t size,
                          Clock::time_point deadline) {
  auto *at = static_cast<const char *>(data);
  while (size) {
    ssize_t done = ::send(descriptor, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (done >= 0) {
      at += done;
      size -= size_t(done);
      continue;
    }
    if (errno != EAGAIN && errno != EINTR)
      return Transfer::Closed;
    Transfer state = wait(POLLOUT, deadline, {});
    if (state != Transfer::Done)
      return state;
  }
  return Transfer::Done;
}

Transfer Channel::receiveAll(void *data, size_t size,
                             Clock::time_point &deadline, const Tick &tick) {
  auto *at = static_cast<char *>(data);
  while (size) {
    ssize_t done = ::recv(descriptor, at, size, MSG_DONTWAIT);
    if (done > 0) {
      at += done;
      size -= size_t(done);
      continue;
    }
    if (done == 0 || (errno != EAGAIN && errno != EINTR))
      return Transfer::Closed;
    Transfer state = wait(POLLIN, deadline, tick);
    if (state != Transfer::Done)
      return state;
  }
  return Transfer::Done;
}

Transfer Channel::send(Kind kind, std::string_view bytes,
                       Clock::time_point deadline) {
  FrameHead head = {kind, 0, bytes.size()};
  Transfer state = sendAll(&head, sizeof head, deadline);
  return state == Transfer::Done ? sendAll(bytes.data(), bytes.size(), deadline)
                                 : state;
}

Transfer Channel::receive(Frame &frame, Clock::time_point deadline,
                          const Tick &tick) {
  // A partner that is out of its mind must not make this side allocate.
  constexpr uint64_t most = uint64_t(4) << 30;
  FrameHead head;
  Transfer state = receiveAll(&head, sizeof head, deadline, tick);
  if (state != Transfer::Done)
    return state;
  if (head.size > most)
    return Transfer::Closed;
  frame.kind = head.kind;
  frame.bytes.resize(head.size);
  return receiveAll(frame.bytes.data(), head.size, deadline, tick);
}

} // namespace tilewright::worker
