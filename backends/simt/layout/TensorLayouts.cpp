//===- TensorLayouts.cpp - Layouts of tensors and shared buffers ----------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders of blocked, shared and fragment layouts, and of the layouts that
// operations on shapes give.
//===----------------------------------------------------------------------===//
#include "backends/simt/layout/TensorLayouts.h"

#include "backends/simt/layout/GF2.h"

#include <algorithm>
#include <cassert>

using namespace tilewright::simt;

LayoutDims tilewright::simt::tensorDims(const TensorShape &shape) {
  LayoutDims dims;
  for (size_t d = 0; d < shape.size(); ++d)
    dims.push_back({tensorDim(d), ceilLog2(shape[d])});
  return dims;
}

TensorShape tilewright::simt::paddedShape(const LinearLayout &layout) {
  TensorShape shape;
  for (const LayoutDim &dim : layout.outputs())
    shape.push_back(dim.size());
  return shape;
}

//===----------------------------------------------------------------------===//
// Blocked layouts
//===----------------------------------------------------------------------===//

namespace {

/// Hands out the bits of a tensor's dimensions from the lowest up.
class BitDealer {
public:
  explicit BitDealer(LayoutDims dims)
      : dims(std::move(dims)), used(this->dims.size(), 0) {}

  const LayoutDims &outputs() const { return dims; }
  unsigned left(unsigned d) const { return dims[d].bits - used[d]; }
  /// The packed value of the next bit of dimension `d`; 0 if none is left.
  uint64_t next(unsigned d) {
    if (left(d) == 0)
      return 0;
    std::vector<uint64_t> indices(dims.size(), 0);
    indices[d] = uint64_t(1) << used[d]++;
    return packIndices(dims, indices);
  }

private:
  LayoutDims dims;
  std::vector<unsigned> used;
};

/// The columns of each hardware dimension of a layout under construction.
struct HardwareColumns {
  std::vector<uint64_t> registers, lanes, warps;

  LinearLayout build(const LayoutDims &outputs) const {
    std::vector<uint64_t> columns = registers;
    columns.insert(columns.end(), lanes.begin(), lanes.end());
    columns.insert(columns.end(), warps.begin(), warps.end());
    return LinearLayout({{warpDim, unsigned(warps.size())},
                         {laneDim, unsigned(lanes.size())},
                         {registerDim, unsigned(registers.size())}},
                        outputs, std::move(columns));
  }
};

} // namespace

/// Gives the bits of `counts[d]` to `columns`, dimension by dimension in the
/// order; bits beyond the tensor become copies or, for registers, nothing.
static void dealTile(BitDealer &dealer, const std::vector<unsigned> &counts,
                     const std::vector<unsigned> &order, bool keepCopies,
                     std::vector<uint64_t> &columns) {
  for (unsigned d : order)
    for (unsigned bit = 0; bit < ceilLog2(counts[d]); ++bit)
      if (dealer.left(d) || keepCopies)
        columns.push_back(dealer.next(d));
}

/// Gives registers all that is left of the tensor.
static void dealRest(BitDealer &dealer, const std::vector<unsigned> &order,
                     std::vector<uint64_t> &registers) {
  for (unsigned d : order)
    while (dealer.left(d))
      registers.push_back(dealer.next(d));
}

LinearLayout tilewright::simt::blockedLayout(const TensorShape &shape,
                                             const BlockedTile &tile) {
  BitDealer dealer(tensorDims(shape));
  HardwareColumns columns;
  dealTile(dealer, tile.sizePerThread, tile.order, false, columns.registers);
  dealTile(dealer, tile.lanes, tile.order, true, columns.lanes);
  dealTile(dealer, tile.warps, tile.order, true, columns.warps);
  dealRest(dealer, tile.order, columns.registers);
  return columns.build(dealer.outputs());
}

