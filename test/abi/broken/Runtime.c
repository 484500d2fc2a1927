/*===- Runtime.c - Plugins that break a rule TWB-7xx or 8xx -------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* One fault in the RUNTIME or LAUNCH table.                                  */
/*===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "Base.h"

#include <stdlib.h>
#include <unistd.h>

#if TWB == 701
static int32_t deviceName(tw_device *device, tw_writer out) {
  (void)device;
  (void)out;
  return TW_OK;
}
#elif TWB == 702
static int32_t deviceOpen(tw_backend *backend, uint32_t ordinal,
                          const tw_sink *sink, tw_device **device) {
  (void)ordinal;
  return baseRuntime.device_open(backend, 0, sink, device);
}
#elif TWB == 703
/* Eight bytes behind what was aligned. */
static int32_t memoryAllocate(tw_device *device, uint64_t bytes,
                              uint64_t alignment, uint64_t *address) {
  int32_t status = baseRuntime.memory_allocate(
      device, bytes > UINT64_MAX - 64 ? bytes : bytes + 64,
      alignment < 16 ? 16 : alignment, address);
  *address += 8;
  return status;
}
static int32_t memoryFree(tw_device *device, uint64_t address) {
  return baseRuntime.memory_free(device, address - 8);
}
#elif TWB == 704
static int32_t memoryCopy(tw_stream *stream, uint64_t destination,
                          uint64_t source, uint64_t bytes, uint32_t kind) {
  if (kind == TW_COPY_DEVICE_TO_DEVICE)
    return TW_OK;
  return baseRuntime.memory_copy(stream, destination, source, bytes, kind);
}
#elif TWB == 705
static int32_t memoryFill(tw_stream *stream, uint64_t destination,
                          uint64_t pattern, uint32_t patternBytes,
                          uint64_t bytes) {
  return baseRuntime.memory_fill(stream, destination, pattern,
                                 patternBytes == 3 ? 1 : patternBytes, bytes);
}
#elif TWB == 706
static int32_t memoryAllocate(tw_device *device, uint64_t bytes,
                              uint64_t alignment, uint64_t *address) {
  if (bytes > (uint64_t)1 << 50)
    bytes = 64; /* "the pages will come when they are touched" */
  return baseRuntime.memory_allocate(device, bytes, alignment, address);
}
#elif TWB == 707
static int32_t eventElapsed(tw_event *start, tw_event *end,
                            uint64_t *nanoseconds) {
  (void)start;
  (void)end;
  *nanoseconds = 0;
  return TW_OK;
}
#elif TWB == 708
static int32_t moduleLoad(tw_device *device, tw_str format, tw_bytes payload,
                          const tw_sink *sink, tw_module **module) {
  (void)format;
  return baseRuntime.module_load(device, tw_string("null"), payload, sink,
                                 module);
}
#elif TWB == 710
static int32_t gradeArtifact(tw_device *device, tw_str format, tw_str compat,
                             uint32_t *grade) {
  (void)device;
  (void)format;
  (void)compat;
  *grade = TW_GRADE_OPTIMAL;
  return TW_OK;
}
#elif TWB == 804
static int32_t encodeArgs(tw_kernel *kernel, const tw_dims *dims,
                          const void *args, uint32_t argsSize, void *device,
                          uint32_t capacity, uint32_t *written) {
  int32_t status = baseLaunch.encode_args(kernel, dims, args, argsSize, device,
                                          capacity, written);
  memset((char *)device + *written, 0, 8);
  return status;
}
#endif

#if TWB > 800 && TWB != 804
static int32_t launch(tw_stream *stream, tw_kernel *kernel, const tw_dims *dims,
                      const void *args, uint32_t argsSize, const void *ext) {
#if TWB == 801
  argsSize = 0; /* the null plugin's kernels have no arguments */
#elif TWB == 802
  ext = NULL;
#elif TWB == 803
  static const tw_dims none = {0, 0, 0};
  if (dims->x < 0 || dims->y < 0 || dims->z < 0)
    dims = &none;
#elif TWB == 805
  volatile char *memory = (volatile char *)malloc(16);
  memory[0] = 1;
  free((void *)memory);
#elif TWB == 806
  usleep(1000);
#elif TWB == 807
  static tw_kernel *lastKernel;
  static tw_stream *lastStream;
  if (kernel == lastKernel && stream != lastStream)
    return TW_E_INTERNAL;
  lastKernel = kernel;
  lastStream = stream;
#endif
  return baseLaunch.launch(stream, kernel, dims, args, argsSize, ext);
}
#endif

void breakTables(void) {
#if TWB == 701
  brokenRuntime.device_name = deviceName;
#elif TWB == 702
  brokenRuntime.device_open = deviceOpen;
#elif TWB == 703
  brokenRuntime.memory_allocate = memoryAllocate;
  brokenRuntime.memory_free = memoryFree;
#elif TWB == 704
  brokenRuntime.memory_copy = memoryCopy;
#elif TWB == 705
  brokenRuntime.memory_fill = memoryFill;
#elif TWB == 706
  brokenRuntime.memory_allocate = memoryAllocate;
#elif TWB == 707
  brokenRuntime.event_elapsed = eventElapsed;
#elif TWB == 708
  brokenRuntime.module_load = moduleLoad;
#elif TWB == 710
  brokenRuntime.grade_artifact = gradeArtifact;
#elif TWB == 804
  brokenLaunch.encode_args = encodeArgs;
#elif TWB > 800
  brokenLaunch.launch = launch;
#endif
}
