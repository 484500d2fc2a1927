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

/* Extension of `launch`: whom a kernel compiled with option `trace` tells of
   its steps. Target reference knows it. The id is that of
   "org.tilewright.trace". */
#define TW_EXTENSION_TRACE 0xd10f8b1fu

/* A variable or a part of one: "x", "pair[0]", "state.count". */
typedef struct tw_trace_value {
  tw_str name;
  tw_str type; /* as in a signature, "fp32" or "*fp16"; empty: a constant */
  tw_str text; /* the constant as Python writes it, or "<what it is>" */
  const int64_t *shape;
  uint64_t rank; /* 0: a scalar */
  /* The bits of each element, row-major; those above its width are 0. */
  const uint64_t *bits;
  /* Likewise, 0 for elements that a masked load did not read; NULL: none. */
  const uint64_t *active;
  uint64_t count; /* elements */
} tw_trace_value;

typedef struct tw_trace_step {
  uint32_t size;
  uint32_t flags;
  /* "call": a function is entered with these parameters, "line": a line is
     reached, "values": it has bound these names, "return": a function is left
     with this value. */
  tw_str kind;
  tw_str function;
  tw_str file;
  uint32_t line;
  uint32_t depth; /* calls between the kernel and the function */
  int64_t program[3];
  const tw_trace_value *values;
  uint64_t value_count;
} tw_trace_step;

typedef struct tw_launch_trace {
  tw_extension header;
  void *ctx;
  /* Called while the kernel runs; what a step points to lives until it returns.
     Anything but 0 ends the launch, which then gives TW_E_CANCELLED. */
  int32_t (*step)(void *ctx, const tw_trace_step *step);
} tw_launch_trace;

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_EXTENSIONS_H */
