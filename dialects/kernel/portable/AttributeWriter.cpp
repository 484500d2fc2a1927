//===- AttributeWriter.cpp - Attributes to tw.portable ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function a kind. Values that a version lacks are refused here, with the
// place of their operation.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/portable/AttributeWriter.h"

#include "dialects/kernel/portable/Vocabulary.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace tilewright::kernel::portable {

/// Lists and dictionaries inside one another, as the reader has it.
static constexpr unsigned deepestValue = 8;

static constexpr llvm::StringLiteral memoizedMaps =
    "linalg.memoized_indexing_maps";

/// Whether an attribute follows from the operation's operands, types and name,
/// so that readers make it again.
static bool isImplied(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (!attribute.getValue() || name == "operandSegmentSizes" ||
      name == memoizedMaps)
    return true;
  if (isa<func::FuncOp>(op))
    return name == "function_type" || name == "arg_attrs";
  if (isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op) && name == "cast")
    return cast<linalg::TypeFnAttr>(attribute.getValue()).getValue() ==
           linalg::TypeFn::cast_signed;
  return false;
}

void collectAttributes(Operation *op, SmallVectorImpl<NamedAttribute> &list) {
  NamedAttrList all;
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    all.push_back(attribute);
  op->getName().populateInherentAttrs(op, all);
  for (NamedAttribute attribute : all)
    if (!isImplied(op, attribute))
      list.push_back(attribute);
}

AttributeWriter::AttributeWriter(Tables &tables, MLIRContext *context)
    : tables(tables), schema(tables.getSchema()) {
  for (uint32_t id = 0; id < schema.attr_count; ++id)
    names.push_back(StringAttr::get(context, attributeName(id)));
}

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

bool AttributeWriter::writeCase(const tw_portable_attr_info &info,
                                Attribute value) {
  std::optional<uint32_t> number = caseOf(schema, info.enumeration, value);
  if (!number)
    return false;
  const tw_portable_enum_info &row = schema.enums[info.enumeration];
  for (uint32_t i = 0; i < row.count; ++i)
    if ((row.is_flags ? (*number >> i) & 1 : *number == i) &&
        !tables.lives(row.cases[i].since, row.cases[i].until))
      return false;
  tables.number(*number);
  return true;
}

bool AttributeWriter::writeInteger(IntegerAttr value) {
  if (!value || !value.getType().isSignlessInteger() ||
      !tables.element(value.getType()))
    return false;
  bool isBool = value.getType().isInteger(1);
  tables.signedNumber(isBool ? value.getValue().getZExtValue()
                             : value.getValue().getSExtValue());
  return true;
}

/// The bits of a scalar, or of the one value that a tensor repeats.
bool AttributeWriter::writeConstant(Attribute value) {
  if (auto splat = dyn_cast<SplatElementsAttr>(value))
    value = splat.getSplatValue<Attribute>();
  APInt bits;
  if (auto number = dyn_cast<IntegerAttr>(value))
    bits = number.getValue();
  else if (auto number = dyn_cast<FloatAttr>(value))
    bits = number.getValue().bitcastToAPInt();
  else
    return false;
  if (bits.getBitWidth() > 64)
    return false;
  tables.number(bits.getZExtValue());
  return true;
}

template <typename ArrayAttrT>
bool AttributeWriter::writeList(Attribute value) {
  auto list = dyn_cast<ArrayAttrT>(value);
  if (!list)
    return false;
  tables.number(list.size());
  countNumbers(list.size());
  for (auto entry : list.asArrayRef())
    tables.signedNumber(entry);
  return true;
}

bool AttributeWriter::writeTexts(Attribute value) {
  auto list = dyn_cast<ArrayAttr>(value);
  if (!list)
    return false;
  tables.number(list.size());
  countNumbers(list.size());
  for (Attribute entry : list) {
    auto text = dyn_cast<StringAttr>(entry);
    if (!text)
      return false;
    tables.signedNumber(tables.textIndex(text.getValue()));
  }
  return true;
}

bool AttributeWriter::writeGroups(Attribute value) {
  auto groups = dyn_cast<ArrayAttr>(value);
  if (!groups)
    return false;
  tables.number(groups.size());
  for (Attribute group : groups) {
    auto list = dyn_cast<ArrayAttr>(group);
    if (!list)
      return false;
    tables.number(list.size());
    countNumbers(list.size() + 1);
    for (Attribute entry : list)
      if (auto number = dyn_cast<IntegerAttr>(entry))
        tables.signedNumber(number.getInt());
      else
        return false;
  }
  return true;
}

