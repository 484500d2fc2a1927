/*===- portable.h - Reads Kernel IR in the form tw.portable -------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* `tw.portable` is Kernel IR as bytes with a promise: numbers of operations, */
/* types and attributes are Tilewright's own, are only ever added to, and say */
/* which versions hold them (docs/portable-ir.md). This reader is C99, needs  */
/* portable.c and nothing else, allocates nothing, and refuses every byte     */
/* string that is not exactly a module of a version that it knows. It calls a */
/* visitor while it reads; what it called before an error is void.            */
/*===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_PORTABLE_H
#define TILEWRIGHT_PORTABLE_H

#include "tilewright/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Limits that keep readers simple; writers refuse what is beyond them. */
#define TW_PORTABLE_MAX_DEPTH 64u   /* regions inside one another */
#define TW_PORTABLE_MAX_RANK 16u    /* of tensors and views */
#define TW_PORTABLE_MAX_CHAIN 1024u /* locations inside one another */

/*--- What a module is made of -----------------------------------------------*/

/* `kind` is TW_PORTABLE_TYPE_*, `element` TW_DTYPE_*: of pointers the pointee.
   `extents` holds `rank` positive numbers, of views NULL. */
typedef struct tw_portable_type {
  uint32_t kind;
  uint32_t element;
  uint32_t rank;
  uint32_t reserved;
  const int64_t *extents;
} tw_portable_type;

/* `kind` is TW_PORTABLE_LOCATION_*, 0 where nothing is known. Others refer to
   locations of smaller numbers only: `first` is the callee of a call and the
   location that is named, `second` the caller. `text` is a file or a name. */
typedef struct tw_portable_location {
  uint32_t kind;
  uint32_t text;
  uint32_t line; /* from 1 on */
  uint32_t column;
  uint32_t end_line;
  uint32_t end_column;
  uint32_t first;
  uint32_t second;
  const uint32_t *children; /* of a fused location, `count` of them */
  uint32_t count;
  uint32_t depth; /* locations inside one another, from 1 on */
} tw_portable_location;

/* The tables of a module; types, texts and locations are given by position. */
typedef struct tw_portable_module {
  uint32_t version;
  uint32_t text_count; /* text 0 names the producer */
  uint32_t type_count;
  uint32_t location_count; /* location 0 is "nothing known" */
  const tw_str *texts;
  const tw_portable_type *types;
  const tw_portable_location *locations;
  /* Values have numbers from 0 to value_count - 1, used again outside of the
     region that gave them. Types by number, of those visible now. */
  uint32_t value_count;
  uint32_t reserved;
  const uint32_t *value_types;
} tw_portable_module;

/* An attribute of an operation or argument, a hint, an entry of a list or a
   dictionary. By `kind` (TW_PORTABLE_KIND_*):
   unit: nothing; bool, i32: `number`; integer: `number`, of type `element`;
   enum, name: `number` is the case; flags: its bits; text: `number` is a
   position; constant: the bits of an element of the result; float: the bits, of
   type `element`; bools, i32s, i64s, texts: `numbers`; groups: for each group
   its length and its numbers; maps: number of loops, number of maps, for each
   its length and the loops that index it; dict, list: `entries`. */
typedef struct tw_portable_attr {
  uint32_t id;   /* TW_PORTABLE_ATTR_*; in a dictionary the text of its name */
  uint32_t kind; /* never any: the kind that it has */
  uint32_t element;
  uint32_t count; /* of `numbers` or `entries` */
  int64_t number;
  const int64_t *numbers;
  const struct tw_portable_attr *entries;
} tw_portable_attr;

/* Pointers are valid during the call that passes them. */
typedef struct tw_portable_op {
  uint32_t id; /* TW_PORTABLE_OP_* */
  uint32_t location;
  uint32_t operand_count;
  uint32_t result_count;
  uint32_t attr_count;
  uint32_t hint_count;
  uint32_t region_count;    /* those that are there */
  uint32_t absent_regions;  /* bits, by position in the row */
  const uint32_t *operands; /* value numbers, slot after slot */
  const uint32_t *segments; /* operands of each slot of the row */
  const uint32_t *result_types;
  const tw_portable_attr *attrs; /* in the order of the row; absent ones, and
                                    those that equal their default, left out */
  const tw_portable_attr *hints; /* tw.opt.*: may be skipped */
} tw_portable_op;

