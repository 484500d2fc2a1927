/*===- misbehaving.c - A plugin that breaks what it is told to ----*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* The null plugin, except that the compile option `misbehave` names what     */
/* `compile` does before it works as always.                                  */
/*===----------------------------------------------------------------------===*/
#include "tilewright/plugin.h"

#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The null plugin's entry, renamed when it is compiled into this library. */
int32_t null_entry(const tw_host_offer *offer, tw_backend_answer *answer);

static tw_compile_table table;
static int32_t (*nullCompile)(tw_backend *, const tw_compile_request *,
                              tw_compile_response *);

static void ignoreSignal(int number) { (void)number; }

/* Volatile, so that the memory is really taken. */
static void leak(uint64_t bytes) {
  volatile char *memory = (volatile char *)malloc(bytes);
  uint64_t i;
  if (!memory)
    abort();
  for (i = 0; i < bytes; i += 4096)
    memory[i] = 1;
}

static void misbehave(tw_str what, const tw_compile_request *request) {
  if (tw_str_equal(what, tw_string("abort"))) {
    fprintf(stderr, "LLVM ERROR: out of ideas\n");
    abort();
  } else if (tw_str_equal(what, tw_string("fault"))) {
    raise(SIGSEGV);
  } else if (tw_str_equal(what, tw_string("exit"))) {
    exit(3);
  } else if (tw_str_equal(what, tw_string("hang"))) {
    for (;;)
      usleep(1000);
  } else if (tw_str_equal(what, tw_string("wait"))) {
    while (!request->cancelled(request->cancel_ctx))
      usleep(1000);
  } else if (tw_str_equal(what, tw_string("leak"))) {
    leak((uint64_t)64 << 20);
  } else if (tw_str_equal(what, tw_string("print"))) {
    printf("hello from the plugin\n");
    fflush(stdout);
  } else if (tw_str_equal(what, tw_string("pid"))) {
    printf("%d\n", (int)getpid());
    fflush(stdout);
  } else if (tw_str_equal(what, tw_string("round"))) {
    fesetround(FE_UPWARD);
  } else if (tw_str_equal(what, tw_string("signal"))) {
    signal(SIGINT, ignoreSignal);
  } else if (tw_str_equal(what, tw_string("babble"))) {
    int descriptor;
    for (descriptor = 3; descriptor < 8; ++descriptor)
      if (write(descriptor, "this is no frame, is it?", 24) == 24)
        return;
  }
}

/* An answer without the kernels that were asked for. */
static int32_t forget(tw_backend *backend, const tw_compile_request *request,
                      tw_compile_response *response, int everything) {
  tw_compile_request without = *request;
  int32_t status;
  without.option_count = 0;
  status = nullCompile(backend, &without, response);
  response->kernel_count = 0;
  if (everything)
    response->payload.size = 0;
  return status;
}

static int32_t compile(tw_backend *backend, const tw_compile_request *request,
                       tw_compile_response *response) {
  uint64_t i;
  tw_str what = tw_string("");
  for (i = 0; i < request->option_count; ++i)
    if (tw_str_equal(request->options[i].key, tw_string("misbehave")))
      what = request->options[i].text;
  misbehave(what, request);
  if (tw_str_equal(what, tw_string("forget everything")))
    return forget(backend, request, response, 1);
  if (tw_str_equal(what, tw_string("forget kernels")))
    return forget(backend, request, response, 0);
  return nullCompile(backend, request, response);
}

TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *offer,
                                   tw_backend_answer *answer) {
  int32_t status = null_entry(offer, answer);
  if (status)
    return status;
  table = *answer->compile;
  nullCompile = table.compile;
  table.compile = compile;
  answer->compile = &table;
  return TW_OK;
}
