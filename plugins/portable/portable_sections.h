/*===- portable_sections.h - Texts, types, locations --------------*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Part of portable.c: the tables that operations refer to by position.       */
/*===----------------------------------------------------------------------===*/
#include "portable_numbers.h"

static int read_texts(reader *r) {
  uint64_t i;
  for (i = 0; i < r->head[TEXTS]; ++i) {
    uint32_t size;
    if (!take_count(r, &size))
      return 0;
    if (size > bytes_left(r))
      return refuse(r, TW_PORTABLE_BAD_NUMBER, "a text before the end", size);
    r->texts[i].data = (const char *)r->at;
    r->texts[i].size = size;
    r->at += size;
  }
  return 1;
}

static int take_element(reader *r, uint32_t *element) {
  const tw_portable_element_info *row;
  const uint8_t *begin = r->at;
  if (!take_below(r, r->schema->element_count, element, "an element type"))
    return 0;
  row = &r->schema->elements[*element];
  if (row->name && lives(r, row->since, row->until))
    return 1;
  return refuse_at(r, begin, TW_PORTABLE_BAD_ELEMENT,
                   "an element type of this version", *element);
}

static int read_extents(reader *r, tw_portable_type *type, uint64_t *used) {
  uint64_t elements = 1;
  uint32_t i;
  if (type->rank > r->head[EXTENTS] - *used)
    return structure(r, "no more extents than the head states", type->rank);
  type->extents = r->extents + *used;
  for (i = 0; i < type->rank; ++i) {
    uint64_t extent;
    if (!take(r, &extent))
      return 0;
    if (extent == 0 || extent > ((uint64_t)1 << 40) / elements)
      return structure(r, "a tensor of 1 to 2^40 elements", (int64_t)extent);
    elements *= extent;
    r->extents[(*used)++] = (int64_t)extent;
  }
  return 1;
}

static int read_types(reader *r) {
  uint64_t i, extents = 0;
  for (i = 0; i < r->head[TYPES]; ++i) {
    tw_portable_type *type = &r->types[i];
    if (!take_below(r, TW_PORTABLE_TYPE_POINTERS + 1, &type->kind,
                    "a type of the table"))
      return 0;
    if (type->kind == 0)
      return refuse(r, TW_PORTABLE_BAD_ELEMENT, "a type of the table", 0);
    type->rank = 0;
    type->reserved = 0;
    type->extents = 0;
    if (type->kind >= TW_PORTABLE_TYPE_VIEW &&
        !take_below(r, TW_PORTABLE_MAX_RANK + 1, &type->rank,
                    "a rank up to 16"))
      return 0;
    if (type->kind >= TW_PORTABLE_TYPE_TENSOR &&
        !read_extents(r, type, &extents))
      return 0;
    if (!take_element(r, &type->element))
      return 0;
  }
  if (extents != r->head[EXTENTS])
    return structure(r, "as many extents as the head states", (int64_t)extents);
  return 1;
}

/* A location that was read before, as all are that others refer to. */
static int take_earlier(reader *r, uint64_t limit, tw_portable_location *user,
                        uint32_t *number) {
  if (!take_below(r, limit, number, "the number of an earlier location"))
    return 0;
  if (user->depth <= r->locations[*number].depth)
    user->depth = r->locations[*number].depth + 1;
  if (user->depth > TW_PORTABLE_MAX_CHAIN)
    return structure(r, "at most 1024 locations inside one another",
                     user->depth);
  return 1;
}

static int take_text(reader *r, uint32_t *number) {
  return take_below(r, r->head[TEXTS], number, "the number of a text");
}

static int take_line(reader *r, uint32_t *number) {
  return take_below(r, UINT32_MAX, number, "a line or a column");
}

static int read_fused(reader *r, uint64_t index, tw_portable_location *at,
                      uint64_t *used) {
  uint32_t i;
  if (!take_count(r, &at->count))
    return 0;
  if (at->count > r->head[CHILDREN] - *used)
    return structure(r, "no more merged locations than the head states",
                     at->count);
  at->children = r->children + *used;
  for (i = 0; i < at->count; ++i)
    if (!take_earlier(r, index, at, &r->children[(*used)++]))
      return 0;
  return 1;
}

static int read_location(reader *r, uint64_t index, uint64_t *children) {
  tw_portable_location *at = &r->locations[index];
  memset(at, 0, sizeof *at);
  at->depth = 1;
  if (!take_below(r, TW_PORTABLE_LOCATION_FUSED + 1, &at->kind,
                  "a location of the table"))
    return 0;
  switch (at->kind) {
  case TW_PORTABLE_LOCATION_RANGE:
    return take_text(r, &at->text) && take_line(r, &at->line) &&
           take_line(r, &at->column) && take_line(r, &at->end_line) &&
           take_line(r, &at->end_column);
  case TW_PORTABLE_LOCATION_CALL:
    return take_earlier(r, index, at, &at->first) &&
           take_earlier(r, index, at, &at->second);
  case TW_PORTABLE_LOCATION_NAMED:
    return take_text(r, &at->text) && take_earlier(r, index, at, &at->first);
  case TW_PORTABLE_LOCATION_FUSED:
    return read_fused(r, index, at, children);
  default:
    return refuse(r, TW_PORTABLE_BAD_ELEMENT, "a location of the table", 0);
  }
}

static int read_locations(reader *r) {
  uint64_t i, children = 0;
  memset(&r->locations[0], 0, sizeof r->locations[0]);
  r->locations[0].depth = 1;
  for (i = 1; i < r->head[LOCATIONS]; ++i)
    if (!read_location(r, i, &children))
      return 0;
  if (children != r->head[CHILDREN])
    return structure(r, "as many merged locations as the head states",
                     (int64_t)children);
  return 1;
}

static int take_location(reader *r, uint32_t *number) {
  return take_below(r, r->head[LOCATIONS], number, "the number of a location");
}

static int take_type(reader *r, uint32_t *number) {
  return take_below(r, r->head[TYPES], number, "the number of a type");
}
