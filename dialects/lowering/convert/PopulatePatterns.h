//===- PopulatePatterns.h - Conversion patterns by family -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ConvertTileToKernel.cpp assembles: the type converter and the patterns
// of every op family.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_LOWERING_CONVERT_POPULATEPATTERNS_H
#define TILEWRIGHT_DIALECTS_LOWERING_CONVERT_POPULATEPATTERNS_H

#include "dialects/lowering/convert/TypeConversion.h"

namespace tilewright::lowering {

void populateTileToKernelAtomicPatterns(const TileTypeConverter &converter,
                                        mlir::RewritePatternSet &patterns);
void populateTileToKernelDescriptorPatterns(const TileTypeConverter &converter,
                                            mlir::RewritePatternSet &patterns);
void populateTileToKernelDotPatterns(const TileTypeConverter &converter,
                                     mlir::RewritePatternSet &patterns);
void populateTileToKernelMemoryPatterns(const TileTypeConverter &converter,
                                        mlir::RewritePatternSet &patterns);
/// With `statedOrder` float sums and products keep a stated order.
void populateTileToKernelReducePatterns(const TileTypeConverter &converter,
                                        mlir::RewritePatternSet &patterns,
                                        bool statedOrder);
void populateTileToKernelRenamedPatterns(const TileTypeConverter &converter,
                                         mlir::RewritePatternSet &patterns);
void populateTileToKernelShapePatterns(const TileTypeConverter &converter,
                                       mlir::RewritePatternSet &patterns);
void populateTileToKernelStructurePatterns(const TileTypeConverter &converter,
                                           mlir::RewritePatternSet &patterns);

} // namespace tilewright::lowering

#endif // TILEWRIGHT_DIALECTS_LOWERING_CONVERT_POPULATEPATTERNS_H
