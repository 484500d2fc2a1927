//===- Arithmetic.cpp - Native functions and matrix instructions *- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The special-function unit where its accuracy is good enough, and mma.sync.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/hooks/NvidiaHooks.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace tilewright::nvidia {

using math::MathFunction;

//===--- Functions --------------------------------------------------------===//

/// Errors of the special-function unit ("PTX ISA", floating-point
/// instructions) are bounded in absolute terms only, ex2's within a period in
/// relative ones. exp and exp2 are made of ex2 below.
bool NvidiaHooks::isNativeFunction(MathFunction function, unsigned bits,
                                   bool isFast) const {
  if (bits != 32)
    return false;
  switch (function) {
  case MathFunction::Exp2:
  case MathFunction::Exp:
    return true;
  case MathFunction::Exp10:
  case MathFunction::Log:
  case MathFunction::Log2:
  case MathFunction::Log10:
  case MathFunction::Sin:
  case MathFunction::Cos:
  case MathFunction::Tanh:
  case MathFunction::Rsqrt:
    return isFast;
  default:
    return false;
  }
}

static Value *approximate(IRBuilderBase &b, StringRef operation, Value *x) {
  return callPtx(b, x->getType(), (operation + " $0, $1;").str(), "=f,f", {x},
                 /*hasSideEffects=*/false);
}

static Value *scaled(IRBuilderBase &b, Value *x, double factor) {
  return b.CreateFMul(x, ConstantFP::get(x->getType(), factor));
}

/// 2^(x c) for the constant c = `high` + `low`: 2^n 2^f for n = floor(x c),
/// within [-126, 127], and f = x c - n from two fma, so that ex2 sees a small
/// argument of full precision. (Below 0, where f would be with the nearest n,
/// ex2 errs by over 2 ulp at some arguments.) 2^n is made of n's bits, which
/// `shift` brings into the low ones; where n ends at a limit, f goes on: to
/// denormals, zero and infinity.
static Value *accuratePower(IRBuilderBase &b, Value *x, double high,
                            double low) {
  Type *type = x->getType();
  auto number = [&](double value) { return ConstantFP::get(type, value); };
  auto fma = [&](Value *p, Value *q, Value *r) {
    return b.CreateIntrinsic(Intrinsic::fma, {type}, {p, q, r});
  };
  constexpr double first = -126, last = 127, steps = last - first;
  constexpr double shift = 0x1.8p+23 + 127;
  // (x c - first) / steps in [0, 1], then rounded down.
  Value *place = callPtx(b, type, "fma.rn.sat.f32 $0, $1, $2, $3;", "=f,f,f,f",
                         {x, number(high / steps), number(-first / steps)},
                         /*hasSideEffects=*/false);
  Value *shifted = callPtx(b, type, "fma.rm.f32 $0, $1, $2, $3;", "=f,f,f,f",
                           {place, number(steps), number(shift + first)},
                           /*hasSideEffects=*/false);
  Value *n = b.CreateFSub(shifted, number(shift));
  Value *f = fma(x, number(high), b.CreateFNeg(n));
  if (low != 0)
    f = fma(x, number(low), f);
  Value *bits = b.CreateShl(b.CreateBitCast(shifted, b.getInt32Ty()), 23);
  return b.CreateFMul(approximate(b, "ex2.approx.ftz.f32", f),
                      b.CreateBitCast(bits, type));
}

/// sqrt.approx: 2^-23 of the result at most, subnormals included ("PTX ISA").
Value *NvidiaHooks::approximateSquareRoot(Builder &b, Value *value) {
  return approximate(b, "sqrt.approx.f32", value);
}

/// One step of Newton's.
static Value *improved(IRBuilderBase &b, Value *reciprocal, Value *error) {
  return b.CreateIntrinsic(Intrinsic::fma, {error->getType()},
                           {error, reciprocal, reciprocal});
}

/// What is missing to 1 in a product with the divisor.
static Value *errorOf(IRBuilderBase &b, Value *divisor, Value *reciprocal) {
  Type *type = divisor->getType();
  return b.CreateIntrinsic(
      Intrinsic::fma, {type},
      {b.CreateFNeg(divisor), reciprocal, ConstantFP::get(type, 1)});
}

constexpr double largestPlain = 0x1p+126, smallestPlain = 0x1p-126;

