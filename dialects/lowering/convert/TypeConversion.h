//===- TypeConversion.h - Tile types as Kernel IR types ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers map one to one; a descriptor becomes its components.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_LOWERING_CONVERT_TYPECONVERSION_H
#define TILEWRIGHT_DIALECTS_LOWERING_CONVERT_TYPECONVERSION_H

#include "dialects/tile/TileDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tilewright::lowering {

/// `!tile.ptr<T>` is `!kernel.ptr<T>`, a pointer table `!kernel.ptr<i64>`.
/// `!tile.desc` is the list base pointer, shape, strides, value out of bounds.
class TileTypeConverter : public mlir::TypeConverter {
public:
  TileTypeConverter();
};

/// The Kernel IR pointer for a tile pointer type.
mlir::Type convertPointer(tile::PointerType type);

/// A converted descriptor, taken apart.
struct DescriptorParts {
  mlir::Value base;
  mlir::ValueRange shape;
  mlir::ValueRange strides;
  mlir::Value other;
};

/// Splits the components of a descriptor of `rank` dimensions.
DescriptorParts splitDescriptor(mlir::ValueRange components, int64_t rank);

/// Copies the attributes that are no part of an op's definition: hints survive
/// every rewrite.
void copyDiscardableAttributes(mlir::Operation *from, mlir::Operation *to);

} // namespace tilewright::lowering

#endif // TILEWRIGHT_DIALECTS_LOWERING_CONVERT_TYPECONVERSION_H
