/*===- Process.c - Plugins that break a rule TWB-1xx, 3xx, 4xx ----*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Faults of the file (some are options of the linker, see CMakeLists.txt)    */
/* and of what a plugin does to its process.                                  */
/*===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "Base.h"

#include <dlfcn.h>
#include <fenv.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if TWB == 101
TW_EXPORT int also_exported(void) { return 1; }
#elif TWB == 102
void nothing_defines_this(void);
TW_EXPORT void use(void) { nothing_defines_this(); }
#elif TWB == 104
__asm__(".text\n.p2align 3\n.quad tw_broken_target\n"
        ".data\ntw_broken_target: .quad 0\n.text\n");
#elif TWB == 105
__asm__(".data\n.globl unique_thing\n.type unique_thing, @gnu_unique_object\n"
        ".size unique_thing, 8\nunique_thing: .quad 0\n.text\n");
#elif TWB == 108
extern int fake_driver(void);
int useDriver(void) { return fake_driver(); }
#elif TWB == 110
extern uint32_t arc4random(void); /* of glibc 2.36 */
uint32_t (*const volatile useRandom)(void) = arc4random;
#elif TWB == 301
__attribute__((constructor)) static void greet(void) {
  printf("the broken plugin says hello\n");
}
#elif TWB == 302
__attribute__((constructor)) static void roundUp(void) {
  fesetround(FE_UPWARD);
}
#elif TWB == 401
__attribute__((constructor)) static void meet(void) {
  if (dlsym(RTLD_DEFAULT, "LLVMContextCreate"))
    abort(); /* as one that registers LLVM's options twice */
}
#endif

#if TWB >= 303 && TWB <= 308
static void handle(int number) { (void)number; }
/* The thread runs libc's own code only: in ours it would crash, some time
   after the library is unloaded, and break more rules than this one. */
static void *(*const sleepForever)(void *) = (void *(*)(void *))(void (*)(void))
    pause;

static int32_t openBackend(const tw_backend_config *config,
                           tw_backend **backend) {
  (void)handle;
  (void)sleepForever;
#if TWB == 303
  signal(SIGUSR1, handle);
#elif TWB == 304
  setenv("TILEWRIGHT_BROKEN", "1", 1);
#elif TWB == 305
  if (dup(0) < 0)
    return TW_E_EXHAUSTED;
#elif TWB == 306
  pthread_t thread;
  if (pthread_create(&thread, NULL, sleepForever, NULL))
    return TW_E_EXHAUSTED;
#elif TWB == 307
  volatile char *memory = (volatile char *)malloc(100000);
  memory[0] = 1;
#elif TWB == 308
  const tw_host_services *host = config->services;
  volatile char *memory = (volatile char *)host->allocate(host->ctx, 64, 8);
  memory[0] = 1;
  host->release(host->ctx, (void *)memory);
#endif
  return baseOpen(config, backend);
}
#endif

#if TWB == 402
static int countPlugins(struct dl_phdr_info *info, size_t size, void *count) {
  (void)size;
  if (info->dlpi_name && strstr(info->dlpi_name, "libtilewright_"))
    ++*(int *)count;
  return 0;
}

/* An artifact that depends on the neighbours. */
static int32_t compile(tw_backend *backend, const tw_compile_request *request,
                       tw_compile_response *response) {
  int plugins = 0;
  int32_t status = baseCompile.compile(backend, request, response);
  dl_iterate_phdr(countPlugins, &plugins);
  if (status == TW_OK && plugins > 2)
    response->compat = tw_string("crowded");
  return status;
}
#endif

void breakTables(void) {
#if TWB >= 303 && TWB <= 308
  brokenOpen = openBackend;
#elif TWB == 402
  brokenCompile.compile = compile;
#endif
}
