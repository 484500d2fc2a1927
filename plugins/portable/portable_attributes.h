/*===- portable_attributes.h - Attributes of the portable form ----*- C -*-===*/
/* Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.    */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/*                                                                            */
/* Part of portable.c: attributes by their rows, and values that say their own*/
/* kind.                                                                      */
/*===----------------------------------------------------------------------===*/
#include "portable_sections.h"

static int read_value(reader *r, tw_portable_attr *attr, uint32_t depth);

/* `count` numbers appended to the list of `attr`. */
static int read_list(reader *r, tw_portable_attr *attr, uint32_t count) {
  uint32_t i;
  int64_t *numbers = r->numbers + r->number_count;
  if (!reserve(r, NUMBERS, &r->number_count, count))
    return 0;
  for (i = 0; i < count; ++i) {
    const uint8_t *begin = r->at;
    if (!take_signed(r, &numbers[i]))
      return 0;
    if ((attr->kind == TW_PORTABLE_KIND_BOOLS &&
         (numbers[i] < 0 || numbers[i] > 1)) ||
        (attr->kind == TW_PORTABLE_KIND_I32S &&
         (numbers[i] < INT32_MIN || numbers[i] > INT32_MAX)) ||
        (attr->kind == TW_PORTABLE_KIND_TEXTS &&
         (numbers[i] < 0 || (uint64_t)numbers[i] >= r->head[TEXTS])))
      return refuse_at(r, begin, TW_PORTABLE_BAD_NUMBER,
                       "an entry of the list's kind", numbers[i]);
  }
  attr->count += count;
  return 1;
}

static int append(reader *r, tw_portable_attr *attr, int64_t number) {
  if (!reserve(r, NUMBERS, &r->number_count, 1))
    return 0;
  r->numbers[r->number_count - 1] = number;
  attr->count += 1;
  return 1;
}

/* Lists of numbers: for each its length and its entries. */
static int read_groups(reader *r, tw_portable_attr *attr, uint32_t groups) {
  uint32_t i, length;
  for (i = 0; i < groups; ++i)
    if (!take_count(r, &length) || !append(r, attr, length) ||
        !read_list(r, attr, length))
      return 0;
  return 1;
}

static int read_maps(reader *r, tw_portable_attr *attr) {
  uint32_t loops, maps;
  return take_below(r, TW_PORTABLE_MAX_RANK + 2, &loops, "up to 17 loops") &&
         append(r, attr, loops) && take_count(r, &maps) &&
         append(r, attr, maps) && read_groups(r, attr, maps);
}

/* Entries of a list or, with names that ascend, of a dictionary. */
static int read_entries(reader *r, tw_portable_attr *attr, int has_names,
                        uint32_t depth) {
  uint32_t i;
  tw_portable_attr *entries = r->entries + r->entry_count;
  if (depth > NESTING_OF_VALUES)
    return structure(r, "at most 8 lists inside one another", depth);
  if (!take_count(r, &attr->count) ||
      !reserve(r, ENTRIES, &r->entry_count, attr->count))
    return 0;
  attr->entries = entries;
  for (i = 0; i < attr->count; ++i) {
    memset(&entries[i], 0, sizeof entries[i]);
    if (has_names && !take_text(r, &entries[i].id))
      return 0;
    if (has_names && i > 0) {
      tw_str a = r->texts[entries[i - 1].id], b = r->texts[entries[i].id];
      uint64_t shared = a.size < b.size ? a.size : b.size;
      int order = shared ? memcmp(a.data, b.data, (size_t)shared) : 0;
      if (order > 0 || (order == 0 && a.size >= b.size))
        return structure(r, "names in ascending order", i);
    }
    if (!read_value(r, &entries[i], depth))
      return 0;
  }
  return 1;
}

/* The bits of an element, which must fit its width. */
static int take_bits(reader *r, uint32_t element, int64_t *number) {
  uint64_t bits;
  uint32_t width = r->schema->elements[element].bits;
  if (!take(r, &bits))
    return 0;
  if (width < 64 && bits >> width)
    return refuse(r, TW_PORTABLE_BAD_NUMBER, "bits of the element's width",
                  (int64_t)bits);
  *number = (int64_t)bits;
  return 1;
}

