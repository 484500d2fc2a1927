//===- Allocations.cpp - Counting calls of malloc ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's own malloc, which every library of the process uses, too. Each
// thread counts its own: a driver's threads work beside a launch, not in it.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/probe/Probe.h"

#include <cerrno>
#include <cstdlib>

extern "C" {
void *__libc_malloc(size_t);
void __libc_free(void *);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
}

static thread_local uint64_t calls = 0;

uint64_t tilewright::conformance::allocationCount() { return calls; }

#define TW_EXPORTED __attribute__((visibility("default")))

extern "C" {
TW_EXPORTED void *malloc(size_t bytes) {
  ++calls;
  return __libc_malloc(bytes);
}
TW_EXPORTED void free(void *memory) { __libc_free(memory); }
TW_EXPORTED void *calloc(size_t count, size_t bytes) {
  ++calls;
  return __libc_calloc(count, bytes);
}
TW_EXPORTED void *realloc(void *memory, size_t bytes) {
  ++calls;
  return __libc_realloc(memory, bytes);
}
TW_EXPORTED void *memalign(size_t alignment, size_t bytes) {
  ++calls;
  return __libc_memalign(alignment, bytes);
}
TW_EXPORTED void *aligned_alloc(size_t alignment, size_t bytes) {
  return memalign(alignment, bytes);
}
TW_EXPORTED int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  void *given = memalign(alignment, bytes);
  if (!given)
    return ENOMEM;
  *memory = given;
  return 0;
}
}
