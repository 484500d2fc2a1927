/*===- Wrapper.c - Faults that the null plugin cannot have --------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* The reference, or the template, with one fault: it mends damaged input     */
/* from what it saw before, or does something else than the kernel says.      */
/*===----------------------------------------------------------------------===*/
#include "Base.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The last request that was fine, or payload. */
static char *seen;
static uint64_t seenSize;
static char format[256];
static uint64_t formatSize;

static void remember(const void *data, uint64_t size) {
  pthread_mutex_lock(&lock);
  free(seen);
  seen = (char *)malloc(size + 1);
  memcpy(seen, data, size);
  seenSize = size;
  pthread_mutex_unlock(&lock);
}

#if TWB == 511
static int differsInOneByte(const char *a, const char *b, uint64_t size) {
  uint64_t i, count = 0;
  for (i = 0; i < size; ++i)
    count += a[i] != b[i];
  return count == 1;
}
#endif

#if TWB >= 509 && TWB <= 512
static int32_t compile(tw_backend *backend, const tw_compile_request *given,
                       tw_compile_response *response) {
  tw_compile_request request = *given;
  int32_t status = baseCompile.compile(backend, given, response);
  if (status == TW_OK && seenSize == 0) {
    remember(given->ir.data, given->ir.size);
    formatSize = given->ir_format.size < 256 ? given->ir_format.size : 0;
    memcpy(format, given->ir_format.data, formatSize);
  }
  if (status == TW_OK || seenSize == 0 || given->size != sizeof request)
    return status;
#if TWB == 509
  if (given->ir_format.size == formatSize &&
      memcmp(given->ir_format.data, format, formatSize) == 0)
    return status;
  request.ir_format.data = format;
  request.ir_format.size = formatSize;
#elif TWB == 510
  if (given->ir.size >= seenSize)
    return status;
  request.ir.data = seen;
  request.ir.size = seenSize;
#elif TWB == 511
  if (given->ir.size != seenSize ||
      !differsInOneByte((const char *)given->ir.data, seen, seenSize))
    return status;
  request.ir.data = seen;
#elif TWB == 512
  if (given->entry_count != 1 ||
      !tw_str_equal(given->entries[0],
                    tw_string("no_such_kernel_in_this_module")))
    return status;
  request.entry_count = 0;
#endif
  return baseCompile.compile(backend, &request, response);
}
#endif

#if TWB == 518
/* Says that it reads the portable form, and does not. */
static int32_t compile(tw_backend *backend, const tw_compile_request *given,
                       tw_compile_response *response) {
  if (tw_str_equal(given->ir_format, tw_string("tw.portable")))
    return TW_E_UNIMPLEMENTED;
  return baseCompile.compile(backend, given, response);
}
#endif

#if TWB == 521
/* Variants for any arguments. */
static int32_t compile(tw_backend *backend, const tw_compile_request *given,
                       tw_compile_response *response) {
  int32_t status = baseCompile.compile(backend, given, response);
  uint64_t i;
  for (i = 0; i < response->kernel_count && status == TW_OK; ++i) {
    tw_kernel_record *record = (tw_kernel_record *)response->kernels[i];
    record->fact_count = record->predicate.size = 0;
  }
  return status;
}
#endif

#if TWB == 808
static void ignore(void *ctx, const tw_diagnostic *diagnostic) {
  (void)ctx;
  (void)diagnostic;
}
#endif

#if TWB == 520
/* The first two arguments change their names. */
static int32_t compile(tw_backend *backend, const tw_compile_request *given,
                       tw_compile_response *response) {
  int32_t status = baseCompile.compile(backend, given, response);
  uint64_t i;
  for (i = 0; i < response->kernel_count && status == TW_OK; ++i) {
    tw_parameter *first = (tw_parameter *)response->kernels[i]->parameters;
    tw_str name = first->name;
    if (response->kernels[i]->parameter_count < 2)
      continue;
    first->name = first[1].name;
    first[1].name = name;
  }
  return status;
}
#endif

#if TWB == 808
/* Forgets what a launch said as soon as it has said it. */
static int32_t launch(tw_stream *stream, tw_kernel *kernel, const tw_dims *dims,
                      const void *args, uint32_t argsSize, const void *ext) {
  int32_t status = baseLaunch.launch(stream, kernel, dims, args, argsSize, ext);
  tw_sink nobody;
  memset(&nobody, 0, sizeof nobody);
  nobody.size = sizeof nobody;
  nobody.emit = ignore;
  baseRuntime.stream_synchronize(stream, &nobody);
  return status == TW_E_DEVICE_ERROR ? TW_OK : status;
}
#endif

#if TWB == 603
/* Claims to compute sigmoid in every bit, and leaves the results as they were.
 */
static const tw_override_record record = {sizeof(tw_override_record),
                                          0,
                                          {"sigmoid", 7},
                                          1,
                                          1,
                                          TW_OVERRIDE_WHOLE,
                                          0,
                                          TW_NUMERICS_EXACT,
                                          0,
                                          (uint64_t)1 << TW_DTYPE_F32,
                                          0,
                                          0,
                                          {NULL, 0},
                                          {NULL, 0},
                                          {"broken", 6},
                                          {NULL, 0},
                                          {NULL, 0},
                                          NULL,
                                          0};
static const tw_override_record *const records[] = {&record};

