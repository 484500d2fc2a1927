/*===- NullRuntime.c - The smallest complete plugin: RUNTIME ------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* One device whose memory is the host's. Copies and fills are real, launches */
/* are accepted and do nothing. A real plugin calls its driver here.          */
/*===----------------------------------------------------------------------===*/
#include "NullPlugin.h"

/* Each object keeps what it needs to give its memory back. */
struct tw_device {
  tw_backend *backend;
};
struct tw_stream {
  tw_backend *backend;
};
struct tw_event {
  tw_backend *backend;
  uint64_t recorded;
};
struct tw_module {
  tw_backend *backend;
};
struct tw_kernel {
  tw_backend *backend;
  uint32_t userBytes;
  uint32_t reserved;
};

static void nullRelease(tw_backend *backend, void *memory) {
  backend->services->release(backend->services->ctx, memory);
}

/*--- Devices and memory -----------------------------------------------------*/

static int32_t deviceCount(tw_backend *backend, uint32_t *count) {
  (void)backend;
  *count = 1;
  return TW_OK;
}

static int32_t deviceOpen(tw_backend *backend, uint32_t ordinal,
                          const tw_sink *sink, tw_device **device) {
  (void)sink;
  if (ordinal != 0)
    return TW_E_NOT_FOUND;
  *device = (tw_device *)nullAllocate(backend, sizeof **device);
  if (!*device)
    return TW_E_EXHAUSTED;
  (*device)->backend = backend;
  return TW_OK;
}

static void deviceClose(tw_device *device) {
  nullRelease(device->backend, device);
}

static int32_t deviceName(tw_device *device, tw_writer out) {
  (void)device;
  out.write(out.ctx, "null", 4);
  return TW_OK;
}

static int32_t deviceCaps(tw_device *device, tw_capability *caps,
                          uint64_t count) {
  (void)device;
  nullAnswer(caps, count);
  return TW_OK;
}

static int32_t memoryAllocate(tw_device *device, uint64_t bytes,
                              uint64_t alignment, uint64_t *address) {
  const tw_host_services *services = device->backend->services;
  void *memory = services->allocate(services->ctx, bytes, alignment);
  if (!memory)
    return TW_E_EXHAUSTED;
  *address = (uint64_t)(uintptr_t)memory;
  return TW_OK;
}

static int32_t memoryFree(tw_device *device, uint64_t address) {
  nullRelease(device->backend, (void *)(uintptr_t)address);
  return TW_OK;
}

static int32_t memoryImport(tw_device *device, void *host, uint64_t bytes,
                            uint64_t *address) {
  (void)device;
  (void)bytes;
  *address = (uint64_t)(uintptr_t)host;
  return TW_OK;
}

static int32_t memoryUnimport(tw_device *device, uint64_t address) {
  (void)device;
  (void)address;
  return TW_OK;
}

static int32_t memoryCopy(tw_stream *stream, uint64_t destination,
                          uint64_t source, uint64_t bytes, uint32_t kind) {
  (void)stream;
  (void)kind;
  if (bytes)
    memmove((void *)(uintptr_t)destination, (const void *)(uintptr_t)source,
            (size_t)bytes);
  return TW_OK;
}

static int32_t memoryFill(tw_stream *stream, uint64_t destination,
                          uint64_t pattern, uint32_t patternBytes,
                          uint64_t bytes) {
  unsigned char *to = (unsigned char *)(uintptr_t)destination;
  uint64_t i;
  (void)stream;
  if ((patternBytes != 1 && patternBytes != 2 && patternBytes != 4 &&
       patternBytes != 8) ||
      bytes % patternBytes)
    return TW_E_INVALID_ARGUMENT;
  for (i = 0; i < bytes; ++i)
    to[i] = (unsigned char)(pattern >> (8 * (i % patternBytes)));
  return TW_OK;
}

/*--- Streams and events -----------------------------------------------------*/

static int32_t streamCreate(tw_device *device, tw_stream **stream) {
  *stream = (tw_stream *)nullAllocate(device->backend, sizeof **stream);
  if (!*stream)
    return TW_E_EXHAUSTED;
  (*stream)->backend = device->backend;
  return TW_OK;
}

static int32_t streamWrap(tw_device *device, uint64_t native,
                          tw_stream **stream) {
  (void)device;
  (void)native;
  (void)stream;
  return TW_E_UNIMPLEMENTED; /* there is no native runtime */
}

static int32_t streamNative(tw_stream *stream, uint64_t *native) {
  (void)stream;
  (void)native;
  return TW_E_UNIMPLEMENTED;
}

static void streamDestroy(tw_stream *stream) {
  nullRelease(stream->backend, stream);
}

static int32_t streamSynchronize(tw_stream *stream, const tw_sink *sink) {
  (void)stream;
  (void)sink;
  return TW_OK;
}

static int32_t streamWait(tw_stream *stream, tw_event *event) {
  (void)stream;
  (void)event;
  return TW_OK;
}

static int32_t eventCreate(tw_device *device, tw_event **event) {
  *event = (tw_event *)nullAllocate(device->backend, sizeof **event);
  if (!*event)
    return TW_E_EXHAUSTED;
  (*event)->backend = device->backend;
  return TW_OK;
}