static int read_integer(reader *r, tw_portable_attr *attr) {
  const uint8_t *begin = r->at;
  uint32_t width;
  int64_t value;
  if (!take_element(r, &attr->element) || !take_signed(r, &attr->number))
    return 0;
  width = r->schema->elements[attr->element].bits;
  value = attr->number;
  if (!(r->schema->elements[attr->element].classes &
        (TW_PORTABLE_CLASS_B | TW_PORTABLE_CLASS_I)))
    return refuse_at(r, begin, TW_PORTABLE_BAD_ELEMENT, "an integer type",
                     attr->element);
  /* i1 holds 0 and 1, the others signed numbers. */
  if (width == 1 ? (value < 0 || value > 1)
                 : (width < 64 && (value < -((int64_t)1 << (width - 1)) ||
                                   value >= (int64_t)1 << (width - 1))))
    return refuse_at(r, begin, TW_PORTABLE_BAD_NUMBER,
                     "an integer of the type's width", value);
  return 1;
}

static int read_float(reader *r, tw_portable_attr *attr) {
  const uint8_t *begin = r->at;
  if (!take_element(r, &attr->element))
    return 0;
  if (!(r->schema->elements[attr->element].classes &
        (TW_PORTABLE_CLASS_F | TW_PORTABLE_CLASS_Q)))
    return refuse_at(r, begin, TW_PORTABLE_BAD_ELEMENT, "a float type",
                     attr->element);
  return take_bits(r, attr->element, &attr->number);
}

/* A value that says its own kind: a hint, an entry. */
static int read_value(reader *r, tw_portable_attr *attr, uint32_t depth) {
  uint32_t number;
  const uint8_t *begin = r->at;
  if (!take_below(r, TW_PORTABLE_KIND_LIST + 1, &attr->kind,
                  "a kind of attribute"))
    return 0;
  switch (attr->kind) {
  case TW_PORTABLE_KIND_UNIT:
    return 1;
  case TW_PORTABLE_KIND_INTEGER:
    return read_integer(r, attr);
  case TW_PORTABLE_KIND_FLOAT:
    return read_float(r, attr);
  case TW_PORTABLE_KIND_TEXT:
    if (!take_text(r, &number))
      return 0;
    attr->number = number;
    return 1;
  case TW_PORTABLE_KIND_I64S:
    attr->numbers = r->numbers + r->number_count;
    return take_count(r, &number) && read_list(r, attr, number);
  case TW_PORTABLE_KIND_DICT:
    return read_entries(r, attr, 1, depth + 1);
  case TW_PORTABLE_KIND_LIST:
    return read_entries(r, attr, 0, depth + 1);
  default:
    return refuse_at(r, begin, TW_PORTABLE_BAD_ELEMENT,
                     "a kind that a value may have", attr->kind);
  }
}

static int read_case(reader *r, tw_portable_attr *attr,
                     const tw_portable_enum_info *row) {
  uint32_t number, i;
  const uint8_t *begin = r->at;
  if (!take_below(r, row->is_flags ? (uint64_t)1 << row->count : row->count,
                  &number, "a case of the enumeration"))
    return 0;
  for (i = 0; i < row->count; ++i)
    if ((row->is_flags ? (number >> i) & 1 : number == i) &&
        !lives(r, row->cases[i].since, row->cases[i].until))
      return refuse_at(r, begin, TW_PORTABLE_BAD_ELEMENT,
                       "a case of this version", number);
  attr->number = number;
  return 1;
}

