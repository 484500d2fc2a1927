//===- LinearLayout.cpp - Linear maps over GF(2) --------------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation and linear algebra. Products, parts and changes of dimensions are
// in LayoutDimensions.cpp, text in LayoutText.cpp.
//===----------------------------------------------------------------------===//
#include "backends/simt/layout/LinearLayout.h"

#include "backends/simt/layout/GF2.h"

#include <cassert>

using namespace tilewright::simt;

std::string tilewright::simt::tensorDim(unsigned d) {
  return "dim" + std::to_string(d);
}

unsigned tilewright::simt::totalBits(const LayoutDims &dims) {
  unsigned bits = 0;
  for (const LayoutDim &dim : dims)
    bits += dim.bits;
  return bits;
}

uint64_t tilewright::simt::packIndices(const LayoutDims &dims,
                                       const std::vector<uint64_t> &indices) {
  assert(dims.size() == indices.size() && "one index a dimension");
  uint64_t packed = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    assert(indices[d] < dims[d].size() && "index out of range");
    packed = packed << dims[d].bits | indices[d];
  }
  return packed;
}

std::vector<uint64_t> tilewright::simt::unpackIndices(const LayoutDims &dims,
                                                      uint64_t packed) {
  std::vector<uint64_t> indices(dims.size());
  for (size_t d = dims.size(); d-- > 0;) {
    indices[d] = packed & (dims[d].size() - 1);
    packed >>= dims[d].bits;
  }
  return indices;
}

/// Position of the named dimension, or -1.
static int findDim(const LayoutDims &dims, const std::string &name) {
  for (size_t d = 0; d < dims.size(); ++d)
    if (dims[d].name == name)
      return d;
  return -1;
}

static unsigned bitsOf(const LayoutDims &dims, const std::string &name) {
  int d = findDim(dims, name);
  return d < 0 ? 0 : dims[d].bits;
}

