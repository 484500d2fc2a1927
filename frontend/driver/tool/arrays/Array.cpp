//===- Array.cpp - Element types and storage of host arrays -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element encoding goes through llvm::APFloat, so every float type rounds once,
// to nearest even.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/arrays/Array.h"
#include "frontend/driver/tool/Failure.h"

#include "tilewright/base.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <new>

namespace tilewright::tool {

namespace {

struct DTypeRow {
  uint32_t dtype;
  const char *name;
};
constexpr DTypeRow dtypeRows[] = {
    {TW_DTYPE_I1, "i1"},           {TW_DTYPE_I8, "i8"},
    {TW_DTYPE_I16, "i16"},         {TW_DTYPE_I32, "i32"},
    {TW_DTYPE_I64, "i64"},         {TW_DTYPE_U8, "u8"},
    {TW_DTYPE_U16, "u16"},         {TW_DTYPE_U32, "u32"},
    {TW_DTYPE_U64, "u64"},         {TW_DTYPE_F16, "fp16"},
    {TW_DTYPE_BF16, "bf16"},       {TW_DTYPE_F32, "fp32"},
    {TW_DTYPE_F64, "fp64"},        {TW_DTYPE_F8E4NV, "fp8e4nv"},
    {TW_DTYPE_F8E5, "fp8e5"},      {TW_DTYPE_F8E4B8, "fp8e4b8"},
    {TW_DTYPE_F8E5B16, "fp8e5b16"}};

const llvm::fltSemantics *floatSemantics(uint32_t dtype) {
  switch (dtype) {
  case TW_DTYPE_F16:
    return &llvm::APFloat::IEEEhalf();
  case TW_DTYPE_BF16:
    return &llvm::APFloat::BFloat();
  case TW_DTYPE_F32:
    return &llvm::APFloat::IEEEsingle();
  case TW_DTYPE_F64:
    return &llvm::APFloat::IEEEdouble();
  case TW_DTYPE_F8E4NV:
    return &llvm::APFloat::Float8E4M3FN();
  case TW_DTYPE_F8E5:
    return &llvm::APFloat::Float8E5M2();
  case TW_DTYPE_F8E4B8:
    return &llvm::APFloat::Float8E4M3FNUZ();
  case TW_DTYPE_F8E5B16:
    return &llvm::APFloat::Float8E5M2FNUZ();
  default:
    return nullptr;
  }
}

} // namespace

uint32_t parseDType(const std::string &name) {
  for (const DTypeRow &row : dtypeRows)
    if (name == row.name)
      return row.dtype;
  return TW_DTYPE_NONE;
}

std::string dtypeName(uint32_t dtype) {
  for (const DTypeRow &row : dtypeRows)
    if (dtype == row.dtype)
      return row.name;
  return "unknown";
}

bool isFloat(uint32_t dtype) { return floatSemantics(dtype) != nullptr; }

bool isSignedInteger(uint32_t dtype) {
  return dtype >= TW_DTYPE_I8 && dtype <= TW_DTYPE_I64;
}

uint64_t encodeElement(uint32_t dtype, double value) {
  if (const llvm::fltSemantics *semantics = floatSemantics(dtype)) {
    llvm::APFloat number(value);
    bool lostInfo;
    number.convert(*semantics, llvm::APFloat::rmNearestTiesToEven, &lostInfo);
    return number.bitcastToAPInt().getZExtValue();
  }
  if (dtype == TW_DTYPE_I1)
    return value != 0;
  if (value < 0)
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  return static_cast<uint64_t>(value);
}

double decodeElement(uint32_t dtype, uint64_t bits) {
  unsigned width = tw_dtype_bytes(dtype) * 8;
  if (const llvm::fltSemantics *semantics = floatSemantics(dtype)) {
    llvm::APFloat number(*semantics, llvm::APInt(width, bits));
    bool lostInfo;
    number.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &lostInfo);
    return number.convertToDouble();
  }
  if (isSignedInteger(dtype))
    return static_cast<double>(
        llvm::APInt(width, bits, false, true).getSExtValue());
  return static_cast<double>(bits);
}

std::string elementText(uint32_t dtype, uint64_t bits) {
  llvm::APInt value(tw_dtype_bytes(dtype) * 8, bits);
  llvm::SmallString<32> text;
  if (isFloat(dtype)) {
    char buffer[32];
    int digits = dtype == TW_DTYPE_F64 ? 17 : 9;
    std::snprintf(buffer, sizeof buffer, "%.*g", digits,
                  decodeElement(dtype, bits));
    return buffer;
  }
  value.toString(text, 10, isSignedInteger(dtype));
  return text.str().str();
}

uint64_t Array::bytesOf(uint32_t dtype, const std::vector<int64_t> &shape) {
  constexpr int64_t limit = int64_t{1} << 40;
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent < 0 || (extent != 0 && count > limit / extent))
      throw Failure(7012, "expected an array of at most 2^40 elements");
    count *= extent;
  }
  return count * tw_dtype_bytes(dtype);
}

Array::Array(uint32_t dtype, std::vector<int64_t> shape)
    : elementType(dtype), extents(std::move(shape)),
      count(bytesOf(dtype, extents) / tw_dtype_bytes(dtype)) {
  allocate();
}

/// Where 64-byte alignment starts depends on the storage.
Array::Array(const Array &other)
    : elementType(other.elementType), extents(other.extents),
      count(other.count), guard(other.guard) {
  allocate();
  std::memcpy(whole(), other.whole(), wholeBytes());
}

void Array::allocate() {
  try {
    storage.assign(wholeBytes() + 64, 0);
  } catch (const std::bad_alloc &) {
    throw Failure(7028, "not enough memory for an array of " +
                            std::to_string(bytes()) + " bytes");
  }
  start = (64 - reinterpret_cast<uintptr_t>(storage.data()) % 64) % 64 + guard;
}

void Array::addGuards(uint64_t bytesEach, uint64_t salt) {
  std::vector<char> content(static_cast<char *>(data()),
                            static_cast<char *>(data()) + bytes());
  guard = bytesEach;
  allocate();
  std::memcpy(data(), content.data(), content.size());
  unsigned width = tw_dtype_bytes(elementType);
  bool hasFloats = isFloat(elementType);
  uint64_t nan = hasFloats ? encodeElement(elementType, std::nan("")) : 0;
  int64_t each = static_cast<int64_t>(guard / width);
  auto fill = [&](int64_t index) {
    uint64_t mark =
        1 + (static_cast<uint64_t>(index + each) * 7 + salt * 13) % 97;
    // Types of 8 bits have few NaNs, or one.
    setBits(index, hasFloats ? (width > 1 ? nan | mark : nan) : 0 - mark);
  };
  for (int64_t i = 0; i < each; ++i) {
    fill(i - each);
    fill(count + i);
  }
}

uint64_t Array::bytes() const { return count * tw_dtype_bytes(elementType); }
void *Array::data() { return storage.data() + start; }
const void *Array::data() const { return storage.data() + start; }

uint64_t Array::bits(int64_t index) const {
  unsigned width = tw_dtype_bytes(elementType);
  uint64_t value = 0;
  std::memcpy(&value, static_cast<const char *>(data()) + index * width, width);
  return value;
}

void Array::setBits(int64_t index, uint64_t bits) {
  unsigned width = tw_dtype_bytes(elementType);
  std::memcpy(static_cast<char *>(data()) + index * width, &bits, width);
}

void Array::reinterpret(uint32_t dtype) { elementType = dtype; }

} // namespace tilewright::tool