typedef struct tw_portable_argument {
  uint32_t value;
  uint32_t type;
  uint32_t location;
  uint32_t attr_count;
  uint32_t hint_count;
  uint32_t reserved;
  const tw_portable_attr *attrs;
  const tw_portable_attr *hints;
} tw_portable_argument;

/*--- Reading ----------------------------------------------------------------*/

/* Called in the order of the bytes; a function may be NULL. Another value than
   0 ends the reading, which returns it. Results get their numbers behind the
   regions of their operation: `op_end` says them. */
typedef struct tw_portable_visitor {
  void *ctx;
  int32_t (*begin)(void *ctx, const tw_portable_module *module);
  int32_t (*op_begin)(void *ctx, const tw_portable_op *op);
  /* `index` is the position in the row. */
  int32_t (*region_begin)(void *ctx, uint32_t index,
                          const tw_portable_argument *arguments,
                          uint32_t count);
  int32_t (*region_end)(void *ctx);
  int32_t (*op_end)(void *ctx, uint32_t first_result, uint32_t result_count);
} tw_portable_visitor;

#define TW_PORTABLE_BAD_MARK 1u    /* other bytes, or other sizes than stated */
#define TW_PORTABLE_BAD_VERSION 2u /* a version that this reader lacks */
#define TW_PORTABLE_BAD_CHECKSUM 3u  /* damaged */
#define TW_PORTABLE_BAD_NUMBER 4u    /* cut short, out of range, too large */
#define TW_PORTABLE_BAD_ELEMENT 5u   /* not in the table of that version */
#define TW_PORTABLE_BAD_STRUCTURE 6u /* nesting, scope, types, order */
#define TW_PORTABLE_BAD_WORKSPACE 7u /* too small, or not aligned to 8 */

/* Why bytes were refused: "expected <expected>, got <got>" at a byte. */
typedef struct tw_portable_error {
  uint32_t reason; /* TW_PORTABLE_BAD_*; 0: the visitor stopped */
  uint32_t reserved;
  uint64_t offset; /* bytes from the start */
  const char *expected;
  int64_t got;
} tw_portable_error;

struct tw_portable_schema;

/* The bytes of workspace (aligned to 8) that reading takes: less than 600 times
   the size of `ir`, mostly far less. Fails as tw_portable_read does. `schema`
   is NULL but for tests. */
int32_t tw_portable_measure(tw_bytes ir, uint64_t *workspace_bytes,
                            const struct tw_portable_schema *schema,
                            tw_portable_error *error);

/* Reads `ir`. TW_E_DATA_LOSS with `error` if it is refused, TW_E_VERSION if it
   is of another version, else what the visitor returned. `visitor` may be NULL:
   then the bytes are checked only. `schema` is NULL but for tests. */
int32_t tw_portable_read(tw_bytes ir, void *workspace, uint64_t workspace_bytes,
                         const tw_portable_visitor *visitor,
                         const struct tw_portable_schema *schema,
                         tw_portable_error *error);

/* The attribute `id` of an operation or argument; NULL if it is absent. */
const tw_portable_attr *tw_portable_find(const tw_portable_attr *attrs,
                                         uint32_t count, uint32_t id);

/*--- The tables -------------------------------------------------------------*/

#define TW_PORTABLE_CLASS_B 1u /* bits of `classes` below; i1 */
#define TW_PORTABLE_CLASS_I 2u
#define TW_PORTABLE_CLASS_F 4u
#define TW_PORTABLE_CLASS_Q 8u  /* fp8 */
#define TW_PORTABLE_CLASS_P 16u /* pointers */
#define TW_PORTABLE_CLASS_V 32u /* views */

#define TW_PORTABLE_FORM_ANY 0u
#define TW_PORTABLE_FORM_ELEMENTWISE 1u /* one shape, that of the result */
#define TW_PORTABLE_FORM_SELECT 2u /* the same, the first may be a scalar */
#define TW_PORTABLE_FORM_SCALAR 3u /* no tensors */
#define TW_PORTABLE_FORM_LAST 4u   /* ends the regions that name it */

typedef struct tw_portable_slot {
  const char *name;
  uint32_t classes;
  char count; /* '1', '?' or '*' */
} tw_portable_slot;

