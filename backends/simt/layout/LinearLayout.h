//===- LinearLayout.h - Linear maps over GF(2) ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layout says which element of a tensor a register of a thread (or an offset
// of a shared buffer) holds: a linear map from bits of hardware indices to bits
// of tensor coordinates, where addition is exclusive or. The idea is that of
// "Linear Layouts", arXiv 2505.23819. Plain C++: no MLIR, no LLVM.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_LAYOUT_LINEARLAYOUT_H
#define TILEWRIGHT_BACKENDS_SIMT_LAYOUT_LINEARLAYOUT_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::simt {

/// Names of the hardware dimensions, in the order that layouts list them.
inline constexpr char warpDim[] = "warp";
inline constexpr char laneDim[] = "lane";
inline constexpr char registerDim[] = "register";
/// Name of a shared buffer's only input dimension, in elements.
inline constexpr char offsetDim[] = "offset";

/// Name of dimension `d` of a tensor: "dim0", "dim1", ...
std::string tensorDim(unsigned d);

/// One dimension of a layout: the indices [0, 2^bits).
struct LayoutDim {
  std::string name;
  unsigned bits = 0;

  uint64_t size() const { return uint64_t(1) << bits; }
  bool operator==(const LayoutDim &other) const {
    return name == other.name && bits == other.bits;
  }
  bool operator!=(const LayoutDim &other) const { return !(*this == other); }
};

/// Dimensions, the last one in the lowest bits of a packed index (row-major).
using LayoutDims = std::vector<LayoutDim>;

/// Sum of the dimensions' bits.
unsigned totalBits(const LayoutDims &dims);
/// Joins one index a dimension into a packed index.
uint64_t packIndices(const LayoutDims &dims,
                     const std::vector<uint64_t> &indices);
/// Splits a packed index into one index a dimension.
std::vector<uint64_t> unpackIndices(const LayoutDims &dims, uint64_t packed);

/// A linear map from packed inputs to packed outputs, both at most 63 bits.
///
/// For example a 2x4 tensor over 4 lanes of 2 registers, rows over lanes:
///   lane 1 -> (0, 2), lane 2 -> (1, 0), register 1 -> (0, 1)
/// so that lane 3, register 1 holds (1, 2) ^ (0, 1) = (1, 3).
class LinearLayout {
public:
  LinearLayout() = default;
  /// `columns[i]` is the packed output of the packed input `1 << i`.
  LinearLayout(LayoutDims inputs, LayoutDims outputs,
               std::vector<uint64_t> columns);

  //===--- Constructors ---------------------------------------------------===//

  /// Input index i -> output index i.
  static LinearLayout identity(const std::string &input,
                               const std::string &output, unsigned bits);
  /// Input index i -> output index i << shift, in `shift + bits` bits.
  static LinearLayout strided(const std::string &input,
                              const std::string &output, unsigned bits,
                              unsigned shift);
  /// Every index of the input -> 0: all hold the same.
  static LinearLayout replicated(const std::string &input, unsigned bits,
                                 LayoutDims outputs);

  //===--- Shape ----------------------------------------------------------===//

  const LayoutDims &inputs() const { return ins; }
  const LayoutDims &outputs() const { return outs; }
  const std::vector<uint64_t> &columns() const { return cols; }
  unsigned inputBits() const { return cols.size(); }
  unsigned outputBits() const { return totalBits(outs); }
  bool hasInput(const std::string &name) const;
  bool hasOutput(const std::string &name) const;
  /// Bits of the named dimension; 0 if there is none of that name.
  unsigned inputBits(const std::string &name) const;
  unsigned outputBits(const std::string &name) const;
  /// Where the named dimension begins in a packed index.
  unsigned inputShift(const std::string &name) const;
  unsigned outputShift(const std::string &name) const;
  /// The bits of a packed index that belong to the named dimension.
  uint64_t inputMask(const std::string &name) const;
  uint64_t outputMask(const std::string &name) const;
  /// Packed output of bit `bit` of the named input.
  uint64_t basis(const std::string &input, unsigned bit) const;
  /// The same, one index an output dimension.
  std::vector<uint64_t> basisIndices(const std::string &input,
                                     unsigned bit) const;

  bool operator==(const LinearLayout &other) const {
    return ins == other.ins && outs == other.outs && cols == other.cols;
  }
  bool operator!=(const LinearLayout &other) const { return !(*this == other); }

  //===--- Evaluation -----------------------------------------------------===//

  uint64_t apply(uint64_t packedInput) const;
  /// One index an input dimension in, one an output dimension out.
  std::vector<uint64_t> apply(const std::vector<uint64_t> &inputIndices) const;

