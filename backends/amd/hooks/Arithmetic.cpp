//===- Arithmetic.cpp - Native functions and matrix instructions *- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM expands exponentials and logarithms of f32 around the vector unit's, to
// about 1 ulp over the full range; what it has no expansion for is
// backends/math's.
//===----------------------------------------------------------------------===//
#include "backends/amd/hooks/AmdHooks.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace tilewright::amd {

using math::MathFunction;

//===--- Functions --------------------------------------------------------===//

bool AmdHooks::isNativeFunction(MathFunction function, unsigned bits,
                                bool isFast) const {
  if (bits != 32)
    return false;
  switch (function) {
  case MathFunction::Exp:
  case MathFunction::Exp2:
  case MathFunction::Exp10:
  case MathFunction::Log:
  case MathFunction::Log2:
  case MathFunction::Log10:
    return true;
  case MathFunction::Sin:
  case MathFunction::Cos:
  case MathFunction::Rsqrt:
    return isFast;
  default:
    return false;
  }
}

/// LLVM's function of a name; `afn` allows the vector unit's own accuracy.
static Value *callFunction(IRBuilderBase &b, Intrinsic::ID id, Value *x,
                           bool isFast) {
  Value *result = b.CreateUnaryIntrinsic(id, x);
  if (auto *call = dyn_cast<Instruction>(result); call && isFast)
    call->setHasApproxFunc(true);
  return result;
}

Value *AmdHooks::function(Builder &b, MathFunction function,
                          ArrayRef<Value *> operands) {
  Value *x = operands.front();
  if (!x->getType()->isFloatTy())
    return nullptr;
  switch (function) {
  case MathFunction::Exp:
    return callFunction(b, Intrinsic::exp, x, options.isFast);
  case MathFunction::Exp2:
    return callFunction(b, Intrinsic::exp2, x, options.isFast);
  case MathFunction::Exp10:
    return callFunction(b, Intrinsic::exp10, x, options.isFast);
  case MathFunction::Log:
    return callFunction(b, Intrinsic::log, x, options.isFast);
  case MathFunction::Log2:
    return callFunction(b, Intrinsic::log2, x, options.isFast);
  case MathFunction::Log10:
    return callFunction(b, Intrinsic::log10, x, options.isFast);
  case MathFunction::Sin:
    return callFunction(b, Intrinsic::sin, x, /*isFast=*/true);
  case MathFunction::Cos:
    return callFunction(b, Intrinsic::cos, x, /*isFast=*/true);
  case MathFunction::Rsqrt:
    return b.CreateIntrinsic(Intrinsic::amdgcn_rsq, {x->getType()}, {x});
  default:
    return nullptr;
  }
}

/// The vector unit's exponential has 1 ulp, and 0 for subnormal results: LLVM
/// goes around that with five more instructions. Warps without such results
/// need none of them.
std::optional<simt::UsualValues>
AmdHooks::usualValues(Builder &b, MathFunction function,
                      ArrayRef<Value *> operands) {
  if (function != MathFunction::Exp2 || options.isFast ||
      !operands.front()->getType()->isFloatTy())
    return std::nullopt;
  simt::UsualValues usual;
  Value *least = operands.front();
  for (Value *operand : operands) {
    least = b.CreateBinaryIntrinsic(Intrinsic::minnum, least, operand);
    usual.values.push_back(
        b.CreateIntrinsic(Intrinsic::amdgcn_exp2, {b.getFloatTy()}, {operand}));
  }
  Value *isSubnormal =
      b.CreateFCmpOLT(least, ConstantFP::get(b.getFloatTy(), -126.0));
  Value *lanes = ballot(b, isSubnormal);
  usual.isUnusual =
      b.CreateICmpNE(lanes, ConstantInt::get(lanes->getType(), 0));
  return usual;
}

