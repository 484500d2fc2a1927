//===- DotLayouts.h - Layouts of matrix products ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts of both operands and of the accumulator of a product whose atoms
// are spread over warps and registers, such that what a thread needs of the
// operands is what it holds.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_LAYOUT_DOTLAYOUTS_H
#define TILEWRIGHT_BACKENDS_SIMT_LAYOUT_DOTLAYOUTS_H

#include "backends/simt/layout/TensorLayouts.h"

namespace tilewright::simt {

/// result[.., m, n] += lhs[.., m, k] rhs[.., k, n]; all extents are powers of
/// two.
struct DotShape {
  TensorShape batch;
  int64_t m = 0, n = 0, k = 0;
};

/// Warps along each dimension, powers of two; batches take the rest.
struct DotWarps {
  unsigned m = 1, n = 1;
};

/// The fragments of an atom: (lane, register) to two dimensions.
struct DotFragments {
  LinearLayout lhs, rhs, result;
};

struct DotLayouts {
  LinearLayout lhs, rhs, result;
};

/// Warps over a result of m x n in atoms: as square as the extents allow, so
/// that few operands are read twice, or all along m (`isChained`: what a warp
/// computes is then whole rows of the next product's left operand).
DotWarps chooseDotWarps(const DotShape &shape, unsigned atomM, unsigned atomN,
                        unsigned numWarps, bool isChained);

/// Registers step through the atom, then through atoms along the fastest
/// dimension; warps take the highest bits: those along n the lowest of the
/// warp's number. Warps beyond the tensor hold copies.
DotLayouts dotLayouts(const DotShape &shape, const DotFragments &atom,
                      const DotWarps &warps, unsigned numWarps);

/// The layout of [m, k] or, of the right operand, [n, k] factors, `shape.k`
/// being their number.
LinearLayout dotScaleLayout(const DotShape &shape, const LinearLayout &atom,
                            bool isRhs, const DotWarps &warps,
                            unsigned numWarps);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_LAYOUT_DOTLAYOUTS_H