static void eventDestroy(tw_event *event) {
  nullRelease(event->backend, event);
}

static int32_t eventRecord(tw_event *event, tw_stream *stream) {
  (void)stream;
  event->recorded = 1;
  return TW_OK;
}

static int32_t eventSynchronize(tw_event *event) {
  return event->recorded ? TW_OK : TW_E_PRECONDITION;
}

static int32_t eventElapsed(tw_event *start, tw_event *end,
                            uint64_t *nanoseconds) {
  if (!start->recorded || !end->recorded)
    return TW_E_PRECONDITION;
  *nanoseconds = 0; /* nothing takes time here */
  return TW_OK;
}

/*--- Modules ----------------------------------------------------------------*/

static int32_t moduleLoad(tw_device *device, tw_str format, tw_bytes payload,
                          const tw_sink *sink, tw_module **module) {
  (void)payload;
  if (!tw_str_equal(format, tw_string(NULL_PAYLOAD_FORMAT))) {
    tw_emit(sink, TW_SEVERITY_ERROR, 6011, "expected a payload of format null",
            "compile for target null");
    return TW_E_DIAGNOSED;
  }
  *module = (tw_module *)nullAllocate(device->backend, sizeof **module);
  if (!*module)
    return TW_E_EXHAUSTED;
  (*module)->backend = device->backend;
  return TW_OK;
}

static void moduleUnload(tw_module *module) {
  nullRelease(module->backend, module);
}

static int32_t gradeArtifact(tw_device *device, tw_str format, tw_str compat,
                             uint32_t *grade) {
  (void)device;
  *grade = tw_str_equal(format, tw_string(NULL_PAYLOAD_FORMAT)) &&
                   tw_str_equal(compat, tw_string(NULL_COMPAT))
               ? TW_GRADE_OPTIMAL
               : TW_GRADE_UNUSABLE;
  return TW_OK;
}

/*--- Launch -----------------------------------------------------------------*/

static int32_t prepare(tw_module *module, const tw_kernel_record *given,
                       const tw_sink *sink, tw_kernel **kernel) {
  tw_kernel_record record;
  int32_t status = tw_read_struct(&record, (uint32_t)sizeof record, given);
  (void)sink;
  if (status)
    return status;
  *kernel = (tw_kernel *)nullAllocate(module->backend, sizeof **kernel);
  if (!*kernel)
    return TW_E_EXHAUSTED;
  (*kernel)->backend = module->backend;
  (*kernel)->userBytes = record.user_block_bytes;
  return TW_OK;
}

static void kernelDestroy(tw_kernel *kernel) {
  nullRelease(kernel->backend, kernel);
}

/* Programs of an axis: 0 .. 2^31-1; in all fewer than 2^63. */
static int isInRange(const tw_dims *dims) {
  const int64_t most = 0x7fffffff;
  if (dims->x < 0 || dims->y < 0 || dims->z < 0 || dims->x > most ||
      dims->y > most || dims->z > most)
    return 0;
  return dims->z == 0 || dims->x * dims->y <= INT64_MAX / dims->z;
}

/* Unknown extensions are skipped unless they must be understood. */
static int32_t launch(tw_stream *stream, tw_kernel *kernel, const tw_dims *dims,
                      const void *args, uint32_t argsSize, const void *ext) {
  const tw_extension *extension = (const tw_extension *)ext;
  (void)stream;
  (void)args;
  for (; extension; extension = extension->next)
    if (extension->flags & TW_EXTENSION_MUST_UNDERSTAND)
      return TW_E_UNKNOWN_FIELD;
  if (argsSize != kernel->userBytes)
    return TW_E_INVALID_ARGUMENT;
  return isInRange(dims) ? TW_OK : TW_E_OUT_OF_RANGE;
}

static int32_t encodeArgs(tw_kernel *kernel, const tw_dims *dims,
                          const void *args, uint32_t argsSize, void *device,
                          uint32_t capacity, uint32_t *written) {
  (void)dims;
  if (argsSize != kernel->userBytes || capacity < argsSize)
    return TW_E_INVALID_ARGUMENT;
  if (argsSize)
    memcpy(device, args, argsSize);
  *written = argsSize;
  return TW_OK;
}

const tw_runtime_table nullRuntimeTable = {
    sizeof(tw_runtime_table),
    0,
    deviceCount,
    deviceOpen,
    deviceClose,
    deviceName,
    deviceCaps,
    memoryAllocate,
    memoryFree,
    memoryImport,
    memoryUnimport,
    memoryCopy,
    memoryFill,
    streamCreate,
    streamWrap,
    streamNative,
    streamDestroy,
    streamSynchronize,
    streamWait,
    eventCreate,
    eventDestroy,
    eventRecord,
    eventSynchronize,
    eventElapsed,
    moduleLoad,
    moduleUnload,
    gradeArtifact,
};

const tw_launch_table nullLaunchTable = {
    sizeof(tw_launch_table),
    0,
    prepare,
    kernelDestroy,
    launch,
    encodeArgs,
    NULL, /* kernel_native: optional */
};
