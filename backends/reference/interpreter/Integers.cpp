//===- Integers.cpp - Integers: arithmetic, comparisons ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is total: division by zero gives -1, the remainder by zero the
// dividend, shifts by the width or more 0 or the sign.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/bit.h"

using namespace mlir;

namespace tilewright::reference {

/// One element of a binary operation on `width` bits.
using IntegerFunction = uint64_t (*)(uint64_t a, uint64_t b, unsigned width);

/// Wraps the function for the operand's width.
template <IntegerFunction function> static Element makeBinary(Operation *op) {
  unsigned width = widthOf(getElementTypeOrSelf(op->getOperand(0).getType()));
  return [width](const uint64_t *in) {
    return truncate(function(in[0], in[1], width), width);
  };
}

static uint64_t add(uint64_t a, uint64_t b, unsigned) { return a + b; }
static uint64_t subtract(uint64_t a, uint64_t b, unsigned) { return a - b; }
static uint64_t multiply(uint64_t a, uint64_t b, unsigned) { return a * b; }
static uint64_t bitAnd(uint64_t a, uint64_t b, unsigned) { return a & b; }
static uint64_t bitOr(uint64_t a, uint64_t b, unsigned) { return a | b; }
static uint64_t bitXor(uint64_t a, uint64_t b, unsigned) { return a ^ b; }

static uint64_t divideUnsigned(uint64_t a, uint64_t b, unsigned) {
  return b ? a / b : ~uint64_t(0);
}

static uint64_t remainderUnsigned(uint64_t a, uint64_t b, unsigned) {
  return b ? a % b : a;
}

static uint64_t divideSigned(uint64_t a, uint64_t b, unsigned width) {
  int64_t x = signExtend(a, width), y = signExtend(b, width);
  if (y == 0)
    return ~uint64_t(0);
  return y == -1 ? -uint64_t(x) : uint64_t(x / y); // INT_MIN / -1 wraps
}

static uint64_t remainderSigned(uint64_t a, uint64_t b, unsigned width) {
  int64_t x = signExtend(a, width), y = signExtend(b, width);
  if (y == 0)
    return a;
  return y == -1 ? 0 : uint64_t(x % y);
}

static uint64_t shiftLeft(uint64_t a, uint64_t b, unsigned width) {
  return b >= width ? 0 : a << b;
}

static uint64_t shiftRightUnsigned(uint64_t a, uint64_t b, unsigned width) {
  return b >= width ? 0 : a >> b;
}

static uint64_t shiftRightSigned(uint64_t a, uint64_t b, unsigned width) {
  return uint64_t(signExtend(a, width) >> (b >= width ? width - 1 : b));
}

static uint64_t maxUnsigned(uint64_t a, uint64_t b, unsigned) {
  return a > b ? a : b;
}
static uint64_t minUnsigned(uint64_t a, uint64_t b, unsigned) {
  return a < b ? a : b;
}
static uint64_t maxSigned(uint64_t a, uint64_t b, unsigned width) {
  return signExtend(a, width) > signExtend(b, width) ? a : b;
}
static uint64_t minSigned(uint64_t a, uint64_t b, unsigned width) {
  return signExtend(a, width) < signExtend(b, width) ? a : b;
}

static uint64_t multiplyHigh(uint64_t a, uint64_t b, unsigned width) {
  return uint64_t((unsigned __int128)(a)*b >> width);
}

static uint64_t absolute(uint64_t a, uint64_t, unsigned width) {
  return signExtend(a, width) < 0 ? -a : a;
}
static uint64_t leadingZeros(uint64_t a, uint64_t, unsigned width) {
  return llvm::countl_zero(a) - (64 - width);
}
static uint64_t trailingZeros(uint64_t a, uint64_t, unsigned width) {
  return a ? llvm::countr_zero(a) : width;
}
static uint64_t population(uint64_t a, uint64_t, unsigned) {
  return llvm::popcount(a);
}

template <IntegerFunction function> static Element makeUnary(Operation *op) {
  unsigned width = widthOf(getElementTypeOrSelf(op->getOperand(0).getType()));
  return [width](const uint64_t *in) {
    return truncate(function(in[0], 0, width), width);
  };
}

static bool holds(arith::CmpIPredicate predicate, uint64_t a, uint64_t b,
                  unsigned width) {
  int64_t x = signExtend(a, width), y = signExtend(b, width);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return x < y;
  case arith::CmpIPredicate::sle:
    return x <= y;
  case arith::CmpIPredicate::sgt:
    return x > y;
  case arith::CmpIPredicate::sge:
    return x >= y;
  case arith::CmpIPredicate::ult:
    return a < b;
  case arith::CmpIPredicate::ule:
    return a <= b;
  case arith::CmpIPredicate::ugt:
    return a > b;
  case arith::CmpIPredicate::uge:
    return a >= b;
  }
  llvm_unreachable("all predicates are listed");
}