/* The value of attribute `id`; `element` is that of the first result. */
static int read_attribute(reader *r, uint32_t id, uint32_t element,
                          tw_portable_attr *attr) {
  const tw_portable_attr_info *row = &r->schema->attrs[id];
  uint32_t number;
  memset(attr, 0, sizeof *attr);
  attr->id = id;
  attr->kind = row->kind;
  attr->numbers = r->numbers + r->number_count;
  switch (row->kind) {
  case TW_PORTABLE_KIND_UNIT:
    return 1;
  case TW_PORTABLE_KIND_BOOL:
    if (!take_below(r, 2, &number, "0 or 1"))
      return 0;
    attr->number = number;
    return 1;
  case TW_PORTABLE_KIND_I32:
    if (!take_signed(r, &attr->number))
      return 0;
    if (attr->number < INT32_MIN || attr->number > INT32_MAX)
      return refuse(r, TW_PORTABLE_BAD_NUMBER, "32 bits", attr->number);
    return 1;
  case TW_PORTABLE_KIND_INTEGER:
    return read_integer(r, attr);
  case TW_PORTABLE_KIND_ENUM:
  case TW_PORTABLE_KIND_NAME:
  case TW_PORTABLE_KIND_FLAGS:
    return read_case(r, attr, &r->schema->enums[row->enumeration]);
  case TW_PORTABLE_KIND_TEXT:
    if (!take_text(r, &number))
      return 0;
    attr->number = number;
    return 1;
  case TW_PORTABLE_KIND_CONSTANT:
    attr->element = element;
    return take_bits(r, element, &attr->number);
  case TW_PORTABLE_KIND_BOOLS:
  case TW_PORTABLE_KIND_I32S:
  case TW_PORTABLE_KIND_I64S:
  case TW_PORTABLE_KIND_TEXTS:
    return take_count(r, &number) && read_list(r, attr, number);
  case TW_PORTABLE_KIND_GROUPS:
    return take_count(r, &number) && read_groups(r, attr, number);
  case TW_PORTABLE_KIND_MAPS:
    return read_maps(r, attr);
  case TW_PORTABLE_KIND_DICT:
    return read_entries(r, attr, 1, 1);
  default:
    return read_value(r, attr, 0);
  }
}

/* The attributes whose bits are set in a mask, then hints. */
static int read_attributes(reader *r, const tw_portable_use *uses,
                           uint32_t use_count, uint32_t element,
                           const tw_portable_attr **attrs, uint32_t *attr_count,
                           const tw_portable_attr **hints,
                           uint32_t *hint_count) {
  const uint8_t *begin = r->at;
  uint64_t mask;
  uint32_t i, count = 0;
  tw_portable_attr list;
  tw_portable_attr *first = r->entries + r->entry_count;
  if (!take(r, &mask))
    return 0;
  if (mask >> (use_count + 1))
    return refuse_at(r, begin, TW_PORTABLE_BAD_ELEMENT,
                     "attributes of the operation's row only", (int64_t)mask);
  for (i = 0; i < use_count; ++i)
    count += (uint32_t)((mask >> (i + 1)) & 1);
  if (!reserve(r, ENTRIES, &r->entry_count, count))
    return 0;
  *attrs = first;
  *attr_count = count;
  for (i = 0; i < use_count; ++i) {
    int is_there = (mask >> (i + 1)) & 1;
    if (is_there && !lives(r, uses[i].since, uses[i].until))
      return refuse_at(r, begin, TW_PORTABLE_BAD_ELEMENT,
                       "attributes of this version only", uses[i].attr);
    if (!is_there && uses[i].presence == '1' &&
        lives(r, uses[i].since, uses[i].until))
      return refuse_at(r, begin, TW_PORTABLE_BAD_STRUCTURE,
                       "the required attribute of this number", uses[i].attr);
    if (!is_there)
      continue;
    if (!read_attribute(r, uses[i].attr, element, first))
      return 0;
    if (uses[i].presence == '=' && first->number == uses[i].value)
      return refuse_at(r, begin, TW_PORTABLE_BAD_STRUCTURE,
                       "an attribute that equals its default to be left out",
                       uses[i].attr);
    ++first;
  }
  memset(&list, 0, sizeof list);
  if ((mask & 1) && !read_entries(r, &list, 1, 1))
    return 0;
  if ((mask & 1) && list.count == 0)
    return refuse_at(r, begin, TW_PORTABLE_BAD_STRUCTURE,
                     "hints where the mask says so", 0);
  *hints = list.entries;
  *hint_count = list.count;
  return 1;
}
