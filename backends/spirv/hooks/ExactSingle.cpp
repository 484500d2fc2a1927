//===- ExactSingle.cpp - Exact fp32 without doubles -----------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number is m * 2^(e - 150) with m of 24 bits, the highest set. Quotients and
// roots of m have bits to spare, which decide the rounding; what the division
// leaves breaks ties.
//===----------------------------------------------------------------------===//
#include "backends/spirv/hooks/ExactSingle.h"

using llvm::IRBuilderBase;
using llvm::Value;

namespace tilewright::spirv {

static constexpr uint32_t kInfinity = 0x7f800000, kNaN = 0x7fc00000;
static constexpr uint32_t kLeadingOne = 0x800000;

namespace {
struct Parts {
  Value *magnitude;   ///< i32: the bits without the sign
  Value *exponent;    ///< i32, of denormal numbers below 1
  Value *significand; ///< i32, 24 bits; of 0 no matter what
};
} // namespace

static Value *select(IRBuilderBase &b, Value *condition, Value *yes,
                     Value *no) {
  return b.CreateSelect(condition, yes, no);
}

static Parts takeApart(IRBuilderBase &b, Value *bits) {
  Parts parts;
  parts.magnitude = b.CreateAnd(bits, b.getInt32(0x7fffffff));
  Value *fraction = b.CreateAnd(bits, b.getInt32(kLeadingOne - 1));
  Value *exponent = b.CreateLShr(parts.magnitude, 23);
  Value *isDenormal = b.CreateICmpEQ(exponent, b.getInt32(0));
  // The lowest bit stands in for that of 0, so that no shift is too far.
  Value *shift =
      b.CreateSub(b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz,
                                          b.CreateOr(fraction, b.getInt32(1)),
                                          b.getFalse()),
                  b.getInt32(8));
  Value *normalised = b.CreateShl(
      b.CreateOr(fraction, b.CreateZExt(b.CreateICmpEQ(fraction, b.getInt32(0)),
                                        b.getInt32Ty())),
      shift);
  parts.exponent =
      select(b, isDenormal, b.CreateSub(b.getInt32(1), shift), exponent);
  parts.significand = select(b, isDenormal, normalised,
                             b.CreateOr(fraction, b.getInt32(kLeadingOne)));
  return parts;
}

/// The bits of `significand` (i64, its highest bit at 32) * 2^exponent, rounded
/// to nearest even; `isInexact`: something smaller is left.
static Value *roundSignificand(IRBuilderBase &b, Value *significand,
                               Value *exponent, Value *isInexact) {
  Value *one = b.getInt32(1);
  Value *below = b.CreateSub(one, exponent); // denormal by so many bits
  below =
      select(b, b.CreateICmpSGT(below, b.getInt32(0)), below, b.getInt32(0));
  below =
      select(b, b.CreateICmpSLT(below, b.getInt32(31)), below, b.getInt32(31));
  Value *dropped =
      b.CreateZExt(b.CreateAdd(below, b.getInt32(9)), b.getInt64Ty());
  Value *unit = b.CreateShl(b.getInt64(1), dropped);
  Value *rest = b.CreateAnd(significand, b.CreateSub(unit, b.getInt64(1)));
  Value *half = b.CreateLShr(unit, 1);
  Value *kept =
      b.CreateTrunc(b.CreateLShr(significand, dropped), b.getInt32Ty());
  Value *isOdd = b.CreateICmpNE(b.CreateAnd(kept, one), b.getInt32(0));
  Value *isTieUp =
      b.CreateAnd(b.CreateICmpEQ(rest, half), b.CreateOr(isInexact, isOdd));
  Value *goesUp = b.CreateOr(b.CreateICmpUGT(rest, half), isTieUp);
  kept = b.CreateAdd(kept, b.CreateZExt(goesUp, b.getInt32Ty()));
  // The leading one, where there is one, adds 1 to the exponent.
  Value *raised = select(b, b.CreateICmpSGT(exponent, one),
                         b.CreateSub(exponent, one), b.getInt32(0));
  Value *bits = b.CreateAdd(b.CreateShl(raised, 23), kept);
  return select(b, b.CreateICmpULT(bits, b.getInt32(kInfinity)), bits,
                b.getInt32(kInfinity));
}

