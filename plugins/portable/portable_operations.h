/*===- portable_operations.h - Operations of the portable form ----*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Part of portable.c: operations by their rows, their regions, scopes and the*/
/* rules that need no more than a row.                                        */
/*===----------------------------------------------------------------------===*/
#include "portable_attributes.h"

static uint32_t classes_of(const reader *r, uint32_t type) {
  const tw_portable_type *t = &r->types[type];
  if (t->kind == TW_PORTABLE_TYPE_POINTER ||
      t->kind == TW_PORTABLE_TYPE_POINTERS)
    return TW_PORTABLE_CLASS_P;
  if (t->kind == TW_PORTABLE_TYPE_VIEW)
    return TW_PORTABLE_CLASS_V;
  return r->schema->elements[t->element].classes;
}

static int is_tensor(const tw_portable_type *type) {
  return type->kind >= TW_PORTABLE_TYPE_TENSOR;
}

static int have_one_shape(const reader *r, uint32_t a, uint32_t b) {
  const tw_portable_type *x = &r->types[a], *y = &r->types[b];
  if (is_tensor(x) != is_tensor(y) || !is_tensor(x))
    return is_tensor(x) == is_tensor(y);
  return x->rank == y->rank &&
         (x->rank == 0 ||
          memcmp(x->extents, y->extents, x->rank * sizeof(int64_t)) == 0);
}

static int check_form(reader *r, const tw_portable_op_info *row,
                      const tw_portable_op *op) {
  uint32_t i;
  if (row->form == TW_PORTABLE_FORM_ANY || row->form == TW_PORTABLE_FORM_LAST)
    return 1;
  for (i = 0; i < op->result_count; ++i)
    if (row->form == TW_PORTABLE_FORM_SCALAR &&
        is_tensor(&r->types[op->result_types[i]]))
      return structure(r, "a scalar result", op->result_types[i]);
  for (i = 0; i < op->operand_count; ++i) {
    uint32_t type = r->value_types[op->operands[i]];
    int may_be_scalar = row->form == TW_PORTABLE_FORM_SELECT && i == 0 &&
                        !is_tensor(&r->types[type]);
    if (!may_be_scalar && !have_one_shape(r, type, op->result_types[0]))
      return structure(r, "operands of the shape of the result", type);
  }
  return 1;
}

/* The loops that a structured operation of `rank` loops runs for one element of
   its map `map`: writes them to `loops` and returns how many, or -1. */
static int expected_loops(const tw_portable_op *op, uint32_t map,
                          uint32_t loop_count, const tw_portable_attr *shape,
                          int64_t *loops) {
  static const int64_t matmul[3][2] = {{0, 2}, {2, 1}, {0, 1}};
  static const int64_t batch[3][3] = {{0, 1, 3}, {0, 3, 2}, {0, 1, 2}};
  uint32_t i, k;
  int count = 0;
  /* Which operand leaves out the dimensions that the attribute lists. */
  uint32_t short_map = op->id == TW_PORTABLE_OP_LINALG_REDUCE ? 1 : 0;
  if (op->id == TW_PORTABLE_OP_LINALG_MATMUL) {
    memcpy(loops, matmul[map], sizeof matmul[map]);
    return 2;
  }
  if (op->id == TW_PORTABLE_OP_LINALG_BATCH_MATMUL) {
    memcpy(loops, batch[map], sizeof batch[map]);
    return 3;
  }
  if (op->id == TW_PORTABLE_OP_LINALG_FILL && map == 0)
    return 0;
  for (i = 0; i < loop_count; ++i) {
    int64_t loop = i;
    int is_left_out = 0;
    for (k = 0; map == short_map && shape && k < shape->count; ++k) {
      if (op->id != TW_PORTABLE_OP_LINALG_TRANSPOSE)
        is_left_out |= shape->numbers[k] == (int64_t)i;
      else if (shape->numbers[k] == (int64_t)i)
        loop = k;
    }
    if (!is_left_out)
      loops[count++] = loop;
  }
  return count;
}

/* Structured operations state their maps, which follow from the operation: a
   product of another layout must not pass for a plain one. */
