//===- TensorLayouts.h - Layouts of tensors and shared buffers --*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts that the mapping uses, built from shapes, and what operations on
// shapes do to them. The outputs of a tensor's layout are "dim0", "dim1", ...,
// the inputs "warp", "lane", "register". Extents that are no powers of two are
// padded to the next one.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_LAYOUT_TENSORLAYOUTS_H
#define TILEWRIGHT_BACKENDS_SIMT_LAYOUT_TENSORLAYOUTS_H

#include "backends/simt/layout/LinearLayout.h"

namespace tilewright::simt {

/// Extents of a tensor, as MLIR's shapes.
using TensorShape = std::vector<int64_t>;

/// The output dimensions of a tensor of this shape, padded.
LayoutDims tensorDims(const TensorShape &shape);
/// The extents of a layout's outputs: the padded shape of its tensor.
TensorShape paddedShape(const LinearLayout &layout);

/// How many elements of each dimension a thread, a warp and the warps cover;
/// all powers of two.
struct BlockedTile {
  std::vector<unsigned> sizePerThread;
  std::vector<unsigned> lanes;
  std::vector<unsigned> warps;
  std::vector<unsigned> order; ///< dimensions, the fastest first
};

/// Tiles of registers, then of lanes, then of warps, repeated in registers over
/// the rest of the tensor. Lanes and warps that reach beyond the tensor hold
/// copies.
LinearLayout blockedLayout(const TensorShape &shape, const BlockedTile &tile);

/// A blocked tile for a tensor: `elements` registers along the fastest
/// dimension, lanes and warps over what is left, in the given order.
BlockedTile chooseBlockedTile(const TensorShape &shape, unsigned laneBits,
                              unsigned warpBits, unsigned elements,
                              const std::vector<unsigned> &order);

//===----------------------------------------------------------------------===//
// Operations on shapes
//===----------------------------------------------------------------------===//

/// The parent without the index along `axis`; registers that then hold copies
/// stay.
LinearLayout sliceOutputs(const LinearLayout &parent, unsigned axis);
/// The layout of a reduction along `axis`: the parent's without that dimension
/// and without the registers that then hold copies.
LinearLayout sliceLayout(const LinearLayout &parent, unsigned axis);
/// Inserts a dimension before `axis` whose index is held by new registers.
LinearLayout broadcastLayout(const LinearLayout &source, unsigned axis,
                             int64_t extent);
/// Result dimension d is source dimension `permutation[d]`.
LinearLayout transposeLayout(const LinearLayout &source,
                             const std::vector<unsigned> &permutation);
/// The same elements under another shape, row-major. None where an extent that
/// is no power of two makes the map of elements other than linear.
std::optional<LinearLayout> reshapeLayout(const LinearLayout &source,
                                          const TensorShape &from,
                                          const TensorShape &to);
/// Two tensors as one with a new last dimension, held by the lowest register
/// bit: register 2r + i of the result is register r of operand i.
LinearLayout joinLayout(const LinearLayout &source);
/// The layout of both halves along the last dimension (of extent 2) and the
/// register bit that tells them apart. None where no register bit does so
/// alone.
struct SplitLayout {
  LinearLayout half;
  unsigned registerBit;
};
std::optional<SplitLayout> splitLayout(const LinearLayout &source);

//===----------------------------------------------------------------------===//
// Shared buffers and matrix atoms
//===----------------------------------------------------------------------===//

/// Exclusive or of the row's bits onto the column's, in units of `vector`
/// elements: phase = (row / perPhase) % phases; all powers of two.
struct Swizzle {
  unsigned vector = 1;
  unsigned perPhase = 1;
  unsigned phases = 1;
};

/// A shared buffer of the tensor's padded shape, dense in the given order (the
/// fastest first), rows being the second dimension of the order.
LinearLayout sharedLayout(const TensorShape &shape,
                          const std::vector<unsigned> &order,
                          const Swizzle &swizzle = {});

/// The part of a matrix atom that one warp holds, from a target's table: one
/// basis a register bit and lane bit, indices per dimension.
struct FragmentTable {
  TensorShape shape; ///< of the atom's operand or result
  std::vector<std::vector<uint64_t>> registers;
  std::vector<std::vector<uint64_t>> lanes;
};

/// Atoms repeated over the tensor: first `warps[d]` times along each dimension
/// by warps (in `order`, the fastest first), then by registers. Warps that
/// exceed the tensor hold copies.
LinearLayout fragmentLayout(const TensorShape &shape, const FragmentTable &atom,
                            const std::vector<unsigned> &warps,
                            const std::vector<unsigned> &order);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_LAYOUT_TENSORLAYOUTS_H