BlockedTile
tilewright::simt::chooseBlockedTile(const TensorShape &shape, unsigned laneBits,
                                    unsigned warpBits, unsigned elements,
                                    const std::vector<unsigned> &order) {
  std::vector<unsigned> left;
  for (int64_t extent : shape)
    left.push_back(ceilLog2(extent));
  std::vector<unsigned> ones(shape.size(), 1);
  BlockedTile tile{ones, ones, ones, order};
  auto take = [&](std::vector<unsigned> &counts, unsigned d, unsigned bits) {
    unsigned taken = std::min(bits, left[d]);
    counts[d] <<= taken;
    left[d] -= taken;
    return bits - taken;
  };
  if (order.empty())
    return tile;
  take(tile.sizePerThread, order.front(), ceilLog2(elements));
  for (unsigned d : order)
    laneBits = take(tile.lanes, d, laneBits);
  // Warps take the slowest dimensions, so that each keeps whole rows.
  for (auto d = order.rbegin(); d != order.rend(); ++d)
    warpBits = take(tile.warps, *d, warpBits);
  tile.lanes[order.back()] <<= laneBits;
  tile.warps[order.back()] <<= warpBits;
  return tile;
}

//===----------------------------------------------------------------------===//
// Operations on shapes
//===----------------------------------------------------------------------===//

/// Names the outputs "dim0", "dim1", ... again.
static LinearLayout renumber(const LinearLayout &layout) {
  LayoutDims dims = layout.outputs();
  for (size_t d = 0; d < dims.size(); ++d)
    dims[d].name = tensorDim(d);
  return layout.reshapeOutputs(dims);
}

LinearLayout tilewright::simt::sliceOutputs(const LinearLayout &parent,
                                            unsigned axis) {
  return renumber(parent.removeOutput(tensorDim(axis)));
}

LinearLayout tilewright::simt::sliceLayout(const LinearLayout &parent,
                                           unsigned axis) {
  LinearLayout result = sliceOutputs(parent, axis);
  return result.removeInputBits(result.freeInputBits() &
                                result.inputMask(registerDim));
}

LinearLayout tilewright::simt::broadcastLayout(const LinearLayout &source,
                                               unsigned axis, int64_t extent) {
  LayoutDims dims = source.outputs();
  unsigned bits = ceilLog2(extent);
  unsigned shift = 0;
  for (size_t d = axis; d < dims.size(); ++d)
    shift += dims[d].bits;
  dims.insert(dims.begin() + axis, {"", bits});
  for (size_t d = 0; d < dims.size(); ++d)
    dims[d].name = tensorDim(d);
  LayoutDims ins = source.inputs();
  std::vector<uint64_t> columns;
  uint64_t low = (uint64_t(1) << shift) - 1;
  for (uint64_t column : source.columns())
    columns.push_back((column & ~low) << bits | (column & low));
  auto at = columns.begin() + source.inputShift(registerDim) +
            source.inputBits(registerDim);
  for (unsigned bit = bits; bit-- > 0;)
    at = columns.insert(at, uint64_t(1) << (shift + bit));
  for (LayoutDim &in : ins)
    if (in.name == registerDim)
      in.bits += bits;
  return LinearLayout(ins, dims, std::move(columns));
}

LinearLayout
tilewright::simt::transposeLayout(const LinearLayout &source,
                                  const std::vector<unsigned> &permutation) {
  std::vector<std::string> names;
  for (unsigned d : permutation)
    names.push_back(tensorDim(d));
  return renumber(source.transposeOutputs(names));
}

/// Splits both shapes into the smallest groups of the same number of elements.
/// A group of powers of two is a linear map, and so is a group of one extent on
/// each side (extents of 1 aside).
static bool isLinearReshape(const TensorShape &from, const TensorShape &to) {
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    int64_t left = 1, right = 1;
    unsigned extents = 0;
    bool powersOfTwo = true;
    do {
      bool takeLeft = j == to.size() || (i < from.size() && left <= right);
      int64_t extent = takeLeft ? from[i++] : to[j++];
      (takeLeft ? left : right) *= extent;
      extents += extent != 1;
      powersOfTwo &= (extent & (extent - 1)) == 0;
    } while (left != right);
    if (!powersOfTwo && extents > 2)
      return false;
  }
  return true;
}

