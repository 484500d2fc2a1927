//===- Floats.cpp - Float arithmetic and comparisons -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One IEEE operation, rounded once to the type; fp8 computes in f32 and rounds.
// Nothing is contracted, whatever the fastmath flags permit.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Interpreter.h"
#include "backends/reference/interpreter/Numbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilewright::reference {

static constexpr auto kNearest = llvm::RoundingMode::NearestTiesToEven;

using FloatFunction = APFloat (*)(APFloat a, const APFloat &b);

template <FloatFunction function> static Element makeBinary(Operation *op) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return [type](const uint64_t *in) {
    return toBits(function(toOperand(in[0], type), toOperand(in[1], type)),
                  type);
  };
}

static APFloat add(APFloat a, const APFloat &b) {
  a.add(b, kNearest);
  return a;
}
static APFloat subtract(APFloat a, const APFloat &b) {
  a.subtract(b, kNearest);
  return a;
}
static APFloat multiply(APFloat a, const APFloat &b) {
  a.multiply(b, kNearest);
  return a;
}
static APFloat divide(APFloat a, const APFloat &b) {
  a.divide(b, kNearest);
  return a;
}
/// C's fmod: exact, with the sign of the dividend.
static APFloat remainder(APFloat a, const APFloat &b) {
  a.mod(b);
  return a;
}
// NaN is ignored by the numeric forms and propagated by the others; -0 < +0.
static APFloat maximumNumber(APFloat a, const APFloat &b) {
  return llvm::maximumnum(a, b);
}
static APFloat minimumNumber(APFloat a, const APFloat &b) {
  return llvm::minimumnum(a, b);
}
static APFloat maximum(APFloat a, const APFloat &b) {
  return llvm::maximum(a, b);
}
static APFloat minimum(APFloat a, const APFloat &b) {
  return llvm::minimum(a, b);
}
static APFloat copySign(APFloat a, const APFloat &b) {
  a.copySign(b);
  return a;
}

static Element makeNegate(Operation *op) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return [type](const uint64_t *in) {
    APFloat number = toOperand(in[0], type);
    number.changeSign();
    return toBits(number, type);
  };
}

static Element makeAbsolute(Operation *op) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return [type](const uint64_t *in) {
    APFloat number = toOperand(in[0], type);
    number.clearSign();
    return toBits(number, type);
  };
}

/// The product is not rounded before the sum.
static Element makeFusedMultiplyAdd(Operation *op) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return [type](const uint64_t *in) {
    APFloat number = toOperand(in[0], type);
    number.fusedMultiplyAdd(toOperand(in[1], type), toOperand(in[2], type),
                            kNearest);
    return toBits(number, type);
  };
}

template <llvm::RoundingMode mode>
static Element makeRoundToIntegral(Operation *op) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return [type](const uint64_t *in) {
    APFloat number = toOperand(in[0], type);
    number.roundToIntegral(mode);
    return toBits(number, type);
  };
}

/// Bits of arith.cmpf's predicates: equal, greater, less, unordered.
static bool holds(arith::CmpFPredicate predicate, APFloat::cmpResult order) {
  using P = arith::CmpFPredicate;
  bool isUnordered = order == APFloat::cmpUnordered;
  bool isEqual = order == APFloat::cmpEqual;
  bool isLess = order == APFloat::cmpLessThan;
  bool isGreater = order == APFloat::cmpGreaterThan;
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::OEQ:
    return isEqual;
  case P::OGT:
    return isGreater;
  case P::OGE:
    return isGreater || isEqual;
  case P::OLT:
    return isLess;
  case P::OLE:
    return isLess || isEqual;
  case P::ONE:
    return isLess || isGreater;
  case P::ORD:
    return !isUnordered;
  case P::UEQ:
    return isEqual || isUnordered;
  case P::UGT:
    return isGreater || isUnordered;
  case P::UGE:
    return !isLess;
  case P::ULT:
    return isLess || isUnordered;
  case P::ULE:
    return !isGreater;
  case P::UNE:
    return !isEqual;
  case P::UNO:
    return isUnordered;
  case P::AlwaysTrue:
    return true;
  }
  llvm_unreachable("all predicates are listed");
}

static Element makeCompare(Operation *op) {
  auto predicate = cast<arith::CmpFOp>(op).getPredicate();
  Type type = getElementTypeOrSelf(op->getOperand(0).getType());
  return [=](const uint64_t *in) -> uint64_t {
    return holds(predicate,
                 toOperand(in[0], type).compare(toOperand(in[1], type)));
  };
}

template <bool (*test)(const APFloat &)>
static Element makeTest(Operation *op) {
  Type type = getElementTypeOrSelf(op->getOperand(0).getType());
  return [type](const uint64_t *in) -> uint64_t {
    return test(toNumber(in[0], type));
  };
}

static bool isFinite(const APFloat &a) { return a.isFinite(); }
static bool isInfinite(const APFloat &a) { return a.isInfinity(); }
static bool isNaN(const APFloat &a) { return a.isNaN(); }

void addFloats(Semantics &semantics) {
  auto &rows = semantics.elementwise;
  rows["arith.addf"] = makeBinary<add>;
  rows["arith.subf"] = makeBinary<subtract>;
  rows["arith.mulf"] = makeBinary<multiply>;
  rows["arith.divf"] = makeBinary<divide>;
  rows["arith.remf"] = makeBinary<remainder>;
  rows["arith.maxnumf"] = makeBinary<maximumNumber>;
  rows["arith.minnumf"] = makeBinary<minimumNumber>;
  rows["arith.maximumf"] = makeBinary<maximum>;
  rows["arith.minimumf"] = makeBinary<minimum>;
  rows["arith.negf"] = makeNegate;
  rows["arith.cmpf"] = makeCompare;
  rows["math.absf"] = makeAbsolute;
  rows["math.copysign"] = makeBinary<copySign>;
  rows["math.fma"] = makeFusedMultiplyAdd;
  rows["math.floor"] = makeRoundToIntegral<llvm::RoundingMode::TowardNegative>;
  rows["math.ceil"] = makeRoundToIntegral<llvm::RoundingMode::TowardPositive>;
  rows["math.trunc"] = makeRoundToIntegral<llvm::RoundingMode::TowardZero>;
  rows["math.roundeven"] = makeRoundToIntegral<kNearest>;
  rows["math.round"] =
      makeRoundToIntegral<llvm::RoundingMode::NearestTiesToAway>;
  rows["math.isfinite"] = makeTest<isFinite>;
  rows["math.isinf"] = makeTest<isInfinite>;
  rows["math.isnan"] = makeTest<isNaN>;
}

} // namespace tilewright::reference