static Element makeCompare(Operation *op) {
  auto predicate = cast<arith::CmpIOp>(op).getPredicate();
  unsigned width = widthOf(getElementTypeOrSelf(op->getOperand(0).getType()));
  return [=](const uint64_t *in) -> uint64_t {
    return holds(predicate, in[0], in[1], width);
  };
}

static Element makeSelect(Operation *) {
  return [](const uint64_t *in) { return in[0] ? in[1] : in[2]; };
}

static bool constant(Interpreter &at, Operation *op) {
  Attribute value = cast<arith::ConstantOp>(op).getValue();
  Tile tile = makeTile(op->getResult(0).getType());
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    tile.bits[0] = integer.getValue().getZExtValue();
  } else if (auto number = dyn_cast<FloatAttr>(value)) {
    tile.bits[0] = number.getValue().bitcastToAPInt().getZExtValue();
  } else if (isa<FloatType>(tile.element)) {
    int64_t i = 0;
    for (APFloat entry : cast<DenseElementsAttr>(value).getValues<APFloat>())
      tile.bits[i++] = entry.bitcastToAPInt().getZExtValue();
  } else {
    int64_t i = 0;
    for (APInt entry : cast<DenseElementsAttr>(value).getValues<APInt>())
      tile.bits[i++] = entry.getZExtValue();
  }
  at.set(op->getResult(0), std::move(tile));
  return true;
}

void addIntegers(Semantics &semantics) {
  auto &rows = semantics.elementwise;
  rows["arith.addi"] = makeBinary<add>;
  rows["arith.subi"] = makeBinary<subtract>;
  rows["arith.muli"] = makeBinary<multiply>;
  rows["arith.andi"] = makeBinary<bitAnd>;
  rows["arith.ori"] = makeBinary<bitOr>;
  rows["arith.xori"] = makeBinary<bitXor>;
  rows["arith.divui"] = makeBinary<divideUnsigned>;
  rows["arith.remui"] = makeBinary<remainderUnsigned>;
  rows["arith.divsi"] = makeBinary<divideSigned>;
  rows["arith.remsi"] = makeBinary<remainderSigned>;
  rows["arith.shli"] = makeBinary<shiftLeft>;
  rows["arith.shrui"] = makeBinary<shiftRightUnsigned>;
  rows["arith.shrsi"] = makeBinary<shiftRightSigned>;
  rows["arith.maxui"] = makeBinary<maxUnsigned>;
  rows["arith.minui"] = makeBinary<minUnsigned>;
  rows["arith.maxsi"] = makeBinary<maxSigned>;
  rows["arith.minsi"] = makeBinary<minSigned>;
  rows["kernel.mulhi"] = makeBinary<multiplyHigh>;
  rows["math.absi"] = makeUnary<absolute>;
  rows["math.ctlz"] = makeUnary<leadingZeros>;
  rows["math.cttz"] = makeUnary<trailingZeros>;
  rows["math.ctpop"] = makeUnary<population>;
  rows["arith.cmpi"] = makeCompare;
  rows["arith.select"] = makeSelect;
  semantics.operations["arith.constant"] = constant;
}

} // namespace tilewright::reference
