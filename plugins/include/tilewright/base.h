/*===- base.h - Types shared by every C interface of Tilewright ---*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Strings, status codes, element types, diagnostics and the rule for fields  */
/* that one side does not know. C11; also compiles as C++98. 64-bit hosts.    */
/*                                                                            */
/* Layout rules, for every struct of plugin.h, record.h, compiler.h and       */
/* runtime.h:                                                                 */
/*  - fixed-width integers, double and pointers only; padding is spelled out  */
/*    as `reserved` and is zero; sizes are multiples of 8;                    */
/*  - a struct that starts with `uint32_t size; uint32_t flags` is a table:   */
/*    the creator stores sizeof there, later minors append fields, readers    */
/*    follow tw_read_struct() below;                                          */
/*  - any other struct is frozen for the whole major version;                 */
/*  - an array of tables is an array of pointers, so that sizes may differ.   */
/* Ownership: inputs are borrowed for the call only. Text is UTF-8 with an    */
/* explicit length and need not end in a zero byte.                           */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_BASE_H
#define TILEWRIGHT_BASE_H

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/*--- Strings and bytes ------------------------------------------------------*/

/* Borrowed text. `data` may be NULL when `size` is 0. */
typedef struct tw_str {
  const char *data;
  uint64_t size; /* bytes */
} tw_str;

/* Borrowed bytes. `data` may be NULL when `size` is 0. */
typedef struct tw_bytes {
  const void *data;
  uint64_t size; /* bytes */
} tw_bytes;

/* Receives text from the callee; may be called several times, pieces append.
   The receiver copies during the call, so no memory changes owner. */
typedef struct tw_writer {
  void *ctx;
  void (*write)(void *ctx, const char *data, uint64_t size);
} tw_writer;

static inline tw_str tw_string(const char *text) {
  tw_str s;
  s.data = text;
  s.size = text ? (uint64_t)strlen(text) : 0;
  return s;
}

static inline int tw_str_equal(tw_str a, tw_str b) {
  return a.size == b.size &&
         (a.size == 0 || memcmp(a.data, b.data, (size_t)a.size) == 0);
}

/*--- Status codes: never reused, 0 is success -------------------------------*/

#define TW_OK 0
#define TW_E_CANCELLED 1
#define TW_E_UNKNOWN 2
#define TW_E_INVALID_ARGUMENT 3
#define TW_E_DEADLINE 4
#define TW_E_NOT_FOUND 5
#define TW_E_ALREADY_EXISTS 6
#define TW_E_PERMISSION 7
#define TW_E_EXHAUSTED 8 /* memory, registers, shared memory */
#define TW_E_PRECONDITION 9
#define TW_E_ABORTED 10
#define TW_E_OUT_OF_RANGE 11
#define TW_E_UNIMPLEMENTED 12 /* the slot or feature does not exist here */
#define TW_E_INTERNAL 13
#define TW_E_UNAVAILABLE 14    /* no driver, no device */
#define TW_E_DATA_LOSS 15      /* truncated or damaged bytes */
#define TW_E_UNKNOWN_FIELD 64  /* an unknown field is not zero */
#define TW_E_UNKNOWN_OPTION 65 /* a must-understand option is not known */
#define TW_E_FORKED 66         /* called in a child after fork */
#define TW_E_VERSION 67        /* no common version */
#define TW_E_DEVICE_ERROR 68   /* sticky: an earlier launch failed */
#define TW_E_DIAGNOSED 69 /* the input is wrong; diagnostics were emitted */
#define TW_E_VENDOR_FIRST 0x10000

/*--- Element types ----------------------------------------------------------*/

#define TW_DTYPE_NONE 0
#define TW_DTYPE_I1 1 /* stored as one byte, 0 or 1 */
#define TW_DTYPE_I8 2
#define TW_DTYPE_I16 3
#define TW_DTYPE_I32 4
#define TW_DTYPE_I64 5
#define TW_DTYPE_U8 6
#define TW_DTYPE_U16 7
#define TW_DTYPE_U32 8
#define TW_DTYPE_U64 9
#define TW_DTYPE_F16 10
#define TW_DTYPE_BF16 11
#define TW_DTYPE_F32 12
#define TW_DTYPE_F64 13
#define TW_DTYPE_F8E4NV 14  /* 4 exponent bits, no infinity, bias 7 */
#define TW_DTYPE_F8E5 15    /* 5 exponent bits, IEEE-like */
#define TW_DTYPE_F8E4B8 16  /* 4 exponent bits, bias 8, one NaN */
#define TW_DTYPE_F8E5B16 17 /* 5 exponent bits, bias 16, one NaN */
#define TW_DTYPE_F8E4B15 18 /* 4 exponent bits, bias 15, no NaN */
#define TW_DTYPE_COUNT 19

/* Bytes of one stored element, 0 for an unknown id. */
static inline uint32_t tw_dtype_bytes(uint32_t dtype) {
  static const uint8_t bytes[TW_DTYPE_COUNT] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 8,
                                                2, 2, 4, 8, 1, 1, 1, 1, 1};
  return dtype < TW_DTYPE_COUNT ? bytes[dtype] : 0;
}