static int check_maps(reader *r, const tw_portable_op *op) {
  const tw_portable_attr *maps = tw_portable_find(
      op->attrs, op->attr_count, TW_PORTABLE_ATTR_INDEXING_MAPS);
  const tw_portable_attr *shape =
      tw_portable_find(op->attrs, op->attr_count, TW_PORTABLE_ATTR_DIMENSIONS);
  const int64_t *at;
  uint32_t i, rank, loops;
  if (!maps)
    return 1;
  if (!shape)
    shape = tw_portable_find(op->attrs, op->attr_count,
                             TW_PORTABLE_ATTR_PERMUTATION);
  rank = r->types
             [r->value_types[op->operands[op->id == TW_PORTABLE_OP_LINALG_REDUCE
                                              ? 0
                                              : op->operand_count - 1]]]
                 .rank;
  loops = op->id == TW_PORTABLE_OP_LINALG_MATMUL         ? 3
          : op->id == TW_PORTABLE_OP_LINALG_BATCH_MATMUL ? 4
                                                         : rank;
  at = maps->numbers;
  if (at[0] != (int64_t)loops || at[1] != (int64_t)op->operand_count)
    return structure(r, "the loops and maps of the operation", at[0]);
  at += 2;
  for (i = 0; i < op->operand_count; ++i) {
    int64_t expected[TW_PORTABLE_MAX_RANK + 1];
    int count = expected_loops(op, i, loops, shape, expected);
    uint32_t type = r->value_types[op->operands[i]];
    if (*at != count ||
        memcmp(at + 1, expected, (size_t)count * sizeof(int64_t)) != 0)
      return structure(r, "the indexing map of the operation", i);
    if (r->types[type].rank != (uint32_t)count ||
        is_tensor(&r->types[type]) !=
            (op->id != TW_PORTABLE_OP_LINALG_FILL || i > 0))
      return structure(r, "an operand of the rank of its map", i);
    at += count + 1;
  }
  return 1;
}

/*--- Operations -------------------------------------------------------------*/

static int read_region(reader *r, uint32_t op_id,
                       const tw_portable_op_info *row, uint32_t index,
                       uint32_t depth);

/* Entries of a slot: one, none or one, any number. */
static int take_slot(reader *r, char count, uint32_t *entries) {
  *entries = 1;
  if (count == '1')
    return 1;
  return count == '?' ? take_below(r, 2, entries, "0 or 1")
                      : take_count(r, entries);
}

static int read_operands(reader *r, const tw_portable_op_info *row,
                         tw_portable_op *op) {
  uint32_t i, k;
  uint32_t *segments = r->ids;
  uint32_t *operands = r->ids + row->in_count;
  if (!reserve(r, IDS, &r->id_count, row->in_count))
    return 0;
  op->segments = segments;
  op->operands = operands;
  for (i = 0; i < row->in_count; ++i) {
    if (!take_slot(r, row->in[i].count, &segments[i]) ||
        !reserve(r, IDS, &r->id_count, segments[i]))
      return 0;
    for (k = 0; k < segments[i]; ++k) {
      const uint8_t *begin = r->at;
      uint32_t value;
      if (!take_below(r, r->live, &value, "a value that is visible here"))
        return 0;
      if (value < r->live_from)
        return refuse_at(r, begin, TW_PORTABLE_BAD_STRUCTURE,
                         "a value from inside of this region", value);
      if (!(classes_of(r, r->value_types[value]) & row->in[i].classes))
        return refuse_at(r, begin, TW_PORTABLE_BAD_STRUCTURE,
                         "an operand of the elements of its row", value);
      operands[op->operand_count++] = value;
    }
  }
  return 1;
}

static int read_results(reader *r, const tw_portable_op_info *row,
                        tw_portable_op *op) {
  uint32_t i, k, entries;
  uint32_t *types = r->ids + r->id_count;
  op->result_types = types;
  for (i = 0; i < row->out_count; ++i) {
    if (!take_slot(r, row->out[i].count, &entries) ||
        !reserve(r, IDS, &r->id_count, entries))
      return 0;
    for (k = 0; k < entries; ++k) {
      const uint8_t *begin = r->at;
      uint32_t type;
      if (!take_type(r, &type))
        return 0;
      if (!(classes_of(r, type) & row->out[i].classes))
        return refuse_at(r, begin, TW_PORTABLE_BAD_STRUCTURE,
                         "a result of the elements of its row", type);
      types[op->result_count++] = type;
    }
  }
  return 1;
}

static int call(reader *r, int32_t status) {
  if (status != TW_OK && r->status == TW_OK)
    r->status = status;
  return status == TW_OK;
}

/* Which regions are there: a bit for each that may be absent. */
static int read_presence(reader *r, const tw_portable_op_info *row,
                         tw_portable_op *op) {
  uint32_t i, is_there;
  for (i = 0; i < row->region_count; ++i) {
    is_there = 1;
    if (row->regions[i].count == '?' &&
        !take_below(r, 2, &is_there, "0 or 1 for a region"))
      return 0;
    op->region_count += is_there;
    op->absent_regions |= (1 - is_there) << i;
  }
  return 1;
}

/* Gives the results their numbers, behind the regions. */
static int define_results(reader *r, const uint32_t *types, uint32_t count) {
  uint64_t live = r->live;
  uint32_t i;
  if (!reserve(r, VALUES, &live, count))
    return 0;
  for (i = 0; i < count; ++i)
    r->value_types[r->live + i] = types[i];
  r->live += count;
  return 1;
}

static int read_regions(reader *r, const tw_portable_op *op,
                        const tw_portable_op_info *row, uint32_t depth) {
  uint32_t i;
  for (i = 0; i < row->region_count; ++i)
    if (!((op->absent_regions >> i) & 1) &&
        !read_region(r, op->id, row, i, depth + 1))
      return 0;
  return 1;
}

/* Numbers the results. Those of an operation with regions, which reuse the
   arrays, are read once more: from `types_at`, where they were checked. */