typedef struct tw_portable_use {
  uint16_t attr;
  uint16_t since;
  uint16_t until; /* 0: it lasts */
  char presence;  /* '1' required, '?' optional, '=' absent means `value` */
  int64_t value;
} tw_portable_use;

typedef struct tw_portable_region_info {
  const char *name;
  uint16_t last; /* the operation that ends it; 0: none */
  char count;    /* '1' or '?' */
} tw_portable_region_info;

typedef struct tw_portable_op_info {
  const char *name;
  uint16_t since;
  uint16_t until;
  uint16_t inside; /* the only operation that may hold it; 0: any */
  uint8_t form;
  uint8_t in_count;
  uint8_t out_count;
  uint8_t use_count;
  uint8_t region_count;
  uint8_t argument_use_count;
  const tw_portable_slot *in;
  const tw_portable_slot *out;
  const tw_portable_use *uses;
  const tw_portable_region_info *regions;
  const tw_portable_use *argument_uses;
} tw_portable_op_info;

typedef struct tw_portable_attr_info {
  const char *name;
  uint16_t kind;
  uint16_t enumeration; /* TW_PORTABLE_ENUM_*, 0: none */
} tw_portable_attr_info;

typedef struct tw_portable_case {
  const char *name;
  uint16_t since;
  uint16_t until;
} tw_portable_case;

typedef struct tw_portable_enum_info {
  const char *name;
  uint16_t count;
  uint16_t is_flags;
  const tw_portable_case *cases;
} tw_portable_enum_info;

typedef struct tw_portable_element_info {
  const char *name; /* NULL: no such element */
  uint16_t classes;
  uint16_t bits;
  uint16_t since;
  uint16_t until;
} tw_portable_element_info;

/* Everything by number; row 0 of each table is empty. */
typedef struct tw_portable_schema {
  uint32_t oldest;
  uint32_t newest;
  uint32_t op_count;
  uint32_t attr_count;
  uint32_t enum_count;
  uint32_t element_count;
  const tw_portable_op_info *ops;
  const tw_portable_attr_info *attrs;
  const tw_portable_enum_info *enums;
  const tw_portable_element_info *elements;
} tw_portable_schema;

/* The tables that this reader was made with. */
const tw_portable_schema *tw_portable_builtin_schema(void);

#ifdef __cplusplus
}
#endif

/* Generated by plugins/portable/generate.py: do not edit below. */

/* Versions of the form that portable.c reads. */
#define TW_PORTABLE_OLDEST 1u
#define TW_PORTABLE_NEWEST 1u
/* clang-format off */

enum {
  TW_PORTABLE_TYPE_SCALAR = 1, TW_PORTABLE_TYPE_POINTER = 2,
  TW_PORTABLE_TYPE_VIEW = 3, TW_PORTABLE_TYPE_TENSOR = 4,
  TW_PORTABLE_TYPE_POINTERS = 5
};

enum {
  TW_PORTABLE_LOCATION_RANGE = 1, TW_PORTABLE_LOCATION_CALL = 2,
  TW_PORTABLE_LOCATION_NAMED = 3, TW_PORTABLE_LOCATION_FUSED = 4
};

enum {
  TW_PORTABLE_KIND_UNIT = 1, TW_PORTABLE_KIND_BOOL = 2,
  TW_PORTABLE_KIND_I32 = 3, TW_PORTABLE_KIND_INTEGER = 4,
  TW_PORTABLE_KIND_ENUM = 5, TW_PORTABLE_KIND_NAME = 6,
  TW_PORTABLE_KIND_FLAGS = 7, TW_PORTABLE_KIND_TEXT = 8,
  TW_PORTABLE_KIND_CONSTANT = 9, TW_PORTABLE_KIND_BOOLS = 10,
  TW_PORTABLE_KIND_I32S = 11, TW_PORTABLE_KIND_I64S = 12,
  TW_PORTABLE_KIND_TEXTS = 13, TW_PORTABLE_KIND_GROUPS = 14,
  TW_PORTABLE_KIND_MAPS = 15, TW_PORTABLE_KIND_DICT = 16,
  TW_PORTABLE_KIND_ANY = 17, TW_PORTABLE_KIND_FLOAT = 18,
  TW_PORTABLE_KIND_LIST = 19
};