/// Where the quotient below keeps the divisor as it is. NaN is extreme.
std::optional<simt::Reciprocal> NvidiaHooks::reciprocal(Builder &b,
                                                        Value *value) {
  Type *type = value->getType();
  if (!type->isFloatTy())
    return std::nullopt;
  Value *magnitude = b.CreateUnaryIntrinsic(Intrinsic::fabs, value);
  Value *isLarge =
      b.CreateFCmpUGT(magnitude, ConstantFP::get(type, largestPlain));
  Value *isSmall =
      b.CreateFCmpULT(magnitude, ConstantFP::get(type, smallestPlain));
  Value *first = approximate(b, "rcp.approx.ftz.f32", value);
  Value *whole = improved(b, first, errorOf(b, value, first));
  return simt::Reciprocal{whole, b.CreateOr(isLarge, isSmall)};
}

/// Everything that depends on the divisor alone stands apart: tensors divided
/// by one number share it. Powers of two keep the divisor where its reciprocal
/// is a normal number; a step of Newton's rounds that, unless it is 0 or
/// infinite.
Value *NvidiaHooks::approximateQuotient(Builder &b, Value *lhs, Value *rhs) {
  Type *type = lhs->getType();
  auto number = [&](double value) { return ConstantFP::get(type, value); };
  Value *magnitude = b.CreateUnaryIntrinsic(Intrinsic::fabs, rhs);
  Value *factor = b.CreateSelect(
      b.CreateFCmpOGT(magnitude, number(largestPlain)), number(0x1p-2),
      b.CreateSelect(b.CreateFCmpOLT(magnitude, number(smallestPlain)),
                     number(0x1p+24), number(1)));
  Value *divisor = b.CreateFMul(rhs, factor);
  Value *first = approximate(b, "rcp.approx.ftz.f32", divisor);
  Value *error = errorOf(b, divisor, first);
  Value *isSmall = b.CreateFCmpOLT(
      b.CreateUnaryIntrinsic(Intrinsic::fabs, error), number(1));
  Value *reciprocal = b.CreateSelect(isSmall, improved(b, first, error), first);
  return b.CreateFMul(b.CreateFMul(lhs, factor), reciprocal);
}

Value *NvidiaHooks::function(Builder &b, MathFunction function,
                             ArrayRef<Value *> operands) {
  constexpr double log2e = 1.4426950408889634, log2of10 = 3.3219280948873623;
  constexpr double log2eHigh = 0x1.715476p+0, log2eLow = 0x1.4ae0cp-26;
  Value *x = operands.front();
  if (!x->getType()->isFloatTy())
    return nullptr;
  switch (function) {
  case MathFunction::Exp2:
    return options.isFast ? approximate(b, "ex2.approx.f32", x)
                          : accuratePower(b, x, 1, 0);
  case MathFunction::Exp:
    return options.isFast
               ? approximate(b, "ex2.approx.f32", scaled(b, x, log2e))
               : accuratePower(b, x, log2eHigh, log2eLow);
  case MathFunction::Exp10:
    return approximate(b, "ex2.approx.f32", scaled(b, x, log2of10));
  case MathFunction::Log2:
    return approximate(b, "lg2.approx.f32", x);
  case MathFunction::Log:
    return scaled(b, approximate(b, "lg2.approx.f32", x), 1 / log2e);
  case MathFunction::Log10:
    return scaled(b, approximate(b, "lg2.approx.f32", x), 1 / log2of10);
  case MathFunction::Sin:
    return approximate(b, "sin.approx.f32", x);
  case MathFunction::Cos:
    return approximate(b, "cos.approx.f32", x);
  case MathFunction::Tanh:
    return approximate(b, "tanh.approx.f32", x);
  case MathFunction::Rsqrt:
    return approximate(b, "rsqrt.approx.f32", x);
  default:
    return nullptr;
  }
}

//===--- Matrix instructions ----------------------------------------------===//

/// Joins neighbouring elements into 32-bit words, the first one lowest.
static SmallVector<Value *> packWords(IRBuilderBase &b,
                                      ArrayRef<Value *> elements) {
  unsigned width = elements.front()->getType()->getScalarSizeInBits();
  unsigned perWord = 32 / width;
  SmallVector<Value *> words;
  for (unsigned i = 0; i < elements.size(); i += perWord) {
    if (perWord == 1) {
      words.push_back(b.CreateBitCast(elements[i], b.getInt32Ty()));
      continue;
    }
    Type *type = elements[i]->getType();
    Value *vector = PoisonValue::get(FixedVectorType::get(type, perWord));
    for (unsigned j = 0; j < perWord; ++j)
      vector = b.CreateInsertElement(vector, elements[i + j], j);
    words.push_back(b.CreateBitCast(vector, b.getInt32Ty()));
  }
  return words;
}

