//===- RowIndependence.h - Rows for masked-off stores only ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proves that the elements of a loaded tile beyond an extent never leave the
// program, so that their values do not matter.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_ROWINDEPENDENCE_H
#define TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_ROWINDEPENDENCE_H

#include "dialects/lowering/analysis/MaskAnalysis.h"

namespace tilewright::lowering {

/// Index i along `dim` of a loaded tile stands for position `origin + i`, which
/// is good in [0, extent).
struct RowRange {
  unsigned dim;
  Polynomial origin;
  Polynomial extent;
};

/// Whether every store that the loaded value reaches masks off the elements
/// that depend on bad positions. Ops keep rows apart if each element of their
/// result depends on one row only.
bool reachesOnlyMaskedStores(mlir::Value loaded, const RowRange &rows,
                             IndexExpressions &indices);

} // namespace tilewright::lowering

#endif // TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_ROWINDEPENDENCE_H
