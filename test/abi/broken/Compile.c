/*===- Compile.c - Plugins that break a rule TWB-5xx --------------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* One fault in the COMPILE table.                                            */
/*===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "Base.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static void say(tw_writer out, const char *text) {
  out.write(out.ctx, text, strlen(text));
}

#if TWB == 501 || TWB == 502 || TWB == 515
static int32_t resolveTarget(tw_backend *backend, tw_str target,
                             const tw_sink *sink, tw_writer out) {
#if TWB == 501
  tw_writer nowhere = {NULL, NULL};
  (void)nowhere;
  if (target.size == 4) { /* "null" stays as it is */
    out.write(out.ctx, target.data, target.size);
    return TW_OK;
  }
  return baseCompile.resolve_target(backend, target, sink, out);
#elif TWB == 502
  (void)backend;
  (void)target;
  (void)sink;
  say(out, "null:generic");
  return TW_OK;
#else
  (void)sink;
  return baseCompile.resolve_target(backend, target, NULL, out);
#endif
}
#endif

#if TWB == 503
static int32_t listTargets(tw_backend *backend, tw_writer out) {
  (void)backend;
  say(out, "generic\nmade-up\n");
  return TW_OK;
}
#endif

#if TWB == 504
static int32_t getCaps(tw_backend *backend, tw_str target, tw_capability *caps,
                       uint64_t count) {
  int32_t status = baseCompile.get_caps(backend, target, caps, count);
  uint64_t i;
  for (i = 0; i < count; ++i)
    if (caps[i].answer == TW_ANSWER_UNKNOWN)
      caps[i].answer = TW_ANSWER_NO;
  return status;
}
#endif

#if TWB == 517
static int32_t fingerprint(tw_backend *backend, tw_writer out) {
  static atomic_uint calls;
  char text[32];
  (void)backend;
  snprintf(text, sizeof text, "null %u", atomic_fetch_add(&calls, 1));
  say(out, text);
  return TW_OK;
}
#endif

static int32_t compile(tw_backend *backend, const tw_compile_request *given,
                       tw_compile_response *response) {
  tw_compile_request request = *given;
  int32_t status;
  (void)request;
#if TWB == 507
  if (given->size == sizeof request)
    request.option_count = 0;
  status = baseCompile.compile(
      backend, given->size == sizeof request ? &request : given, response);
#elif TWB == 508
  request.size = (uint32_t)sizeof request;
  status = baseCompile.compile(backend, &request, response);
#elif TWB == 519
  if (given->size == sizeof request)
    request.extensions = NULL;
  status = baseCompile.compile(
      backend, given->size == sizeof request ? &request : given, response);
#elif TWB == 513
  request.cancelled = NULL;
  status = baseCompile.compile(
      backend, given->size == sizeof request ? &request : given, response);
#elif TWB == 514
  tw_compile_response whole;
  memset(&whole, 0, sizeof whole);
  whole.size = (uint32_t)sizeof whole;
  status = baseCompile.compile(backend, given, &whole);
  if (status == TW_OK) {
    whole.size = response->size;
    *response = whole;
  }
#elif TWB == 516
  static atomic_int busy;
  if (atomic_exchange(&busy, 1))
    return TW_E_INTERNAL;
  usleep(2000);
  status = baseCompile.compile(backend, given, response);
  atomic_store(&busy, 0);
#else
  status = baseCompile.compile(backend, given, response);
#endif
#if TWB == 505
  if (status == TW_OK && response->kernel_count)
    ((tw_kernel_record *)response->kernels[0])->name.size = 0;
#elif TWB == 506
  static atomic_uint calls;
  if (status == TW_OK && response->payload.size)
    *(char *)response->payload.data = (char)('a' + atomic_fetch_add(&calls, 1));
#endif
  return status;
}

void breakTables(void) {
  (void)say;
  brokenCompile.compile = compile;
#if TWB == 501 || TWB == 502 || TWB == 515
  brokenCompile.resolve_target = resolveTarget;
#elif TWB == 503
  brokenCompile.list_targets = listTargets;
#elif TWB == 504
  brokenCompile.get_caps = getCaps;
#elif TWB == 517
  brokenCompile.fingerprint = fingerprint;
#endif
}
