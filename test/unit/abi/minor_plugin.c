/*===- minor_plugin.c - A plugin that any minor version can build -*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Uses what ABI 0.1 had and nothing later, so that minors.py can build it    */
/* with each released header. Its artifact is the bytes that it was given.    */
/*===----------------------------------------------------------------------===*/
#include "tilewright/plugin.h"

static char state; /* its address stands for the backend */

static int32_t fingerprint(tw_backend *backend, tw_writer out) {
  (void)backend;
  out.write(out.ctx, "minor", 5);
  return TW_OK;
}

static int32_t resolveTarget(tw_backend *backend, tw_str target,
                             const tw_sink *sink, tw_writer out) {
  (void)backend;
  (void)sink;
  out.write(out.ctx, target.data, target.size);
  return TW_OK;
}

static int32_t getCaps(tw_backend *backend, tw_str target, tw_capability *caps,
                       uint64_t count) {
  uint64_t i;
  (void)backend;
  (void)target;
  for (i = 0; i < count; ++i)
    caps[i].answer = TW_ANSWER_UNKNOWN;
  return TW_OK;
}

static int32_t compile(tw_backend *backend, const tw_compile_request *given,
                       tw_compile_response *response) {
  tw_compile_request request;
  tw_compile_response mine;
  int32_t status = tw_read_struct(&request, (uint32_t)sizeof request, given);
  (void)backend;
  if (status)
    return status;
  memset(&mine, 0, sizeof mine);
  mine.format = tw_string("minor");
  mine.payload.data = request.ir.data;
  mine.payload.size = request.ir.size;
  return tw_write_struct(response, (uint32_t)sizeof mine, &mine);
}

static int32_t openBackend(const tw_backend_config *given,
                           tw_backend **backend) {
  tw_backend_config config;
  *backend = (tw_backend *)(void *)&state;
  return tw_read_struct(&config, (uint32_t)sizeof config, given);
}

static void closeBackend(tw_backend *backend) { (void)backend; }

static const tw_compile_table table = {
    .size = sizeof(tw_compile_table),
    .fingerprint = fingerprint,
    .resolve_target = resolveTarget,
    .get_caps = getCaps,
    .compile = compile,
};

TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *given,
                                   tw_backend_answer *answer) {
  const uint32_t newest = TW_ABI_VERSION(TW_ABI_MAJOR, TW_ABI_MINOR);
  tw_host_offer offer;
  tw_backend_answer mine;
  memset(&mine, 0, sizeof mine);
  mine.refusal = tw_read_struct(&offer, (uint32_t)sizeof offer, given);
  if (!mine.refusal) {
    mine.version = offer.max_version < newest ? offer.max_version : newest;
    if (mine.version < offer.min_version)
      mine.refusal = TW_E_VERSION;
  }
  mine.refusal_text = tw_string(mine.refusal ? "not with this host" : NULL);
  mine.profiles = TW_PROFILE_COMPILE;
  mine.vendor = tw_string("minor");
  mine.name = tw_string("minor");
  mine.build_id = tw_string("minor");
  mine.open = openBackend;
  mine.close = closeBackend;
  mine.compile = &table;
  tw_write_struct(answer, (uint32_t)sizeof mine, &mine);
  return mine.refusal;
}
