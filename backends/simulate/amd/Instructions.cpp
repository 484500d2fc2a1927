//===- Instructions.cpp - What AMD's intrinsics do --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes of matrix instructions are those of their names. Which lane a
// permutation reads is computed when it runs, see machine/Permutations.h.
//===----------------------------------------------------------------------===//
#include "backends/simulate/amd/Instructions.h"

#include "backends/simt/layout/MatrixAtom.h"
#include "backends/simulate/machine/Permutations.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

#include <cstddef>

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

namespace tilewright::simulate {

//===--- Permutations -----------------------------------------------------===//

Value *InstructionTranslator::lane(Builder &b) {
  Value *thread = services.field(b, b.getInt32Ty(), offsetof(LaneView, thread));
  return b.CreateAnd(thread, b.getInt32(target.lanes - 1));
}

Value *InstructionTranslator::permute(Builder &b, Value *word, uint32_t kind,
                                      Value *control) {
  Value *from =
      services.call(b, "source_lane", b.getInt32Ty(),
                    {b.getInt32(kind), b.CreateZExt(control, b.getInt64Ty())});
  return services.shuffle(b, word, from);
}

/// The odd rows (halves) of the first operand and the even ones of the second
/// change places.
Value *InstructionTranslator::swapRows(Builder &b, llvm::CallInst &call,
                                       unsigned mask) {
  Value *first = call.getArgOperand(0), *second = call.getArgOperand(1);
  Value *mine = lane(b), *from = b.CreateXor(mine, b.getInt32(mask));
  Value *isOdd =
      b.CreateICmpNE(b.CreateAnd(mine, b.getInt32(mask)), b.getInt32(0));
  Value *ofSecond = services.shuffle(b, second, from);
  Value *ofFirst = services.shuffle(b, first, from);
  Value *pair = llvm::PoisonValue::get(call.getType());
  pair = b.CreateInsertValue(pair, b.CreateSelect(isOdd, ofSecond, first), 0);
  return b.CreateInsertValue(pair, b.CreateSelect(isOdd, second, ofFirst), 1);
}

//===--- Matrix instructions ----------------------------------------------===//

namespace {
/// An instruction with operands A, B and C, as its name says.
struct MatrixRow {
  Intrinsic::ID id;
  uint32_t m, n, k;
  simt::Element lhs, rhs, result;
};
} // namespace

static const MatrixRow *findRow(Intrinsic::ID id, bool hasFnuz,
                                MatrixRow &scratch) {
  using E = simt::Element;
  static const MatrixRow rows[] = {
#define SIMULATE_MATRIX(name, m, n, k, lhs, rhs, result)                       \
  {Intrinsic::amdgcn_##name, m, n, k, E::lhs, E::rhs, E::result},
#include "backends/simulate/amd/MatrixRows.def"
  };
  const MatrixRow *found =
      llvm::find_if(rows, [&](const MatrixRow &row) { return row.id == id; });
  if (found == std::end(rows))
    return nullptr;
  scratch = *found;
  // Before CDNA 4 the bytes have no infinities and no -0.
  auto ofChip = [&](E element) {
    return !hasFnuz                 ? element
           : element == E::F8E4M3FN ? E::F8E4M3FNUZ
           : element == E::F8E5M2   ? E::F8E5M2FNUZ
                                    : element;
  };
  scratch.lhs = ofChip(scratch.lhs);
  scratch.rhs = ofChip(scratch.rhs);
  return &scratch;
}

static MatrixFamily familyOf(const amd::Target &target) {
  return target.isCDNA()    ? MatrixFamily::Mfma
         : target.isRDNA4() ? MatrixFamily::WmmaGfx12
                            : MatrixFamily::WmmaGfx11;
}

/// Registers of one lane: the operand's bytes over the element's.
static uint32_t countElements(Value *operand, simt::Element element) {
  unsigned bits = operand->getType()->getPrimitiveSizeInBits();
  switch (element) {
  case simt::Element::F64:
    return bits / 64;
  case simt::Element::F16:
  case simt::Element::BF16:
    return bits / 16;
  case simt::Element::I32:
  case simt::Element::F32:
  case simt::Element::TF32:
    return bits / 32;
  case simt::Element::F4E2M1:
    return bits / 4;
  default:
    return bits / 8;
  }
}

/// Constant operand `index` as a number.
static uint64_t numberAt(llvm::CallInst &call, unsigned index) {
  return llvm::cast<llvm::ConstantInt>(call.getArgOperand(index))
      ->getZExtValue();
}

/// The element of a format's number; none for those of 6 bits.
static std::optional<simt::Element> elementOfFormat(uint64_t format) {
  switch (format) {
  case 0:
    return simt::Element::F8E4M3FN;
  case 1:
    return simt::Element::F8E5M2;
  case 4:
    return simt::Element::F4E2M1;
  default:
    return std::nullopt;
  }
}

/// An operand's words with the chosen byte of its factor behind them.
static Value *withFactor(llvm::IRBuilderBase &b, Value *words, Value *factor,
                         uint64_t byte) {
  unsigned count =
      llvm::cast<llvm::FixedVectorType>(words->getType())->getNumElements();
  llvm::SmallVector<int> order;
  for (unsigned i = 0; i <= count; ++i)
    order.push_back(i < count ? int(i) : llvm::PoisonMaskElem);
  return b.CreateInsertElement(b.CreateShuffleVector(words, order),
                               b.CreateLShr(factor, 8 * byte), count);
}

/// The instruction with formats and factors. Both factors being the constant 0,
/// it has none.
bool InstructionTranslator::readMixed(Builder &b, llvm::CallInst &call,
                                      MatrixShape &shape, Value *&lhs,
                                      Value *&rhs) {
  std::optional<simt::Element> left = elementOfFormat(numberAt(call, 3));
  std::optional<simt::Element> right = elementOfFormat(numberAt(call, 4));
  if (!left || !right)
    return false;
  shape.lhs = uint32_t(*left);
  shape.rhs = uint32_t(*right);
  shape.lhsCount = countElements(lhs, *left);
  shape.rhsCount = countElements(rhs, *right);
  auto isZero = [&](unsigned index) {
    auto *number = llvm::dyn_cast<llvm::Constant>(call.getArgOperand(index));
    return number && number->isNullValue();
  };
  bool isScaled = !isZero(6) || !isZero(8);
  shape.form = uint32_t(isScaled ? MatrixForm::Scaled : MatrixForm::Mixed);
  if (isScaled) {
    lhs = withFactor(b, lhs, call.getArgOperand(6), numberAt(call, 5));
    rhs = withFactor(b, rhs, call.getArgOperand(8), numberAt(call, 7));
  }
  return true;
}

std::optional<Value *> InstructionTranslator::multiply(Builder &b,
                                                       llvm::CallInst &call) {
  MatrixRow row;
  Intrinsic::ID id = call.getIntrinsicID();
  if (!findRow(id, target.family == amd::Family::CDNA3, row))
    return std::nullopt;
  bool areIntegers = id == Intrinsic::amdgcn_wmma_i32_16x16x16_iu8;
  unsigned a = areIntegers ? 1 : 0, other = areIntegers ? 3 : 1;
  // Unsigned bytes and saturation are not known here.
  if (areIntegers &&
      (!numberAt(call, 0) || !numberAt(call, 2) || numberAt(call, 5)))
    return std::nullopt;
  Value *lhs = call.getArgOperand(a), *rhs = call.getArgOperand(other);
  Value *sums = call.getArgOperand(areIntegers ? 4 : 2);
  MatrixShape shape = {uint32_t(familyOf(target)),
                       row.m,
                       row.n,
                       row.k,
                       uint32_t(row.lhs),
                       uint32_t(row.rhs),
                       uint32_t(row.result),
                       countElements(lhs, row.lhs),
                       countElements(rhs, row.rhs),
                       countElements(sums, row.result)};
  bool isMixed = id == Intrinsic::amdgcn_mfma_scale_f32_16x16x128_f8f6f4 ||
                 id == Intrinsic::amdgcn_mfma_scale_f32_32x32x64_f8f6f4;
  if (isMixed && !readMixed(b, call, shape, lhs, rhs))
    return std::nullopt;
  Value *memory = services.spill(b, sums);
  services.multiply(b, shape, services.spill(b, lhs), services.spill(b, rhs),
                    memory);
  return b.CreateLoad(sums->getType(), memory);
}

//===--- Memory -----------------------------------------------------------===//

/// A descriptor becomes the address of a Buffer. Strides are 0 here.
Value *InstructionTranslator::describeBuffer(Builder &b, llvm::CallInst &call) {
  Value *base = b.CreatePtrToInt(services.uniform(b, call.getArgOperand(0)),
                                 b.getInt64Ty());
  Value *bytes = b.CreateZExt(call.getArgOperand(2), b.getInt64Ty());
  return b.CreateAddrSpaceCast(services.spill(b, {base, bytes}),
                               call.getType());
}

static Value *bytesOf(llvm::IRBuilderBase &b, llvm::Type *type) {
  return b.getInt32(type->getPrimitiveSizeInBits() / 8);
}

/// The offset that all lanes add is a part of what is compared with the size.
Value *InstructionTranslator::loadBuffer(Builder &b, llvm::CallInst &call) {
  llvm::Type *type = call.getType();
  Value *memory = services.spill(b, {llvm::Constant::getNullValue(type)});
  services.call(b, "buffer_load", b.getVoidTy(),
                {b.CreateAddrSpaceCast(call.getArgOperand(0), b.getPtrTy()),
                 b.CreateAdd(call.getArgOperand(1), call.getArgOperand(2)),
                 bytesOf(b, type), memory, services.currentPlace()});
  return b.CreateLoad(type, memory);
}

void InstructionTranslator::storeBuffer(Builder &b, llvm::CallInst &call) {
  Value *value = call.getArgOperand(0);
  services.call(b, "buffer_store", b.getVoidTy(),
                {b.CreateAddrSpaceCast(call.getArgOperand(1), b.getPtrTy()),
                 b.CreateAdd(call.getArgOperand(2), call.getArgOperand(3)),
                 bytesOf(b, value->getType()), services.spill(b, {value}),
                 services.currentPlace()});
}

/// M0 is one for all lanes, which write one behind the other from there.
void InstructionTranslator::copyToShared(Builder &b, llvm::CallInst &call) {
  Value *first = services.uniform(b, call.getArgOperand(1));
  Value *bytes = call.getArgOperand(2);
  Value *moved =
      b.CreateAdd(b.CreateMul(lane(b), bytes), call.getArgOperand(3));
  services.call(
      b, "copy", b.getVoidTy(),
      {b.CreateAddrSpaceCast(b.CreatePtrAdd(first, moved), b.getPtrTy()),
       b.CreateAddrSpaceCast(call.getArgOperand(0), b.getPtrTy()), bytes,
       b.getInt32(1), services.currentPlace()});
}

/// Of what a wait counts only copies are ever late here.
void InstructionTranslator::waitCounts(Builder &b, uint64_t counts) {
  uint64_t vector = (counts & 15) | (counts >> 14 & 3) << 4;
  services.call(b, "wait_copies", b.getVoidTy(), {b.getInt32(vector)});
}

//===--- All of them ------------------------------------------------------===//

std::optional<Value *> InstructionTranslator::translate(llvm::CallInst &call) {
  llvm::IRBuilder<> b(&call);
  services.beginInstruction(call);
  auto operand = [&](unsigned index) { return call.getArgOperand(index); };
  auto id = [&](unsigned axis) {
    return services.field(b, b.getInt32Ty(),
                          offsetof(LaneView, program) + 4 * axis);
  };
  switch (call.getIntrinsicID()) {
  case Intrinsic::amdgcn_workitem_id_x:
    return services.field(b, b.getInt32Ty(), offsetof(LaneView, thread));
  case Intrinsic::amdgcn_workgroup_id_x:
    return id(0);
  case Intrinsic::amdgcn_workgroup_id_y:
    return id(1);
  case Intrinsic::amdgcn_workgroup_id_z:
    return id(2);
  case Intrinsic::amdgcn_kernarg_segment_ptr:
    return b.CreateAddrSpaceCast(arguments, call.getType());
  case Intrinsic::amdgcn_readfirstlane:
    return services.uniform(b, operand(0));
  case Intrinsic::amdgcn_make_buffer_rsrc:
    return describeBuffer(b, call);
  case Intrinsic::amdgcn_raw_ptr_buffer_load:
    return loadBuffer(b, call);
  case Intrinsic::amdgcn_raw_ptr_buffer_store:
    storeBuffer(b, call);
    return nullptr;
  case Intrinsic::amdgcn_global_load_lds:
    copyToShared(b, call);
    return nullptr;
  case Intrinsic::amdgcn_s_waitcnt:
    waitCounts(b, numberAt(call, 0));
    return nullptr;
  case Intrinsic::amdgcn_mov_dpp:
    return permute(b, operand(0), kPermuteDpp, operand(1));
  case Intrinsic::amdgcn_ds_swizzle:
    return permute(b, operand(0), kPermuteSwizzle, operand(1));
  case Intrinsic::amdgcn_ds_bpermute:
    return permute(b, operand(1), kPermuteAddress, operand(0));
  case Intrinsic::amdgcn_permlanex16: {
    Value *high = b.CreateShl(b.CreateZExt(operand(3), b.getInt64Ty()), 32);
    return permute(b, operand(1), kPermuteRows,
                   b.CreateOr(high, b.CreateZExt(operand(2), b.getInt64Ty())));
  }
  case Intrinsic::amdgcn_permlane16_swap:
    return swapRows(b, call, 16);
  case Intrinsic::amdgcn_permlane32_swap:
    return swapRows(b, call, 32);
  case Intrinsic::amdgcn_ballot:
    return services.ballot(b, operand(0), call.getType()->getIntegerBitWidth());
  case Intrinsic::amdgcn_exp2: { // subnormal results are 0
    Value *power = b.CreateUnaryIntrinsic(Intrinsic::exp2, operand(0));
    Value *isNormal = b.CreateFCmpUGE(
        power, llvm::ConstantFP::get(power->getType(), 0x1p-126));
    return b.CreateSelect(isNormal, power,
                          llvm::ConstantFP::get(power->getType(), 0));
  }
  case Intrinsic::amdgcn_rsq: {
    Value *root = b.CreateUnaryIntrinsic(Intrinsic::sqrt, operand(0));
    return b.CreateFDiv(llvm::ConstantFP::get(root->getType(), 1), root);
  }
  default:
    return multiply(b, call);
  }
}

} // namespace tilewright::simulate
