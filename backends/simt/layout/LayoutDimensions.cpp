//===- LayoutDimensions.cpp - Products, parts and dimensions --------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What joins layouts, takes them apart, and renames, splits or permutes the
// dimensions of their inputs and outputs.
//===----------------------------------------------------------------------===//
#include "backends/simt/layout/GF2.h"
#include "backends/simt/layout/LinearLayout.h"

#include <algorithm>
#include <cassert>

using namespace tilewright::simt;

namespace {

/// A dimension's place in a packed index.
struct Place {
  unsigned shift;
  unsigned bits;
};

} // namespace

/// Where the named dimension lies, with no bits if it is not there.
static Place placeOf(const LayoutDims &dims, const std::string &name) {
  unsigned shift = 0;
  for (size_t d = dims.size(); d-- > 0;) {
    if (dims[d].name == name)
      return {shift, dims[d].bits};
    shift += dims[d].bits;
  }
  return {0, 0};
}

static uint64_t lowMask(unsigned bits) { return (uint64_t(1) << bits) - 1; }

/// Moves the index of each dimension to its place in other dimensions, `raise`
/// bits up (none by default); dimensions that are not there are dropped.
static uint64_t moveIndices(uint64_t packed, const LayoutDims &from,
                            const LayoutDims &to,
                            const LayoutDims *raise = nullptr) {
  uint64_t result = 0;
  unsigned shift = 0;
  for (size_t d = from.size(); d-- > 0;) {
    uint64_t index = packed >> shift & lowMask(from[d].bits);
    shift += from[d].bits;
    Place place = placeOf(to, from[d].name);
    unsigned up = raise ? placeOf(*raise, from[d].name).bits : 0;
    result |= (index << up & lowMask(place.bits)) << place.shift;
  }
  return result;
}

/// The dimensions of both, with the bits of both; those of `inner` last.
static LayoutDims joinDims(const LayoutDims &inner, const LayoutDims &outer) {
  LayoutDims result;
  for (const LayoutDim &dim : outer)
    if (std::none_of(inner.begin(), inner.end(), [&](const LayoutDim &own) {
          return own.name == dim.name;
        }))
      result.push_back(dim);
  for (const LayoutDim &dim : inner)
    result.push_back({dim.name, dim.bits + placeOf(outer, dim.name).bits});
  return result;
}

/// The dimensions of the given names, in that order.
static LayoutDims selectDims(const LayoutDims &dims,
                             const std::vector<std::string> &names) {
  LayoutDims result;
  for (const std::string &name : names) {
    auto found =
        std::find_if(dims.begin(), dims.end(),
                     [&](const LayoutDim &dim) { return dim.name == name; });
    assert(found != dims.end() && "no dimension of that name");
    result.push_back(*found);
  }
  return result;
}

/// The names of all dimensions but one.
static std::vector<std::string> namesWithout(const LayoutDims &dims,
                                             const std::string &name) {
  std::vector<std::string> names;
  for (const LayoutDim &dim : dims)
    if (dim.name != name)
      names.push_back(dim.name);
  return names;
}

/// Calls `add(name, bit)` for each input bit in the order of columns.
template <typename Add>
static void forEachColumn(const LayoutDims &ins, Add add) {
  for (size_t d = ins.size(); d-- > 0;)
    for (unsigned bit = 0; bit < ins[d].bits; ++bit)
      add(ins[d].name, bit);
}

//===----------------------------------------------------------------------===//
// Products and parts
//===----------------------------------------------------------------------===//

LinearLayout LinearLayout::product(const LinearLayout &outer) const {
  LayoutDims newIns = joinDims(ins, outer.ins);
  LayoutDims newOuts = joinDims(outs, outer.outs);
  std::vector<uint64_t> columns;
  forEachColumn(newIns, [&](const std::string &name, unsigned bit) {
    unsigned innerBits = inputBits(name);
    columns.push_back(bit < innerBits
                          ? moveIndices(basis(name, bit), outs, newOuts)
                          : moveIndices(outer.basis(name, bit - innerBits),
                                        outer.outs, newOuts, &outs));
  });
  return LinearLayout(newIns, newOuts, std::move(columns));
}

/// The dimensions without the low bits that `inner` has; none if it has more.
static std::optional<LayoutDims> withoutInner(const LayoutDims &dims,
                                              const LayoutDims &inner) {
  LayoutDims result = dims;
  for (LayoutDim &dim : result)
    dim.bits -= std::min(dim.bits, placeOf(inner, dim.name).bits);
  return joinDims(inner, result) == dims ? std::optional(result) : std::nullopt;
}

std::optional<LinearLayout>
LinearLayout::divide(const LinearLayout &inner) const {
  std::optional<LayoutDims> newIns = withoutInner(ins, inner.ins);
  std::optional<LayoutDims> newOuts = withoutInner(outs, inner.outs);
  if (!newIns || !newOuts)
    return std::nullopt;
  std::vector<uint64_t> columns;
  forEachColumn(*newIns, [&](const std::string &name, unsigned bit) {
    uint64_t column = basis(name, bit + inner.inputBits(name));
    uint64_t packed = 0;
    for (const LayoutDim &out : *newOuts) {
      uint64_t index =
          column >> outputShift(out.name) >> inner.outputBits(out.name) &
          lowMask(out.bits);
      packed |= index << placeOf(*newOuts, out.name).shift;
    }
    columns.push_back(packed);
  });
  LinearLayout result(*newIns, *newOuts, std::move(columns));
  if (inner.product(result) != *this)
    return std::nullopt;
  return result;
}

