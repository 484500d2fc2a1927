//===- DType.cpp - Element types of the language ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table holds what distinguishes the types; everything else reads it.
//===----------------------------------------------------------------------===//

#include "frontend/sema/value/DType.h"

#include "dialects/tile/TileDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilewright::sema;

namespace {
struct Row {
  Scalar scalar;
  uint8_t width;
  uint8_t mantissaBits;
  const char *spelling;
  const char *name;
  const char *alias;
};
} // namespace

static constexpr Row rows[] = {
    {Scalar::Void, 0, 0, "void", "void", "void"},
    {Scalar::I1, 1, 0, "i1", "int1", "bool"},
    {Scalar::I8, 8, 0, "i8", "int8", "int8"},
    {Scalar::I16, 16, 0, "i16", "int16", "int16"},
    {Scalar::I32, 32, 0, "i32", "int32", "int32"},
    {Scalar::I64, 64, 0, "i64", "int64", "int64"},
    {Scalar::U8, 8, 0, "u8", "uint8", "uint8"},
    {Scalar::U16, 16, 0, "u16", "uint16", "uint16"},
    {Scalar::U32, 32, 0, "u32", "uint32", "uint32"},
    {Scalar::U64, 64, 0, "u64", "uint64", "uint64"},
    {Scalar::FP8E4NV, 8, 3, "fp8e4nv", "float8e4nv", "float8_e4m3fn"},
    {Scalar::FP8E5, 8, 2, "fp8e5", "float8e5", "float8_e5m2"},
    {Scalar::FP8E4B8, 8, 3, "fp8e4b8", "float8e4b8", "float8_e4m3fnuz"},
    {Scalar::FP8E5B16, 8, 2, "fp8e5b16", "float8e5b16", "float8_e5m2fnuz"},
    {Scalar::FP8E4B15, 8, 3, "fp8e4b15", "float8e4b15", "float8e4b15"},
    {Scalar::FP16, 16, 10, "fp16", "float16", "half"},
    {Scalar::BF16, 16, 7, "bf16", "bfloat16", "bfloat16"},
    {Scalar::FP32, 32, 23, "fp32", "float32", "float"},
    {Scalar::FP64, 64, 52, "fp64", "float64", "double"}};

static const Row &rowOf(Scalar scalar) {
  return rows[static_cast<size_t>(scalar)];
}

std::optional<DType> DType::parse(llvm::StringRef text) {
  uint8_t depth = 0;
  bool constant = false;
  while (text.consume_front("*")) {
    ++depth;
    if (text.starts_with("k") && depth == 1)
      constant = text.consume_front("k");
  }
  for (const Row &row : rows)
    if (text == row.spelling || text == row.name || text == row.alias)
      return DType(row.scalar, depth, constant);
  return std::nullopt;
}

unsigned DType::width() const { return isPointer() ? 64 : rowOf(scalar).width; }

unsigned DType::mantissaBits() const { return rowOf(scalar).mantissaBits; }

DType DType::integer(unsigned width, bool isSigned) {
  for (const Row &row : rows)
    if (DType candidate(row.scalar);
        candidate.isInt() && row.width == width &&
        (width == 1 || candidate.isSigned() == isSigned))
      return candidate;
  return DType();
}

DType DType::asUnsigned() const { return integer(width(), false); }

std::string DType::spelling() const {
  std::string text(pointers, '*');
  if (readOnly && pointers)
    text.insert(1, "k");
  return text + rowOf(scalar).spelling;
}

std::string DType::name() const {
  if (isPointer())
    return "pointer<" + pointee().name() + ">";
  // The language's own str() gives the short form for these four.
  if (isFloat() && !isFP8())
    return rowOf(scalar).spelling;
  llvm::StringRef name = rowOf(scalar).name;
  return isFP8() ? rowOf(scalar).spelling : name.str();
}

mlir::Type DType::toMLIR(mlir::MLIRContext *context) const {
  if (isPointer())
    return tile::PointerType::get(context, pointee().toMLIR(context));
  switch (scalar) {
  case Scalar::FP8E4NV:
    return mlir::Float8E4M3FNType::get(context);
  case Scalar::FP8E5:
    return mlir::Float8E5M2Type::get(context);
  case Scalar::FP8E4B8:
    return mlir::Float8E4M3FNUZType::get(context);
  case Scalar::FP8E5B16:
    return mlir::Float8E5M2FNUZType::get(context);
  case Scalar::FP16:
    return mlir::Float16Type::get(context);
  case Scalar::BF16:
    return mlir::BFloat16Type::get(context);
  case Scalar::FP32:
    return mlir::Float32Type::get(context);
  case Scalar::FP64:
    return mlir::Float64Type::get(context);
  case Scalar::Void:
    return mlir::IntegerType::get(context, 8);
  default:
    return mlir::IntegerType::get(context, rowOf(scalar).width);
  }
}

std::string tilewright::sema::describeType(DType type,
                                           llvm::ArrayRef<int64_t> shape) {
  std::string text = type.spelling();
  if (shape.empty())
    return text;
  text += "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}