static int finish_results(reader *r, const tw_portable_op_info *row,
                          const tw_portable_op *op, const uint8_t *types_at) {
  const uint8_t *resume = r->at;
  tw_portable_op again;
  if (!row->region_count)
    return define_results(r, op->result_types, op->result_count);
  memset(&again, 0, sizeof again);
  r->id_count = 0;
  r->at = types_at;
  if (!read_results(r, row, &again))
    return 0;
  r->at = resume;
  return define_results(r, again.result_types, again.result_count);
}

/* One operation inside `parent`; gives its number. */
static int read_op(reader *r, uint32_t parent, uint32_t depth, uint32_t *id) {
  const uint8_t *begin = r->at;
  const uint8_t *types_at;
  const tw_portable_visitor *v = r->visitor;
  const tw_portable_op_info *row;
  tw_portable_op op;
  uint32_t first;
  if (!take_below(r, r->schema->op_count, id, "an operation of the table"))
    return 0;
  row = &r->schema->ops[*id];
  if (*id == 0 || !lives(r, row->since, row->until))
    return refuse_at(r, begin, TW_PORTABLE_BAD_ELEMENT,
                     "an operation of this version", *id);
  if ((row->inside && row->inside != parent) ||
      (parent == TW_PORTABLE_OP_BUILTIN_MODULE &&
       *id != TW_PORTABLE_OP_FUNC_FUNC) ||
      (*id == TW_PORTABLE_OP_BUILTIN_MODULE && depth > 0))
    return refuse_at(r, begin, TW_PORTABLE_BAD_STRUCTURE,
                     "an operation that may stand here", *id);
  memset(&op, 0, sizeof op);
  op.id = *id;
  r->id_count = r->number_count = r->entry_count = 0;
  if (!take_location(r, &op.location) || !read_operands(r, row, &op))
    return 0;
  types_at = r->at;
  if (!read_results(r, row, &op) ||
      !read_attributes(r, row->uses, row->use_count,
                       op.result_count ? r->types[op.result_types[0]].element
                                       : 0,
                       &op.attrs, &op.attr_count, &op.hints, &op.hint_count) ||
      !read_presence(r, row, &op) || !check_form(r, row, &op) ||
      !check_maps(r, &op))
    return 0;
  if (v && v->op_begin && !call(r, v->op_begin(v->ctx, &op)))
    return 0;
  if (!read_regions(r, &op, row, depth) ||
      !finish_results(r, row, &op, types_at))
    return 0;
  first = r->live - op.result_count;
  return !v || !v->op_end || call(r, v->op_end(v->ctx, first, op.result_count));
}

static int read_arguments(reader *r, const tw_portable_op_info *row,
                          uint32_t *count) {
  uint64_t in_use = 0;
  uint32_t i;
  if (!take_count(r, count) || !reserve(r, ARGUMENTS, &in_use, *count))
    return 0;
  r->number_count = r->entry_count = 0;
  for (i = 0; i < *count; ++i) {
    tw_portable_argument *argument = &r->arguments[i];
    memset(argument, 0, sizeof *argument);
    argument->value = r->live;
    if (!take_type(r, &argument->type) ||
        !take_location(r, &argument->location) ||
        !define_results(r, &argument->type, 1))
      return 0;
    if (row->argument_use_count &&
        !read_attributes(r, row->argument_uses, row->argument_use_count,
                         r->types[argument->type].element, &argument->attrs,
                         &argument->attr_count, &argument->hints,
                         &argument->hint_count))
      return 0;
  }
  return 1;
}

static int read_region(reader *r, uint32_t op_id,
                       const tw_portable_op_info *row, uint32_t index,
                       uint32_t depth) {
  const tw_portable_visitor *v = r->visitor;
  uint32_t live = r->live, live_from = r->live_from;
  uint32_t arguments, ops, i, id = 0, last = row->regions[index].last;
  if (depth > TW_PORTABLE_MAX_DEPTH)
    return structure(r, "at most 64 regions inside one another", depth);
  if (op_id == TW_PORTABLE_OP_KERNEL_CALL_OP)
    r->live_from = r->live; /* its decomposition sees its arguments only */
  if (!read_arguments(r, row, &arguments))
    return 0;
  if (v && v->region_begin &&
      !call(r, v->region_begin(v->ctx, index, r->arguments, arguments)))
    return 0;
  if (!take_count(r, &ops))
    return 0;
  for (i = 0; i < ops; ++i) {
    const uint8_t *begin = r->at;
    if (!read_op(r, op_id, depth, &id))
      return 0;
    if ((id == last && i + 1 < ops) ||
        (id != last && (r->schema->ops[id].form == TW_PORTABLE_FORM_LAST ||
                        (last && i + 1 == ops))))
      return refuse_at(r, begin, TW_PORTABLE_BAD_STRUCTURE,
                       "the operation that ends the region, there only", id);
  }
  if (last && ops == 0)
    return structure(r, "the operation that ends the region", 0);
  r->live = live;
  r->live_from = live_from;
  return !v || !v->region_end || call(r, v->region_end(v->ctx));
}