static int32_t list(tw_backend *backend, tw_str target,
                    const tw_override_record *const **out, uint64_t *count) {
  (void)backend;
  (void)target;
  *out = records;
  *count = 1;
  return TW_OK;
}

static const tw_override_table overrides = {
    sizeof(tw_override_table), 0, list, NULL, NULL, NULL};

static int32_t compile(tw_backend *backend, const tw_compile_request *given,
                       tw_compile_response *response) {
  int32_t status = baseCompile.compile(backend, given, response);
  uint64_t i;
  for (i = 0; i < given->op_count && status == TW_OK; ++i)
    if (tw_str_equal(given->ops[i].name, tw_string("kernel.call_op")))
      remember(response->payload.data, response->payload.size);
  return status;
}

static int isClaimed;

static int32_t moduleLoad(tw_device *device, tw_str payloadFormat,
                          tw_bytes payload, const tw_sink *sink,
                          tw_module **module) {
  isClaimed = seenSize && payload.size == seenSize &&
              memcmp(payload.data, seen, seenSize) == 0;
  return baseRuntime.module_load(device, payloadFormat, payload, sink, module);
}

static int32_t launch(tw_stream *stream, tw_kernel *kernel, const tw_dims *dims,
                      const void *args, uint32_t argsSize, const void *ext) {
  tw_dims none = {0, 1, 1};
  return baseLaunch.launch(stream, kernel, isClaimed ? &none : dims, args,
                           argsSize, ext);
}

int32_t breakAnswer(const tw_host_offer *offer, tw_backend_answer *answer) {
  int32_t status = answerWithTables(offer, answer);
  if (status || answer->size < sizeof *answer)
    return status;
  answer->profiles |= TW_PROFILE_OVERRIDE;
  answer->overrides = &overrides;
  return TW_OK;
}
#endif

#if TWB == 601
static int32_t launch(tw_stream *stream, tw_kernel *kernel, const tw_dims *dims,
                      const void *args, uint32_t argsSize, const void *ext) {
  /* Checks the call and runs no program. */
  tw_dims none = {0, 1, 1};
  if (dims->x < 0 || dims->y < 0 || dims->z < 0)
    return TW_E_OUT_OF_RANGE;
  return baseLaunch.launch(stream, kernel, &none, args, argsSize, ext);
}
#endif

#if TWB == 604
/* Right for all that the kit's own kernels ask for: none has a third axis. */
static int32_t launch(tw_stream *stream, tw_kernel *kernel, const tw_dims *dims,
                      const void *args, uint32_t argsSize, const void *ext) {
  tw_dims none = {0, 1, 1};
  return baseLaunch.launch(stream, kernel, dims->z > 1 ? &none : dims, args,
                           argsSize, ext);
}
#endif

#if TWB == 602
#define MOST 64
static uint64_t addresses[MOST], sizes[MOST];

static int32_t memoryAllocate(tw_device *device, uint64_t bytes,
                              uint64_t alignment, uint64_t *address) {
  int32_t status =
      baseRuntime.memory_allocate(device, bytes, alignment, address);
  unsigned i;
  for (i = 0; i < MOST && status == TW_OK; ++i)
    if (!addresses[i]) {
      addresses[i] = *address;
      sizes[i] = bytes;
      break;
    }
  return status;
}

static int32_t memoryFree(tw_device *device, uint64_t address) {
  unsigned i;
  for (i = 0; i < MOST; ++i)
    if (addresses[i] == address)
      addresses[i] = 0;
  return baseRuntime.memory_free(device, address);
}

/* Writes to the end of every allocation: the memory is the host's. */
static int32_t launch(tw_stream *stream, tw_kernel *kernel, const tw_dims *dims,
                      const void *args, uint32_t argsSize, const void *ext) {
  int32_t status = baseLaunch.launch(stream, kernel, dims, args, argsSize, ext);
  unsigned i;
  for (i = 0; i < MOST && status == TW_OK && dims->x; ++i)
    if (addresses[i])
      ((char *)(uintptr_t)addresses[i])[sizes[i] - 1] = 0x77;
  return status;
}
#endif

#if TWB == 709
static int32_t moduleLoad(tw_device *device, tw_str payloadFormat,
                          tw_bytes payload, const tw_sink *sink,
                          tw_module **module) {
  int32_t status =
      baseRuntime.module_load(device, payloadFormat, payload, sink, module);
  if (status == TW_OK) {
    remember(payload.data, payload.size);
  } else if (payload.size < seenSize) {
    payload.data = seen;
    payload.size = seenSize;
    status =
        baseRuntime.module_load(device, payloadFormat, payload, NULL, module);
  }
  return status;
}
#endif

void breakTables(void) {
  (void)remember;
  (void)format;
  (void)formatSize;
  (void)seenSize;
#if (TWB >= 509 && TWB <= 512) || TWB == 518 || TWB == 520 || TWB == 521
  brokenCompile.compile = compile;
#elif TWB == 603
  brokenCompile.compile = compile;
  brokenRuntime.module_load = moduleLoad;
  brokenLaunch.launch = launch;
#elif TWB == 601 || TWB == 604 || TWB == 808
  brokenLaunch.launch = launch;
#elif TWB == 602
  brokenLaunch.launch = launch;
  brokenRuntime.memory_allocate = memoryAllocate;
  brokenRuntime.memory_free = memoryFree;
#elif TWB == 709
  brokenRuntime.module_load = moduleLoad;
#endif
}