std::optional<LinearLayout>
tilewright::simt::reshapeLayout(const LinearLayout &source,
                                const TensorShape &from,
                                const TensorShape &to) {
  LayoutDims dims = tensorDims(to);
  if (!isLinearReshape(from, to) || totalBits(dims) != source.outputBits())
    return std::nullopt;
  return source.reshapeOutputs(dims);
}

LinearLayout tilewright::simt::joinLayout(const LinearLayout &source) {
  LayoutDims dims = source.outputs();
  dims.push_back({tensorDim(dims.size()), 1});
  LayoutDims ins = source.inputs();
  std::vector<uint64_t> columns;
  for (uint64_t column : source.columns())
    columns.push_back(column << 1);
  columns.insert(columns.begin() + source.inputShift(registerDim), 1);
  for (LayoutDim &in : ins)
    if (in.name == registerDim)
      ++in.bits;
  return LinearLayout(ins, dims, std::move(columns));
}

std::optional<SplitLayout>
tilewright::simt::splitLayout(const LinearLayout &source) {
  unsigned last = source.outputs().size() - 1;
  assert(source.outputs()[last].bits == 1 && "the last extent is 2");
  std::optional<unsigned> registerBit;
  for (unsigned i = 0; i < source.inputBits(); ++i) {
    uint64_t column = source.columns()[i];
    if (!(column & 1))
      continue;
    bool isRegister = source.inputMask(registerDim) >> i & 1;
    if (column != 1 || !isRegister || registerBit)
      return std::nullopt;
    registerBit = i - source.inputShift(registerDim);
  }
  if (!registerBit)
    return std::nullopt;
  uint64_t mask = uint64_t(1)
                  << (source.inputShift(registerDim) + *registerBit);
  LinearLayout half =
      source.removeInputBits(mask).removeOutput(tensorDim(last));
  return SplitLayout{half, *registerBit};
}

//===----------------------------------------------------------------------===//
// Shared buffers and matrix atoms
//===----------------------------------------------------------------------===//

LinearLayout tilewright::simt::sharedLayout(const TensorShape &shape,
                                            const std::vector<unsigned> &order,
                                            const Swizzle &swizzle) {
  BitDealer dealer(tensorDims(shape));
  std::vector<uint64_t> columns;
  dealRest(dealer, order, columns);
  LinearLayout dense({{offsetDim, unsigned(columns.size())}}, dealer.outputs(),
                     columns);
  if (order.size() < 2)
    return dense;
  // Row bit (log2(perPhase) + k) also flips column bit (log2(vector) + k).
  unsigned columnBits = dense.outputs()[order[0]].bits;
  unsigned rowBits = dense.outputs()[order[1]].bits;
  for (unsigned k = 0; k < ceilLog2(swizzle.phases); ++k) {
    unsigned row = ceilLog2(swizzle.perPhase) + k;
    unsigned column = ceilLog2(swizzle.vector) + k;
    if (row < rowBits && column < columnBits)
      columns[columnBits + row] ^= columns[column];
  }
  return LinearLayout(dense.inputs(), dense.outputs(), std::move(columns));
}

LinearLayout tilewright::simt::fragmentLayout(
    const TensorShape &shape, const FragmentTable &atom,
    const std::vector<unsigned> &warps, const std::vector<unsigned> &order) {
  LayoutDims dims = tensorDims(shape);
  BitDealer dealer(dims);
  // The atom's own bits are taken first; its bases then lie below the rest.
  for (unsigned d : order) {
    assert(ceilLog2(atom.shape[d]) <= dims[d].bits && "atom beyond the tensor");
    for (unsigned bit = 0; bit < ceilLog2(atom.shape[d]); ++bit)
      dealer.next(d);
  }
  HardwareColumns columns;
  for (const std::vector<uint64_t> &basis : atom.registers)
    columns.registers.push_back(packIndices(dims, basis));
  for (const std::vector<uint64_t> &basis : atom.lanes)
    columns.lanes.push_back(packIndices(dims, basis));
  dealTile(dealer, warps, order, true, columns.warps);
  dealRest(dealer, order, columns.registers);
  return columns.build(dims);
}
