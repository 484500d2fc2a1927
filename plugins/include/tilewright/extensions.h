/*===- extensions.h - Extensions of calls to plugins --------------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* What a host may chain to a call; see tw_extension in plugin.h.             */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_EXTENSIONS_H
#define TILEWRIGHT_EXTENSIONS_H

#include "tilewright/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Extension of `launch`: the memory behind each user argument. The host sends
   it for kernels compiled with option `check`; whoever does not check skips
   it. The id is that of "org.tilewright.extents". */
#define TW_EXTENSION_EXTENTS 0xdae2b697u

/* First address and the one past the last; both 0 when not known. */
typedef struct tw_extent {
  uint64_t begin;
  uint64_t end;
} tw_extent;

typedef struct tw_launch_extents {
  tw_extension header;
  const tw_extent *extents; /* one for each user argument */
  uint64_t count;
} tw_launch_extents;

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_EXTENSIONS_H */
