//===- Vocabulary.cpp - Portable numbers and MLIR's words ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row an enumeration: how to spell a value and how to make one.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/portable/Vocabulary.h"

#include "dialects/kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilewright::kernel::portable {

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

uint32_t elementCode(Type type) {
  if (type.isSignlessInteger()) {
    switch (type.getIntOrFloatBitWidth()) {
    case 1:
      return TW_DTYPE_I1;
    case 8:
      return TW_DTYPE_I8;
    case 16:
      return TW_DTYPE_I16;
    case 32:
      return TW_DTYPE_I32;
    case 64:
      return TW_DTYPE_I64;
    default:
      return 0;
    }
  }
  return TypeSwitch<Type, uint32_t>(type)
      .Case([](Float16Type) { return TW_DTYPE_F16; })
      .Case([](BFloat16Type) { return TW_DTYPE_BF16; })
      .Case([](Float32Type) { return TW_DTYPE_F32; })
      .Case([](Float64Type) { return TW_DTYPE_F64; })
      .Case([](Float8E4M3FNType) { return TW_DTYPE_F8E4NV; })
      .Case([](Float8E5M2Type) { return TW_DTYPE_F8E5; })
      .Case([](Float8E4M3FNUZType) { return TW_DTYPE_F8E4B8; })
      .Case([](Float8E5M2FNUZType) { return TW_DTYPE_F8E5B16; })
      .Default(uint32_t(0));
}

Type elementType(uint32_t code, MLIRContext *context) {
  Builder b(context);
  switch (code) {
  case TW_DTYPE_I1:
    return b.getI1Type();
  case TW_DTYPE_I8:
    return b.getI8Type();
  case TW_DTYPE_I16:
    return b.getI16Type();
  case TW_DTYPE_I32:
    return b.getI32Type();
  case TW_DTYPE_I64:
    return b.getI64Type();
  case TW_DTYPE_F16:
    return b.getF16Type();
  case TW_DTYPE_BF16:
    return b.getBF16Type();
  case TW_DTYPE_F32:
    return b.getF32Type();
  case TW_DTYPE_F64:
    return b.getF64Type();
  case TW_DTYPE_F8E4NV:
    return b.getType<Float8E4M3FNType>();
  case TW_DTYPE_F8E5:
    return b.getType<Float8E5M2Type>();
  case TW_DTYPE_F8E4B8:
    return b.getType<Float8E4M3FNUZType>();
  case TW_DTYPE_F8E5B16:
    return b.getType<Float8E5M2FNUZType>();
  default:
    return Type();
  }
}