/// ldmatrix, as an intrinsic: its address may then carry a constant.
SmallVector<Value *> NvidiaHooks::matrixLoad(Builder &b, Value *row,
                                             unsigned matrices,
                                             bool isTransposed) {
  static constexpr Intrinsic::ID plain[] = {
      Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x1_b16,
      Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x2_b16,
      Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_b16};
  static constexpr Intrinsic::ID transposed[] = {
      Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x1_trans_b16,
      Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x2_trans_b16,
      Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_trans_b16};
  unsigned which = Log2_32(matrices);
  Value *loaded = b.CreateIntrinsic(
      isTransposed ? transposed[which] : plain[which], {row->getType()}, {row});
  if (matrices == 1)
    return {loaded};
  SmallVector<Value *> words;
  for (unsigned i = 0; i < matrices; ++i)
    words.push_back(b.CreateExtractValue(loaded, i));
  return words;
}

/// tf32 operands are f32 bits, rounded: mma would drop the low 13 bits.
static Value *roundToTf32(IRBuilderBase &b, Value *value) {
  return callPtx(b, b.getInt32Ty(), "cvt.rna.tf32.f32 $0, $1;", "=r,f", {value},
                 /*hasSideEffects=*/false);
}

static std::string registerList(unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", $" : "$") + std::to_string(first + i);
  return text + "}";
}

static std::string repeat(StringRef text, unsigned count) {
  std::string result;
  for (unsigned i = 0; i < count; ++i)
    result += "," + text.str();
  return result;
}

/// ".f32.bf16.bf16.f32" for an atom's element types.
static std::string typesText(const simt::MatrixAtom &atom) {
  auto spell = [](simt::Element element) -> std::string {
    switch (element) {
    case simt::Element::I8:
      return ".s8";
    case simt::Element::I32:
      return ".s32";
    case simt::Element::F8E4M3FN:
      return ".e4m3";
    case simt::Element::F8E5M2:
      return ".e5m2";
    case simt::Element::BF16:
      return ".bf16";
    case simt::Element::F16:
      return ".f16";
    case simt::Element::TF32:
      return ".tf32";
    case simt::Element::F64:
      return ".f64";
    default:
      return ".f32";
    }
  };
  return spell(atom.result) + spell(atom.lhs) + spell(atom.rhs) +
         spell(atom.result);
}

SmallVector<Value *>
NvidiaHooks::emitMatrixAtom(Builder &b, const simt::MatrixAtom &atom,
                            ArrayRef<Value *> lhs, ArrayRef<Value *> rhs,
                            ArrayRef<Value *> accumulator) {
  SmallVector<Value *> operands;
  StringRef operandConstraint = "r";
  if (atom.lhs == simt::Element::F64) {
    operands.append(lhs.begin(), lhs.end());
    operands.append(rhs.begin(), rhs.end());
    operandConstraint = "d";
  } else if (atom.lhs == simt::Element::TF32) {
    for (Value *value : lhs)
      operands.push_back(roundToTf32(b, value));
    for (Value *value : rhs)
      operands.push_back(roundToTf32(b, value));
  } else {
    operands = packWords(b, lhs);
    operands.append(packWords(b, rhs));
  }
  Type *type = accumulator.front()->getType();
  StringRef resultConstraint = type->isDoubleTy()  ? "d"
                               : type->isFloatTy() ? "f"
                                                   : "r";
  unsigned results = accumulator.size();
  unsigned words = operands.size();
  unsigned lhsWords = words * lhs.size() / (lhs.size() + rhs.size());
  operands.append(accumulator.begin(), accumulator.end());
  std::string shape = "m" + std::to_string(atom.m) + "n" +
                      std::to_string(atom.n) + "k" + std::to_string(atom.k);
  std::string text = "mma.sync.aligned." + shape + ".row.col" +
                     typesText(atom) + " " + registerList(0, results) + ", " +
                     registerList(results, lhsWords) + ", " +
                     registerList(results + lhsWords, words - lhsWords) + ", " +
                     registerList(results + words, results) + ";";
  std::string constraints = repeat(("=" + resultConstraint).str(), results) +
                            repeat(operandConstraint, words) +
                            repeat(resultConstraint, results);
  auto *structure =
      StructType::get(b.getContext(), SmallVector<Type *>(results, type));
  Value *call = callPtx(b, structure, text, StringRef(constraints).drop_front(),
                        operands, /*hasSideEffects=*/false);
  SmallVector<Value *> registers;
  for (unsigned i = 0; i < results; ++i)
    registers.push_back(b.CreateExtractValue(call, i));
  return registers;
}

} // namespace tilewright::nvidia
