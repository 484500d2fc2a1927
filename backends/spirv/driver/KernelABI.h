/*===- KernelABI.h - What SPIR-V code and OpenCL driver agree on --*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Payload, arguments and launch memory of a compiled kernel. The SPIR-V      */
/* compiler emits exactly this, the OpenCL driver runs exactly this.          */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_BACKENDS_SPIRV_DRIVER_KERNELABI_H
#define TILEWRIGHT_BACKENDS_SPIRV_DRIVER_KERNELABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Payload formats: one SPIR-V module of the OpenCL environment. With addresses
   a pointer is one kernel argument; with handles it is two, a buffer and an
   offset in bytes (i64). The compat text holds the traits that the code uses,
   as traitsText() prints them. */
#define TW_SPIRV_PAYLOAD_FORMAT "spirv"
#define TW_SPIRV_HANDLES_FORMAT "spirv-handles"

/* Kernel arguments are the record's parameters in order; the last one is
   TW_PARAMETER_HIDDEN_SCRATCH, a global pointer to the launch memory. A
   work-group is one program: program ids are work-group ids, block_size[0]
   work-items on dimension 0.

   Texts that kernels refer to are OpString instructions "tw.text:<text>";
   kernels name one by its 64-bit FNV-1a hash, tw_spirv_text_id(). */
#define TW_SPIRV_TEXT_PREFIX "tw.text:"

static inline uint64_t tw_spirv_text_id(const char *text, uint64_t bytes) {
  uint64_t hash = 0xcbf29ce484222325u, i;
  for (i = 0; i < bytes; ++i)
    hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
  return hash;
}

/* What launches of one stream share, at the start of the launch memory: byte
   offsets of 32-bit words, and of 64-bit ones where it says so. */
#define TW_SPIRV_TICKET 0u      /* programs started, for kernels that wait */
#define TW_SPIRV_FAILED 4u      /* 0, then 1 once the fields below are taken */
#define TW_SPIRV_FAIL_CODE 8u   /* the number of TWnnnn */
#define TW_SPIRV_FAIL_LINE 12u  /* 0: unknown */
#define TW_SPIRV_FAIL_TEXT 16u  /* 64 bits: the message's id */
#define TW_SPIRV_FAIL_FILE 24u  /* 64 bits: the file name's id */
#define TW_SPIRV_PRINT_USED 32u /* bytes of print records, may pass the end */
#define TW_SPIRV_PRINT_ROOM 36u /* bytes there are, set by the host */
#define TW_SPIRV_PRINT_AREA 64u

/* A print record: 32-bit size in bytes (a multiple of 8), 32 bits of zero, the
   format's id, then 64 bits a value: integers zero-extended, floats as doubles.
   Formats are C's printf: %d %i %u %x %o %c (with ll for 64 bits) and
   %e %f %g; no '*', no %s. */
#define TW_SPIRV_PRINT_HEADER 16u

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_BACKENDS_SPIRV_DRIVER_KERNELABI_H */
