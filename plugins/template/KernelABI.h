/*===- KernelABI.h - Between generated code and the driver --------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Every payload starts with this text, and the driver includes it: one place */
/* for what both sides have to agree on. `TEMPLATE_ABI` goes up with it.      */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_TEMPLATE_KERNELABI_H
#define TILEWRIGHT_TEMPLATE_KERNELABI_H

#include <stdint.h>

#define TEMPLATE_ABI 1

/* What a launch tells each of its programs. */
typedef struct template_launch {
  const unsigned char *args; /* the packed block */
  unsigned char *frame;      /* memory for the tiles of one program */
  int32_t grid[3];
  int32_t program[3];
  void *print_ctx;
  void (*print)(void *ctx, const char *text, uint64_t bytes);
} template_launch;

/* Why a program stopped. */
typedef struct template_failure {
  uint32_t code; /* of the diagnostic */
  uint32_t line;
  const char *file;
  const char *message;
} template_failure;

/* A kernel of the payload, exported under the symbol of its record. `run` gives
   0 or the number, from 1 on, of the failure that happened. */
typedef struct template_kernel {
  uint64_t frame_bytes;
  const template_failure *failures;
  uint32_t (*run)(const template_launch *launch);
} template_kernel;

#endif /* TILEWRIGHT_TEMPLATE_KERNELABI_H */
