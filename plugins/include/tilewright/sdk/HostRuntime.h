//===- HostRuntime.h - Streams, events and copies on the host ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots of the RUNTIME table for devices whose memory is the process's own and
// whose launches have ended when `launch` returns. Needs no LLVM.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_SDK_HOSTRUNTIME_H
#define TILEWRIGHT_SDK_HOSTRUNTIME_H

#include "tilewright/plugin.h"

#include <atomic>

namespace tilewright::host {

/// The first error that device code reported and nobody has asked for yet.
class StickyError {
public:
  /// From any thread; only the first one counts.
  void set(uint32_t code, const char *message, const char *file, uint32_t line);
  bool isSet() const { return state.load(std::memory_order_acquire) != None; }
  /// Emits and forgets it. TW_OK when there was none.
  int32_t report(const tw_sink *sink);

private:
  enum State : uint32_t { None, Writing, Set };
  std::atomic<uint32_t> state{None};
  uint32_t code = 0;
  uint32_t line = 0;
  char message[1024] = {};
  char file[1024] = {};
};

/// The RUNTIME table of one device whose memory is the process's own. What a
/// plugin adds: device_open, device_close, device_name, get_caps,
/// stream_create, module_load, module_unload, grade_artifact.
tw_runtime_table runtimeTable();

/// What device_open has to ask where there is one device: TW_OK for the first.
/// `target` is the word before '@'.
int32_t checkOrdinal(uint32_t ordinal, const char *target, const tw_sink *sink);

// Slots as in tw_runtime_table, all of them in the table above. Streams are
// made by the plugin.
int32_t countDevices(tw_backend *backend, uint32_t *count);
int32_t allocateMemory(tw_device *device, uint64_t bytes, uint64_t alignment,
                       uint64_t *address);
int32_t freeMemory(tw_device *device, uint64_t address);
int32_t importMemory(tw_device *device, void *host, uint64_t bytes,
                     uint64_t *address);
int32_t unimportMemory(tw_device *device, uint64_t address);
int32_t copyMemory(tw_stream *stream, uint64_t to, uint64_t from,
                   uint64_t bytes, uint32_t kind);
int32_t fillMemory(tw_stream *stream, uint64_t address, uint64_t pattern,
                   uint32_t width, uint64_t bytes);
int32_t wrapStream(tw_device *device, uint64_t native, tw_stream **stream);
int32_t nativeStream(tw_stream *stream, uint64_t *native);
void destroyStream(tw_stream *stream);
int32_t synchronizeStream(tw_stream *stream, const tw_sink *sink);
int32_t waitStream(tw_stream *stream, tw_event *event);
int32_t createEvent(tw_device *device, tw_event **event);
void destroyEvent(tw_event *event);
int32_t recordEvent(tw_event *event, tw_stream *stream);
int32_t synchronizeEvent(tw_event *event);
int32_t elapsedBetween(tw_event *start, tw_event *end, uint64_t *nanoseconds);

// Slots of tw_launch_table for kernels whose two argument blocks are one.

/// What `launch` has to ask before it runs anything: extensions that must be
/// understood (there are none), the size of the block, which is `bytes`, the
/// grid, and an error that nobody has asked for yet.
int32_t checkLaunch(const tw_stream *stream, uint32_t bytes,
                    const tw_dims &dims, uint32_t argsSize, const void *ext);

/// Copies the user's block; `bytes` is its size.
int32_t encodeBlock(const void *args, uint32_t argsSize, uint32_t bytes,
                    void *device, uint32_t capacity, uint32_t *written);

/// Nanoseconds of the monotonic clock.
uint64_t monotonicNanoseconds();

/// Number of programs; 0 for an empty grid, -1 when an axis or the product is
/// out of range.
int64_t countPrograms(const tw_dims &dims);

} // namespace tilewright::host

/// Plugins derive their streams from this one.
struct tw_stream {
  virtual ~tw_stream() = default;
  tilewright::host::StickyError error;
};

struct tw_event {
  uint64_t nanoseconds; // of the monotonic clock, 0 when not recorded
};

#endif // TILEWRIGHT_SDK_HOSTRUNTIME_H
