//===- Streams.cpp - Streams, events and the table --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues are in order and keep times, so that events are plain markers.
//===----------------------------------------------------------------------===//
#include "backends/spirv/driver/Driver.h"

namespace tilewright::spirv {

static constexpr uint32_t kDeviceError = 6012;

static int32_t adoptQueue(tw_device *device, cl_command_queue queue,
                          tw_stream **stream) {
  auto created = std::make_unique<tw_stream>();
  created->device = device;
  created->queue = queue;
  if (int32_t status = makeLaunchMemory(created.get())) {
    device->api->clReleaseCommandQueue(queue);
    return status;
  }
  *stream = created.release();
  return TW_OK;
}

int32_t createStream(tw_device *device, tw_stream **stream) {
  return keepInside([&]() -> int32_t {
    if (!device->api->clCreateCommandQueueWithProperties)
      return TW_E_UNIMPLEMENTED;
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                              CL_QUEUE_PROFILING_ENABLE, 0};
    cl_int status = CL_SUCCESS;
    cl_command_queue queue = device->api->clCreateCommandQueueWithProperties(
        device->context, device->info->id, properties, &status);
    return status == CL_SUCCESS ? adoptQueue(device, queue, stream)
                                : toStatus(status);
  });
}

/// `native` is a cl_command_queue, which is kept alive.
int32_t wrapStream(tw_device *device, uint64_t native, tw_stream **stream) {
  return keepInside([&]() -> int32_t {
    auto queue = reinterpret_cast<cl_command_queue>(native);
    cl_int status = device->api->clRetainCommandQueue(queue);
    return status == CL_SUCCESS ? adoptQueue(device, queue, stream)
                                : TW_E_INVALID_ARGUMENT;
  });
}

int32_t nativeStream(tw_stream *stream, uint64_t *native) {
  *native = reinterpret_cast<uintptr_t>(stream->queue);
  return TW_OK;
}

void destroyStream(tw_stream *stream) {
  stream->device->api->clFinish(stream->queue); // it uses the launch memory
  stream->device->api->clReleaseCommandQueue(stream->queue);
  freeMemory(stream->device, stream->launchMemory);
  delete stream;
}

int32_t synchronizeStream(tw_stream *stream, const tw_sink *sink) {
  return keepInside([&]() -> int32_t {
    cl_int status = stream->device->api->clFinish(stream->queue);
    if (status == CL_SUCCESS)
      return drainLaunchMemory(stream, sink);
    refuse(sink, kDeviceError,
           "the driver lost a launch: " + opencl::statusName(status),
           "see whether the kernel reaches outside its buffers");
    return TW_E_DEVICE_ERROR;
  });
}

int32_t waitStream(tw_stream *stream, tw_event *event) {
  if (stream->hasFailed())
    return TW_E_DEVICE_ERROR;
  if (!event->event)
    return TW_E_PRECONDITION;
  return stream->check(stream->device->api->clEnqueueBarrierWithWaitList(
      stream->queue, 1, &event->event, nullptr));
}

int32_t createEvent(tw_device *device, tw_event **event) {
  *event = new (std::nothrow) tw_event{device};
  return *event ? TW_OK : TW_E_EXHAUSTED;
}

void destroyEvent(tw_event *event) {
  if (event->event)
    event->device->api->clReleaseEvent(event->event);
  delete event;
}

int32_t recordEvent(tw_event *event, tw_stream *stream) {
  if (stream->hasFailed())
    return TW_E_DEVICE_ERROR;
  const Api &api = *stream->device->api;
  cl_event marker = nullptr;
  cl_int status =
      api.clEnqueueMarkerWithWaitList(stream->queue, 0, nullptr, &marker);
  if (status != CL_SUCCESS)
    return toStatus(status);
  if (event->event)
    api.clReleaseEvent(event->event);
  event->event = marker;
  return stream->check(api.clFlush(stream->queue));
}

int32_t synchronizeEvent(tw_event *event) {
  if (!event->event)
    return TW_E_PRECONDITION;
  return toStatus(event->device->api->clWaitForEvents(1, &event->event));
}

static int32_t readTime(const tw_event &event, cl_ulong &time) {
  const Api &api = *event.device->api;
  cl_int status = api.clWaitForEvents(1, &event.event);
  if (status == CL_SUCCESS)
    status = api.clGetEventProfilingInfo(event.event, CL_PROFILING_COMMAND_END,
                                         sizeof time, &time, nullptr);
  // A wrapped queue may keep no times.
  return status == CL_PROFILING_INFO_NOT_AVAILABLE ? TW_E_UNIMPLEMENTED
                                                   : toStatus(status);
}

int32_t elapsedBetween(tw_event *start, tw_event *end, uint64_t *nanoseconds) {
  if (!start->event || !end->event)
    return TW_E_PRECONDITION;
  cl_ulong first = 0, last = 0;
  if (int32_t status = readTime(*start, first))
    return status;
  if (int32_t status = readTime(*end, last))
    return status;
  if (last < first)
    return TW_E_OUT_OF_RANGE;
  *nanoseconds = last - first;
  return TW_OK;
}

const tw_runtime_table runtimeTable = {
    sizeof(tw_runtime_table),
    0,
    countDevices,
    openDevice,
    closeDevice,
    nameDevice,
    getCaps,
    allocateMemory,
    freeMemory,
    importMemory,
    unimportMemory,
    copyMemory,
    fillMemory,
    createStream,
    wrapStream,
    nativeStream,
    destroyStream,
    synchronizeStream,
    waitStream,
    createEvent,
    destroyEvent,
    recordEvent,
    synchronizeEvent,
    elapsedBetween,
    loadModule,
    unloadModule,
    gradeArtifact,
};

} // namespace tilewright::spirv
