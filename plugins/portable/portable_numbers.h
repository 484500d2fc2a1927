/*===- portable_numbers.h - State and numbers of the reader -------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* What the parts of portable.c share. Every number is checked before it is   */
/* used, every count against the bytes that are left.                         */
/*===----------------------------------------------------------------------===*/
#include "tilewright/portable.h"

/* Numbers of the head of the payload, in this order. */
enum {
  TEXTS,
  TYPES,
  EXTENTS,
  LOCATIONS,
  CHILDREN,
  VALUES,
  IDS,       /* operands, segments and results of one operation */
  NUMBERS,   /* in the attributes of one operation or region */
  ENTRIES,   /* attributes of one operation or region, entries included */
  ARGUMENTS, /* of one region */
  HEAD_COUNT
};

#define HEADER_BYTES 24u
#define NESTING_OF_VALUES 8u /* lists and dictionaries inside one another */

typedef struct reader {
  const uint8_t *start;
  const uint8_t *at;
  const uint8_t *end;
  const tw_portable_schema *schema;
  const tw_portable_visitor *visitor;
  tw_portable_error *error;
  int32_t status;
  uint64_t head[HEAD_COUNT];
  uint64_t used[HEAD_COUNT]; /* the most that was needed */
  tw_portable_module module;
  tw_str *texts;
  tw_portable_type *types;
  int64_t *extents;
  tw_portable_location *locations;
  uint32_t *children;
  uint32_t *value_types;
  uint32_t *ids;
  int64_t *numbers;
  tw_portable_attr *entries;
  tw_portable_argument *arguments;
  uint64_t id_count;     /* in use now, for the operation being read */
  uint64_t number_count; /* likewise */
  uint64_t entry_count;
  uint32_t live;      /* values that are visible now */
  uint32_t live_from; /* and those before this one are not, in a call_op */
} reader;

/*--- Errors and numbers -----------------------------------------------------*/

/* Refuses the bytes at `at`; the first refusal stays. Always 0. */
static int refuse_at(reader *r, const uint8_t *at, uint32_t reason,
                     const char *expected, int64_t got) {
  if (r->status == TW_OK) {
    r->status = reason == TW_PORTABLE_BAD_VERSION     ? TW_E_VERSION
                : reason == TW_PORTABLE_BAD_WORKSPACE ? TW_E_INVALID_ARGUMENT
                                                      : TW_E_DATA_LOSS;
    if (r->error) {
      r->error->reason = reason;
      r->error->offset = (uint64_t)(at - r->start);
      r->error->expected = expected;
      r->error->got = got;
    }
  }
  return 0;
}

static int refuse(reader *r, uint32_t reason, const char *expected,
                  int64_t got) {
  return refuse_at(r, r->at, reason, expected, got);
}

static int structure(reader *r, const char *expected, int64_t got) {
  return refuse(r, TW_PORTABLE_BAD_STRUCTURE, expected, got);
}

static uint64_t bytes_left(const reader *r) {
  return (uint64_t)(r->end - r->at);
}

/* An unsigned LEB128 number in its shortest spelling. */
static int take(reader *r, uint64_t *number) {
  const uint8_t *begin = r->at;
  uint64_t result = 0;
  uint32_t shift;
  for (shift = 0; shift < 64; shift += 7) {
    uint8_t byte;
    if (r->at == r->end)
      return refuse_at(r, begin, TW_PORTABLE_BAD_NUMBER,
                       "a number, before the end of the bytes", 0);
    byte = *r->at++;
    if ((shift == 63 && byte > 1) || (shift > 0 && byte == 0))
      break;
    result |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) {
      *number = result;
      return 1;
    }
  }
  return refuse_at(r, begin, TW_PORTABLE_BAD_NUMBER,
                   "a number of 64 bits in its shortest spelling", 0);
}

/* A number below `limit`. */
static int take_below(reader *r, uint64_t limit, uint32_t *number,
                      const char *expected) {
  const uint8_t *begin = r->at;
  uint64_t value;
  if (!take(r, &value))
    return 0;
  if (value >= limit || value > UINT32_MAX)
    return refuse_at(r, begin, TW_PORTABLE_BAD_NUMBER, expected,
                     (int64_t)value);
  *number = (uint32_t)value;
  return 1;
}

/* A count of things that take at least one byte each. */
static int take_count(reader *r, uint32_t *count) {
  return take_below(r, bytes_left(r) + 1, count,
                    "a count that fits the bytes that are left");
}

/* A signed number: 0, -1, 1, -2, ... */
static int take_signed(reader *r, int64_t *number) {
  uint64_t value;
  if (!take(r, &value))
    return 0;
  *number = (int64_t)((value >> 1) ^ (0 - (value & 1)));
  return 1;
}

static int lives(const reader *r, uint32_t since, uint32_t until) {
  return since <= r->module.version && (!until || r->module.version <= until);
}

/* Makes room for `count` of the things of head number `what`. */
static int reserve(reader *r, int what, uint64_t *in_use, uint64_t count) {
  if (count > r->head[what] - *in_use)
    return structure(r, "no more than the head of the module states",
                     (int64_t)(*in_use + count));
  *in_use += count;
  if (*in_use > r->used[what])
    r->used[what] = *in_use;
  return 1;
}
