//===- PrepareDotScaled.cpp - Scaled products by matrix atoms -------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kernel.dot_scaled` where an atom multiplies by the factors itself. Operands
// keep their formats: e2m1 stays in bytes, two along K.
//===----------------------------------------------------------------------===//
#include "backends/simt/transforms/PrepareDot.h"

#include "backends/common/Decompose.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilewright::simt {

/// Products of more instructions a warp are loops when they are decomposed;
/// here all would be written out.
static constexpr int64_t kMostInstructions = 1024;

static std::optional<Element> elementOf(StringRef format) {
  if (format == "e4m3")
    return Element::F8E4M3FN;
  if (format == "e5m2")
    return Element::F8E5M2;
  if (format == "e2m1")
    return Element::F4E2M1;
  return std::nullopt;
}

namespace {
/// Extents of the product.
struct Extents {
  int64_t m, n, k;
};
} // namespace

static Extents extentsOf(kernel::DotScaledOp op) {
  auto result = cast<RankedTensorType>(op.getAcc().getType());
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  bool isPacked = op.getLhsFormat() == "e2m1" && op.getLhsKPack();
  return {result.getDimSize(0), result.getDimSize(1),
          lhs.getDimSize(1) * (isPacked ? 2 : 1)};
}

/// The atom that gives work to most warps, the first of them.
static const MatrixAtom *findScaledAtom(const DotTarget &target, Element lhs,
                                        Element rhs, const Extents &extents) {
  const MatrixAtom *found = nullptr;
  int64_t most = 0;
  for (const MatrixAtom &atom : target.atoms) {
    if (!atom.isScaled || atom.lhs != lhs || atom.rhs != rhs ||
        extents.m < atom.m || extents.n < atom.n || extents.k < atom.k)
      continue;
    int64_t atoms = extents.m / atom.m * (extents.n / atom.n);
    int64_t warps = std::min<int64_t>(atoms, target.numWarps);
    if (warps <= most ||
        atoms / warps * (extents.k / atom.k) > kMostInstructions)
      continue;
    found = &atom;
    most = warps;
  }
  return found;
}

/// Whether an operand has its format's type, or its bits.
static bool hasFormat(Value value, Element format) {
  Type element = getElementTypeOrSelf(value);
  return element.isInteger(8) ||
         (format == Element::F8E4M3FN && isa<Float8E4M3FNType>(element)) ||
         (format == Element::F8E5M2 && isa<Float8E5M2Type>(element));
}

/// The operand as the atom takes it: its bytes, so that no conversion of types
/// keeps the product from reading them in shared memory.
static Value operandOf(kernel::DotScaledOp op, bool isRhs) {
  Value value = isRhs ? op.getRhs() : op.getLhs();
  StringRef format = isRhs ? op.getRhsFormat() : op.getLhsFormat();
  bool isAlongK = isRhs ? op.getRhsKPack() : op.getLhsKPack();
  if (format == "e2m1" && !isAlongK)
    return backend::packAlongK(op, value, isRhs);
  auto cast = value.getDefiningOp<arith::BitcastOp>();
  return cast && getElementTypeOrSelf(cast.getIn()).isInteger(8) ? cast.getIn()
                                                                 : value;
}

/// The given factors, or ones.
static Value scaleOf(OpBuilder &b, kernel::DotScaledOp op, bool isRhs,
                     const Extents &extents) {
  if (Value given = isRhs ? op.getRhsScale() : op.getLhsScale())
    return given;
  constexpr int64_t one = 127;
  auto type = RankedTensorType::get(
      {isRhs ? extents.n : extents.m, extents.k / int64_t(kScaleRun)},
      b.getI8Type());
  return arith::ConstantOp::create(
      b, op.getLoc(), DenseElementsAttr::get(type, b.getI8IntegerAttr(one)));
}

LogicalResult prepareDotScaled(RewriterBase &b, kernel::DotScaledOp op,
                               const DotTarget &target) {
  std::optional<Element> lhs = elementOf(op.getLhsFormat());
  std::optional<Element> rhs = elementOf(op.getRhsFormat());
  if (!lhs || !rhs || !hasFormat(op.getLhs(), *lhs) ||
      !hasFormat(op.getRhs(), *rhs))
    return b.notifyMatchFailure(op, "no atom multiplies such elements");
  Extents extents = extentsOf(op);
  for (int64_t extent : {extents.m, extents.n, extents.k})
    if (!llvm::isPowerOf2_64(extent))
      return b.notifyMatchFailure(op, "extents are no powers of two");
  const MatrixAtom *atom = findScaledAtom(target, *lhs, *rhs, extents);
  if (!atom)
    return b.notifyMatchFailure(op, "no atom with factors fits");
  Value left = operandOf(op, /*isRhs=*/false);
  Value right = operandOf(op, /*isRhs=*/true);
  Value scales[] = {scaleOf(b, op, /*isRhs=*/false, extents),
                    scaleOf(b, op, /*isRhs=*/true, extents)};
  b.replaceOpWithNewOp<DotOp>(
      op, op.getAcc().getType(), left, right, op.getAcc(), scales,
      kernel::DotPrecisionAttr::get(b.getContext(), kernel::DotPrecision::IEEE),
      b.getStringAttr(atom->name), UnitAttr());
  return success();
}

} // namespace tilewright::simt
