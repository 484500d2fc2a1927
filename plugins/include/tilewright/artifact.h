/*===- artifact.h - The .twa file: a compiled kernel --------------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Byte layout of the artifact container, version 1. All integers are         */
/* little-endian. The manifest (JSON) is specified in docs/formats.md.        */
/*                                                                            */
/*   header | section table | sections, in table order                        */
/*                                                                            */
/* A section starts at the next multiple of TW_ARTIFACT_ALIGNMENT; the bytes  */
/* between are zero; the last section ends the file. A reader refuses every   */
/* version, flag and section kind that it does not know, non-zero reserved    */
/* fields, a file longer or shorter than `file_bytes`, and a checksum that    */
/* differs.                                                                   */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_ARTIFACT_H
#define TILEWRIGHT_ARTIFACT_H

#include "tilewright/base.h"

#define TW_ARTIFACT_MAGIC 0x31415754u /* "TWA1" */
#define TW_ARTIFACT_VERSION 1u
#define TW_ARTIFACT_ALIGNMENT 64u
#define TW_ARTIFACT_MAX_SECTIONS 1024u

/* A bundle, .twb: the same layout; its payloads are artifacts. */
#define TW_BUNDLE_MAGIC 0x31425754u /* "TWB1" */
#define TW_BUNDLE_VERSION 1u

#define TW_SECTION_MANIFEST 1u /* exactly one, the first */
#define TW_SECTION_PAYLOAD 2u  /* what the plugin returned; at least one */

typedef struct tw_artifact_header {
  uint32_t magic;
  uint32_t version;
  uint32_t flags; /* 0 */
  uint32_t section_count;
  uint64_t file_bytes;
  uint64_t checksum; /* xxHash64, seed 0, of the whole file with this field 0 */
  uint64_t reserved[4];
} tw_artifact_header;

typedef struct tw_artifact_section {
  uint32_t kind;   /* TW_SECTION_* */
  uint32_t flags;  /* 0 */
  uint64_t offset; /* from the start of the file */
  uint64_t bytes;
  uint64_t reserved;
} tw_artifact_section;

#endif /* TILEWRIGHT_ARTIFACT_H */
