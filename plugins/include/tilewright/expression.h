/*===- expression.h - Evaluates the expressions of a record -------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Header-only, no allocation: usable by the host's launcher and by a plugin  */
/* that offers LAUNCH without any compiler. Codes: record.h.                  */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_EXPRESSION_H
#define TILEWRIGHT_EXPRESSION_H

#include "tilewright/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an expression may read. */
typedef struct tw_expr_input {
  const int64_t *arguments; /* integers sign- or zero-extended, addresses */
  uint64_t argument_count;
  int64_t programs[3];
} tw_expr_input;

#define TW_EXPR_MIN_INT (-INT64_C(0x7fffffffffffffff) - 1)

static inline int64_t tw_expr_wrap(uint64_t bits) {
  int64_t value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* a + b, a - b, a * b without overflow; 0 when the result does not fit. */
static inline int tw_expr_add(int64_t a, int64_t b, int64_t *out) {
  *out = tw_expr_wrap((uint64_t)a + (uint64_t)b);
  return ((a ^ *out) & (b ^ *out)) >= 0;
}

static inline int tw_expr_sub(int64_t a, int64_t b, int64_t *out) {
  *out = tw_expr_wrap((uint64_t)a - (uint64_t)b);
  return ((a ^ b) & (a ^ *out)) >= 0;
}

static inline int tw_expr_mul(int64_t a, int64_t b, int64_t *out) {
  *out = tw_expr_wrap((uint64_t)a * (uint64_t)b);
  if (a == 0 || b == 0)
    return 1;
  if ((a == -1 && b == TW_EXPR_MIN_INT) || (b == -1 && a == TW_EXPR_MIN_INT))
    return 0;
  return *out / b == a;
}

/* Quotient rounded down, and the remainder that goes with it. */
static inline int tw_expr_div(int64_t a, int64_t b, int64_t *quotient,
                              int64_t *remainder) {
  if (b == 0 || (a == TW_EXPR_MIN_INT && b == -1))
    return 0;
  *quotient = a / b;
  *remainder = a % b;
  if (*remainder != 0 && ((*remainder < 0) != (b < 0))) {
    *quotient -= 1;
    *remainder += b;
  }
  return 1;
}

/* Applies one operation of two operands. */
static inline int tw_expr_binary(uint8_t op, int64_t a, int64_t b,
                                 int64_t *out) {
  int64_t quotient = 0, remainder = 0;
  switch (op) {
  case TW_EXPR_ADD:
    return tw_expr_add(a, b, out);
  case TW_EXPR_SUB:
    return tw_expr_sub(a, b, out);
  case TW_EXPR_MUL:
    return tw_expr_mul(a, b, out);
  case TW_EXPR_FLOOR_DIV:
  case TW_EXPR_CEIL_DIV:
  case TW_EXPR_FLOOR_MOD:
    if (!tw_expr_div(a, b, &quotient, &remainder))
      return 0;
    *out = op == TW_EXPR_FLOOR_MOD  ? remainder
           : op == TW_EXPR_CEIL_DIV ? quotient + (remainder != 0)
                                    : quotient;
    return 1;
  case TW_EXPR_MIN:
    *out = a < b ? a : b;
    return 1;
  case TW_EXPR_MAX:
    *out = a > b ? a : b;
    return 1;
  case TW_EXPR_AND:
    *out = a & b;
    return 1;
  case TW_EXPR_OR:
    *out = a | b;
    return 1;
  case TW_EXPR_XOR:
    *out = a ^ b;
    return 1;
  case TW_EXPR_EQ:
    *out = a == b;
    return 1;
  case TW_EXPR_NE:
    *out = a != b;
    return 1;
  case TW_EXPR_LT:
    *out = a < b;
    return 1;
  case TW_EXPR_LE:
    *out = a <= b;
    return 1;
  default:
    return 0;
  }
}

/* Little-endian operand of `bytes` bytes. */
static inline uint64_t tw_expr_operand(const uint8_t *code, uint32_t bytes) {
  uint64_t value = 0;
  uint32_t i;
  for (i = 0; i < bytes; ++i)
    value |= (uint64_t)code[i] << (8 * i);
  return value;
}

/* Bytes behind an operation's code, and how many values it takes; 0 for an
   operation that does not exist. */
static inline int tw_expr_shape(uint8_t op, uint32_t *operand,
                                uint32_t *takes) {
  *operand = op == TW_EXPR_CONST      ? 8
             : op == TW_EXPR_ARGUMENT ? 2
             : op == TW_EXPR_PROGRAMS ? 1
                                      : 0;
  *takes = *operand ? 0 : op == TW_EXPR_NOT ? 1 : op == TW_EXPR_SELECT ? 3 : 2;
  return *operand || op == TW_EXPR_NOT || op == TW_EXPR_SELECT ||
         (op >= TW_EXPR_ADD && op <= TW_EXPR_XOR) ||
         (op >= TW_EXPR_EQ && op <= TW_EXPR_LE);
}

/* Whether `code` is well-formed for `argument_count` arguments: known
   operations, operands inside the code, stack never empty or too deep, exactly
   one result. Evaluation relies on it. */
static inline int tw_expr_check(tw_bytes code, uint64_t argument_count) {
  const uint8_t *bytes = (const uint8_t *)code.data;
  uint64_t at = 0;
  uint32_t depth = 0, operand, takes;
  while (at < code.size) {
    uint8_t op = bytes[at++];
    if (!tw_expr_shape(op, &operand, &takes) || code.size - at < operand ||
        depth < takes || depth - takes + 1 > TW_EXPR_STACK)
      return 0;
    if (op == TW_EXPR_ARGUMENT &&
        tw_expr_operand(bytes + at, 2) >= argument_count)
      return 0;
    if (op == TW_EXPR_PROGRAMS && bytes[at] > 2)
      return 0;
    depth = depth - takes + 1;
    at += operand;
  }
  return depth == 1;
}

/* Evaluates a checked expression; 0 when it overflows or divides by zero. */
static inline int tw_expr_evaluate(tw_bytes code, const tw_expr_input *input,
                                   int64_t *result) {
  const uint8_t *bytes = (const uint8_t *)code.data;
  int64_t stack[TW_EXPR_STACK + 1];
  uint32_t depth = 0, operand, takes;
  uint64_t at = 0;
  while (at < code.size) {
    uint8_t op = bytes[at++];
    const uint8_t *argument = bytes + at;
    tw_expr_shape(op, &operand, &takes);
    depth -= takes;
    if (op == TW_EXPR_CONST)
      stack[depth] = tw_expr_wrap(tw_expr_operand(argument, 8));
    else if (op == TW_EXPR_ARGUMENT)
      stack[depth] = input->arguments[tw_expr_operand(argument, 2)];
    else if (op == TW_EXPR_PROGRAMS)
      stack[depth] = input->programs[argument[0]];
    else if (op == TW_EXPR_NOT)
      stack[depth] = stack[depth] == 0;
    else if (op == TW_EXPR_SELECT)
      stack[depth] = stack[depth] ? stack[depth + 1] : stack[depth + 2];
    else if (!tw_expr_binary(op, stack[depth], stack[depth + 1], &stack[depth]))
      return 0;
    depth += 1;
    at += operand;
  }
  *result = stack[0];
  return 1;
}

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_EXPRESSION_H */
