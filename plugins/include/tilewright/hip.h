/*===- hip.h - Launching code objects from HIP programs -----------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* For programs that have HIP and want neither our runtime nor our driver     */
/* plugin: the code object in an artifact compiled for `amd`, which           */
/* hipModuleLoadData takes as it is, and what kernels expect behind the       */
/* user's arguments. Needs no header of HIP's.                                */
/*                                                                            */
/* A launch passes one packed struct (HIP_LAUNCH_PARAM_BUFFER_POINTER): the   */
/* user's arguments in order, each at its natural alignment, then a           */
/* tw_hip_grid. The block is the record's block_size (64 or 32 threads times  */
/* num_warps, one dimension), dynamic shared memory is 0. Names of kernels    */
/* are the symbols of the manifest, see docs/formats.md; the last variant of  */
/* a kernel runs with any arguments.                                          */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_HIP_H
#define TILEWRIGHT_HIP_H

#include "tilewright/artifact.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What follows the user's arguments, at a multiple of 4 bytes. */
typedef struct tw_hip_grid {
  int32_t programs[3]; /* of the whole grid, as the kernel sees it */
  int32_t first[3];    /* where this launch starts; 0 unless a grid is cut */
} tw_hip_grid;

/* Whether bytes are an ELF file for AMD's GPUs. */
static inline int32_t tw_hip_is_code_object(tw_bytes code) {
  const unsigned char *at = (const unsigned char *)code.data;
  const unsigned machine = 0xe0; /* EM_AMDGPU */
  return code.size > 64 && at[0] == 0x7f && at[1] == 'E' && at[2] == 'L' &&
         at[3] == 'F' && at[18] == machine && at[19] == 0;
}

/* The code object in an artifact's bytes; `data` is null if these are no
   artifact, or one for another target. The file's checksum is not looked at.
   The caller keeps the artifact until the module is loaded. */
static inline tw_bytes tw_hip_code_object(const void *artifact,
                                          uint64_t bytes) {
  const tw_artifact_header *header = (const tw_artifact_header *)artifact;
  const tw_artifact_section *sections =
      (const tw_artifact_section *)(header + 1);
  tw_bytes none = {0, 0}, code;
  if (bytes < sizeof *header + 2 * sizeof *sections ||
      header->magic != TW_ARTIFACT_MAGIC ||
      header->version != TW_ARTIFACT_VERSION || header->file_bytes != bytes ||
      header->section_count < 2 || sections[1].kind != TW_SECTION_PAYLOAD ||
      sections[1].offset > bytes ||
      sections[1].bytes > bytes - sections[1].offset)
    return none;
  code.data = (const char *)artifact + sections[1].offset;
  code.size = sections[1].bytes;
  return tw_hip_is_code_object(code) ? code : none;
}

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_HIP_H */
