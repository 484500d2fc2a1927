//===- DType.h - Element types of the language ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language's scalar and pointer types. They carry the signedness that MLIR
// integer types do not have.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_DTYPE_H
#define TILEWRIGHT_FRONTEND_SEMA_DTYPE_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tilewright::sema {

enum class Scalar : uint8_t {
  Void,
  I1,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  FP8E4NV,
  FP8E5,
  FP8E4B8,
  FP8E5B16,
  FP8E4B15,
  FP16,
  BF16,
  FP32,
  FP64
};

/// A scalar type, or a pointer to one (possibly a pointer to a pointer).
struct DType {
  Scalar scalar = Scalar::Void;
  uint8_t pointers = 0;
  /// A pointer that may not be stored through.
  bool readOnly = false;

  DType() = default;
  DType(Scalar scalar, uint8_t pointers = 0, bool readOnly = false)
      : scalar(scalar), pointers(pointers), readOnly(readOnly) {}

  /// "i32", "*fp16", "*kfp16"; also "int32", "float16" and torch's fp8 names.
  static std::optional<DType> parse(llvm::StringRef text);

  bool isPointer() const { return pointers != 0; }
  bool isVoid() const { return scalar == Scalar::Void && !isPointer(); }
  bool isBool() const { return is(Scalar::I1); }
  /// Any integer, i1 included.
  bool isInt() const {
    return !pointers && scalar >= Scalar::I1 && scalar <= Scalar::U64;
  }
  bool isSigned() const {
    return !pointers && scalar >= Scalar::I8 && scalar <= Scalar::I64;
  }
  /// Unsigned integers; i1 counts as one.
  bool isUnsigned() const { return isInt() && !isSigned(); }
  bool isFloat() const { return !pointers && scalar >= Scalar::FP8E4NV; }
  bool isFP8() const {
    return !pointers && scalar >= Scalar::FP8E4NV && scalar <= Scalar::FP8E4B15;
  }
  bool is(Scalar other) const { return !pointers && scalar == other; }
  /// bool < int < float.
  unsigned kindRank() const { return isBool() ? 0 : isInt() ? 1 : 2; }
  /// Bits of the value; 64 for pointers, 1 for i1.
  unsigned width() const;
  /// Bits of the mantissa with the hidden one's place left out.
  unsigned mantissaBits() const;

  DType pointee() const { return DType(scalar, pointers - 1, false); }
  DType pointerTo(bool isReadOnly = false) const {
    return DType(scalar, pointers + 1, isReadOnly);
  }
  DType asUnsigned() const;
  static DType integer(unsigned width, bool isSigned);

  /// "i32", "*fp16", "*kfp16": the spelling of signatures.
  std::string spelling() const;
  /// "int32", "fp16", "pointer<fp16>": what str() gives.
  std::string name() const;
  mlir::Type toMLIR(mlir::MLIRContext *context) const;

  friend bool operator==(const DType &a, const DType &b) {
    return a.scalar == b.scalar && a.pointers == b.pointers;
  }
  friend bool operator!=(const DType &a, const DType &b) { return !(a == b); }
};

/// "fp16[64, 32]" or, without a shape, "fp16".
std::string describeType(DType type, llvm::ArrayRef<int64_t> shape);

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_DTYPE_H
