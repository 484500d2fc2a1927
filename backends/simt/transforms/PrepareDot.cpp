//===- PrepareDot.cpp - Products as the target computes them ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By type and extent; f32 that may be less exact is split into parts that an
// atom takes.
//===----------------------------------------------------------------------===//
#include "backends/simt/transforms/PrepareDot.h"

#include "backends/simt/transforms/Passes.h"

using namespace mlir;

namespace tilewright::simt {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// In what type products are summed: at least as exact as the result's.
static Type computeType(Type result) {
  bool isSmall = isa<FloatType>(result) && result.getIntOrFloatBitWidth() < 32;
  return isSmall ? Float32Type::get(result.getContext()) : result;
}

static Value convertTo(OpBuilder &b, Location loc, Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  Type from = type.getElementType(), to = type.clone(element);
  if (from == element)
    return value;
  if (isa<IntegerType>(element))
    return arith::ExtSIOp::create(b, loc, to, value);
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, loc, to, value);
  return arith::TruncFOp::create(b, loc, to, value);
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

std::optional<std::vector<MatrixAtom>> parseAtoms(Operation *op,
                                                  ArrayRef<std::string> texts) {
  std::vector<MatrixAtom> atoms;
  for (const std::string &text : texts) {
    std::optional<MatrixAtom> atom = parseAtom(text);
    if (!atom) {
      op->emitError() << "expected a matrix atom, got '" << text << "'";
      return std::nullopt;
    }
    atoms.push_back(*atom);
  }
  return atoms;
}

/// Whether an atom's operand is of this type. TF32 is f32 that may be rounded.
static bool isElement(Element element, Type type, bool mayRound) {
  switch (element) {
  case Element::I8:
    return type.isInteger(8);
  case Element::I32:
    return type.isInteger(32);
  case Element::F8E4M3FN:
    return isa<Float8E4M3FNType>(type);
  case Element::F8E5M2:
    return isa<Float8E5M2Type>(type);
  case Element::F8E4M3FNUZ:
    return isa<Float8E4M3FNUZType>(type);
  case Element::F8E5M2FNUZ:
    return isa<Float8E5M2FNUZType>(type);
  case Element::BF16:
    return type.isBF16();
  case Element::F16:
    return type.isF16();
  case Element::TF32:
    return type.isF32() && mayRound;
  case Element::F32:
    return type.isF32();
  case Element::F64:
    return type.isF64();
  case Element::F4E2M1: // of products with factors alone
    return false;
  }
  llvm_unreachable("all elements are listed");
}

/// Whether a lane's first elements of the left operand are neighbours along k,
/// which reads from memory fetch in one piece.
static bool takesNeighbours(const MatrixAtom &atom) {
  return atom.lhsLayout.inputBits(registerDim) == 0 ||
         atom.lhsLayout.basisIndices(registerDim, 0) ==
             std::vector<uint64_t>{0, 1};
}

/// Whether a product's left operand is made of another product's result, whose
/// registers some atoms take as they are.
static bool continuesProduct(Value lhs) {
  SmallVector<Value> pending = {lhs};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<linalg::MatmulOp, linalg::BatchMatmulOp, DotOp>(op))
      return true;
    if (OpTrait::hasElementwiseMappableTraits(op))
      llvm::append_range(pending, op->getOperands());
  }
  return false;
}

/// Whether whole atoms make up a product of these operands onto `wide` sums.
static bool fits(const MatrixAtom &atom, RankedTensorType left,
                 RankedTensorType right, Type wide, bool mayRound) {
  int64_t rank = left.getRank();
  return !atom.isScaled &&
         isElement(atom.lhs, left.getElementType(), mayRound) &&
         isElement(atom.rhs, right.getElementType(), mayRound) &&
         isElement(atom.result, wide, false) &&
         left.getDimSize(rank - 2) >= atom.m &&
         left.getDimSize(rank - 1) >= atom.k &&
         right.getDimSize(rank - 1) >= atom.n;
}