/*--- Diagnostics ------------------------------------------------------------*/

#define TW_SEVERITY_REMARK 0
#define TW_SEVERITY_NOTE 1 /* belongs to the diagnostic emitted before it */
#define TW_SEVERITY_WARNING 2
#define TW_SEVERITY_ERROR 3

/* A source range. Lines and columns count from 1 (columns in bytes), 0 means
   unknown; the end is the column just past the range. `caller` is the place
   whose call was inlined here, up to the kernel itself. */
typedef struct tw_location {
  tw_str file;
  tw_str function; /* function whose body holds the range; may be empty */
  uint32_t line;
  uint32_t column;
  uint32_t end_line;
  uint32_t end_column;
  const struct tw_location *caller; /* NULL at the end of the chain */
} tw_location;

typedef struct tw_diagnostic {
  uint32_t size;
  uint32_t flags;
  uint32_t severity; /* TW_SEVERITY_* */
  uint32_t code;     /* the number of `TWnnnn`, 0 for none */
  tw_str message;    /* lower-case, "expected X, got Y", no full stop */
  tw_str hint;       /* the next step; may be empty */
  const tw_location *location; /* NULL when there is none */
} tw_diagnostic;

/* Where the callee reports. The receiver copies during `emit`. A NULL sink
   drops reports. May be called from any thread that works for the call. */
typedef struct tw_sink {
  uint32_t size;
  uint32_t flags;
  void *ctx;
  void (*emit)(void *ctx, const tw_diagnostic *diagnostic);
} tw_sink;

/* Reports one unlocated diagnostic; texts end in a zero byte. */
static inline void tw_emit(const tw_sink *sink, uint32_t severity,
                           uint32_t code, const char *message,
                           const char *hint) {
  tw_diagnostic d;
  if (!sink || !sink->emit)
    return;
  memset(&d, 0, sizeof d);
  d.size = (uint32_t)sizeof d;
  d.severity = severity;
  d.code = code;
  d.message = tw_string(message);
  d.hint = tw_string(hint);
  sink->emit(sink->ctx, &d);
}

/*--- Named values -----------------------------------------------------------*/

#define TW_VALUE_NONE 0
#define TW_VALUE_INT 1 /* integer; booleans are 0 and 1 */
#define TW_VALUE_FLOAT 2
#define TW_VALUE_TEXT 3

#define TW_OPTION_MUST_UNDERSTAND 1u /* unknown key => TW_E_UNKNOWN_OPTION */

/* One option or named fact; `kind` says which of the three values holds. */
typedef struct tw_option {
  tw_str key;
  uint32_t kind; /* TW_VALUE_* */
  uint32_t flags;
  int64_t integer;
  double number;
  tw_str text;
} tw_option;

typedef struct tw_stage_text {
  tw_str name; /* "llvm", "asm", ... */
  tw_str text;
} tw_stage_text;

/*--- The rule for unknown fields --------------------------------------------*/

/* Whether a table from another binary, `size` bytes by its own word, holds
   something behind the `known` bytes of this binary's view. */
static inline int tw_has_unknown_tail(const void *source, uint32_t size,
                                      uint32_t known) {
  uint32_t i;
  for (i = known; i < size; ++i)
    if (((const unsigned char *)source)[i])
      return 1;
  return 0;
}

/* Copies a table from another binary into one of this binary's size `known`.
   Missing fields read as zero. If the source is larger, all bytes beyond
   `known` must be zero, else TW_E_UNKNOWN_FIELD: a newer caller asked for
   something that this side cannot honour. `source` starts with its size, a
   multiple of 8, as the layout rules make every table: a size that cuts a
   field in half is TW_E_INVALID_ARGUMENT. */
static inline int32_t tw_read_struct(void *destination, uint32_t known,
                                     const void *source) {
  uint32_t size;
  if (!source)
    return TW_E_INVALID_ARGUMENT;
  memcpy(&size, source, sizeof size);
  if (size < 8 || size % 8) /* never half a field */
    return TW_E_INVALID_ARGUMENT;
  if (tw_has_unknown_tail(source, size, known))
    return TW_E_UNKNOWN_FIELD;
  memset(destination, 0, known);
  memcpy(destination, source, size < known ? size : known);
  memcpy(destination, &known, sizeof known);
  return TW_OK;
}

/* Writes `value` (this binary's view, `known` bytes) into a table that the
   caller allocated and whose size field says how much room there is. */
static inline int32_t tw_write_struct(void *destination, uint32_t known,
                                      const void *value) {
  uint32_t size;
  if (!destination)
    return TW_E_INVALID_ARGUMENT;
  memcpy(&size, destination, sizeof size);
  if (size < 8)
    return TW_E_INVALID_ARGUMENT;
  memset((unsigned char *)destination + 4, 0, size - 4);
  memcpy((unsigned char *)destination + 4, (const unsigned char *)value + 4,
         (size < known ? size : known) - 4);
  return TW_OK;
}

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_BASE_H */