static unsigned shiftOf(const LayoutDims &dims, const std::string &name) {
  unsigned shift = 0;
  for (size_t d = dims.size(); d-- > 0;) {
    if (dims[d].name == name)
      return shift;
    shift += dims[d].bits;
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Constructors
//===----------------------------------------------------------------------===//

LinearLayout::LinearLayout(LayoutDims inputs, LayoutDims outputs,
                           std::vector<uint64_t> columns)
    : ins(std::move(inputs)), outs(std::move(outputs)),
      cols(std::move(columns)) {
  assert(cols.size() == totalBits(ins) && "one column an input bit");
  assert(totalBits(ins) < 64 && totalBits(outs) < 64 && "indices are words");
  for ([[maybe_unused]] uint64_t column : cols)
    assert(column >> totalBits(outs) == 0 && "column outside the outputs");
}

LinearLayout LinearLayout::identity(const std::string &input,
                                    const std::string &output, unsigned bits) {
  return strided(input, output, bits, 0);
}

LinearLayout LinearLayout::strided(const std::string &input,
                                   const std::string &output, unsigned bits,
                                   unsigned shift) {
  std::vector<uint64_t> columns(bits);
  for (unsigned bit = 0; bit < bits; ++bit)
    columns[bit] = uint64_t(1) << (bit + shift);
  return LinearLayout({{input, bits}}, {{output, bits + shift}},
                      std::move(columns));
}

LinearLayout LinearLayout::replicated(const std::string &input, unsigned bits,
                                      LayoutDims outputs) {
  return LinearLayout({{input, bits}}, std::move(outputs),
                      std::vector<uint64_t>(bits, 0));
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

bool LinearLayout::hasInput(const std::string &name) const {
  return findDim(ins, name) >= 0;
}

bool LinearLayout::hasOutput(const std::string &name) const {
  return findDim(outs, name) >= 0;
}

unsigned LinearLayout::inputBits(const std::string &name) const {
  return bitsOf(ins, name);
}

unsigned LinearLayout::outputBits(const std::string &name) const {
  return bitsOf(outs, name);
}

unsigned LinearLayout::inputShift(const std::string &name) const {
  return shiftOf(ins, name);
}

unsigned LinearLayout::outputShift(const std::string &name) const {
  return shiftOf(outs, name);
}

uint64_t LinearLayout::inputMask(const std::string &name) const {
  return ((uint64_t(1) << inputBits(name)) - 1) << inputShift(name);
}

uint64_t LinearLayout::outputMask(const std::string &name) const {
  return ((uint64_t(1) << outputBits(name)) - 1) << outputShift(name);
}

uint64_t LinearLayout::basis(const std::string &input, unsigned bit) const {
  assert(bit < inputBits(input) && "no such bit");
  return cols[inputShift(input) + bit];
}

std::vector<uint64_t> LinearLayout::basisIndices(const std::string &input,
                                                 unsigned bit) const {
  return unpackIndices(outs, basis(input, bit));
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

uint64_t LinearLayout::apply(uint64_t packedInput) const {
  uint64_t result = 0;
  for (; packedInput; packedInput &= packedInput - 1)
    result ^= cols[lowestBit(packedInput)];
  return result;
}

std::vector<uint64_t>
LinearLayout::apply(const std::vector<uint64_t> &inputIndices) const {
  return unpackIndices(outs, apply(packIndices(ins, inputIndices)));
}

//===----------------------------------------------------------------------===//
// Linear algebra
//===----------------------------------------------------------------------===//

/// The columns inserted lowest first, so that low input bits are preferred.
static GF2Basis basisOf(const std::vector<uint64_t> &columns) {
  GF2Basis basis;
  for (size_t i = 0; i < columns.size(); ++i)
    basis.insert(columns[i], i);
  return basis;
}

unsigned LinearLayout::rank() const { return basisOf(cols).rank(); }

bool LinearLayout::isIdentity() const {
  if (inputBits() != outputBits())
    return false;
  for (unsigned i = 0; i < cols.size(); ++i)
    if (cols[i] != uint64_t(1) << i)
      return false;
  return true;
}

LinearLayout LinearLayout::compose(const LinearLayout &outer) const {
  // Where bit i of this layout's packed output lies in outer's packed input.
  std::vector<uint64_t> through(outputBits());
  for (const LayoutDim &out : outs) {
    assert(out.bits <= outer.inputBits(out.name) && "output does not fit");
    for (unsigned bit = 0; bit < out.bits; ++bit)
      through[outputShift(out.name) + bit] = outer.basis(out.name, bit);
  }
  std::vector<uint64_t> columns(cols.size(), 0);
  for (size_t i = 0; i < cols.size(); ++i)
    for (uint64_t rest = cols[i]; rest; rest &= rest - 1)
      columns[i] ^= through[lowestBit(rest)];
  return LinearLayout(ins, outer.outs, std::move(columns));
}

LinearLayout LinearLayout::inverse() const {
  assert(isInvertible() && "no inverse");
  return pseudoInverse();
}

LinearLayout LinearLayout::pseudoInverse() const {
  GF2Basis basis = basisOf(cols);
  std::vector<uint64_t> columns(outputBits());
  for (unsigned bit = 0; bit < columns.size(); ++bit) {
    std::optional<uint64_t> solution = basis.solve(uint64_t(1) << bit);
    assert(solution && "only a surjective layout has a right inverse");
    columns[bit] = *solution;
  }
  return LinearLayout(outs, ins, std::move(columns));
}

std::optional<LinearLayout>
LinearLayout::relativeTo(const LinearLayout &source) const {
  assert(outs == source.outs && "layouts of one tensor");
  GF2Basis all = basisOf(source.cols);
  std::vector<uint64_t> columns;
  for (auto in = ins.rbegin(); in != ins.rend(); ++in) {
    // What the dimensions below this one can reach in the source.
    unsigned shift = source.inputShift(in->name);
    GF2Basis below =
        basisOf({source.cols.begin(), source.cols.begin() + shift});
    for (unsigned bit = 0; bit < in->bits; ++bit) {
      uint64_t element = basis(in->name, bit);
      std::optional<uint64_t> solution;
      if (bit < source.inputBits(in->name)) {
        solution = below.solve(element ^ source.basis(in->name, bit));
        if (solution)
          *solution |= uint64_t(1) << (shift + bit);
      }
      if (!solution)
        solution = all.solve(element);
      if (!solution)
        return std::nullopt;
      columns.push_back(*solution);
    }
  }
  return LinearLayout(ins, source.ins, std::move(columns));
}

uint64_t LinearLayout::freeInputBits() const {
  GF2Basis basis;
  uint64_t free = 0;
  for (size_t i = 0; i < cols.size(); ++i)
    if (!basis.insert(cols[i], i))
      free |= uint64_t(1) << i;
  return free;
}

uint64_t LinearLayout::freeBits(const std::string &input) const {
  return (freeInputBits() & inputMask(input)) >> inputShift(input);
}

std::vector<uint64_t> LinearLayout::kernel() const {
  GF2Basis basis;
  std::vector<uint64_t> result;
  for (size_t i = 0; i < cols.size(); ++i) {
    uint64_t dependency;
    if (!basis.insert(cols[i], i, &dependency))
      result.push_back(dependency);
  }
  return result;
}

std::vector<uint64_t> LinearLayout::image() const {
  GF2Basis basis;
  std::vector<uint64_t> result;
  for (size_t i = 0; i < cols.size(); ++i)
    if (basis.insert(cols[i], i))
      result.push_back(cols[i]);
  return result;
}
