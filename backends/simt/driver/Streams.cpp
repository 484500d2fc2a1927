//===- Streams.cpp - Streams, events and sticky errors ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two kinds of failure: those that our code reports (assert, trap, checks) end
// the kernel and leave the device usable; those that the hardware reports, such
// as an illegal address, end the context and stay until the process ends.
//===----------------------------------------------------------------------===//
#include "backends/simt/driver/Driver.h"

#include <algorithm>
#include <new>

namespace tilewright::gpu {

static int32_t makeStream(tw_device *device, Stream native, bool owned,
                          tw_stream **stream) {
  *stream = new (std::nothrow) tw_stream{device, native, owned, {nullptr}};
  return *stream ? TW_OK : TW_E_EXHAUSTED;
}

int32_t createStream(tw_device *device, tw_stream **stream) {
  ContextScope scope(*device);
  Stream native = nullptr;
  if (Status status = device->api->streamCreate(&native, StreamNonBlocking))
    return toStatus(status);
  return makeStream(device, native, true, stream);
}

/// `native` is a CUstream, cudaStream_t or hipStream_t; 0 is the default
/// stream.
int32_t wrapStream(tw_device *device, uint64_t native, tw_stream **stream) {
  return makeStream(device, reinterpret_cast<Stream>(native), false, stream);
}

int32_t nativeStream(tw_stream *stream, uint64_t *native) {
  *native = reinterpret_cast<uint64_t>(stream->native);
  return TW_OK;
}

void destroyStream(tw_stream *stream) {
  if (stream->owned) {
    ContextScope scope(*stream->device);
    stream->device->api->streamDestroy(stream->native);
  }
  delete stream;
}

/// A text that lies in device memory; messages are short.
static std::string readText(const Api &api, uint64_t address, uint32_t bytes) {
  std::string text(std::min<uint32_t>(bytes, 4096), '\0');
  if (!text.empty() &&
      api.memcpyDtoH(text.data(), address, text.size()) != Success)
    return "";
  return text;
}

/// Reports what device code recorded, and makes room for the next failure.
/// Without a sink it is kept for whoever asks what it was.
static void reportFailure(tw_device &device, const tw_sink *sink) {
  if (!sink || !sink->emit)
    return;
  tw_gpu_failure &failure = *device.failure;
  std::string message =
      readText(*device.api, failure.message, failure.message_bytes);
  std::string file = readText(*device.api, failure.file, failure.file_bytes);
  std::string kernel =
      readText(*device.api, failure.kernel, failure.kernel_bytes);
  if (!kernel.empty())
    message += " (in kernel '" + kernel + "')";
  tw_location location = {};
  location.file = tw_str{file.data(), file.size()};
  location.line = failure.line;
  tw_diagnostic diagnostic = {};
  diagnostic.size = sizeof diagnostic;
  diagnostic.severity = TW_SEVERITY_ERROR;
  diagnostic.code = failure.code;
  diagnostic.message = tw_str{message.data(), message.size()};
  diagnostic.location = file.empty() ? nullptr : &location;
  sink->emit(sink->ctx, &diagnostic);
  __atomic_store_n(&failure.state, 0u, __ATOMIC_RELEASE);
}

int32_t synchronizeStream(tw_stream *stream, const tw_sink *sink) {
  tw_device &device = *stream->device;
  ContextScope scope(device);
  Status status = device.api->streamSynchronize(stream->native);
  device.prints.drain(device.print);
  if (status == Success && !device.hasFailed())
    return TW_OK;
  if (status == Success) {
    reportFailure(device, sink);
    return TW_E_DEVICE_ERROR;
  }
  const char *kernel = stream->lastKernel.load(std::memory_order_relaxed);
  emitError(sink, 6012,
            describe(*device.api, status) +
                (kernel ? std::string(" at or before kernel '") + kernel +
                              "', the last one launched on the stream"
                        : std::string()),
            "the process must start anew; target 'reference' with "
            "check=bounds finds accesses outside buffers");
  return TW_E_DEVICE_ERROR;
}

int32_t waitStream(tw_stream *stream, tw_event *event) {
  if (stream->device->hasFailed())
    return TW_E_DEVICE_ERROR;
  if (!event->recorded)
    return TW_E_PRECONDITION;
  ContextScope scope(*stream->device);
  return toStatus(
      stream->device->api->streamWaitEvent(stream->native, event->native, 0));
}

int32_t createEvent(tw_device *device, tw_event **event) {
  ContextScope scope(*device);
  Event native = nullptr;
  if (Status status = device->api->eventCreate(&native, 0))
    return toStatus(status);
  *event = new (std::nothrow) tw_event{device, native, false};
  return *event ? TW_OK : TW_E_EXHAUSTED;
}

void destroyEvent(tw_event *event) {
  ContextScope scope(*event->device);
  event->device->api->eventDestroy(event->native);
  delete event;
}

int32_t recordEvent(tw_event *event, tw_stream *stream) {
  if (stream->device->hasFailed())
    return TW_E_DEVICE_ERROR;
  ContextScope scope(*event->device);
  Status status =
      event->device->api->eventRecord(event->native, stream->native);
  event->recorded = status == Success;
  return toStatus(status);
}

int32_t synchronizeEvent(tw_event *event) {
  if (!event->recorded)
    return TW_E_PRECONDITION;
  ContextScope scope(*event->device);
  Status status = event->device->api->eventSynchronize(event->native);
  event->device->prints.drain(event->device->print);
  return toStatus(status);
}

int32_t elapsedBetween(tw_event *start, tw_event *end, uint64_t *nanoseconds) {
  if (!start->recorded || !end->recorded)
    return TW_E_PRECONDITION;
  ContextScope scope(*start->device);
  float milliseconds = 0;
  if (Status status = start->device->api->eventElapsedTime(
          &milliseconds, start->native, end->native))
    return toStatus(status);
  if (milliseconds < 0)
    return TW_E_OUT_OF_RANGE;
  *nanoseconds = static_cast<uint64_t>(double(milliseconds) * 1e6);
  return TW_OK;
}

} // namespace tilewright::gpu