/// Maps of a structured operation: which loops index each operand.
bool AttributeWriter::writeMaps(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return false;
  SmallVector<AffineMap> maps = structured.getIndexingMapsArray();
  op->removeDiscardableAttr(memoizedMaps); // asking adds it
  tables.number(structured.getNumLoops());
  tables.number(maps.size());
  countNumbers(2);
  for (AffineMap map : maps) {
    if (map.getNumSymbols() != 0)
      return false;
    tables.number(map.getNumResults());
    countNumbers(map.getNumResults() + 1);
    for (AffineExpr expression : map.getResults())
      if (auto loop = dyn_cast<AffineDimExpr>(expression))
        tables.signedNumber(loop.getPosition());
      else
        return false;
  }
  return true;
}

bool AttributeWriter::writeEntries(ArrayRef<NamedAttribute> list,
                                   unsigned depth) {
  if (depth > deepestValue)
    return false;
  tables.number(list.size());
  countEntries(list.size());
  for (NamedAttribute entry : list) {
    tables.text(entry.getName().getValue());
    if (!writeAny(entry.getValue(), depth))
      return false;
  }
  return true;
}

/// A value behind its kind.
bool AttributeWriter::writeAny(Attribute value, unsigned depth) {
  if (isa<UnitAttr>(value)) {
    tables.number(TW_PORTABLE_KIND_UNIT);
    return true;
  }
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    tables.number(TW_PORTABLE_KIND_INTEGER);
    return writeInteger(number);
  }
  if (auto number = dyn_cast<FloatAttr>(value)) {
    tables.number(TW_PORTABLE_KIND_FLOAT);
    return tables.element(number.getType()) && writeConstant(number);
  }
  if (auto text = dyn_cast<StringAttr>(value)) {
    tables.number(TW_PORTABLE_KIND_TEXT);
    tables.text(text.getValue());
    return true;
  }
  if (isa<DenseI64ArrayAttr>(value)) {
    tables.number(TW_PORTABLE_KIND_I64S);
    return writeList<DenseI64ArrayAttr>(value);
  }
  if (auto dictionary = dyn_cast<DictionaryAttr>(value)) {
    tables.number(TW_PORTABLE_KIND_DICT);
    return writeEntries(dictionary.getValue(), depth + 1);
  }
  auto list = dyn_cast<ArrayAttr>(value);
  if (!list || depth >= deepestValue)
    return false;
  tables.number(TW_PORTABLE_KIND_LIST);
  tables.number(list.size());
  countEntries(list.size());
  return llvm::all_of(
      list, [&](Attribute entry) { return writeAny(entry, depth + 1); });
}