StringRef attributeName(uint32_t id) {
  static constexpr llvm::StringLiteral names[] = {
      "",
#define PORTABLE_NAME(name) llvm::StringLiteral(name),
#include "dialects/kernel/portable/AttributeNames.def"
  };
  return id < std::size(names) ? names[id] : names[0];
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

namespace {

/// One enumeration of MLIR.
struct Words {
  /// Whether `value` is the case, or has the bit, that is spelled so; nothing
  /// if it is of another enumeration.
  std::optional<bool> (*is)(Attribute value, StringRef word);
  /// The attribute of these cases or bits; null if MLIR has no such.
  Attribute (*make)(MLIRContext *context, ArrayRef<StringRef> words);
};

/// More than any enumeration has cases.
constexpr unsigned mostCases = 32;

template <typename AttrT>
using EnumOf = decltype(std::declval<AttrT>().getValue());

template <typename AttrT>
std::optional<bool> isCase(Attribute value, StringRef word) {
  auto typed = dyn_cast<AttrT>(value);
  if (!typed)
    return std::nullopt;
  return stringifyEnum(typed.getValue()) == word;
}

template <typename AttrT>
Attribute makeCase(MLIRContext *context, ArrayRef<StringRef> words) {
  for (unsigned number = 0; number < mostCases; ++number) {
    auto value = static_cast<EnumOf<AttrT>>(number);
    if (stringifyEnum(value) == words.front())
      return AttrT::get(context, value);
  }
  return {};
}

/// The bit of that spelling; none if MLIR has no such.
template <typename EnumT> std::optional<EnumT> findBit(StringRef word) {
  for (unsigned bit = 0; bit < mostCases; ++bit)
    if (stringifyEnum(static_cast<EnumT>(1u << bit)) == word)
      return static_cast<EnumT>(1u << bit);
  return std::nullopt;
}

template <typename AttrT>
std::optional<bool> hasBit(Attribute value, StringRef word) {
  auto typed = dyn_cast<AttrT>(value);
  auto bit = findBit<EnumOf<AttrT>>(word);
  if (!typed || !bit)
    return std::nullopt;
  return bitEnumContainsAll(typed.getValue(), *bit);
}

template <typename AttrT>
Attribute makeBits(MLIRContext *context, ArrayRef<StringRef> words) {
  auto bits = static_cast<EnumOf<AttrT>>(0);
  for (StringRef word : words) {
    auto bit = findBit<EnumOf<AttrT>>(word);
    if (!bit)
      return {};
    bits = bits | *bit;
  }
  return AttrT::get(context, bits);
}

/// Enumerations that MLIR holds as text.
std::optional<bool> isText(Attribute value, StringRef word) {
  auto text = dyn_cast<StringAttr>(value);
  if (!text)
    return std::nullopt;
  return text.getValue() == word;
}

Attribute makeText(MLIRContext *context, ArrayRef<StringRef> words) {
  return StringAttr::get(context, words.front());
}

template <typename AttrT> constexpr Words caseWords() {
  return {isCase<AttrT>, makeCase<AttrT>};
}

template <typename AttrT> constexpr Words bitWords() {
  return {hasBit<AttrT>, makeBits<AttrT>};
}

} // namespace

static Words wordsOf(uint32_t id) {
  switch (id) {
  case TW_PORTABLE_ENUM_FASTMATH:
    return bitWords<arith::FastMathFlagsAttr>();
  case TW_PORTABLE_ENUM_OVERFLOW:
    return bitWords<arith::IntegerOverflowFlagsAttr>();
  case TW_PORTABLE_ENUM_INTEGER_PREDICATE:
    return caseWords<arith::CmpIPredicateAttr>();
  case TW_PORTABLE_ENUM_FLOAT_PREDICATE:
    return caseWords<arith::CmpFPredicateAttr>();
  case TW_PORTABLE_ENUM_ROUNDING:
    return caseWords<arith::RoundingModeAttr>();
  case TW_PORTABLE_ENUM_CACHE:
    return caseWords<CacheHintAttr>();
  case TW_PORTABLE_ENUM_EVICT:
    return caseWords<EvictionHintAttr>();
  case TW_PORTABLE_ENUM_ATOMIC_KIND:
    return caseWords<AtomicKindAttr>();
  case TW_PORTABLE_ENUM_SEMANTICS:
    return caseWords<MemorySemanticsAttr>();
  case TW_PORTABLE_ENUM_SCOPE:
    return caseWords<MemoryScopeAttr>();
  case TW_PORTABLE_ENUM_ORDER:
    return caseWords<ReduceOrderAttr>();
  default: // kind `name`
    return {isText, makeText};
  }
}

std::optional<uint32_t> caseOf(const tw_portable_schema &schema, uint32_t id,
                               Attribute value) {
  const tw_portable_enum_info &info = schema.enums[id];
  Words words = wordsOf(id);
  uint32_t bits = 0;
  for (uint32_t number = 0; number < info.count; ++number) {
    std::optional<bool> holds = words.is(value, info.cases[number].name);
    if (!holds)
      return std::nullopt;
    if (*holds && !info.is_flags)
      return number;
    bits |= uint32_t(*holds) << number;
  }
  if (!info.is_flags)
    return std::nullopt;
  return bits;
}

Attribute attributeOf(const tw_portable_schema &schema, uint32_t id,
                      uint32_t number, MLIRContext *context) {
  const tw_portable_enum_info &info = schema.enums[id];
  SmallVector<StringRef> words;
  for (uint32_t i = 0; i < info.count; ++i)
    if (info.is_flags ? (number >> i) & 1 : number == i)
      words.push_back(info.cases[i].name);
  return wordsOf(id).make(context, words);
}

} // namespace tilewright::kernel::portable
