/*===- kernels.c - Hand-made CPU kernels --------------------------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* What the CPU compiler would emit, written by hand, so that driver and      */
/* runtime are tested without it.                                             */
/*===----------------------------------------------------------------------===*/
#include "backends/cpu/driver/KernelABI.h"

#define KERNEL __attribute__((visibility("default"))) void
#define BLOCK 64

typedef struct AddArgs {
  const float *x;
  const float *y;
  float *out;
  int32_t n;
} AddArgs;

/* out[i] = x[i] + y[i], BLOCK elements a program. */
KERNEL add(const void *block, const tw_cpu_grid *grid, int64_t begin,
           int64_t end, void *scratch) {
  const AddArgs *args = (const AddArgs *)block;
  int64_t i;
  (void)grid;
  (void)scratch;
  for (i = begin * BLOCK; i < end * BLOCK && i < args->n; ++i)
    args->out[i] = args->x[i] + args->y[i];
}

/* out[id] += 1 + x + 1000 * y + 1000000 * z; adding shows programs that run
   twice. */
KERNEL coordinates(const void *block, const tw_cpu_grid *grid, int64_t begin,
                   int64_t end, void *scratch) {
  int64_t *out = *(int64_t *const *)block;
  int64_t id;
  (void)scratch;
  for (id = begin; id < end; ++id) {
    int64_t x = id % grid->num[0];
    int64_t y = id / grid->num[0] % grid->num[1];
    int64_t z = id / grid->num[0] / grid->num[1];
    out[id] += 1 + x + 1000 * y + 1000000 * z;
  }
}

/* Reports an error in the program whose id is the argument. */
KERNEL fail_at(const void *block, const tw_cpu_grid *grid, int64_t begin,
               int64_t end, void *scratch) {
  int64_t which = *(const int64_t *)block;
  const tw_cpu_services *services = grid->services;
  (void)scratch;
  if (begin <= which && which < end)
    services->fail(services->ctx, 6012, "device assertion failed: x < n",
                   "kernel.py", 42);
}

/* Prints one line a program. */
KERNEL print_line(const void *block, const tw_cpu_grid *grid, int64_t begin,
                  int64_t end, void *scratch) {
  const tw_cpu_services *services = grid->services;
  (void)block;
  (void)scratch;
  for (; begin < end; ++begin)
    services->print(services->ctx, "hello\n", 6);
}

/* Program p waits until program p - 1 has written its slot. */
KERNEL chain(const void *block, const tw_cpu_grid *grid, int64_t begin,
             int64_t end, void *scratch) {
  int64_t *slots = *(int64_t *const *)block;
  (void)grid;
  (void)scratch;
  for (; begin < end; ++begin) {
    if (begin > 0)
      while (!__atomic_load_n(&slots[begin - 1], __ATOMIC_ACQUIRE))
        ;
    __atomic_store_n(&slots[begin], begin + 1, __ATOMIC_RELEASE);
  }
}

typedef struct ScratchArgs {
  int64_t *out;
  int64_t words;
} ScratchArgs;

/* out[id] gets 0 if the scratch was zero, 1 if it was not, -1 if it is
   misaligned or another program writes to it meanwhile. */
KERNEL use_scratch(const void *block, const tw_cpu_grid *grid, int64_t begin,
                   int64_t end, void *scratch) {
  const ScratchArgs *args = (const ScratchArgs *)block;
  volatile int64_t *words = (volatile int64_t *)scratch;
  (void)grid;
  for (; begin < end; ++begin) {
    int64_t i, before = 0, after = 0;
    for (i = 0; i < args->words; ++i)
      before |= words[i];
    for (i = 0; i < args->words; ++i)
      words[i] = begin + 1;
    for (i = 0; i < args->words; ++i)
      after += words[i] == begin + 1;
    args->out[begin] =
        (uintptr_t)scratch % 64 || after != args->words ? -1 : before != 0;
  }
}

typedef struct MathArgs {
  double *out;
  double a;
  double b;
} MathArgs;

/* out[fn] = math64(fn, a, b) for program id fn. */
KERNEL math(const void *block, const tw_cpu_grid *grid, int64_t begin,
            int64_t end, void *scratch) {
  const MathArgs *args = (const MathArgs *)block;
  (void)scratch;
  for (; begin < end; ++begin)
    args->out[begin] =
        grid->services->math64((uint32_t)begin, args->a, args->b);
}

/* Two variants: which one ran? */
KERNEL variant_fast(const void *block, const tw_cpu_grid *grid, int64_t begin,
                    int64_t end, void *scratch) {
  (void)grid, (void)begin, (void)end, (void)scratch;
  **(int64_t *const *)block = 1;
}
KERNEL variant_general(const void *block, const tw_cpu_grid *grid,
                       int64_t begin, int64_t end, void *scratch) {
  (void)grid, (void)begin, (void)end, (void)scratch;
  **(int64_t *const *)block = 2;
}

/* Does nothing: what a launch costs. */
KERNEL nothing(const void *block, const tw_cpu_grid *grid, int64_t begin,
               int64_t end, void *scratch) {
  (void)block, (void)grid, (void)begin, (void)end, (void)scratch;
}