enum {
  TW_PORTABLE_ENUM_FASTMATH = 1, TW_PORTABLE_ENUM_OVERFLOW = 2,
  TW_PORTABLE_ENUM_INTEGER_PREDICATE = 3,
  TW_PORTABLE_ENUM_FLOAT_PREDICATE = 4, TW_PORTABLE_ENUM_ROUNDING = 5,
  TW_PORTABLE_ENUM_MATH = 6, TW_PORTABLE_ENUM_PRECISION = 7,
  TW_PORTABLE_ENUM_CACHE = 8, TW_PORTABLE_ENUM_EVICT = 9,
  TW_PORTABLE_ENUM_ATOMIC_KIND = 10, TW_PORTABLE_ENUM_SEMANTICS = 11,
  TW_PORTABLE_ENUM_SCOPE = 12, TW_PORTABLE_ENUM_ORDER = 13,
  TW_PORTABLE_ENUM_COUNTER = 14, TW_PORTABLE_ENUM_FORMAT = 15
};

enum {
  TW_PORTABLE_FASTMATH_REASSOC = 0, TW_PORTABLE_FASTMATH_NNAN = 1,
  TW_PORTABLE_FASTMATH_NINF = 2, TW_PORTABLE_FASTMATH_NSZ = 3,
  TW_PORTABLE_FASTMATH_ARCP = 4, TW_PORTABLE_FASTMATH_CONTRACT = 5,
  TW_PORTABLE_FASTMATH_AFN = 6
};

enum {
  TW_PORTABLE_OVERFLOW_NSW = 0, TW_PORTABLE_OVERFLOW_NUW = 1
};

enum {
  TW_PORTABLE_INTEGER_PREDICATE_EQ = 0, TW_PORTABLE_INTEGER_PREDICATE_NE = 1,
  TW_PORTABLE_INTEGER_PREDICATE_SLT = 2,
  TW_PORTABLE_INTEGER_PREDICATE_SLE = 3,
  TW_PORTABLE_INTEGER_PREDICATE_SGT = 4,
  TW_PORTABLE_INTEGER_PREDICATE_SGE = 5,
  TW_PORTABLE_INTEGER_PREDICATE_ULT = 6,
  TW_PORTABLE_INTEGER_PREDICATE_ULE = 7,
  TW_PORTABLE_INTEGER_PREDICATE_UGT = 8, TW_PORTABLE_INTEGER_PREDICATE_UGE = 9
};

enum {
  TW_PORTABLE_FLOAT_PREDICATE_FALSE = 0, TW_PORTABLE_FLOAT_PREDICATE_OEQ = 1,
  TW_PORTABLE_FLOAT_PREDICATE_OGT = 2, TW_PORTABLE_FLOAT_PREDICATE_OGE = 3,
  TW_PORTABLE_FLOAT_PREDICATE_OLT = 4, TW_PORTABLE_FLOAT_PREDICATE_OLE = 5,
  TW_PORTABLE_FLOAT_PREDICATE_ONE = 6, TW_PORTABLE_FLOAT_PREDICATE_ORD = 7,
  TW_PORTABLE_FLOAT_PREDICATE_UEQ = 8, TW_PORTABLE_FLOAT_PREDICATE_UGT = 9,
  TW_PORTABLE_FLOAT_PREDICATE_UGE = 10, TW_PORTABLE_FLOAT_PREDICATE_ULT = 11,
  TW_PORTABLE_FLOAT_PREDICATE_ULE = 12, TW_PORTABLE_FLOAT_PREDICATE_UNE = 13,
  TW_PORTABLE_FLOAT_PREDICATE_UNO = 14, TW_PORTABLE_FLOAT_PREDICATE_TRUE = 15
};

enum {
  TW_PORTABLE_ROUNDING_TO_NEAREST_EVEN = 0, TW_PORTABLE_ROUNDING_DOWNWARD = 1,
  TW_PORTABLE_ROUNDING_UPWARD = 2, TW_PORTABLE_ROUNDING_TOWARD_ZERO = 3,
  TW_PORTABLE_ROUNDING_TO_NEAREST_AWAY = 4
};

enum {
  TW_PORTABLE_MATH_ACCURATE = 0, TW_PORTABLE_MATH_PORTABLE = 1,
  TW_PORTABLE_MATH_FAST = 2
};

enum {
  TW_PORTABLE_PRECISION_IEEE = 0, TW_PORTABLE_PRECISION_TF32 = 1,
  TW_PORTABLE_PRECISION_TF32X3 = 2, TW_PORTABLE_PRECISION_BF16X3 = 3,
  TW_PORTABLE_PRECISION_BF16X6 = 4
};

