/*===- other_kernels.c - A payload with equal names ---------------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Defines a function that kernels.c also defines, with another result.       */
/*===----------------------------------------------------------------------===*/
#include "backends/cpu/driver/KernelABI.h"

__attribute__((visibility("default"))) void
variant_fast(const void *block, const tw_cpu_grid *grid, int64_t begin,
             int64_t end, void *scratch) {
  (void)grid, (void)begin, (void)end, (void)scratch;
  **(int64_t *const *)block = 10;
}