/// CDNA4 has an instruction. Before it, all NaN become one: LLVM keeps their
/// bits, with an instruction more.
Value *AmdHooks::roundToBFloat(Builder &b, Value *value) {
  if (chip.family == Family::CDNA4 || !value->getType()->isFloatTy())
    return TargetHooks::roundToBFloat(b, value);
  Value *isNaN = b.CreateFCmpUNO(value, value);
  Value *bits = b.CreateSelect(isNaN, b.getInt32(0x7fc00000),
                               b.CreateBitCast(value, b.getInt32Ty()));
  Value *isOdd = b.CreateAnd(b.CreateLShr(bits, 16), 1);
  Value *rounded = b.CreateAdd(b.CreateAdd(bits, isOdd), b.getInt32(0x7fff));
  return b.CreateTrunc(b.CreateLShr(rounded, 16), b.getInt16Ty());
}

/// Lets LLVM use the vector unit's reciprocal or square root, of 1 ulp, with
/// its scaling of subnormal numbers.
static Value *withAccuracy(Value *value, float ulps) {
  if (auto *made = dyn_cast<Instruction>(value))
    made->setMetadata(LLVMContext::MD_fpmath,
                      MDBuilder(made->getContext()).createFPMath(ulps));
  return value;
}

Value *AmdHooks::approximateSquareRoot(Builder &b, Value *value) {
  return withAccuracy(squareRoot(b, value), 2.0f);
}

Value *AmdHooks::approximateQuotient(Builder &b, Value *lhs, Value *rhs) {
  return withAccuracy(divide(b, lhs, rhs), 2.5f);
}

//===--- Matrix instructions ----------------------------------------------===//

/// The chosen registers as an instruction's operand.
static Value *gather(IRBuilderBase &b, ArrayRef<Value *> values,
                     ArrayRef<unsigned> indices, Type *type) {
  if (indices.size() == 1)
    return b.CreateBitCast(values[indices.front()], type);
  Type *element = values[indices.front()]->getType();
  Value *vector =
      PoisonValue::get(FixedVectorType::get(element, indices.size()));
  for (auto [position, index] : llvm::enumerate(indices))
    vector = b.CreateInsertElement(vector, values[index], position);
  return b.CreateBitCast(vector, type);
}

/// LLVM's type of an operand. Instructions with bytes take them as words, those
/// of 8 or fewer in one integer on CDNA.
static Type *operandType(IRBuilderBase &b, const MatrixInstruction &instruction,
                         simt::Element element) {
  unsigned count = instruction.perLane;
  auto vectorOf = [&](Type *type, unsigned size) -> Type * {
    return size == 1 ? type : FixedVectorType::get(type, size);
  };
  switch (element) {
  case simt::Element::F64:
    return b.getDoubleTy();
  case simt::Element::F32:
  case simt::Element::TF32:
    return vectorOf(b.getFloatTy(), count);
  case simt::Element::F16:
    return vectorOf(b.getHalfTy(), count);
  case simt::Element::BF16:
    return vectorOf(instruction.intrinsic ==
                                Intrinsic::amdgcn_mfma_f32_16x16x32_bf16 ||
                            instruction.intrinsic ==
                                Intrinsic::amdgcn_mfma_f32_32x32x16_bf16
                        ? b.getBFloatTy()
                        : b.getInt16Ty(),
                    count);
  default:
    if (count == 8 && instruction.lanes() == 64)
      return b.getInt64Ty();
    return vectorOf(b.getInt32Ty(), count / 4);
  }
}

/// Number of a format in the f8f6f4 instructions.
static unsigned formatOf(simt::Element element) {
  return element == simt::Element::F8E5M2 ? 1 : 0;
}