  //===--- Linear algebra -------------------------------------------------===//

  unsigned rank() const;
  bool isInjective() const { return rank() == inputBits(); }
  bool isSurjective() const { return rank() == outputBits(); }
  bool isInvertible() const { return isInjective() && isSurjective(); }
  bool isIdentity() const;

  /// `outer(this(x))`. Outputs meet inputs by name; each output is at most as
  /// large as the input, and an input that is no output here is 0.
  LinearLayout compose(const LinearLayout &outer) const;
  /// The inverse of an invertible layout.
  LinearLayout inverse() const;
  /// A right inverse of a surjective layout: `this(result(y)) == y`, with 0 in
  /// all free bits, so that low registers of low lanes are preferred.
  LinearLayout pseudoInverse() const;
  /// The map C with `source(C(x)) == this(x)`: where `source` holds what this
  /// layout holds at x. C stays in the same warp, then in the same lane,
  /// wherever source holds the element there (dimensions later in the list are
  /// cheaper to cross). None if source lacks one of this layout's elements.
  std::optional<LinearLayout> relativeTo(const LinearLayout &source) const;

  /// Input bits whose column depends on lower columns: fixing them to 0 leaves
  /// exactly one input for each output that is reached.
  uint64_t freeInputBits() const;
  /// The free bits of the named input, shifted down to its index.
  uint64_t freeBits(const std::string &input) const;
  /// Packed inputs that span all x with `this(x) == 0`.
  std::vector<uint64_t> kernel() const;
  /// Packed outputs that span what is reached; independent.
  std::vector<uint64_t> image() const;

  //===--- Products and parts ---------------------------------------------===//

  /// Both side by side: dimensions of one name are joined, the inner layout
  /// (this) in the low bits. Dimensions that only `outer` has come first.
  LinearLayout product(const LinearLayout &outer) const;
  /// The layout Q with `inner.product(Q) == this`, if there is one. Q keeps all
  /// of this layout's dimensions.
  std::optional<LinearLayout> divide(const LinearLayout &inner) const;
  /// The part from the named inputs to the named outputs, in that order.
  LinearLayout sublayout(const std::vector<std::string> &inputNames,
                         const std::vector<std::string> &outputNames) const;
  /// Whether the named inputs never reach the named outputs.
  bool isZero(const std::vector<std::string> &inputNames,
              const std::vector<std::string> &outputNames) const;
  /// The quotient by a set of inputs: what the others reach in the outputs
  /// modulo what the named inputs reach. Inputs that are named are left out.
  LinearLayout quotient(const std::vector<std::string> &inputNames) const;
  /// `this(x) ^ other(y)`, on the inputs of both (other's first).
  LinearLayout concatInputs(const LinearLayout &other) const;
  /// `(other(x), this(x))`: other's outputs first.
  LinearLayout concatOutputs(const LinearLayout &other) const;

  //===--- Dimensions -----------------------------------------------------===//

  LinearLayout transposeInputs(const std::vector<std::string> &names) const;
  LinearLayout transposeOutputs(const std::vector<std::string> &names) const;
  /// Splits the same bits into other dimensions, row-major.
  LinearLayout reshapeInputs(LayoutDims dims) const;
  LinearLayout reshapeOutputs(LayoutDims dims) const;
  LinearLayout renameInput(const std::string &from,
                           const std::string &to) const;
  LinearLayout renameOutput(const std::string &from,
                            const std::string &to) const;
  /// Adds high bits that change nothing, or removes high bits.
  LinearLayout resizeInput(const std::string &name, unsigned bits) const;
  /// Makes room in an output, or drops its high bits.
  LinearLayout resizeOutput(const std::string &name, unsigned bits) const;
  LinearLayout removeInput(const std::string &name) const;
  LinearLayout removeOutput(const std::string &name) const;
  /// The layout without the input bits of `mask` (fixed to 0).
  LinearLayout removeInputBits(uint64_t mask) const;

  //===--- Text -----------------------------------------------------------===//

  /// `warp=[], lane=[[1, 0]], register=[[0, 1]] -> dim0=2, dim1=2`: one basis a
  /// bit, one index an output dimension.
  std::string toString() const;
  /// Reads what `toString` prints; gives none and says why on other text.
  static std::optional<LinearLayout> parse(const std::string &text,
                                           std::string &error);

private:
  LayoutDims ins, outs;
  std::vector<uint64_t> cols;
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_LAYOUT_LINEARLAYOUT_H
