//===- AttributeReader.cpp - Attributes from tw.portable ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C reader has checked kinds and ranges; nothing here can fail.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/portable/AttributeReader.h"

#include "dialects/kernel/portable/Vocabulary.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tilewright::kernel::portable {

StringAttr AttributeReader::name(uint32_t id) {
  if (!names[id])
    names[id] = b.getStringAttr(attributeName(id));
  return names[id];
}

/// A scalar, or a tensor that repeats it.
Attribute AttributeReader::makeConstant(int64_t bits, Type type) {
  Type element = getElementTypeOrSelf(type);
  APInt value(element.getIntOrFloatBitWidth(), static_cast<uint64_t>(bits));
  TypedAttr scalar;
  if (auto floating = dyn_cast<FloatType>(element))
    scalar =
        b.getFloatAttr(element, APFloat(floating.getFloatSemantics(), value));
  else
    scalar = b.getIntegerAttr(element, value);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return DenseElementsAttr::get(tensor, Attribute(scalar));
  return scalar;
}

Attribute AttributeReader::makeGroups(const tw_portable_attr &attr) {
  SmallVector<Attribute> groups;
  for (uint32_t at = 0; at < attr.count;) {
    uint32_t length = attr.numbers[at++];
    groups.push_back(b.getI64ArrayAttr(ArrayRef(attr.numbers + at, length)));
    at += length;
  }
  return b.getArrayAttr(groups);
}

Attribute AttributeReader::makeDictionary(const tw_portable_attr &attr) {
  SmallVector<NamedAttribute> entries;
  for (const tw_portable_attr &entry : ArrayRef(attr.entries, attr.count))
    entries.push_back(b.getNamedAttr(text(entry.id), make(entry, {})));
  return b.getDictionaryAttr(entries);
}

Attribute AttributeReader::make(const tw_portable_attr &attr, Type result) {
  ArrayRef<int64_t> numbers(attr.numbers, attr.numbers ? attr.count : 0);
  switch (attr.kind) {
  case TW_PORTABLE_KIND_UNIT:
    return b.getUnitAttr();
  case TW_PORTABLE_KIND_BOOL:
    return b.getBoolAttr(attr.number != 0);
  case TW_PORTABLE_KIND_I32:
    return b.getI32IntegerAttr(attr.number);
  case TW_PORTABLE_KIND_INTEGER:
    return b.getIntegerAttr(elementType(attr.element, b.getContext()),
                            APInt(schema.elements[attr.element].bits,
                                  static_cast<uint64_t>(attr.number),
                                  /*isSigned=*/true,
                                  /*implicitTrunc=*/true));
  case TW_PORTABLE_KIND_FLOAT:
    return makeConstant(attr.number, elementType(attr.element, b.getContext()));
  case TW_PORTABLE_KIND_ENUM:
  case TW_PORTABLE_KIND_NAME:
  case TW_PORTABLE_KIND_FLAGS:
    return attributeOf(schema, schema.attrs[attr.id].enumeration, attr.number,
                       b.getContext());
  case TW_PORTABLE_KIND_TEXT:
    return b.getStringAttr(text(attr.number));
  case TW_PORTABLE_KIND_CONSTANT:
    return makeConstant(attr.number, result);
  case TW_PORTABLE_KIND_BOOLS:
    return b.getDenseBoolArrayAttr(
        SmallVector<bool>(numbers.begin(), numbers.end()));
  case TW_PORTABLE_KIND_I32S:
    return b.getDenseI32ArrayAttr(
        SmallVector<int32_t>(numbers.begin(), numbers.end()));
  case TW_PORTABLE_KIND_I64S:
    return b.getDenseI64ArrayAttr(numbers);
  case TW_PORTABLE_KIND_TEXTS: {
    SmallVector<Attribute> texts;
    for (int64_t index : numbers)
      texts.push_back(b.getStringAttr(text(index)));
    return b.getArrayAttr(texts);
  }
  case TW_PORTABLE_KIND_GROUPS:
    return makeGroups(attr);
  case TW_PORTABLE_KIND_DICT:
    return makeDictionary(attr);
  case TW_PORTABLE_KIND_LIST: {
    SmallVector<Attribute> entries;
    for (const tw_portable_attr &entry : ArrayRef(attr.entries, attr.count))
      entries.push_back(make(entry, {}));
    return b.getArrayAttr(entries);
  }
  default: // maps: the reader compared them with those of the operation
    return {};
  }
}

void AttributeReader::addHints(const tw_portable_attr *hints, uint32_t count,
                               NamedAttrList &list) {
  for (const tw_portable_attr &hint : ArrayRef(hints, count))
    list.set(text(hint.id), make(hint, {}));
}

void AttributeReader::read(const tw_portable_op &op, Type result,
                           NamedAttrList &list) {
  const tw_portable_op_info &row = schema.ops[op.id];
  for (const tw_portable_attr &attr : ArrayRef(op.attrs, op.attr_count))
    if (Attribute value = make(attr, result))
      list.append(name(attr.id), value);
  for (const tw_portable_use &use : ArrayRef(row.uses, row.use_count)) {
    if (use.presence != '=' ||
        tw_portable_find(op.attrs, op.attr_count, use.attr))
      continue;
    tw_portable_attr attr = {};
    attr.id = use.attr;
    attr.kind = schema.attrs[use.attr].kind;
    attr.number = use.value;
    list.append(name(use.attr), make(attr, result));
  }
  addHints(op.hints, op.hint_count, list);
}

void AttributeReader::readArgument(const tw_portable_argument &argument,
                                   NamedAttrList &list) {
  for (const tw_portable_attr &attr :
       ArrayRef(argument.attrs, argument.attr_count))
    list.append(name(attr.id), make(attr, {}));
  addHints(argument.hints, argument.hint_count, list);
}

} // namespace tilewright::kernel::portable