/// One instruction. The operands change places: it computes rhs^T lhs^T.
static Value *multiply(IRBuilderBase &b, const MatrixInstruction &instruction,
                       Value *lhs, Value *rhs, Value *sums) {
  Value *zero = b.getInt32(0);
  Type *sumType = sums->getType();
  switch (instruction.intrinsic) {
  case Intrinsic::amdgcn_mfma_scale_f32_16x16x128_f8f6f4:
  case Intrinsic::amdgcn_mfma_scale_f32_32x32x64_f8f6f4:
    return b.CreateIntrinsic(
        instruction.intrinsic, {rhs->getType(), lhs->getType()},
        {rhs, lhs, sums, b.getInt32(formatOf(instruction.rhs)),
         b.getInt32(formatOf(instruction.lhs)), zero, zero, zero, zero});
  case Intrinsic::amdgcn_wmma_i32_16x16x16_iu8:
    return b.CreateIntrinsic(
        instruction.intrinsic, {sumType, rhs->getType()},
        {b.getTrue(), rhs, b.getTrue(), lhs, sums, b.getFalse()});
  default:
    if (instruction.lanes() == 32)
      return b.CreateIntrinsic(instruction.intrinsic, {sumType, rhs->getType()},
                               {rhs, lhs, sums});
    return b.CreateIntrinsic(instruction.intrinsic, {},
                             {rhs, lhs, sums, zero, zero, zero});
  }
}

SmallVector<Value *> AmdHooks::emitMatrixAtom(Builder &b,
                                              const simt::MatrixAtom &atom,
                                              ArrayRef<Value *> lhs,
                                              ArrayRef<Value *> rhs,
                                              ArrayRef<Value *> accumulator) {
  auto block = llvm::find_if(
      atoms, [&](const BlockAtom &row) { return row.atom.name == atom.name; });
  const MatrixInstruction &instruction = block->instruction;
  SmallVector<Value *> registers(accumulator);
  Type *left = operandType(b, instruction, instruction.lhs);
  Type *right = operandType(b, instruction, instruction.rhs);
  auto *sumType = FixedVectorType::get(accumulator.front()->getType(),
                                       block->steps.front().result.size());
  for (const Step &step : block->steps) {
    Value *sums = multiply(b, instruction, gather(b, lhs, step.lhs, left),
                           gather(b, rhs, step.rhs, right),
                           gather(b, registers, step.result, sumType));
    for (auto [position, index] : llvm::enumerate(step.result))
      registers[index] = b.CreateExtractElement(sums, position);
  }
  return registers;
}

/// All registers as words.
static Value *asWords(IRBuilderBase &b, ArrayRef<Value *> bytes) {
  auto all = llvm::to_vector(llvm::seq<unsigned>(0, bytes.size()));
  return gather(b, bytes, all,
                FixedVectorType::get(b.getInt32Ty(), bytes.size() / 4));
}

/// A factor as the instruction takes it, in the low byte. The others are not 0:
/// LLVM takes factors that are the constant 0 for none at all, but 0 is 2^-127.
static Value *asFactor(IRBuilderBase &b, Value *factor) {
  constexpr uint32_t ones = 0x7f7f7f00;
  return b.CreateOr(b.CreateZExt(factor, b.getInt32Ty()), b.getInt32(ones));
}

SmallVector<Value *>
AmdHooks::emitScaledAtom(Builder &b, const simt::MatrixAtom &atom,
                         ArrayRef<Value *> lhs, ArrayRef<Value *> rhs,
                         ArrayRef<Value *> accumulator, Value *lhsScale,
                         Value *rhsScale) {
  auto row = llvm::find_if(scaled, [&](const ScaledAtom &row) {
    return row.atom.name == atom.name;
  });
  auto all = llvm::to_vector(llvm::seq<unsigned>(0, accumulator.size()));
  auto *sumType =
      FixedVectorType::get(accumulator.front()->getType(), accumulator.size());
  Value *x = asWords(b, lhs), *y = asWords(b, rhs);
  Value *lowByte = b.getInt32(0);
  Value *sums = b.CreateIntrinsic(
      row->intrinsic, {y->getType(), x->getType()},
      {y, x, gather(b, accumulator, all, sumType), b.getInt32(row->rhsFormat),
       b.getInt32(row->lhsFormat), lowByte, asFactor(b, rhsScale), lowByte,
       asFactor(b, lhsScale)});
  SmallVector<Value *> results;
  for (unsigned index : all)
    results.push_back(b.CreateExtractElement(sums, index));
  return results;
}

} // namespace tilewright::amd
