/*===- minor_host.c - A host that any minor version can build -----*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* `minor_host PLUGIN [ask]`: negotiates, compiles three bytes and prints     */
/* what came of it. With `ask` the fields that only the newest header has are */
/* set, which an older plugin has to refuse.                                  */
/*===----------------------------------------------------------------------===*/
#include "tilewright/plugin.h"

#include <dlfcn.h>
#include <stdio.h>

static tw_host_offer offer;
static tw_backend_answer answer;
static tw_compile_request request;
static tw_compile_response response;

static int report(const char *step, int32_t status) {
  printf("%s: status %d\n", step, status);
  return status ? 1 : 0;
}

static int compileBytes(int asks) {
  tw_backend_config config = {0};
  tw_backend *backend = NULL;
  int32_t status;
  config.size = (uint32_t)sizeof config;
  status = answer.open(&config, &backend);
  if (status)
    return report("open", status);
  request.size = (uint32_t)sizeof request;
  request.ir.data = "abc";
  request.ir.size = 3;
#ifdef TW_SYNTHETIC_FIELD
  request.synthetic = (uint64_t)asks;
#else
  (void)asks;
#endif
  response.size = (uint32_t)sizeof response;
  status = answer.compile->compile(backend, &request, &response);
  answer.close(backend);
  if (status)
    return report("compile", status);
  printf("ABI %u.%u, %.*s\n", answer.version >> 16, answer.version & 0xffffu,
         (int)response.payload.size, (const char *)response.payload.data);
  return 0;
}

int main(int argc, char **argv) {
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  tw_backend_entry_fn entry = NULL;
  int32_t status;
  if (library)
    *(void **)&entry = dlsym(library, TW_BACKEND_ENTRY_NAME);
  if (!entry)
    return report("load", TW_E_NOT_FOUND);
  offer.size = (uint32_t)sizeof offer;
  offer.magic = TW_OFFER_MAGIC;
  offer.min_version = TW_ABI_VERSION(0, 1);
  offer.max_version = TW_ABI_VERSION(TW_ABI_MAJOR, TW_ABI_MINOR);
  answer.size = (uint32_t)sizeof answer;
  status = entry(&offer, &answer);
  return status ? report("entry", status) : compileBytes(argc > 2);
}
