//===- Streams.cpp - Streams and events -------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thin handles over the plugin's objects; the plugin's reports become the
// thread's last error.
//===----------------------------------------------------------------------===//
#include "runtime/State.h"

using namespace tilewright;
using namespace tilewright::runtime;

extern "C" int32_t tw_rt_stream_create(tw_rt_device *device,
                                       tw_rt_stream **stream) {
  return guarded([&]() -> int32_t {
    if (!device || !stream)
      return failNull("a device and a place for the stream");
    DeviceState &state = *device->state;
    auto created = std::make_unique<tw_rt_stream>();
    created->device = device->state;
    int32_t status =
        state.runtime.stream_create(state.device, &created->stream);
    status = statusOf(status, created->stream);
    if (status)
      return failFromDevice(status, "stream creation");
    *stream = created.release();
    return TW_OK;
  });
}

extern "C" int32_t tw_rt_stream_wrap(tw_rt_device *device, uint64_t native,
                                     tw_rt_stream **stream) {
  return guarded([&]() -> int32_t {
    if (!device || !stream)
      return failNull("a device and a place for the stream");
    DeviceState &state = *device->state;
    auto created = std::make_unique<tw_rt_stream>();
    created->device = device->state;
    int32_t status =
        state.runtime.stream_wrap(state.device, native, &created->stream);
    status = statusOf(status, created->stream);
    if (status)
      return failFromDevice(status, "wrapping a native stream");
    *stream = created.release();
    return TW_OK;
  });
}

extern "C" void tw_rt_stream_release(tw_rt_stream *stream) {
  if (!stream)
    return;
  stream->device->runtime.stream_destroy(stream->stream);
  delete stream;
}

extern "C" int32_t tw_rt_stream_synchronize(tw_rt_stream *stream) {
  return guarded([&]() -> int32_t {
    if (!stream)
      return failNull("a stream");
    plugins::DiagnosticText texts;
    int32_t status = stream->device->runtime.stream_synchronize(stream->stream,
                                                                texts.sink());
    if (status == TW_OK && !texts.hasErrors())
      return TW_OK;
    if (status == TW_OK) // it reported an error
      status = TW_E_DEVICE_ERROR;
    Problem problem;
    texts.explain(status, 6012, "device code reported an error", problem);
    return fail(std::move(problem));
  });
}

extern "C" int32_t tw_rt_stream_wait(tw_rt_stream *stream, tw_rt_event *event) {
  return guarded([&]() -> int32_t {
    if (!stream || !event)
      return failNull("a stream and an event");
    if (stream->device != event->device)
      return fail(TW_E_INVALID_ARGUMENT, 6014,
                  "stream and event are of different devices");
    int32_t status =
        stream->device->runtime.stream_wait(stream->stream, event->event);
    return status ? failFromDevice(status, "waiting for an event") : TW_OK;
  });
}

extern "C" int32_t tw_rt_event_create(tw_rt_device *device,
                                      tw_rt_event **event) {
  return guarded([&]() -> int32_t {
    if (!device || !event)
      return failNull("a device and a place for the event");
    DeviceState &state = *device->state;
    auto created = std::make_unique<tw_rt_event>();
    created->device = device->state;
    int32_t status = state.runtime.event_create(state.device, &created->event);
    status = statusOf(status, created->event);
    if (status)
      return failFromDevice(status, "event creation");
    *event = created.release();
    return TW_OK;
  });
}

extern "C" void tw_rt_event_release(tw_rt_event *event) {
  if (!event)
    return;
  event->device->runtime.event_destroy(event->event);
  delete event;
}

extern "C" int32_t tw_rt_event_record(tw_rt_event *event,
                                      tw_rt_stream *stream) {
  return guarded([&]() -> int32_t {
    if (!stream || !event)
      return failNull("an event and a stream");
    if (stream->device != event->device)
      return fail(TW_E_INVALID_ARGUMENT, 6014,
                  "event and stream are of different devices");
    int32_t status =
        stream->device->runtime.event_record(event->event, stream->stream);
    return status ? failFromDevice(status, "recording an event") : TW_OK;
  });
}

extern "C" int32_t tw_rt_event_synchronize(tw_rt_event *event) {
  return guarded([&]() -> int32_t {
    if (!event)
      return failNull("an event");
    int32_t status = event->device->runtime.event_synchronize(event->event);
    return status ? failFromDevice(status, "waiting for an event") : TW_OK;
  });
}

extern "C" int32_t tw_rt_event_elapsed(tw_rt_event *start, tw_rt_event *end,
                                       uint64_t *nanoseconds) {
  return guarded([&]() -> int32_t {
    if (!start || !end || !nanoseconds)
      return failNull("two events and a place for the time");
    if (start->device != end->device)
      return fail(TW_E_INVALID_ARGUMENT, 6014,
                  "the events are of different devices");
    const tw_runtime_table &runtime = start->device->runtime;
    int32_t status = runtime.event_synchronize(start->event);
    if (!status)
      status = runtime.event_synchronize(end->event);
    if (!status)
      status = runtime.event_elapsed(start->event, end->event, nanoseconds);
    return status ? failFromDevice(status, "measuring a time") : TW_OK;
  });
}
