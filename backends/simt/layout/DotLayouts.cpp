//===- DotLayouts.cpp - Layouts of matrix products ------------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table of which warp bit moves which dimension serves all three tensors;
// an operand drops the dimension that it lacks.
//===----------------------------------------------------------------------===//
#include "backends/simt/layout/DotLayouts.h"

#include "backends/simt/layout/GF2.h"

#include <algorithm>

using namespace tilewright::simt;

DotWarps tilewright::simt::chooseDotWarps(const DotShape &shape, unsigned atomM,
                                          unsigned atomN, unsigned numWarps,
                                          bool isChained) {
  unsigned left = ceilLog2(numWarps);
  for (int64_t extent : shape.batch)
    left -= std::min(left, ceilLog2(extent));
  DotWarps warps;
  while (left > 0) {
    bool fitsM = shape.m / warps.m > atomM, fitsN = shape.n / warps.n > atomN;
    if (!fitsM && (!fitsN || isChained))
      break;
    bool isTaller = shape.m / warps.m >= shape.n / warps.n;
    bool takeM = isChained || !fitsN || (fitsM && isTaller);
    (takeM ? warps.m : warps.n) *= 2;
    --left;
  }
  return warps;
}

namespace {

/// A dimension of the product.
enum class Axis { Batch, M, N, K };

/// One bit of an index that warps hold.
struct WarpBit {
  Axis axis;
  unsigned batch; ///< which one
  unsigned bit;
};

/// Builds one of the three layouts.
class Builder {
public:
  /// `rows` and `columns` say what the last two dimensions are.
  Builder(const DotShape &shape, Axis rows, Axis columns,
          const LinearLayout &atom)
      : batches(shape.batch.size()), rows(rows), columns(columns), atom(atom) {
    TensorShape extents = shape.batch;
    extents.push_back(extentOf(shape, rows));
    extents.push_back(extentOf(shape, columns));
    dims = tensorDims(extents);
  }

  LinearLayout build(const std::vector<WarpBit> &warps, unsigned warpBits);

private:
  static int64_t extentOf(const DotShape &shape, Axis axis) {
    return axis == Axis::M ? shape.m : axis == Axis::N ? shape.n : shape.k;
  }
  uint64_t column(unsigned dim, uint64_t index) const {
    std::vector<uint64_t> indices(dims.size(), 0);
    indices[dim] = index;
    return packIndices(dims, indices);
  }
  uint64_t atomColumn(const std::string &input, unsigned bit) const {
    std::vector<uint64_t> basis = atom.basisIndices(input, bit);
    return column(batches, basis[0]) | column(batches + 1, basis[1]);
  }
  /// The packed column of a warp's bit; 0 where this tensor lacks it.
  uint64_t warpColumn(const WarpBit &bit) const {
    if (bit.axis == Axis::Batch)
      return column(bit.batch, uint64_t(1) << bit.bit);
    if (bit.axis != rows && bit.axis != columns)
      return 0;
    return column(batches + (bit.axis == columns), uint64_t(1) << bit.bit);
  }

  unsigned batches;
  Axis rows, columns;
  LinearLayout atom;
  LayoutDims dims;
};

} // namespace

LinearLayout Builder::build(const std::vector<WarpBit> &warps,
                            unsigned warpBits) {
  std::vector<uint64_t> registers, lanes, byWarp;
  for (unsigned bit = 0; bit < atom.inputBits(registerDim); ++bit)
    registers.push_back(atomColumn(registerDim, bit));
  for (unsigned bit = 0; bit < atom.inputBits(laneDim); ++bit)
    lanes.push_back(atomColumn(laneDim, bit));
  for (const WarpBit &bit : warps)
    byWarp.push_back(warpColumn(bit));
  byWarp.resize(warpBits, 0);
  uint64_t used = 0;
  for (const auto *columns : {&registers, &lanes, &byWarp})
    for (uint64_t value : *columns)
      used |= value;
  for (unsigned bit = 0; bit < totalBits(dims); ++bit)
    if (!(used >> bit & 1))
      registers.push_back(uint64_t(1) << bit);
  std::vector<uint64_t> all = registers;
  all.insert(all.end(), lanes.begin(), lanes.end());
  all.insert(all.end(), byWarp.begin(), byWarp.end());
  return LinearLayout({{warpDim, warpBits},
                       {laneDim, unsigned(lanes.size())},
                       {registerDim, unsigned(registers.size())}},
                      dims, std::move(all));
}

/// Which warp bit moves what: n, then m, then batches, each by its high bits.
static std::vector<WarpBit>
dealWarps(const DotShape &shape, const DotWarps &warps, unsigned warpBits) {
  std::vector<WarpBit> bits;
  auto deal = [&](Axis axis, unsigned batch, int64_t extent, unsigned count) {
    unsigned top = ceilLog2(extent);
    for (unsigned i = 0; i < count; ++i)
      bits.push_back({axis, batch, top - count + i});
  };
  deal(Axis::N, 0, shape.n, ceilLog2(warps.n));
  deal(Axis::M, 0, shape.m, ceilLog2(warps.m));
  for (unsigned b = shape.batch.size(); b-- > 0;)
    deal(Axis::Batch, b, shape.batch[b],
         std::min<unsigned>(warpBits - bits.size(), ceilLog2(shape.batch[b])));
  return bits;
}

DotLayouts tilewright::simt::dotLayouts(const DotShape &shape,
                                        const DotFragments &atom,
                                        const DotWarps &warps,
                                        unsigned numWarps) {
  unsigned warpBits = ceilLog2(numWarps);
  std::vector<WarpBit> bits = dealWarps(shape, warps, warpBits);
  return {Builder(shape, Axis::M, Axis::K, atom.lhs).build(bits, warpBits),
          Builder(shape, Axis::K, Axis::N, atom.rhs).build(bits, warpBits),
          Builder(shape, Axis::M, Axis::N, atom.result).build(bits, warpBits)};
}

LinearLayout tilewright::simt::dotScaleLayout(const DotShape &shape,
                                              const LinearLayout &atom,
                                              bool isRhs, const DotWarps &warps,
                                              unsigned numWarps) {
  unsigned warpBits = ceilLog2(numWarps);
  return Builder(shape, isRhs ? Axis::N : Axis::M, Axis::K, atom)
      .build(dealWarps(shape, warps, warpBits), warpBits);
}
