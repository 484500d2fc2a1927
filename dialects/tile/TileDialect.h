//===- TileDialect.h - The tile dialect and its types ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the tile dialect with its pointer and descriptor types. Its enums
// are Kernel IR's.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_TILE_TILEDIALECT_H
#define TILEWRIGHT_DIALECTS_TILE_TILEDIALECT_H

#include "dialects/kernel/KernelDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

#include "dialects/tile/TileDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/tile/TileTypes.h.inc"

#endif // TILEWRIGHT_DIALECTS_TILE_TILEDIALECT_H
