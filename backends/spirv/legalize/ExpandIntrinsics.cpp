//===- ExpandIntrinsics.cpp - Functions that SPIR-V lacks -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One expansion a function, on scalars and vectors alike.
//===----------------------------------------------------------------------===//
#include "backends/spirv/legalize/Legalize.h"

#include "llvm/CodeGen/AtomicExpandUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using llvm::Value;
using llvm::Intrinsic::ID;
namespace Intrinsic = llvm::Intrinsic;

namespace tilewright::spirv {

namespace {
struct MinMax {
  bool isMax;
  bool isNaNKept; ///< a NaN operand makes the result NaN
};
} // namespace

static std::optional<MinMax> classify(const llvm::IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::minimum:
    return MinMax{false, true};
  case Intrinsic::maximum:
    return MinMax{true, true};
  case Intrinsic::minimumnum:
    return MinMax{false, false};
  case Intrinsic::maximumnum:
    return MinMax{true, false};
  default:
    return std::nullopt;
  }
}

static llvm::Type *bitsOf(llvm::Type *type) {
  return type->getWithNewBitWidth(type->getScalarSizeInBits());
}

/// Of equal numbers: -0 is below 0.
static Value *chooseEqual(llvm::IRBuilder<> &b, Value *x, Value *y,
                          bool isMax) {
  llvm::Type *bits = bitsOf(x->getType());
  Value *p = b.CreateBitCast(x, bits), *q = b.CreateBitCast(y, bits);
  return b.CreateBitCast(isMax ? b.CreateAnd(p, q) : b.CreateOr(p, q),
                         x->getType());
}

static Value *expand(llvm::IRBuilder<> &b, Value *x, Value *y, MinMax kind) {
  Value *isFirst = kind.isMax ? b.CreateFCmpOGT(x, y) : b.CreateFCmpOLT(x, y);
  Value *result = b.CreateSelect(isFirst, x, y);
  result = b.CreateSelect(b.CreateFCmpOEQ(x, y),
                          chooseEqual(b, x, y, kind.isMax), result);
  Value *isNaNx = b.CreateFCmpUNO(x, x), *isNaNy = b.CreateFCmpUNO(y, y);
  if (kind.isNaNKept) {
    result = b.CreateSelect(isNaNy, y, result);
    return b.CreateSelect(isNaNx, x, result);
  }
  result = b.CreateSelect(isNaNy, x, result);
  return b.CreateSelect(isNaNx, y, result);
}

void expandMinMax(llvm::Function &function) {
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    std::optional<MinMax> kind = call ? classify(*call) : std::nullopt;
    if (!kind)
      continue;
    llvm::IRBuilder<> b(call);
    call->replaceAllUsesWith(
        expand(b, call->getArgOperand(0), call->getArgOperand(1), *kind));
    call->eraseFromParent();
  }
}

/// SPIR-V's own needs a capability that kernels do not have. Swaps halves of
/// halves: bits, pairs, nibbles, bytes, words. Neighbours swap places by a sum:
/// of x = 2h + l it is x + l - h. Intel's driver for processors knows shifts
/// that amount to a reversal, and then reads shared memory at one address for
/// all work-items where a reversed number is the index.
static Value *reverseBits(llvm::IRBuilder<> &b, Value *x) {
  unsigned bits = x->getType()->getScalarSizeInBits();
  for (unsigned width = 1; width < bits; width *= 2) {
    llvm::APInt mask = llvm::APInt::getSplat(
        bits, llvm::APInt::getLowBitsSet(2 * width, width));
    Value *keep = llvm::ConstantInt::get(x->getType(), mask);
    Value *low = b.CreateAnd(b.CreateLShr(x, width), keep);
    Value *high = b.CreateAnd(x, keep);
    x = width == 1 ? b.CreateSub(b.CreateAdd(x, high), low)
                   : b.CreateOr(low, b.CreateShl(high, width));
  }
  return x;
}

/// Two numbers side by side, shifted by less than their width. The one that
/// fills up moves by what is left of the width in two steps, since no shift may
/// be by all of it, which LLVM's target overlooks.
static Value *shiftFunnel(llvm::IRBuilder<> &b, llvm::IntrinsicInst &call) {
  Value *high = call.getArgOperand(0), *low = call.getArgOperand(1);
  Value *shift = call.getArgOperand(2);
  llvm::Type *type = call.getType();
  Value *most = llvm::ConstantInt::get(type, type->getScalarSizeInBits() - 1);
  Value *amount = b.CreateAnd(shift, most);
  Value *rest = b.CreateAnd(b.CreateNot(shift), most); // all but one of it
  if (call.getIntrinsicID() == Intrinsic::fshl)
    return b.CreateOr(b.CreateShl(high, amount),
                      b.CreateLShr(b.CreateLShr(low, 1), rest));
  return b.CreateOr(b.CreateShl(b.CreateShl(high, 1), rest),
                    b.CreateLShr(low, amount));
}

