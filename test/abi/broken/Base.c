/*===- Base.c - A plugin with one fault ---------------------------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* The exported function, and the copies of the tables of what works.         */
/*===----------------------------------------------------------------------===*/
#include "Base.h"

#include <dlfcn.h>
#include <pthread.h>

int32_t (*baseOpen)(const tw_backend_config *config, tw_backend **backend);
int32_t (*brokenOpen)(const tw_backend_config *config, tw_backend **backend);
tw_compile_table baseCompile, brokenCompile;
tw_runtime_table baseRuntime, brokenRuntime;
tw_launch_table baseLaunch, brokenLaunch;

#ifdef BASE_PLUGIN
int32_t baseEntry(const tw_host_offer *offer, tw_backend_answer *answer) {
  tw_backend_entry_fn entry = NULL;
  void *library = dlopen(BASE_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  if (library)
    *(void **)&entry = dlsym(library, TW_BACKEND_ENTRY_NAME);
  return entry ? entry(offer, answer) : TW_E_NOT_FOUND;
}
#else
/* The null plugin's entry, renamed when it is compiled into this library. */
int32_t null_entry(const tw_host_offer *offer, tw_backend_answer *answer);

int32_t baseEntry(const tw_host_offer *offer, tw_backend_answer *answer) {
  return null_entry(offer, answer);
}
#endif

static void copyTables(void) {
  tw_host_offer offer;
  tw_backend_answer answer;
  memset(&offer, 0, sizeof offer);
  memset(&answer, 0, sizeof answer);
  offer.size = (uint32_t)sizeof offer;
  offer.magic = TW_OFFER_MAGIC;
  offer.min_version = TW_ABI_VERSION(0, 1);
  offer.max_version = TW_ABI_VERSION(TW_ABI_MAJOR, TW_ABI_MINOR);
  answer.size = (uint32_t)sizeof answer;
  if (baseEntry(&offer, &answer))
    return;
  baseOpen = answer.open;
  brokenCompile = baseCompile = *answer.compile;
  brokenRuntime = baseRuntime = *answer.runtime;
  brokenLaunch = baseLaunch = *answer.launch;
  breakTables();
}

int32_t answerWithTables(const tw_host_offer *offer,
                         tw_backend_answer *answer) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  int32_t status = baseEntry(offer, answer);
  pthread_once(&once, copyTables);
  if (status || answer->size < sizeof *answer)
    return status;
  answer->compile = &brokenCompile;
  answer->runtime = &brokenRuntime;
  answer->launch = &brokenLaunch;
  if (brokenOpen)
    answer->open = brokenOpen;
  return TW_OK;
}

__attribute__((weak)) int32_t breakAnswer(const tw_host_offer *offer,
                                          tw_backend_answer *answer) {
  return answerWithTables(offer, answer);
}

TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *offer,
                                   tw_backend_answer *answer) {
  return breakAnswer(offer, answer);
}
