/*===- portable.c - Reads Kernel IR in the form tw.portable -------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* One pass over the bytes; recursion is bounded by the depth of regions. The */
/* layout is in docs/portable-ir.md. The parts are headers so that one file is
 */
/* compiled; `generate.py --amalgamate` makes one file of them, too.          */
/*===----------------------------------------------------------------------===*/
#include "tilewright/portable.h"
#include "portable_operations.h"
#include "portable_tables.h"

static uint64_t fnv1a(const uint8_t *bytes, uint64_t size) {
  uint64_t hash = 0xcbf29ce484222325ull, i;
  for (i = 0; i < size; ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3ull;
  return hash;
}

static uint64_t little_endian(const uint8_t *bytes, uint32_t count) {
  uint64_t value = 0;
  while (count--)
    value = value << 8 | bytes[count];
  return value;
}

/* Mark, version, size, checksum, and the numbers of the payload's head. */
static int read_head(reader *r) {
  uint64_t size = (uint64_t)(r->end - r->start);
  int i;
  if (size < HEADER_BYTES || memcmp(r->start, "TWPI", 4) != 0)
    return refuse(r, TW_PORTABLE_BAD_MARK, "bytes that start with TWPI",
                  (int64_t)size);
  r->module.version = (uint32_t)little_endian(r->start + 4, 4);
  if (r->module.version < r->schema->oldest ||
      r->module.version > r->schema->newest)
    return refuse_at(r, r->start + 4, TW_PORTABLE_BAD_VERSION,
                     "a version that this reader knows", r->module.version);
  if (little_endian(r->start + 8, 8) != size - HEADER_BYTES ||
      size > UINT32_MAX)
    return refuse_at(r, r->start + 8, TW_PORTABLE_BAD_MARK,
                     "as many bytes as the header states", (int64_t)size);
  if (little_endian(r->start + 16, 8) !=
      fnv1a(r->start + HEADER_BYTES, size - HEADER_BYTES))
    return refuse_at(r, r->start + 16, TW_PORTABLE_BAD_CHECKSUM,
                     "bytes that fit the checksum", 0);
  r->at = r->start + HEADER_BYTES;
  for (i = 0; i < HEAD_COUNT; ++i) {
    if (!take(r, &r->head[i]))
      return 0;
    /* Attributes without a value take a bit, everything else a byte. */
    if (r->head[i] > size * (i == ENTRIES ? 8 : 1))
      return refuse(r, TW_PORTABLE_BAD_NUMBER,
                    "a number that fits the size of the bytes",
                    (int64_t)r->head[i]);
  }
  if (r->head[TEXTS] == 0 || r->head[LOCATIONS] == 0)
    return refuse(r, TW_PORTABLE_BAD_NUMBER,
                  "a text that names the producer and one location", 0);
  return 1;
}

static uint64_t place(uint64_t *offset, uint64_t count, uint64_t bytes) {
  uint64_t start = *offset;
  *offset += (count * bytes + 7) & ~(uint64_t)7;
  return start;
}

/* Lays the arrays out from `workspace` on, which may be NULL to measure. */
static uint64_t lay_out(reader *r, char *workspace) {
  const uint64_t *n = r->head;
  uint64_t at = 0;
  uint64_t texts = place(&at, n[TEXTS], sizeof *r->texts);
  uint64_t types = place(&at, n[TYPES], sizeof *r->types);
  uint64_t extents = place(&at, n[EXTENTS], sizeof *r->extents);
  uint64_t locations = place(&at, n[LOCATIONS], sizeof *r->locations);
  uint64_t children = place(&at, n[CHILDREN], sizeof *r->children);
  uint64_t values = place(&at, n[VALUES], sizeof *r->value_types);
  uint64_t ids = place(&at, n[IDS], sizeof *r->ids);
  uint64_t numbers = place(&at, n[NUMBERS], sizeof *r->numbers);
  uint64_t entries = place(&at, n[ENTRIES], sizeof *r->entries);
  uint64_t arguments = place(&at, n[ARGUMENTS], sizeof *r->arguments);
  if (!workspace)
    return at;
  r->texts = (tw_str *)(void *)(workspace + texts);
  r->types = (tw_portable_type *)(void *)(workspace + types);
  r->extents = (int64_t *)(void *)(workspace + extents);
  r->locations = (tw_portable_location *)(void *)(workspace + locations);
  r->children = (uint32_t *)(void *)(workspace + children);
  r->value_types = (uint32_t *)(void *)(workspace + values);
  r->ids = (uint32_t *)(void *)(workspace + ids);
  r->numbers = (int64_t *)(void *)(workspace + numbers);
  r->entries = (tw_portable_attr *)(void *)(workspace + entries);
  r->arguments = (tw_portable_argument *)(void *)(workspace + arguments);
  return at;
}

static void start(reader *r, tw_bytes ir, const tw_portable_schema *schema,
                  tw_portable_error *error) {
  memset(r, 0, sizeof *r);
  r->start = r->at = (const uint8_t *)ir.data;
  r->end = r->start + ir.size;
  r->schema = schema ? schema : &builtin_schema;
  r->error = error;
  if (error)
    memset(error, 0, sizeof *error);
}

static int read_body(reader *r) {
  const tw_portable_visitor *v = r->visitor;
  uint32_t id;
  int i;
  if (!read_texts(r) || !read_types(r) || !read_locations(r))
    return 0;
  r->module.text_count = (uint32_t)r->head[TEXTS];
  r->module.type_count = (uint32_t)r->head[TYPES];
  r->module.location_count = (uint32_t)r->head[LOCATIONS];
  r->module.texts = r->texts;
  r->module.types = r->types;
  r->module.locations = r->locations;
  r->module.value_count = (uint32_t)r->head[VALUES];
  r->module.value_types = r->value_types;
  if (v && v->begin && !call(r, v->begin(v->ctx, &r->module)))
    return 0;
  if (!read_op(r, 0, 0, &id))
    return 0;
  if (id != TW_PORTABLE_OP_BUILTIN_MODULE)
    return structure(r, "a module", id);
  if (r->at != r->end)
    return structure(r, "the end of the bytes", (int64_t)bytes_left(r));
  for (i = VALUES; i < HEAD_COUNT; ++i)
    if (r->used[i] != r->head[i])
      return structure(r, "a head that states what the module needs", i);
  return 1;
}

int32_t tw_portable_measure(tw_bytes ir, uint64_t *workspace_bytes,
                            const struct tw_portable_schema *schema,
                            tw_portable_error *error) {
  reader r;
  start(&r, ir, schema, error);
  if (read_head(&r))
    *workspace_bytes = lay_out(&r, 0);
  return r.status;
}

int32_t tw_portable_read(tw_bytes ir, void *workspace, uint64_t workspace_bytes,
                         const tw_portable_visitor *visitor,
                         const struct tw_portable_schema *schema,
                         tw_portable_error *error) {
  reader r;
  start(&r, ir, schema, error);
  r.visitor = visitor;
  if (!read_head(&r))
    return r.status;
  if (workspace_bytes < lay_out(&r, 0) || !workspace ||
      ((uintptr_t)workspace & 7) != 0)
    refuse(&r, TW_PORTABLE_BAD_WORKSPACE,
           "a workspace of the measured size, aligned to 8",
           (int64_t)workspace_bytes);
  else {
    lay_out(&r, (char *)workspace);
    read_body(&r);
  }
  return r.status;
}

const tw_portable_attr *tw_portable_find(const tw_portable_attr *attrs,
                                         uint32_t count, uint32_t id) {
  uint32_t i;
  for (i = 0; i < count; ++i)
    if (attrs[i].id == id)
      return &attrs[i];
  return 0;
}

const tw_portable_schema *tw_portable_builtin_schema(void) {
  return &builtin_schema;
}
