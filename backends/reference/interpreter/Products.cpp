//===- Products.cpp - Matrix products -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In k order. Integers wrap. f64 is a chain of fused multiply-adds; all other
// floats have exact products in double, are summed in double and rounded once
// to the accumulator's type, which is at least as exact as what is asked for:
// `kernel.precision` and `max_imprecise_acc` only permit less.
//
// Portable products of floats are rounded to f32 (f64 for f64), folded upper
// half onto lower, and added to the accumulator.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Interpreter.h"
#include "backends/reference/interpreter/Numbers.h"

#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <cmath>

using namespace mlir;

namespace tilewright::reference {

/// Adds two operands' product to a running integer sum.
static uint64_t addIntegers(uint64_t sum, uint64_t a, Type aType, uint64_t b,
                            Type bType, bool isUnsigned) {
  if (isUnsigned)
    return sum + a * b;
  return sum + uint64_t(signExtend(a, widthOf(aType))) *
                   uint64_t(signExtend(b, widthOf(bType)));
}

namespace {
/// Sums of products of floats, one term after the other.
class FloatSum {
public:
  FloatSum(Operation *op, Type element)
      : element(element), isStated(isPortable(op)) {}

  /// acc + sum of `lhs(k) * rhs(k)`, as bits of the element type.
  template <typename Left, typename Right>
  uint64_t compute(uint64_t acc, int64_t depth, const Left &lhs,
                   const Right &rhs) const {
    double sum = toDouble(acc, element);
    if (!isStated) {
      for (int64_t k = 0; k < depth; ++k)
        sum = std::fma(lhs(k), rhs(k), sum);
      return fromDouble(sum, element);
    }
    std::vector<double> terms(depth);
    for (int64_t k = 0; k < depth; ++k)
      terms[k] = rounded(lhs(k) * rhs(k));
    for (int64_t count = depth; count > 1; count = (count + 1) / 2)
      for (int64_t k = 0, half = (count + 1) / 2; k + half < count; ++k)
        terms[k] = rounded(terms[k] + terms[k + half]);
    return fromDouble(rounded(sum + terms[0]), element);
  }

private:
  /// Double has more than twice the digits of f32, so rounding twice is
  /// rounding once.
  double rounded(double number) const {
    return element.isF64() ? number : double(float(number));
  }

  Type element;
  bool isStated;
};
} // namespace

/// C += A B for `batches` row-major matrices, C being `result`.
static void multiply(Operation *op, const Tile &a, const Tile &b, Tile &result,
                     int64_t batches, bool isUnsigned) {
  size_t rank = result.shape.size();
  int64_t rows = result.shape[rank - 2], columns = result.shape[rank - 1];
  int64_t depth = a.shape[rank - 1];
  FloatSum sums(op, result.element);
  for (int64_t i = 0; i < batches * rows * columns; ++i) {
    int64_t batch = i / (rows * columns), column = i % columns;
    const uint64_t *left = &a.bits[i / columns * depth];
    const uint64_t *right = &b.bits[batch * depth * columns + column];
    if (isa<FloatType>(result.element)) {
      result.bits[i] = sums.compute(
          result.bits[i], depth,
          [&](int64_t k) { return toDouble(left[k], a.element); },
          [&](int64_t k) { return toDouble(right[k * columns], b.element); });
      continue;
    }
    uint64_t sum = result.bits[i];
    for (int64_t k = 0; k < depth; ++k)
      sum = addIntegers(sum, left[k], a.element, right[k * columns], b.element,
                        isUnsigned);
    result.bits[i] = truncate(sum, widthOf(result.element));
  }
}

template <typename Op> static bool matmul(Interpreter &at, Operation *op) {
  auto product = cast<Op>(op);
  Tile result = at.get(product.getDpsInits()[0]);
  bool isUnsigned = product.getCast() == linalg::TypeFn::cast_unsigned;
  int64_t batches = result.shape.size() == 3 ? result.shape[0] : 1;
  multiply(op, at.get(product.getDpsInputs()[0]),
           at.get(product.getDpsInputs()[1]), result, batches, isUnsigned);
  at.set(op->getResult(0), std::move(result));
  return true;
}

/// e2m1: sign, two exponent bits, one mantissa bit.
static double decodeE2M1(unsigned code) {
  static const double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  return code & 8 ? -magnitudes[code & 7] : magnitudes[code & 7];
}

namespace {
/// Reads an operand of dot_scaled as numbers.
class ScaledOperand {
public:
  /// `kDim` is the dimension that K runs along.
  ScaledOperand(const Tile &data, const Tile *scale, StringRef format,
                unsigned kDim, bool isPackedAlongK)
      : data(data), scale(scale), kDim(kDim), isPacked(format == "e2m1"),
        packedDim(isPackedAlongK ? kDim : 1 - kDim) {}

  int64_t extent(unsigned dim) const {
    return data.shape[dim] * (isPacked && dim == packedDim ? 2 : 1);
  }

  /// The number at (other, k), times its scale as f32 has it.
  double at(int64_t other, int64_t k) const {
    int64_t position[2];
    position[kDim] = k;
    position[1 - kDim] = other;
    double number;
    if (isPacked) { // two a byte, the first in the low half
      unsigned shift = 4 * (position[packedDim] & 1);
      position[packedDim] /= 2;
      number = decodeE2M1(
          data.bits[position[0] * data.shape[1] + position[1]] >> shift & 15);
    } else {
      number = toDouble(data.bits[position[0] * data.shape[1] + position[1]],
                        data.element);
    }
    if (!scale)
      return number;
    uint64_t exponent = scale->bits[other * scale->shape[1] + k / 32];
    return exponent == 255
               ? std::nan("")
               : double(float(std::ldexp(number, int(exponent) - 127)));
  }

private:
  const Tile &data;
  const Tile *scale;
  unsigned kDim;
  bool isPacked;
  unsigned packedDim;
};
} // namespace

static bool dotScaled(Interpreter &at, Operation *op) {
  auto dot = cast<kernel::DotScaledOp>(op);
  auto optional = [&](Value value) { return value ? &at.get(value) : nullptr; };
  ScaledOperand lhs(at.get(dot.getLhs()), optional(dot.getLhsScale()),
                    dot.getLhsFormat(), 1, dot.getLhsKPack());
  ScaledOperand rhs(at.get(dot.getRhs()), optional(dot.getRhsScale()),
                    dot.getRhsFormat(), 0, dot.getRhsKPack());
  Tile result = at.get(dot.getAcc());
  int64_t columns = result.shape[1];
  FloatSum sums(op, result.element);
  for (int64_t i = 0; i < result.size(); ++i)
    result.bits[i] = sums.compute(
        result.bits[i], lhs.extent(1),
        [&](int64_t k) { return lhs.at(i / columns, k); },
        [&](int64_t k) { return rhs.at(i % columns, k); });
  at.set(dot.getResult(), std::move(result));
  return true;
}

void addProducts(Semantics &semantics) {
  semantics.operations["linalg.matmul"] = matmul<linalg::MatmulOp>;
  semantics.operations["linalg.batch_matmul"] = matmul<linalg::BatchMatmulOp>;
  semantics.operations["kernel.dot_scaled"] = dotScaled;
}

} // namespace tilewright::reference
