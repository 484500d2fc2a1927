/*===- KernelABI.h - What GPU code and its drivers agree on -------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* The calling convention of kernels for NVIDIA and AMD. Compiler plugins     */
/* emit exactly this, driver plugins launch exactly this.                     */
/*                                                                            */
/* Kernel parameters are those of the record, each at its natural alignment   */
/* in order: the user's arguments, then hidden ones (i32 programs of an axis, */
/* i32 first program of an axis in this launch, scratch address). The program */
/* ids of a block are its own ids plus the first programs: a grid that the    */
/* hardware does not take becomes several launches.                           */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_BACKENDS_SIMT_DRIVER_KERNELABI_H
#define TILEWRIGHT_BACKENDS_SIMT_DRIVER_KERNELABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A payload whose kernels can fail (assert, trap, checks) has this variable in
   global memory, 8 bytes, zero: the driver stores the address of a
   tw_gpu_failure in it when the module is loaded. */
#define TW_GPU_FAILURE_SYMBOL "tw_failure"

/* First failure of a kernel; in pinned host memory that the device sees. The
   thread that changes `state` from 0 to 1 fills the rest, fences at system
   scope and sets it to 2. */
typedef struct tw_gpu_failure {
  uint32_t state;
  uint32_t code; /* number of a TWnnnn */
  uint32_t line;
  uint32_t message_bytes;
  uint64_t message; /* device addresses of the texts */
  uint64_t file;
  uint64_t kernel; /* the kernel's name */
  uint32_t file_bytes;
  uint32_t kernel_bytes;
} tw_gpu_failure;

/* A payload whose kernels print has this variable in global memory, 8 bytes,
   zero: the driver stores the address of a tw_gpu_prints in it when the module
   is loaded. Its formats are the constants TW_GPU_FORMAT_SYMBOL with 0, 1, ...
   behind it, texts that end in a zero byte. They are C's printf: %d %i %u %x %o
   %c (with ll for 64 bits) and %e %f %g; no '*', no %s. */
#define TW_GPU_PRINTS_SYMBOL "tw_prints"
#define TW_GPU_FORMAT_SYMBOL "tw_print_format_"

#define TW_GPU_PRINT_VALUES 14u
#define TW_GPU_PRINT_LINES 32768u /* a power of two */

/* A printed line. The thread fills it, fences at system scope and writes
   `number`, its number + 1. */
typedef struct tw_gpu_print_line {
  uint64_t number;
  uint64_t format;                      /* device address */
  uint64_t values[TW_GPU_PRINT_VALUES]; /* integers zero-extended, floats as
                                           doubles */
} tw_gpu_print_line;

/* What the kernels of a device print; in pinned host memory that the device
   sees. A thread takes the next number from `taken`; if that is below `limit`
   it has the line of that number modulo TW_GPU_PRINT_LINES, otherwise what it
   prints is lost. The host reads lines and raises `limit`. */
typedef struct tw_gpu_prints {
  uint64_t taken;
  uint64_t limit;
  uint64_t reserved[14];
  tw_gpu_print_line lines[TW_GPU_PRINT_LINES];
} tw_gpu_prints;

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_BACKENDS_SIMT_DRIVER_KERNELABI_H */
