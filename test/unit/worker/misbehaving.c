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
  } else if (tw_str_equal(what, tw_string("latin-1"))) {
    tw_emit(request->sink, TW_SEVERITY_WARNING, 4901, "le caf\xe9 est froid",
            "r\xe9"
            "chauffez-le \xe2\x82\xac");
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

/* A record that a newer interface could have. */
static struct {
  tw_kernel_record known;
  uint64_t unknown;
} newer;
static const tw_kernel_record *newerRecords[] = {&newer.known};

static const tw_kernel_record *twoRecords[2];
static tw_kernel_record other;

/* A remark that is called from where it is called from. */
static tw_location circle;
static const tw_diagnostic circlingRemark = {sizeof(tw_diagnostic),
                                             0,
                                             TW_SEVERITY_REMARK,
                                             4901,
                                             {"where?", 6},
                                             {NULL, 0},
                                             &circle};
static const tw_diagnostic *const circling[] = {&circlingRemark};

/* Arguments of other kernels than `add(x: *fp32)`. */
static const tw_parameter yPointer = {
    {"y", 1}, TW_PARAMETER_USER_POINTER, TW_DTYPE_F32, 0, 0, 8, 8, 0, 0};
static const tw_parameter xNumber = {
    {"x", 1}, TW_PARAMETER_USER_SCALAR, TW_DTYPE_F32, 0, 0, 4, 4, 0, 0};
static const tw_parameter twoNumbers[] = {
    {{"x", 1}, TW_PARAMETER_USER_SCALAR, TW_DTYPE_F32, 0, 0, 4, 4, 0, 0},
    {{"y", 1}, TW_PARAMETER_USER_SCALAR, TW_DTYPE_F32, 4, 4, 4, 4, 0, 0}};

static void listParameters(tw_kernel_record *record,
                           const tw_parameter *parameters, uint64_t count) {
  const tw_parameter *last = parameters + count - 1;
  record->parameters = parameters;
  record->parameter_count = count;
  record->user_block_bytes = record->device_block_bytes =
      last->offset + last->bytes;
}

/* Changes what a compile gave. */
static void spoil(tw_str what, tw_compile_response *response) {
  tw_kernel_record *record = (tw_kernel_record *)response->kernels[0];
  if (tw_str_equal(what, tw_string("forget everything"))) {
    response->kernel_count = response->payload.size = 0;
  } else if (tw_str_equal(what, tw_string("forget kernels"))) {
    response->kernel_count = 0;
  } else if (tw_str_equal(what, tw_string("response flags"))) {
    response->flags = 2;
  } else if (tw_str_equal(what, tw_string("half a field"))) {
    record->size = 12;
  } else if (tw_str_equal(what, tw_string("unknown field"))) {
    newer.known = *record;
    newer.known.size = sizeof newer;
    newer.unknown = 1;
    response->kernels = newerRecords;
  } else if (tw_str_equal(what, tw_string("no array"))) {
    response->kernels = NULL;
  } else if (tw_str_equal(what, tw_string("no code"))) {
    response->payload.data = NULL;
  } else if (tw_str_equal(what, tw_string("too much code"))) {
    response->payload.size = (uint64_t)1 << 40;
  } else if (tw_str_equal(what, tw_string("too many kernels"))) {
    response->kernel_count = (uint64_t)1 << 60;
  } else if (tw_str_equal(what, tw_string("another name"))) {
    listParameters(record, &yPointer, 1);
  } else if (tw_str_equal(what, tw_string("another type"))) {
    listParameters(record, &xNumber, 1);
  } else if (tw_str_equal(what, tw_string("two arguments"))) {
    listParameters(record, twoNumbers, 2);
  } else if (tw_str_equal(what, tw_string("no parameters"))) {
    record->parameter_count = 4;
  } else if (tw_str_equal(what, tw_string("no name"))) {
    record->symbol.size = 4;
  } else if (tw_str_equal(what, tw_string("no format"))) {
    response->format.size = 0;
  } else if (tw_str_equal(what, tw_string("a circle"))) {
    circle.caller = &circle;
    response->remarks = circling;
    response->remark_count = 1;
  } else if (tw_str_equal(what, tw_string("two records"))) {
    twoRecords[0] = twoRecords[1] = record;
    response->kernels = twoRecords;
    response->kernel_count = 2;
  } else if (tw_str_equal(what, tw_string("another kernel"))) {
    other = *record;
    other.name = other.symbol = tw_string("elsewhere");
    twoRecords[0] = record;
    twoRecords[1] = &other;
    response->kernels = twoRecords;
    response->kernel_count = 2;
  } else if (tw_str_equal(what, tw_string("a zero byte"))) {
    response->compat.data = "v1\0v2";
    response->compat.size = 5;
  } else if (tw_str_equal(what, tw_string("latin-1 compat"))) {
    response->compat = tw_string("Caf\xe9 v1");
  } else if (tw_str_equal(what, tw_string("latin-1 format"))) {
    response->format = tw_string("caf\xe9");
  }
}

static int32_t (*nullResolve)(tw_backend *, tw_str, const tw_sink *, tw_writer);

/* Some targets become what none is. */
static int32_t resolve(tw_backend *backend, tw_str target, const tw_sink *sink,
                       tw_writer out) {
  if (tw_str_equal(target, tw_string("null:elsewhere")))
    out.write(out.ctx, "cpu:znver4", 10);
  else if (tw_str_equal(target, tw_string("null:lines")))
    out.write(out.ctx, "null:a\nb", 8);
  else if (tw_str_equal(target, tw_string("null:vague")))
    out.write(out.ctx, "null", 4);
  else if (!tw_str_equal(target, tw_string("null:nothing")))
    return nullResolve(backend, target, sink, out);
  return TW_OK;
}

static int32_t compile(tw_backend *backend, const tw_compile_request *request,
                       tw_compile_response *response) {
  uint64_t i;
  int32_t status;
  tw_compile_request known;
  tw_str what = tw_string("");
  for (i = 0; i < request->option_count; ++i)
    if (tw_str_equal(request->options[i].key, tw_string("misbehave")))
      what = request->options[i].text;
  misbehave(what, request);
  known = *request;
  known.option_count = 0; /* the null plugin knows none */
  status = nullCompile(backend, &known, response);
  if (status == TW_OK)
    spoil(what, response);
  return status;
}

TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *offer,
                                   tw_backend_answer *answer) {
  int32_t status = null_entry(offer, answer);
  if (status)
    return status;
  table = *answer->compile;
  nullCompile = table.compile;
  table.compile = compile;
  nullResolve = table.resolve_target;
  table.resolve_target = resolve;
  answer->compile = &table;
  return TW_OK;
}