LinearLayout
LinearLayout::sublayout(const std::vector<std::string> &inputNames,
                        const std::vector<std::string> &outputNames) const {
  LayoutDims newIns = selectDims(ins, inputNames);
  LayoutDims newOuts = selectDims(outs, outputNames);
  std::vector<uint64_t> columns;
  forEachColumn(newIns, [&](const std::string &name, unsigned bit) {
    columns.push_back(moveIndices(basis(name, bit), outs, newOuts));
  });
  return LinearLayout(newIns, newOuts, std::move(columns));
}

bool LinearLayout::isZero(const std::vector<std::string> &inputNames,
                          const std::vector<std::string> &outputNames) const {
  LinearLayout part = sublayout(inputNames, outputNames);
  return std::all_of(part.cols.begin(), part.cols.end(),
                     [](uint64_t column) { return column == 0; });
}

LinearLayout
LinearLayout::quotient(const std::vector<std::string> &inputNames) const {
  GF2Basis divisor;
  for (const std::string &name : inputNames)
    for (unsigned bit = 0; bit < inputBits(name); ++bit)
      divisor.insert(basis(name, bit), divisor.rank());
  LinearLayout result = *this;
  for (const std::string &name : inputNames)
    result = result.removeInput(name);
  for (uint64_t &column : result.cols)
    column = divisor.reduce(column);
  return result;
}

LinearLayout LinearLayout::concatInputs(const LinearLayout &other) const {
  assert(outs == other.outs && "one output space");
  LayoutDims newIns = other.ins;
  newIns.insert(newIns.end(), ins.begin(), ins.end());
  std::vector<uint64_t> columns = cols;
  columns.insert(columns.end(), other.cols.begin(), other.cols.end());
  return LinearLayout(newIns, outs, std::move(columns));
}

LinearLayout LinearLayout::concatOutputs(const LinearLayout &other) const {
  assert(ins == other.ins && "one input space");
  LayoutDims newOuts = other.outs;
  newOuts.insert(newOuts.end(), outs.begin(), outs.end());
  std::vector<uint64_t> columns = cols;
  for (size_t i = 0; i < columns.size(); ++i)
    columns[i] |= other.cols[i] << outputBits();
  return LinearLayout(ins, newOuts, std::move(columns));
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

LinearLayout
LinearLayout::transposeInputs(const std::vector<std::string> &names) const {
  assert(names.size() == ins.size() && "every dimension once");
  return sublayout(names, namesWithout(outs, ""));
}

LinearLayout
LinearLayout::transposeOutputs(const std::vector<std::string> &names) const {
  assert(names.size() == outs.size() && "every dimension once");
  return sublayout(namesWithout(ins, ""), names);
}

LinearLayout LinearLayout::reshapeInputs(LayoutDims dims) const {
  return LinearLayout(std::move(dims), outs, cols);
}

LinearLayout LinearLayout::reshapeOutputs(LayoutDims dims) const {
  assert(totalBits(dims) == outputBits() && "the same bits");
  return LinearLayout(ins, std::move(dims), cols);
}

LinearLayout LinearLayout::renameInput(const std::string &from,
                                       const std::string &to) const {
  LinearLayout result = *this;
  for (LayoutDim &dim : result.ins)
    if (dim.name == from)
      dim.name = to;
  return result;
}

LinearLayout LinearLayout::renameOutput(const std::string &from,
                                        const std::string &to) const {
  LinearLayout result = *this;
  for (LayoutDim &dim : result.outs)
    if (dim.name == from)
      dim.name = to;
  return result;
}

LinearLayout LinearLayout::resizeInput(const std::string &name,
                                       unsigned bits) const {
  assert(hasInput(name) && "no dimension of that name");
  LinearLayout result = *this;
  for (LayoutDim &dim : result.ins)
    if (dim.name == name)
      dim.bits = bits;
  auto begin = result.cols.begin() + inputShift(name);
  unsigned now = inputBits(name);
  if (bits < now)
    result.cols.erase(begin + bits, begin + now);
  else
    result.cols.insert(begin + now, bits - now, 0);
  return result;
}

LinearLayout LinearLayout::resizeOutput(const std::string &name,
                                        unsigned bits) const {
  assert(hasOutput(name) && "no dimension of that name");
  LinearLayout result = *this;
  for (LayoutDim &dim : result.outs)
    if (dim.name == name)
      dim.bits = bits;
  for (uint64_t &column : result.cols)
    column = moveIndices(column, outs, result.outs);
  return result;
}

LinearLayout LinearLayout::removeInput(const std::string &name) const {
  return sublayout(namesWithout(ins, name), namesWithout(outs, ""));
}

LinearLayout LinearLayout::removeOutput(const std::string &name) const {
  return sublayout(namesWithout(ins, ""), namesWithout(outs, name));
}

LinearLayout LinearLayout::removeInputBits(uint64_t mask) const {
  LinearLayout result(*this);
  result.cols.clear();
  unsigned position = 0;
  for (size_t d = ins.size(); d-- > 0;)
    for (unsigned bit = 0; bit < ins[d].bits; ++bit, ++position) {
      if (mask >> position & 1)
        --result.ins[d].bits;
      else
        result.cols.push_back(cols[position]);
    }
  return result;
}