bool AttributeWriter::writeValue(const tw_portable_attr_info &info,
                                 Operation *op, Attribute value) {
  switch (info.kind) {
  case TW_PORTABLE_KIND_UNIT:
    return isa<UnitAttr>(value);
  case TW_PORTABLE_KIND_BOOL: {
    auto truth = dyn_cast<BoolAttr>(value);
    tables.number(truth && truth.getValue());
    return bool(truth);
  }
  case TW_PORTABLE_KIND_I32: {
    auto number = dyn_cast<IntegerAttr>(value);
    if (!number || !number.getType().isSignlessInteger(32))
      return false;
    tables.signedNumber(number.getInt());
    return true;
  }
  case TW_PORTABLE_KIND_INTEGER:
    return writeInteger(dyn_cast<IntegerAttr>(value));
  case TW_PORTABLE_KIND_ENUM:
  case TW_PORTABLE_KIND_NAME:
  case TW_PORTABLE_KIND_FLAGS:
    return writeCase(info, value);
  case TW_PORTABLE_KIND_TEXT: {
    auto text = dyn_cast<StringAttr>(value);
    if (text)
      tables.text(text.getValue());
    return bool(text);
  }
  case TW_PORTABLE_KIND_CONSTANT:
    return writeConstant(value);
  case TW_PORTABLE_KIND_BOOLS:
    return writeList<DenseBoolArrayAttr>(value);
  case TW_PORTABLE_KIND_I32S:
    return writeList<DenseI32ArrayAttr>(value);
  case TW_PORTABLE_KIND_I64S:
    return writeList<DenseI64ArrayAttr>(value);
  case TW_PORTABLE_KIND_TEXTS:
    return writeTexts(value);
  case TW_PORTABLE_KIND_GROUPS:
    return writeGroups(value);
  case TW_PORTABLE_KIND_MAPS:
    return writeMaps(op);
  case TW_PORTABLE_KIND_DICT: {
    auto dictionary = dyn_cast<DictionaryAttr>(value);
    return dictionary && writeEntries(dictionary.getValue(), 1);
  }
  default:
    return writeAny(value, 0);
  }
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Whether a value is written: one that is absent is not, nor one that readers
/// take where there is none.
bool AttributeWriter::isThere(const tw_portable_use &use, Attribute value) {
  const tw_portable_attr_info &info = schema.attrs[use.attr];
  if (info.kind == TW_PORTABLE_KIND_MAPS)
    return true; // those of the operation, whether it has the attribute or not
  if (use.presence != '=' || !value)
    return bool(value);
  if (info.kind == TW_PORTABLE_KIND_BOOL) {
    auto truth = dyn_cast<BoolAttr>(value);
    return !truth || truth.getValue() != (use.value != 0);
  }
  std::optional<uint32_t> number = caseOf(schema, info.enumeration, value);
  return !number || *number != use.value;
}

/// Gives each row its value, hints their order, and finds what is neither.
AttributeWriter::Sorted
AttributeWriter::sort(ArrayRef<tw_portable_use> uses,
                      ArrayRef<NamedAttribute> list) const {
  Sorted sorted;
  sorted.values.resize(uses.size());
  for (NamedAttribute attribute : list) {
    const auto *use = llvm::find_if(uses, [&](const tw_portable_use &use) {
      return names[use.attr] == attribute.getName();
    });
    if (use != uses.end())
      sorted.values[use - uses.begin()] = attribute.getValue();
    else if (attribute.getName().getValue().starts_with("tw.opt."))
      sorted.hints.push_back(attribute);
    else
      sorted.unknown = attribute;
  }
  llvm::sort(sorted.hints, [](NamedAttribute a, NamedAttribute b) {
    return a.getName().getValue() < b.getName().getValue();
  });
  return sorted;
}

LogicalResult AttributeWriter::write(Operation *op, Location where,
                                     ArrayRef<tw_portable_use> uses,
                                     ArrayRef<NamedAttribute> list) {
  auto refuse = [&](StringRef expected, StringRef name, Attribute value) {
    InFlightDiagnostic error = emitError(where);
    error << "TW3131: expected " << expected << " of tw.portable "
          << tables.getVersion() << " on '" << op->getName() << "', got '"
          << name << "'";
    if (value)
      error << " = " << value;
    return LogicalResult(error);
  };
  Sorted sorted = sort(uses, list);
  if (sorted.unknown)
    return refuse("attributes", sorted.unknown->getName().getValue(),
                  sorted.unknown->getValue());
  uint64_t mask = !sorted.hints.empty();
  for (size_t i = 0; i < uses.size(); ++i) {
    const tw_portable_use &use = uses[i];
    if (!isThere(use, sorted.values[i])) {
      if (use.presence == '1')
        return refuse("the attributes that its row requires",
                      schema.attrs[use.attr].name, {});
      continue;
    }
    if (!tables.lives(use.since, use.until))
      return refuse("attributes", schema.attrs[use.attr].name,
                    sorted.values[i]);
    mask |= uint64_t(2) << i;
    countEntries(1);
  }
  tables.number(mask);
  for (size_t i = 0; i < uses.size(); ++i)
    if ((mask >> (i + 1)) & 1 &&
        !writeValue(schema.attrs[uses[i].attr], op, sorted.values[i]))
      return refuse("values of attributes", schema.attrs[uses[i].attr].name,
                    sorted.values[i]);
  if (!sorted.hints.empty() && !writeEntries(sorted.hints, 1))
    return refuse("hints of numbers, texts, lists and dictionaries",
                  sorted.hints.front().getName().getValue(), {});
  return success();
}

} // namespace tilewright::kernel::portable
