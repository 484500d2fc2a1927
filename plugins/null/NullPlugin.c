/*===- NullPlugin.c - The smallest complete plugin: entry ---------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Negotiation and the backend object. The exported function is pure: it      */
/* touches nothing but its arguments.                                         */
/*===----------------------------------------------------------------------===*/
#include "NullPlugin.h"

void *nullAllocate(tw_backend *backend, uint64_t bytes) {
  const tw_host_services *services = backend->services;
  void *memory = services->allocate(services->ctx, bytes, 16);
  if (memory)
    memset(memory, 0, (size_t)bytes);
  return memory;
}

/* Options with the must-understand flag are refused unless they are known, and
   this plugin knows none. */
static int32_t checkOptions(const tw_option *options, uint64_t count,
                            const tw_sink *sink) {
  uint64_t i;
  for (i = 0; i < count; ++i) {
    if (!(options[i].flags & TW_OPTION_MUST_UNDERSTAND))
      continue;
    tw_emit(sink, TW_SEVERITY_ERROR, 5016, "an option is not known here",
            "remove the option or its must-understand flag");
    return TW_E_UNKNOWN_OPTION;
  }
  return TW_OK;
}

static int32_t openBackend(const tw_backend_config *given,
                           tw_backend **backend) {
  tw_backend_config config;
  const tw_host_services *services;
  int32_t status = tw_read_struct(&config, (uint32_t)sizeof config, given);
  if (status)
    return status;
  status = checkOptions(config.options, config.option_count, config.sink);
  if (status)
    return status;
  services = config.services;
  *backend = (tw_backend *)services->allocate(services->ctx, sizeof **backend,
                                              sizeof(void *));
  if (!*backend)
    return TW_E_EXHAUSTED;
  (*backend)->services = services;
  return TW_OK;
}

static void closeBackend(tw_backend *backend) {
  const tw_host_services *services = backend->services;
  services->release(services->ctx, backend);
}

static int32_t refuse(tw_backend_answer *answer, tw_backend_answer *mine,
                      int32_t status, const char *text) {
  mine->refusal = status;
  mine->refusal_text = tw_string(text);
  tw_write_struct(answer, (uint32_t)sizeof *mine, mine);
  return status;
}

TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *given,
                                   tw_backend_answer *answer) {
  uint32_t version = 0;
  const char *text = NULL;
  int32_t status;
  tw_backend_answer mine;
  memset(&mine, 0, sizeof mine);
  status = tw_accept_offer(given, TW_ABI_VERSION(0, 1), &version, &text);
  if (status)
    return refuse(answer, &mine, status, text);
  mine.version = version;
  mine.profiles = TW_PROFILE_COMPILE | TW_PROFILE_RUNTIME | TW_PROFILE_LAUNCH |
                  TW_PROFILE_OVERRIDE;
  mine.flags = TW_BACKEND_UNLOADABLE;
  mine.vendor = tw_string("null");
  mine.name = tw_string("Null backend: compiles anything, runs nothing");
  mine.build_id = tw_string("null 0.1");
  mine.open = openBackend;
  mine.close = closeBackend;
  mine.compile = &nullCompileTable;
  mine.runtime = &nullRuntimeTable;
  mine.launch = &nullLaunchTable;
  mine.overrides = &nullOverrideTable;
  return tw_write_struct(answer, (uint32_t)sizeof mine, &mine);
}