enum {
  TW_PORTABLE_CACHE_NONE = 0, TW_PORTABLE_CACHE_CA = 1,
  TW_PORTABLE_CACHE_CG = 2, TW_PORTABLE_CACHE_CV = 3, TW_PORTABLE_CACHE_WB = 4,
  TW_PORTABLE_CACHE_CS = 5, TW_PORTABLE_CACHE_WT = 6
};

enum {
  TW_PORTABLE_EVICT_NORMAL = 0, TW_PORTABLE_EVICT_EVICT_FIRST = 1,
  TW_PORTABLE_EVICT_EVICT_LAST = 2
};

enum {
  TW_PORTABLE_ATOMIC_KIND_ADD = 0, TW_PORTABLE_ATOMIC_KIND_FADD = 1,
  TW_PORTABLE_ATOMIC_KIND_MAX = 2, TW_PORTABLE_ATOMIC_KIND_MIN = 3,
  TW_PORTABLE_ATOMIC_KIND_UMAX = 4, TW_PORTABLE_ATOMIC_KIND_UMIN = 5,
  TW_PORTABLE_ATOMIC_KIND_FMAX = 6, TW_PORTABLE_ATOMIC_KIND_FMIN = 7,
  TW_PORTABLE_ATOMIC_KIND_AND = 8, TW_PORTABLE_ATOMIC_KIND_OR = 9,
  TW_PORTABLE_ATOMIC_KIND_XOR = 10, TW_PORTABLE_ATOMIC_KIND_XCHG = 11
};

enum {
  TW_PORTABLE_SEMANTICS_RELAXED = 0, TW_PORTABLE_SEMANTICS_ACQUIRE = 1,
  TW_PORTABLE_SEMANTICS_RELEASE = 2, TW_PORTABLE_SEMANTICS_ACQ_REL = 3
};

enum {
  TW_PORTABLE_SCOPE_CTA = 0, TW_PORTABLE_SCOPE_GPU = 1,
  TW_PORTABLE_SCOPE_SYS = 2
};

enum {
  TW_PORTABLE_ORDER_ANY = 0, TW_PORTABLE_ORDER_STATED = 1
};

enum {
  TW_PORTABLE_COUNTER_CLOCK = 0, TW_PORTABLE_COUNTER_GLOBALTIMER = 1
};

enum {
  TW_PORTABLE_FORMAT_E2M1 = 0, TW_PORTABLE_FORMAT_E4M3 = 1,
  TW_PORTABLE_FORMAT_E5M2 = 2, TW_PORTABLE_FORMAT_BF16 = 3,
  TW_PORTABLE_FORMAT_FP16 = 4
};

