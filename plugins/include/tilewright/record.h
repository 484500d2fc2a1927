/*===- record.h - What a compiled kernel says about itself --------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* The kernel record: parameters, facts the code relies on, parameters that   */
/* the launcher derives, resources. Plain data, made by the COMPILE profile,  */
/* stored in the artifact, read by the launcher and the LAUNCH profile.       */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_RECORD_H
#define TILEWRIGHT_RECORD_H

#include "tilewright/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/*--- Parameters -------------------------------------------------------------*/

#define TW_PARAMETER_USER_SCALAR 1
#define TW_PARAMETER_USER_POINTER 2
#define TW_PARAMETER_HIDDEN_GRID 16    /* number of programs, per axis */
#define TW_PARAMETER_HIDDEN_SCRATCH 17 /* address of the scratch memory */
#define TW_PARAMETER_HIDDEN_FIRST 18   /* first program id, per axis */
#define TW_PARAMETER_DERIVED 32        /* `source`: index in `derived` */

#define TW_NO_OFFSET 0xffffffffu

/* A launch that is larger than the device takes runs in pieces; HIDDEN_FIRST
   tells each where it starts (i32, as HIDDEN_GRID).

   User parameters come first, in the order of the kernel's run-time arguments;
   their index is the argument index that facts and expressions use. */
typedef struct tw_parameter {
  tw_str name;
  uint32_t kind;   /* TW_PARAMETER_* */
  uint32_t dtype;  /* TW_DTYPE_*; of a pointer: the pointee's */
  uint32_t offset; /* in the user block, TW_NO_OFFSET unless user */
  uint32_t
      device_offset;  /* in the device block; equal when there is one block */
  uint32_t bytes;     /* stored size; pointers are 8 */
  uint32_t alignment; /* natural: equals `bytes` */
  uint32_t source;    /* DERIVED: index; else 0 */
  uint32_t axis;      /* HIDDEN_GRID, HIDDEN_FIRST: 0, 1, 2; else 0 */
} tw_parameter;

/*--- Facts ------------------------------------------------------------------*/

#define TW_FACT_DIVISIBLE 1 /* argument (or address) % value == 0 */
#define TW_FACT_VALUE 2     /* argument == value */
#define TW_FACT_RANGE 3     /* value <= argument <= upper, signed */
#define TW_FACT_READONLY 4  /* the kernel does not write through the pointer */
#define TW_FACT_DISJOINT 5  /* the buffers of `argument` and `other` */

/* One property of an argument that the code relies on; checked at launch. */
typedef struct tw_fact {
  uint32_t kind; /* TW_FACT_* */
  uint32_t argument;
  uint32_t other; /* DISJOINT: the second pointer argument; else 0 */
  uint32_t reserved;
  int64_t value;
  int64_t upper;
} tw_fact;

/*--- Expressions ------------------------------------------------------------*/

/* Postfix code over a stack of int64, at most TW_EXPR_STACK deep; one byte an
   operation, operands little-endian behind it. Overflow and division by zero
   make the evaluation fail; a failed predicate does not hold, any other failed
   expression refuses the launch. tilewright/expression.h evaluates. */
#define TW_EXPR_CONST 1    /* i64: push it */
#define TW_EXPR_ARGUMENT 2 /* u16: push the argument (signed; address) */
#define TW_EXPR_PROGRAMS 3 /* u8 axis: push the number of programs */
#define TW_EXPR_ADD 16     /* a b -> a + b */
#define TW_EXPR_SUB 17     /* a b -> a - b */
#define TW_EXPR_MUL 18     /* a b -> a * b */
#define TW_EXPR_FLOOR_DIV 19
#define TW_EXPR_CEIL_DIV 20
#define TW_EXPR_FLOOR_MOD 21
#define TW_EXPR_MIN 22
#define TW_EXPR_MAX 23
#define TW_EXPR_AND 24
#define TW_EXPR_OR 25
#define TW_EXPR_XOR 26
#define TW_EXPR_EQ 32 /* a b -> 0 or 1 */
#define TW_EXPR_NE 33
#define TW_EXPR_LT 34
#define TW_EXPR_LE 35
#define TW_EXPR_NOT 36    /* a -> a == 0 */
#define TW_EXPR_SELECT 37 /* c a b -> c ? a : b */
#define TW_EXPR_STACK 16

/*--- Derived parameters -----------------------------------------------------*/

#define TW_DERIVED_SCALAR 1 /* expressions[0], stored as `dtype` */
/* Tensor map of rank R: expressions = base address, R sizes (elements,
   innermost first), R-1 strides (bytes, from dimension 1); attributes = element
   dtype, R, R box sizes, R element strides, swizzle bytes (0, 32, 64, 128),
   interleave bytes, out-of-bounds fill (0 zero, 1 NaN), L2 promotion bytes. */
#define TW_DERIVED_TENSOR_MAP 2

typedef struct tw_derived {
  uint32_t kind;  /* TW_DERIVED_* */
  uint32_t dtype; /* of a scalar */
  const tw_bytes *expressions;
  uint64_t expression_count;
  const uint32_t *attributes;
  uint64_t attribute_count;
} tw_derived;

/*--- The record -------------------------------------------------------------*/

/* A program waits for another one. */
#define TW_KERNEL_NEEDS_PROGRESS 1u
/* All programs must be resident at once. */
#define TW_KERNEL_COOPERATIVE 2u
/* Scratch must be zero when a program (or launch) starts. */
#define TW_KERNEL_SCRATCH_ZEROED 4u
/* Scratch is one block for a launch, not one for each running program. */
#define TW_KERNEL_SCRATCH_LAUNCH 8u
/* A block along the first axis runs programs id, id + blocks, id + 2 blocks and
   so on: a launch may have fewer blocks than programs there. */
#define TW_KERNEL_STRIDED 16u

/* Records of the same `name` are variants: the launcher takes the first one
   whose facts and predicate hold, so the general variant comes last. */
typedef struct tw_kernel_record {
  uint32_t size;
  uint32_t flags; /* TW_KERNEL_* */
  tw_str name;    /* the source's kernel name */
  tw_str symbol;  /* in the payload; empty: equal to `name` */
  const tw_parameter *parameters;
  uint64_t parameter_count;
  const tw_fact *facts;
  uint64_t fact_count;
  const tw_derived *derived;
  uint64_t derived_count;
  tw_bytes predicate;        /* expression; empty: always */
  uint32_t user_block_bytes; /* size of the packed user arguments */
  uint32_t device_block_bytes;
  uint32_t block_size[3];   /* threads of a block; 1, 1, 1 on a CPU */
  uint32_t cluster_size[3]; /* blocks of a cluster; 1, 1, 1 for none */
  uint32_t shared_static_bytes;
  uint32_t shared_dynamic_bytes;
  uint64_t scratch_bytes;     /* for one program, or one launch (flag) */
  uint32_t scratch_alignment; /* a power of two, 0 when there is no scratch */
  uint32_t registers;         /* of a thread, 0 when not known */
  uint64_t spill_bytes;       /* of a thread */
  tw_bytes scratch_formula;   /* expression that replaces scratch_bytes */
} tw_kernel_record;

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_RECORD_H */