/// The extreme of two truth values, of which the signed order has true below.
static Value *chooseTruth(llvm::IRBuilder<> &b, llvm::IntrinsicInst &call) {
  ID id = call.getIntrinsicID();
  Value *x = call.getArgOperand(0), *y = call.getArgOperand(1);
  bool isOr = id == Intrinsic::umax || id == Intrinsic::smin;
  return isOr ? b.CreateOr(x, y) : b.CreateAnd(x, y);
}

/// The value that replaces a call, or null if it may stay.
static Value *expandCall(llvm::IRBuilder<> &b, llvm::IntrinsicInst &call) {
  Value *x = call.arg_size() ? call.getArgOperand(0) : nullptr;
  switch (call.getIntrinsicID()) {
  case Intrinsic::canonicalize: // numbers are canonical; NaN becomes quiet
    return b.CreateFMul(x, llvm::ConstantFP::get(x->getType(), 1.0));
  case Intrinsic::bitreverse:
    return reverseBits(b, x);
  case Intrinsic::abs: { // OpenCL's is unsigned; PoCL's takes it for positive
    Value *sign = b.CreateAShr(x, x->getType()->getScalarSizeInBits() - 1);
    return b.CreateSub(b.CreateXor(x, sign), sign);
  }
  case Intrinsic::fshl:
  case Intrinsic::fshr: {
    unsigned bits = x->getType()->getScalarSizeInBits();
    return bits > 1 && llvm::isPowerOf2_32(bits) ? shiftFunnel(b, call)
                                                 : nullptr;
  }
  case Intrinsic::fmuladd: { // contraction is an option, never taken
    Value *product = b.CreateFMul(x, call.getArgOperand(1));
    return b.CreateFAdd(product, call.getArgOperand(2));
  }
  case Intrinsic::umax:
  case Intrinsic::umin:
  case Intrinsic::smax:
  case Intrinsic::smin:
    return x->getType()->isIntOrIntVectorTy(1) ? chooseTruth(b, call) : nullptr;
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
    return x;
  case Intrinsic::is_constant:
    return b.getFalse();
  default:
    return nullptr;
  }
}

/// Hints that say nothing to SPIR-V.
static bool isHint(const llvm::IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::assume:
  case Intrinsic::sideeffect:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::donothing:
    return true;
  default:
    return false;
  }
}

/// The sign bit turned over. Intel's driver for processors takes a negation
/// whose result is read behind a barrier for uniform: all work-items of a group
/// read that of the last one.
static Value *flipSign(llvm::IRBuilder<> &b, llvm::UnaryOperator &negation) {
  llvm::Type *type = negation.getType(), *bits = bitsOf(type);
  Value *mask = llvm::ConstantInt::get(
      bits, llvm::APInt::getSignMask(bits->getScalarSizeInBits()));
  Value *raw = b.CreateBitCast(negation.getOperand(0), bits);
  return b.CreateBitCast(b.CreateXor(raw, mask), type);
}

void expandIntrinsics(llvm::Function &function) {
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto *negation = llvm::dyn_cast<llvm::UnaryOperator>(&instruction)) {
      llvm::IRBuilder<> b(negation);
      negation->replaceAllUsesWith(flipSign(b, *negation));
      negation->eraseFromParent();
      continue;
    }
    if (llvm::isa<llvm::FenceInst>(instruction)) {
      instruction.eraseFromParent();
      continue;
    }
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call)
      continue;
    if (isHint(*call)) {
      call->eraseFromParent();
      continue;
    }
    llvm::IRBuilder<> b(call);
    if (Value *value = expandCall(b, *call)) {
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
  }
}

/// One compare-and-swap on the bits, as expandAtomicRMWToCmpXchg asks for it.
static void swapBits(llvm::IRBuilderBase &b, Value *pointer, Value *loaded,
                     Value *wanted, llvm::Align align,
                     llvm::AtomicOrdering ordering, llvm::SyncScope::ID scope,
                     Value *&isDone, Value *&seen, llvm::Instruction *) {
  llvm::Type *type = wanted->getType();
  llvm::Type *bits = b.getIntNTy(type->getPrimitiveSizeInBits());
  Value *pair = b.CreateAtomicCmpXchg(
      pointer, b.CreateBitCast(loaded, bits), b.CreateBitCast(wanted, bits),
      align, ordering,
      llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(ordering), scope);
  isDone = b.CreateExtractValue(pair, 1);
  seen = b.CreateBitCast(b.CreateExtractValue(pair, 0), type);
}

void expandFloatAtomics(llvm::Function &function) {
  llvm::SmallVector<llvm::AtomicRMWInst *> updates;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      if (update->isFloatingPointOperation())
        updates.push_back(update);
  for (llvm::AtomicRMWInst *update : updates)
    llvm::expandAtomicRMWToCmpXchg(update, swapBits);
}

} // namespace tilewright::spirv