enum {
  TW_PORTABLE_ATTR_FASTMATH = 1, TW_PORTABLE_ATTR_OVERFLOW = 2,
  TW_PORTABLE_ATTR_EXACT = 3, TW_PORTABLE_ATTR_INTEGER_PREDICATE = 4,
  TW_PORTABLE_ATTR_FLOAT_PREDICATE = 5, TW_PORTABLE_ATTR_ROUNDING = 6,
  TW_PORTABLE_ATTR_SATURATE = 7, TW_PORTABLE_ATTR_MATH = 8,
  TW_PORTABLE_ATTR_VALUE = 9, TW_PORTABLE_ATTR_INDEXING_MAPS = 10,
  TW_PORTABLE_ATTR_PRECISION = 11, TW_PORTABLE_ATTR_MAX_IMPRECISE_ACC = 12,
  TW_PORTABLE_ATTR_DIMENSIONS = 13, TW_PORTABLE_ATTR_PERMUTATION = 14,
  TW_PORTABLE_ATTR_REASSOCIATION = 15, TW_PORTABLE_ATTR_OUTPUT_SHAPE = 16,
  TW_PORTABLE_ATTR_OFFSETS = 17, TW_PORTABLE_ATTR_SIZES = 18,
  TW_PORTABLE_ATTR_STRIDES = 19, TW_PORTABLE_ATTR_TARGET = 20,
  TW_PORTABLE_ATTR_OPTIONS = 21, TW_PORTABLE_ATTR_NAME = 22,
  TW_PORTABLE_ATTR_KERNEL = 23, TW_PORTABLE_ATTR_VARIANT_OF = 24,
  TW_PORTABLE_ATTR_LAUNCH_PREDICATE = 25,
  TW_PORTABLE_ATTR_NEEDS_PROGRESS = 26, TW_PORTABLE_ATTR_FACTS_USED = 27,
  TW_PORTABLE_ATTR_DTYPE = 28, TW_PORTABLE_ATTR_ARG_NAME = 29,
  TW_PORTABLE_ATTR_INDEX = 30, TW_PORTABLE_ATTR_DIVISIBILITY = 31,
  TW_PORTABLE_ATTR_KNOWN_VALUE = 32, TW_PORTABLE_ATTR_RANGE = 33,
  TW_PORTABLE_ATTR_READONLY = 34, TW_PORTABLE_ATTR_DISJOINT = 35,
  TW_PORTABLE_ATTR_UNSIGNED_COMPARE = 36, TW_PORTABLE_ATTR_BOUNDARY = 37,
  TW_PORTABLE_ATTR_INDEX_DIM = 38, TW_PORTABLE_ATTR_CACHE = 39,
  TW_PORTABLE_ATTR_EVICT = 40, TW_PORTABLE_ATTR_VOLATILE = 41,
  TW_PORTABLE_ATTR_ATOMIC_KIND = 42, TW_PORTABLE_ATTR_SEMANTICS = 43,
  TW_PORTABLE_ATTR_SCOPE = 44, TW_PORTABLE_ATTR_AXIS = 45,
  TW_PORTABLE_ATTR_START = 46, TW_PORTABLE_ATTR_END = 47,
  TW_PORTABLE_ATTR_ALLOW_REORDER = 48, TW_PORTABLE_ATTR_ORDER = 49,
  TW_PORTABLE_ATTR_REVERSE = 50, TW_PORTABLE_ATTR_LHS_FORMAT = 51,
  TW_PORTABLE_ATTR_RHS_FORMAT = 52, TW_PORTABLE_ATTR_FAST_MATH = 53,
  TW_PORTABLE_ATTR_LHS_K_PACK = 54, TW_PORTABLE_ATTR_RHS_K_PACK = 55,
  TW_PORTABLE_ATTR_DIVISIBILITIES = 56, TW_PORTABLE_ATTR_CONTIGUITIES = 57,
  TW_PORTABLE_ATTR_CONSTANCIES = 58, TW_PORTABLE_ATTR_OP_NAME = 59,
  TW_PORTABLE_ATTR_ARGUMENTS = 60, TW_PORTABLE_ATTR_MESSAGE = 61,
  TW_PORTABLE_ATTR_COUNTER = 62, TW_PORTABLE_ATTR_PREFIX = 63,
  TW_PORTABLE_ATTR_SIGNEDNESS = 64, TW_PORTABLE_ATTR_HEX = 65,
  TW_PORTABLE_ATTR_ASM_TARGET = 66, TW_PORTABLE_ATTR_ASM_TEXT = 67,
  TW_PORTABLE_ATTR_CONSTRAINTS = 68, TW_PORTABLE_ATTR_PACK = 69,
  TW_PORTABLE_ATTR_PURE = 70, TW_PORTABLE_ATTR_LIBRARY = 71,
  TW_PORTABLE_ATTR_SYMBOL = 72
};