Value *divideByIntegers(IRBuilderBase &b, Value *lhs, Value *rhs) {
  Value *p = b.CreateBitCast(lhs, b.getInt32Ty());
  Value *q = b.CreateBitCast(rhs, b.getInt32Ty());
  Parts x = takeApart(b, p), y = takeApart(b, q);
  Value *sign = b.CreateAnd(b.CreateXor(p, q), b.getInt32(0x80000000));
  Value *dividend =
      b.CreateShl(b.CreateZExt(x.significand, b.getInt64Ty()), 32);
  Value *divisor = b.CreateZExt(y.significand, b.getInt64Ty());
  Value *quotient = b.CreateUDiv(dividend, divisor); // above 2^31, below 2^33
  Value *left = b.CreateSub(dividend, b.CreateMul(quotient, divisor));
  Value *isInexact = b.CreateICmpNE(left, b.getInt64(0));
  Value *isShort = b.CreateICmpULT(quotient, b.getInt64(uint64_t(1) << 32));
  Value *isShort32 = b.CreateZExt(isShort, b.getInt32Ty());
  // A bit more of a short quotient: whether twice the rest holds the divisor.
  Value *twice = b.CreateShl(left, 1);
  Value *next = b.CreateICmpUGE(twice, divisor);
  Value *longer =
      b.CreateOr(b.CreateShl(quotient, 1), b.CreateZExt(next, b.getInt64Ty()));
  Value *longerLeft = select(b, next, b.CreateSub(twice, divisor), twice);
  quotient = select(b, isShort, longer, quotient);
  isInexact =
      select(b, isShort, b.CreateICmpNE(longerLeft, b.getInt64(0)), isInexact);
  Value *exponent =
      b.CreateAdd(b.CreateSub(x.exponent, y.exponent), b.getInt32(127));
  exponent = b.CreateSub(exponent, isShort32);
  Value *bits = roundSignificand(b, quotient, exponent, isInexact);
  auto is = [&](const Parts &parts, uint32_t magnitude) {
    return b.CreateICmpEQ(parts.magnitude, b.getInt32(magnitude));
  };
  Value *isZero = b.CreateOr(is(x, 0), is(y, kInfinity));
  Value *isInfinite = b.CreateOr(is(x, kInfinity), is(y, 0));
  bits = select(b, isZero, b.getInt32(0), bits);
  bits = select(b, isInfinite, b.getInt32(kInfinity), bits);
  auto isNaN = [&](const Parts &parts) {
    return b.CreateICmpUGT(parts.magnitude, b.getInt32(kInfinity));
  };
  Value *isInvalid = b.CreateOr(b.CreateAnd(isZero, isInfinite),
                                b.CreateOr(isNaN(x), isNaN(y)));
  bits = select(b, isInvalid, b.getInt32(kNaN), b.CreateOr(bits, sign));
  return b.CreateBitCast(bits, lhs->getType());
}

Value *squareRootByIntegers(IRBuilderBase &b, Value *value) {
  Value *raw = b.CreateBitCast(value, b.getInt32Ty());
  Parts x = takeApart(b, raw);
  // n = m * 2^23 or 2^24, so that the power of two that is left is even.
  Value *isOdd = b.CreateAnd(x.exponent, b.getInt32(1));
  Value *shift = b.CreateSub(b.getInt32(24), isOdd);
  Value *n = b.CreateShl(b.CreateZExt(x.significand, b.getInt64Ty()),
                         b.CreateZExt(shift, b.getInt64Ty()));
  // The device's root is off by at most 3 units: the largest r with r^2 <= n
  // is one of the next ones.
  Value *near = b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt,
                                       b.CreateUIToFP(n, value->getType()));
  Value *root =
      b.CreateSub(b.CreateFPToUI(near, b.getInt64Ty()), b.getInt64(5));
  for (int step = 0; step < 10; ++step) {
    Value *next = b.CreateAdd(root, b.getInt64(1));
    root = select(b, b.CreateICmpULE(b.CreateMul(next, next), n), next, root);
  }
  // Above r + 1/2 if n - r^2 > r; there are no ties.
  Value *left = b.CreateSub(n, b.CreateMul(root, root));
  root = b.CreateAdd(root,
                     b.CreateZExt(b.CreateICmpUGT(left, root), b.getInt64Ty()));
  Value *exponent = b.CreateAShr(b.CreateAdd(x.exponent, b.getInt32(125)), 1);
  Value *bits = b.CreateAdd(b.CreateShl(exponent, 23),
                            b.CreateTrunc(root, b.getInt32Ty()));
  Value *isSpecial =
      b.CreateICmpUGE(x.magnitude, b.getInt32(kInfinity)); // NaN, infinity
  Value *isZero = b.CreateICmpEQ(x.magnitude, b.getInt32(0));
  bits = select(b, b.CreateOr(isSpecial, isZero), raw, bits);
  Value *isNegative =
      b.CreateAnd(b.CreateICmpSLT(raw, b.getInt32(0)), b.CreateNot(isZero));
  bits = select(b, isNegative, b.getInt32(kNaN), bits);
  return b.CreateBitCast(bits, value->getType());
}

} // namespace tilewright::spirv
