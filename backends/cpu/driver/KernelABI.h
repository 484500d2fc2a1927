/*===- KernelABI.h - What CPU code and CPU driver agree on --------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* The calling convention of a compiled kernel. The CPU compiler emits exactly
 */
/* this, the CPU driver calls exactly this; nothing else crosses.             */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_BACKENDS_CPU_DRIVER_KERNELABI_H
#define TILEWRIGHT_BACKENDS_CPU_DRIVER_KERNELABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Payload format in the artifact: one self-contained ELF shared object whose
   undefined symbols are resolved by the C and maths libraries only. */
#define TW_CPU_PAYLOAD_FORMAT "elf-so"

/* The compat text is "<architecture>;<feature>,<feature>,...": "x86_64" or
   "aarch64", then those features of CpuFeatures.def that the code may use, in
   any order, possibly none. The driver refuses a kernel whose features this
   machine lacks, so that it never meets an illegal instruction. */

/* Functions that generated code may call. Valid during the launch. */
typedef struct tw_cpu_services {
  uint32_t size; /* of this struct, for later additions */
  uint32_t flags;
  /* Writes text of `print`; whole lines of one program stay together. */
  void (*print)(void *ctx, const char *text, uint64_t bytes);
  /* Records an error (the first one wins); reported at synchronisation. The
     kernel goes on or returns as it likes. `code` is the number of `TWnnnn`. */
  void (*fail)(void *ctx, uint32_t code, const char *message, const char *file,
               uint32_t line);
  void *ctx;
  /* Double-precision functions that are not worth inlining; TW_CPU_MATH_*. */
  double (*math64)(uint32_t fn, double a, double b);
  /* Nanoseconds of a monotonic clock. Code that calls it has the word
     TW_CPU_SERVICE_NANOSECONDS among the features of its compat text. */
  uint64_t (*nanoseconds)(void *ctx);
} tw_cpu_services;

#define TW_CPU_SERVICE_NANOSECONDS "service.nanoseconds"

#define TW_CPU_MATH_EXP 1u
#define TW_CPU_MATH_EXP2 2u
#define TW_CPU_MATH_LOG 3u
#define TW_CPU_MATH_LOG2 4u
#define TW_CPU_MATH_LOG10 5u
#define TW_CPU_MATH_LOG1P 6u
#define TW_CPU_MATH_EXPM1 7u
#define TW_CPU_MATH_SIN 8u
#define TW_CPU_MATH_COS 9u
#define TW_CPU_MATH_TAN 10u
#define TW_CPU_MATH_ASIN 11u
#define TW_CPU_MATH_ACOS 12u
#define TW_CPU_MATH_ATAN 13u
#define TW_CPU_MATH_ATAN2 14u
#define TW_CPU_MATH_SINH 15u
#define TW_CPU_MATH_COSH 16u
#define TW_CPU_MATH_TANH 17u
#define TW_CPU_MATH_ASINH 18u
#define TW_CPU_MATH_ACOSH 19u
#define TW_CPU_MATH_ATANH 20u
#define TW_CPU_MATH_POW 21u
#define TW_CPU_MATH_ERF 22u
#define TW_CPU_MATH_ERFC 23u
#define TW_CPU_MATH_CBRT 24u
#define TW_CPU_MATH_FMOD 25u
#define TW_CPU_MATH_HYPOT 26u
#define TW_CPU_MATH_LGAMMA 27u
#define TW_CPU_MATH_TGAMMA 28u

/* The launched grid. */
typedef struct tw_cpu_grid {
  int64_t num[3];
  const tw_cpu_services *services;
} tw_cpu_grid;

/* Runs the programs with linear ids [begin, end), in order; x runs fastest:
   id = x + num[0] * (y + num[1] * z). `args` is the packed user block, every
   argument at its natural alignment in order (pointers 8 bytes, i1 one byte).
   `scratch` is memory of the record's scratch_bytes, 64-byte aligned, not
   zeroed, used by no other call at the same time; NULL when scratch_bytes is
   0. The function's ELF symbol is the record's symbol. */
typedef void (*tw_cpu_kernel_fn)(const void *args, const tw_cpu_grid *grid,
                                 int64_t begin, int64_t end, void *scratch);

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_BACKENDS_CPU_DRIVER_KERNELABI_H */