enum {
  TW_PORTABLE_OP_ARITH_ADDF = 1, TW_PORTABLE_OP_ARITH_ADDI = 2,
  TW_PORTABLE_OP_ARITH_ANDI = 3, TW_PORTABLE_OP_ARITH_BITCAST = 4,
  TW_PORTABLE_OP_ARITH_CMPF = 5, TW_PORTABLE_OP_ARITH_CMPI = 6,
  TW_PORTABLE_OP_ARITH_CONSTANT = 7, TW_PORTABLE_OP_ARITH_DIVF = 8,
  TW_PORTABLE_OP_ARITH_DIVSI = 9, TW_PORTABLE_OP_ARITH_DIVUI = 10,
  TW_PORTABLE_OP_ARITH_EXTF = 11, TW_PORTABLE_OP_ARITH_EXTSI = 12,
  TW_PORTABLE_OP_ARITH_EXTUI = 13, TW_PORTABLE_OP_ARITH_FPTOSI = 14,
  TW_PORTABLE_OP_ARITH_FPTOUI = 15, TW_PORTABLE_OP_ARITH_MAXIMUMF = 16,
  TW_PORTABLE_OP_ARITH_MAXNUMF = 17, TW_PORTABLE_OP_ARITH_MAXSI = 18,
  TW_PORTABLE_OP_ARITH_MAXUI = 19, TW_PORTABLE_OP_ARITH_MINIMUMF = 20,
  TW_PORTABLE_OP_ARITH_MINNUMF = 21, TW_PORTABLE_OP_ARITH_MINSI = 22,
  TW_PORTABLE_OP_ARITH_MINUI = 23, TW_PORTABLE_OP_ARITH_MULF = 24,
  TW_PORTABLE_OP_ARITH_MULI = 25, TW_PORTABLE_OP_ARITH_NEGF = 26,
  TW_PORTABLE_OP_ARITH_ORI = 27, TW_PORTABLE_OP_ARITH_REMF = 28,
  TW_PORTABLE_OP_ARITH_REMSI = 29, TW_PORTABLE_OP_ARITH_REMUI = 30,
  TW_PORTABLE_OP_ARITH_SELECT = 31, TW_PORTABLE_OP_ARITH_SHLI = 32,
  TW_PORTABLE_OP_ARITH_SHRSI = 33, TW_PORTABLE_OP_ARITH_SHRUI = 34,
  TW_PORTABLE_OP_ARITH_SITOFP = 35, TW_PORTABLE_OP_ARITH_SUBF = 36,
  TW_PORTABLE_OP_ARITH_SUBI = 37, TW_PORTABLE_OP_ARITH_TRUNCF = 38,
  TW_PORTABLE_OP_ARITH_TRUNCI = 39, TW_PORTABLE_OP_ARITH_UITOFP = 40,
  TW_PORTABLE_OP_ARITH_XORI = 41, TW_PORTABLE_OP_MATH_ABSF = 42,
  TW_PORTABLE_OP_MATH_ABSI = 43, TW_PORTABLE_OP_MATH_ACOS = 44,
  TW_PORTABLE_OP_MATH_ACOSH = 45, TW_PORTABLE_OP_MATH_ASIN = 46,
  TW_PORTABLE_OP_MATH_ASINH = 47, TW_PORTABLE_OP_MATH_ATAN = 48,
  TW_PORTABLE_OP_MATH_ATAN2 = 49, TW_PORTABLE_OP_MATH_ATANH = 50,
  TW_PORTABLE_OP_MATH_CBRT = 51, TW_PORTABLE_OP_MATH_CEIL = 52,
  TW_PORTABLE_OP_MATH_COPYSIGN = 53, TW_PORTABLE_OP_MATH_COS = 54,
  TW_PORTABLE_OP_MATH_COSH = 55, TW_PORTABLE_OP_MATH_CTLZ = 56,
  TW_PORTABLE_OP_MATH_CTPOP = 57, TW_PORTABLE_OP_MATH_CTTZ = 58,
  TW_PORTABLE_OP_MATH_ERF = 59, TW_PORTABLE_OP_MATH_ERFC = 60,
  TW_PORTABLE_OP_MATH_EXP = 61, TW_PORTABLE_OP_MATH_EXP2 = 62,
  TW_PORTABLE_OP_MATH_EXPM1 = 63, TW_PORTABLE_OP_MATH_FLOOR = 64,
  TW_PORTABLE_OP_MATH_FMA = 65, TW_PORTABLE_OP_MATH_ISFINITE = 66,
  TW_PORTABLE_OP_MATH_ISINF = 67, TW_PORTABLE_OP_MATH_ISNAN = 68,
  TW_PORTABLE_OP_MATH_LOG = 69, TW_PORTABLE_OP_MATH_LOG10 = 70,
  TW_PORTABLE_OP_MATH_LOG1P = 71, TW_PORTABLE_OP_MATH_LOG2 = 72,
  TW_PORTABLE_OP_MATH_POWF = 73, TW_PORTABLE_OP_MATH_ROUND = 74,
  TW_PORTABLE_OP_MATH_ROUNDEVEN = 75, TW_PORTABLE_OP_MATH_RSQRT = 76,
  TW_PORTABLE_OP_MATH_SIN = 77, TW_PORTABLE_OP_MATH_SINH = 78,
  TW_PORTABLE_OP_MATH_SQRT = 79, TW_PORTABLE_OP_MATH_TAN = 80,
  TW_PORTABLE_OP_MATH_TANH = 81, TW_PORTABLE_OP_MATH_TRUNC = 82,
  TW_PORTABLE_OP_LINALG_BATCH_MATMUL = 83,
  TW_PORTABLE_OP_LINALG_BROADCAST = 84, TW_PORTABLE_OP_LINALG_FILL = 85,
  TW_PORTABLE_OP_LINALG_MATMUL = 86, TW_PORTABLE_OP_LINALG_REDUCE = 87,
  TW_PORTABLE_OP_LINALG_TRANSPOSE = 88,
  TW_PORTABLE_OP_TENSOR_COLLAPSE_SHAPE = 89, TW_PORTABLE_OP_TENSOR_EMPTY = 90,
  TW_PORTABLE_OP_TENSOR_EXPAND_SHAPE = 91,
  TW_PORTABLE_OP_TENSOR_EXTRACT_SLICE = 92, TW_PORTABLE_OP_TENSOR_SPLAT = 93,
  TW_PORTABLE_OP_BUILTIN_MODULE = 94, TW_PORTABLE_OP_FUNC_FUNC = 95,
  TW_PORTABLE_OP_FUNC_RETURN = 96, TW_PORTABLE_OP_SCF_CONDITION = 97,
  TW_PORTABLE_OP_SCF_FOR = 98, TW_PORTABLE_OP_SCF_IF = 99,
  TW_PORTABLE_OP_SCF_WHILE = 100, TW_PORTABLE_OP_SCF_YIELD = 101,
  TW_PORTABLE_OP_KERNEL_ADDPTR = 102, TW_PORTABLE_OP_KERNEL_ATOMIC_CAS = 103,
  TW_PORTABLE_OP_KERNEL_ATOMIC_RMW = 104, TW_PORTABLE_OP_KERNEL_BARRIER = 105,
  TW_PORTABLE_OP_KERNEL_GATHER = 106, TW_PORTABLE_OP_KERNEL_INT_TO_PTR = 107,
  TW_PORTABLE_OP_KERNEL_LOAD = 108, TW_PORTABLE_OP_KERNEL_PTR_CAST = 109,
  TW_PORTABLE_OP_KERNEL_PTR_TO_INT = 110, TW_PORTABLE_OP_KERNEL_SCATTER = 111,
  TW_PORTABLE_OP_KERNEL_STORE = 112, TW_PORTABLE_OP_KERNEL_VIEW = 113,
  TW_PORTABLE_OP_KERNEL_ASSERT = 114, TW_PORTABLE_OP_KERNEL_ASSUME = 115,
  TW_PORTABLE_OP_KERNEL_CALL_OP = 116, TW_PORTABLE_OP_KERNEL_CAT = 117,
  TW_PORTABLE_OP_KERNEL_CLOCK = 118, TW_PORTABLE_OP_KERNEL_DOT_SCALED = 119,
  TW_PORTABLE_OP_KERNEL_EXTERN_CALL = 120, TW_PORTABLE_OP_KERNEL_FACT = 121,
  TW_PORTABLE_OP_KERNEL_GATHER_IN_TILE = 122,
  TW_PORTABLE_OP_KERNEL_HISTOGRAM = 123,
  TW_PORTABLE_OP_KERNEL_INLINE_ASM = 124, TW_PORTABLE_OP_KERNEL_JOIN = 125,
  TW_PORTABLE_OP_KERNEL_MULHI = 126, TW_PORTABLE_OP_KERNEL_NUM_PROGRAMS = 127,
  TW_PORTABLE_OP_KERNEL_PRINT = 128, TW_PORTABLE_OP_KERNEL_PROGRAM_ID = 129,
  TW_PORTABLE_OP_KERNEL_RANGE = 130, TW_PORTABLE_OP_KERNEL_REDUCE = 131,
  TW_PORTABLE_OP_KERNEL_SCAN = 132, TW_PORTABLE_OP_KERNEL_SPLIT = 133,
  TW_PORTABLE_OP_KERNEL_TRAP = 134, TW_PORTABLE_OP_KERNEL_YIELD = 135,
  TW_PORTABLE_OP_LINALG_YIELD = 136
};

/* clang-format on */
#endif /* TILEWRIGHT_PORTABLE_H */