/// The atom that serves a product of extents that are powers of two. Larger
/// ones stand first, but each warp needs one; of those of one size, the one
/// that suits where the left operand comes from.
static const MatrixAtom *findAtom(const DotTarget &target, Value lhs,
                                  RankedTensorType left, RankedTensorType right,
                                  Type wide, kernel::DotPrecision precision) {
  auto isPower = [](int64_t extent) { return llvm::isPowerOf2_64(extent); };
  if (!llvm::all_of(left.getShape(), isPower) ||
      !llvm::all_of(right.getShape(), isPower))
    return nullptr;
  bool mayRound = precision == kernel::DotPrecision::TF32;
  bool fromMemory = !continuesProduct(lhs);
  const MatrixAtom *found = nullptr;
  int64_t most = 0;
  for (const MatrixAtom &atom : target.atoms) {
    if (!fits(atom, left, right, wide, mayRound))
      continue;
    int64_t rank = left.getRank();
    int64_t count = left.getNumElements() / left.getDimSize(rank - 1) / atom.m *
                    (right.getDimSize(rank - 1) / atom.n);
    count = std::min<int64_t>(count, target.numWarps);
    bool suitsBetter = found && count == most && fromMemory &&
                       atom.m == found->m && atom.n == found->n &&
                       takesNeighbours(atom) && !takesNeighbours(*found);
    if (count > most || suitsBetter) {
      found = &atom;
      most = count;
    }
  }
  return found;
}

/// One `simt.dot`.
static Value createDot(OpBuilder &b, Location loc, Value lhs, Value rhs,
                       Value accumulator, kernel::DotPrecision precision,
                       const MatrixAtom *atom, bool isPortable = false) {
  return DotOp::create(b, loc, accumulator.getType(), lhs, rhs, accumulator,
                       ValueRange(),
                       kernel::DotPrecisionAttr::get(b.getContext(), precision),
                       atom ? b.getStringAttr(atom->name) : StringAttr(),
                       isPortable ? b.getUnitAttr() : UnitAttr());
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// How a precision splits f32: into `parts` of 24 - `droppedBits` bits each.
struct Splitting {
  unsigned parts, droppedBits;
};

static std::optional<Splitting> splittingOf(kernel::DotPrecision precision) {
  switch (precision) {
  case kernel::DotPrecision::TF32x3:
    return Splitting{2, 13};
  case kernel::DotPrecision::BF16x3:
    return Splitting{2, 16};
  case kernel::DotPrecision::BF16x6:
    return Splitting{3, 16};
  default:
    return std::nullopt;
  }
}

/// f32 without its last bits: rounded where that does not overflow, else cut
/// off. NaN stays one.
static Value headOf(OpBuilder &b, Location loc, Value value,
                    unsigned droppedBits) {
  auto type = cast<RankedTensorType>(value.getType());
  auto bitsType = type.clone(b.getI32Type());
  auto number = [&](uint32_t bits) -> Value {
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(bitsType, APInt(32, bits)));
  };
  uint32_t kept = ~((1u << droppedBits) - 1);
  Value bits = arith::BitcastOp::create(b, loc, bitsType, value);
  Value rounded = arith::AndIOp::create(
      b, loc,
      arith::AddIOp::create(b, loc, bits, number(1u << (droppedBits - 1))),
      number(kept));
  Value cut = arith::AndIOp::create(b, loc, bits, number(kept));
  Value magnitude = arith::AndIOp::create(b, loc, bits, number(0x7fffffff));
  Value isLarge = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge,
                                        magnitude, number(0x7f000000));
  Value isNaN = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt,
                                      magnitude, number(0x7f800000));
  Value head = arith::SelectOp::create(b, loc, isLarge, cut, rounded);
  head = arith::SelectOp::create(b, loc, isNaN, bits, head);
  return arith::BitcastOp::create(b, loc, type, head);
}

static SmallVector<Value> split(OpBuilder &b, Location loc, Value value,
                                const Splitting &splitting, Type element) {
  SmallVector<Value> parts;
  for (unsigned part = 0; part < splitting.parts; ++part) {
    Value head = headOf(b, loc, value, splitting.droppedBits);
    parts.push_back(convertTo(b, loc, head, element));
    if (part + 1 < splitting.parts)
      value = arith::SubFOp::create(b, loc, value, head);
  }
  return parts;
}

