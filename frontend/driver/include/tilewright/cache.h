/*===- cache.h - Folders of compiled kernels, C interface ---------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Looks into the folders that a compiler keeps artifacts in when it is made  */
/* with option cache_folder (compiler.h). Answers are JSON of docs/formats.md,*/
/* "Cache". A folder that others can write is refused with TW7201. Any number */
/* of processes and threads may use and tidy one folder at once.              */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_CACHE_H
#define TILEWRIGHT_CACHE_H

#include "tilewright/compiler.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The folder of this user that hosts use when nothing else is said;
   TW_E_NOT_FOUND where the system names no place for caches. */
TW_COMPILER_API int32_t tw_cache_default_folder(tw_writer out);

/* All entries: key, kernel, signature, target, file, bytes, last use. */
TW_COMPILER_API int32_t tw_cache_list(tw_str folder, const tw_sink *sink,
                                      tw_writer out);

/* Reads every entry and counts those whose content is what was written. The
   document says of each damaged one whether it was removed. */
#define TW_CACHE_REMOVE_DAMAGED 1u
TW_COMPILER_API int32_t tw_cache_check(tw_str folder, uint32_t flags,
                                       const tw_sink *sink, tw_writer out);

/* Removes entries that were not used for `max_age_seconds` (0: of any age), the
   least recently used ones beyond `max_bytes` (0: of any size), and what killed
   processes left. The document lists the files that could not be removed. */
TW_COMPILER_API int32_t tw_cache_collect(tw_str folder, uint64_t max_bytes,
                                         uint64_t max_age_seconds,
                                         const tw_sink *sink, tw_writer out);

/* The parts of the key of an entry, and where `other` (may be empty) differs.
   Keys may be cut off as long as they name one entry. */
TW_COMPILER_API int32_t tw_cache_compare(tw_str folder, tw_str key,
                                         tw_str other, const tw_sink *sink,
                                         tw_writer out);

/* The key that compiling `input` would have, whether the compiler's cache has
   it, and what is different in the nearest entry of the same kernel. Without
   "key": such a request is not kept, or does not compile. */
TW_COMPILER_API int32_t tw_cache_explain(tw_compiler *compiler,
                                         const tw_compile_input *input,
                                         tw_writer out);

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_CACHE_H */
