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

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_BACKENDS_SIMT_DRIVER_KERNELABI_H */
