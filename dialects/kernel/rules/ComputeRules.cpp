//===- ComputeRules.cpp - Constraints of matrix and count ops ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scaled matrix products, histograms, high products and printing.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/rules/OpRules.h"

using namespace mlir;

namespace tilewright::kernel::rules {

bool areDotOperands(Type lhs, Type rhs) {
  return lhs == rhs || (isFloat8(lhs) && isFloat8(rhs));
}

bool isDotAccumulator(Type element, Type acc) {
  if (element.isSignlessInteger(8))
    return acc.isSignlessInteger(32);
  if (element.isF64())
    return acc.isF64();
  if (element.isF16() || isFloat8(element))
    return acc.isF32() || acc.isF16();
  return (element.isBF16() || element.isF32()) && acc.isF32();
}

/// Elements along K that share one scale.
static constexpr int64_t elementsPerScale = 32;

static bool isFormatOfElement(StringRef format, Type element) {
  if (format == "e2m1")
    return element.isSignlessInteger(8);
  if (format == "e4m3")
    return isa<Float8E4M3FNType>(element);
  if (format == "e5m2")
    return isa<Float8E5M2Type>(element);
  if (format == "bf16")
    return element.isBF16();
  return format == "fp16" && element.isF16();
}

/// C2 of dot_scaled for one operand.
static LogicalResult verifyFormat(Operation *op, ScaledOperand operand) {
  if (!llvm::is_contained({"e2m1", "e4m3", "e5m2", "bf16", "fp16"},
                          operand.format))
    return breaks(op, "C2",
                  "expected format e2m1, e4m3, e5m2, bf16 or fp16, got \"" +
                      operand.format + "\"");
  Type element = operand.type.getElementType();
  if (!isFormatOfElement(operand.format, element))
    return breaks(op, "C2", "elements of format " + operand.format, element);
  return success();
}

/// Extents of an operand along K and along its other dimension, in elements:
/// e2m1 holds two a byte.
static std::pair<int64_t, int64_t> unpackedExtents(ScaledOperand operand,
                                                   unsigned dimensionK) {
  int64_t k = operand.type.getDimSize(dimensionK);
  int64_t other = operand.type.getDimSize(1 - dimensionK);
  if (operand.format == "e2m1")
    (operand.packedAlongK ? k : other) *= 2;
  return {k, other};
}

/// C3 of dot_scaled for one operand.
static LogicalResult verifyScale(Operation *op, Type scale, int64_t k,
                                 int64_t other) {
  if (!scale)
    return success();
  auto tensor = dyn_cast<RankedTensorType>(scale);
  SmallVector<int64_t> shape{other, k / elementsPerScale};
  if (!tensor || k % elementsPerScale != 0 ||
      !tensor.getElementType().isSignlessInteger(8) ||
      tensor.getShape() != ArrayRef<int64_t>(shape))
    return breaks(op, "C3",
                  "one i8 scale for each 32 of " + Twine(k) +
                      " elements along K and " + Twine(other) + " rows",
                  scale);
  return success();
}

LogicalResult verifyDotScaled(Operation *op, ScaledOperand lhs,
                              ScaledOperand rhs, Type acc) {
  if (failed(verifyFormat(op, lhs)) || failed(verifyFormat(op, rhs)))
    return failure();
  auto result = cast<RankedTensorType>(acc);
  if (lhs.type.getRank() != 2 || rhs.type.getRank() != 2 ||
      result.getRank() != 2)
    return breaks(op, "C1", "expected 2-D operands");
  auto [lhsK, m] = unpackedExtents(lhs, 1);
  auto [rhsK, n] = unpackedExtents(rhs, 0);
  if (lhsK != rhsK)
    return breaks(op, "C1",
                  "expected equal extents along K, got " + Twine(lhsK) +
                      " and " + Twine(rhsK));
  if (!result.getElementType().isF32() || result.getDimSize(0) != m ||
      result.getDimSize(1) != n)
    return breaks(op, "C1",
                  "an accumulator of " + Twine(m) + "x" + Twine(n) + " f32",
                  acc);
  if (failed(verifyScale(op, lhs.scale, lhsK, m)))
    return failure();
  return verifyScale(op, rhs.scale, rhsK, n);
}

LogicalResult verifyHistogram(Operation *op, Type source, Type mask,
                              Type result) {
  if (shapeOf(source).size() != 1 ||
      !getElementTypeOrSelf(source).isSignlessInteger())
    return breaks(op, "C1", "a 1-D source of integers", source);
  if (shapeOf(result).size() != 1 ||
      !getElementTypeOrSelf(result).isSignlessInteger(32))
    return breaks(op, "C1", "a 1-D result of i32", result);
  if (mask && (!haveSameShape(mask, source) ||
               !getElementTypeOrSelf(mask).isSignlessInteger(1)))
    return breaks(op, "C2", "an i1 mask of the source's shape", mask);
  return success();
}

LogicalResult verifyMulHi(Operation *op) {
  Type type = op->getResult(0).getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (width != 32 && width != 64)
    return breaks(op, "C1", "32- or 64-bit integers", type);
  return success();
}

LogicalResult verifyPrint(Operation *op, size_t values, size_t signedness) {
  if (values != signedness)
    return breaks(op, "C1",
                  "expected " + Twine(values) + " entries of signedness, got " +
                      Twine(signedness));
  return success();
}

} // namespace tilewright::kernel::rules
