/*===- objectless.c - Success without an object -------------------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* The null plugin, whose function for one kind of object reports success and */
/* makes none. The number of the device that is opened says which.            */
/*===----------------------------------------------------------------------===*/
#include "test/abi/broken/Base.h"

enum { NoDevice = 1, NoStream, NoWrappedStream, NoEvent, NoModule, NoKernel };
static uint32_t missing;

static int32_t deviceOpen(tw_backend *backend, uint32_t ordinal,
                          const tw_sink *sink, tw_device **device) {
  missing = ordinal;
  return ordinal == NoDevice
             ? TW_OK
             : baseRuntime.device_open(backend, 0, sink, device);
}

static int32_t streamCreate(tw_device *device, tw_stream **stream) {
  return missing == NoStream ? TW_OK
                             : baseRuntime.stream_create(device, stream);
}

/* The null plugin wraps none: this makes one of its own. */
static int32_t streamWrap(tw_device *device, uint64_t native,
                          tw_stream **stream) {
  (void)native;
  return missing == NoWrappedStream ? TW_OK
                                    : baseRuntime.stream_create(device, stream);
}

static int32_t eventCreate(tw_device *device, tw_event **event) {
  return missing == NoEvent ? TW_OK : baseRuntime.event_create(device, event);
}

static int32_t moduleLoad(tw_device *device, tw_str format, tw_bytes payload,
                          const tw_sink *sink, tw_module **module) {
  return missing == NoModule
             ? TW_OK
             : baseRuntime.module_load(device, format, payload, sink, module);
}

static int32_t prepare(tw_module *module, const tw_kernel_record *record,
                       const tw_sink *sink, tw_kernel **kernel) {
  return missing == NoKernel ? TW_OK
                             : baseLaunch.prepare(module, record, sink, kernel);
}

void breakTables(void) {
  brokenRuntime.device_open = deviceOpen;
  brokenRuntime.stream_create = streamCreate;
  brokenRuntime.stream_wrap = streamWrap;
  brokenRuntime.event_create = eventCreate;
  brokenRuntime.module_load = moduleLoad;
  brokenLaunch.prepare = prepare;
}