/// Where all is finite, the value, else 0.
static Value orZero(OpBuilder &b, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Value infinity = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(type, APFloat::getInf(APFloat::IEEEsingle())));
  Value isFinite = arith::CmpFOp::create(
      b, loc, arith::CmpFPredicate::OLT,
      mlir::math::AbsFOp::create(b, loc, value), infinity);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  return arith::SelectOp::create(b, loc, isFinite, value, zero);
}

/// Products of parts whose numbers add up to less than the number of parts,
/// the smallest first. Null if no atom takes the parts. The smaller ones are
/// summed apart: they are NaN or infinite only where the product of the heads
/// is (infinity times a part that is 0), and then say nothing.
static Value createSplitDot(OpBuilder &b, Location loc, Value lhs, Value rhs,
                            Value accumulator, kernel::DotPrecision precision,
                            const DotTarget &target) {
  std::optional<Splitting> splitting = splittingOf(precision);
  if (!splitting || !getElementTypeOrSelf(lhs.getType()).isF32() ||
      !getElementTypeOrSelf(rhs.getType()).isF32())
    return nullptr;
  bool isTF32 = precision == kernel::DotPrecision::TF32x3;
  Type element = isTF32 ? Type(b.getF32Type()) : Type(b.getBF16Type());
  auto of = [&](Value value) {
    return cast<RankedTensorType>(value.getType()).clone(element);
  };
  auto partPrecision =
      isTF32 ? kernel::DotPrecision::TF32 : kernel::DotPrecision::IEEE;
  const MatrixAtom *atom =
      findAtom(target, lhs, of(lhs), of(rhs), b.getF32Type(), partPrecision);
  if (!atom)
    return nullptr;
  SmallVector<Value> left = split(b, loc, lhs, *splitting, element);
  SmallVector<Value> right = split(b, loc, rhs, *splitting, element);
  auto type = cast<RankedTensorType>(accumulator.getType());
  Value small = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  for (unsigned sum = splitting->parts - 1; sum > 0; --sum)
    for (unsigned i = 0; i <= sum; ++i)
      small = createDot(b, loc, left[i], right[sum - i], small, partPrecision,
                        atom);
  Value heads =
      createDot(b, loc, left[0], right[0], accumulator, partPrecision, atom);
  return arith::AddFOp::create(b, loc, heads, orZero(b, loc, small));
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

static kernel::DotPrecision precisionOf(Operation *op) {
  auto text = op->getAttrOfType<StringAttr>("kernel.precision");
  return text ? kernel::symbolizeDotPrecision(text.getValue())
                    .value_or(kernel::DotPrecision::IEEE)
              : kernel::DotPrecision::IEEE;
}

/// Operands as the target's matrix instruction takes them, else in the type in
/// which products are summed.
LogicalResult prepareDot(RewriterBase &b, linalg::LinalgOp op, DotTarget target,
                         bool isPortable) {
  Location loc = op.getLoc();
  kernel::DotPrecision precision = precisionOf(op);
  Value init = op.getDpsInits()[0];
  Type element = getElementTypeOrSelf(init.getType());
  Type wide = computeType(element);
  Value lhs = op.getDpsInputs()[0], rhs = op.getDpsInputs()[1];
  Value accumulator = convertTo(b, loc, init, wide);
  if (isPortable)
    target.atoms = {};
  Value product =
      createSplitDot(b, loc, lhs, rhs, accumulator, precision, target);
  if (!product) {
    const MatrixAtom *atom =
        findAtom(target, lhs, cast<RankedTensorType>(lhs.getType()),
                 cast<RankedTensorType>(rhs.getType()), wide, precision);
    if (!atom) {
      lhs = convertTo(b, loc, lhs, wide);
      rhs = convertTo(b, loc, rhs, wide);
    }
    product =
        createDot(b, loc, lhs, rhs, accumulator, precision, atom, isPortable);
  }
  b.replaceOp(op, convertTo(b, loc, product, element));
  return success();
}

} // namespace tilewright::simt
