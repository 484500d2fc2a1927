//===- TargetHooks.cpp - Generic instructions as defaults -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM expresses without a target's intrinsics.
//===----------------------------------------------------------------------===//
#include "backends/simt/TargetHooks.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"

using llvm::Value;

namespace tilewright::simt {

SourcePlace placeOf(mlir::Location location) {
  mlir::LocationAttr attribute = location;
  while (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(attribute))
    attribute = call.getCallee();
  SourcePlace place;
  if (auto position = mlir::dyn_cast<mlir::FileLineColRange>(attribute)) {
    place.file = position.getFilename().str();
    place.line = position.getStartLine();
  }
  return place;
}

TargetHooks::~TargetHooks() = default;

void TargetHooks::endKernel(Builder &b, KernelFrame &) { b.CreateRetVoid(); }

void TargetHooks::beginOperation(Builder &, const SourcePlace &) {}

Value *TargetHooks::laneId(Builder &b) {
  return b.CreateAnd(threadId(b), b.getInt32(target().warpLanes() - 1));
}

Value *TargetHooks::warpId(Builder &b) {
  return b.CreateLShr(threadId(b),
                      b.getInt32(llvm::Log2_32(target().warpLanes())));
}

llvm::AtomicOrdering orderingOf(kernel::MemorySemantics semantics) {
  switch (semantics) {
  case kernel::MemorySemantics::Relaxed:
    return llvm::AtomicOrdering::Monotonic;
  case kernel::MemorySemantics::Acquire:
    return llvm::AtomicOrdering::Acquire;
  case kernel::MemorySemantics::Release:
    return llvm::AtomicOrdering::Release;
  case kernel::MemorySemantics::AcquireRelease:
    return llvm::AtomicOrdering::AcquireRelease;
  }
  llvm_unreachable("unknown memory semantics");
}

llvm::SyncScope::ID TargetHooks::syncScope(llvm::LLVMContext &,
                                           kernel::MemoryScope) const {
  return llvm::SyncScope::System;
}

void TargetHooks::fence(Builder &b, kernel::MemorySemantics semantics,
                        kernel::MemoryScope scope) {
  if (semantics != kernel::MemorySemantics::Relaxed)
    b.CreateFence(orderingOf(semantics), syncScope(b.getContext(), scope));
}

Value *TargetHooks::byWords(Builder &b, Value *value,
                            llvm::function_ref<Value *(Value *)> operation) {
  llvm::Type *type = value->getType(), *word = b.getInt32Ty();
  bool isPointer = type->isPointerTy();
  Value *bits = isPointer ? b.CreatePtrToInt(value, b.getInt64Ty()) : value;
  unsigned width = bits->getType()->getScalarSizeInBits();
  bits = b.CreateBitCast(bits, b.getIntNTy(width));
  Value *moved;
  if (width <= 32) {
    moved =
        b.CreateTrunc(operation(b.CreateZExt(bits, word)), b.getIntNTy(width));
  } else {
    Value *low = operation(b.CreateTrunc(bits, word));
    Value *high = operation(b.CreateTrunc(b.CreateLShr(bits, 32), word));
    moved = b.CreateOr(b.CreateZExt(low, b.getInt64Ty()),
                       b.CreateShl(b.CreateZExt(high, b.getInt64Ty()), 32));
  }
  return isPointer ? b.CreateIntToPtr(moved, type)
                   : b.CreateBitCast(moved, type);
}

Value *TargetHooks::shuffleIndex(Builder &, Value *, Value *) {
  llvm_unreachable("target has no shuffles");
}
Value *TargetHooks::shuffleXor(Builder &, Value *, unsigned) {
  llvm_unreachable("target has no shuffles");
}
Value *TargetHooks::shuffleUp(Builder &b, Value *value, unsigned delta) {
  Value *lane = laneId(b);
  Value *isLow = b.CreateICmpULT(lane, b.getInt32(delta));
  Value *from = b.CreateSub(lane, b.getInt32(delta));
  return shuffleIndex(b, value, b.CreateSelect(isLow, lane, from));
}
Value *TargetHooks::ballot(Builder &, Value *) { return nullptr; }

Value *TargetHooks::sharedMemory(Builder &b, uint64_t bytes) {
  llvm::Module *module = b.GetInsertBlock()->getModule();
  auto *type = llvm::ArrayType::get(b.getInt8Ty(), bytes);
  auto *global = new llvm::GlobalVariable(
      *module, type, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
      llvm::UndefValue::get(type),
      b.GetInsertBlock()->getParent()->getName() + ".shared", nullptr,
      llvm::GlobalVariable::NotThreadLocal, target().sharedSpace);
  global->setAlignment(llvm::Align(16));
  return global;
}

Value *TargetHooks::load(Builder &b, llvm::Type *type, Value *pointer,
                         const AccessFlags &flags) {
  return b.CreateAlignedLoad(type, pointer, llvm::Align(flags.alignment),
                             flags.isVolatile);
}

void TargetHooks::store(Builder &b, Value *value, Value *pointer,
                        const AccessFlags &flags) {
  b.CreateAlignedStore(value, pointer, llvm::Align(flags.alignment),
                       flags.isVolatile);
}

Value *TargetHooks::loadIf(Builder &, Value *, llvm::Type *, Value *, Value *,
                           const AccessFlags &) {
  return nullptr;
}

Value *TargetHooks::loadSplit(Builder &, Value *, llvm::Type *,
                              const SplitAddress &, Value *,
                              const AccessFlags &) {
  return nullptr;
}

bool TargetHooks::storeSplit(Builder &, Value *, Value *, const SplitAddress &,
                             const AccessFlags &) {
  return false;
}

bool TargetHooks::storeIf(Builder &, Value *, Value *, Value *,
                          const AccessFlags &) {
  return false;
}

static llvm::AtomicRMWInst::BinOp operationOf(kernel::AtomicKind kind) {
  using Op = llvm::AtomicRMWInst;
  switch (kind) {
  case kernel::AtomicKind::Add:
    return Op::Add;
  case kernel::AtomicKind::FAdd:
    return Op::FAdd;
  case kernel::AtomicKind::Max:
    return Op::Max;
  case kernel::AtomicKind::Min:
    return Op::Min;
  case kernel::AtomicKind::UMax:
    return Op::UMax;
  case kernel::AtomicKind::UMin:
    return Op::UMin;
  case kernel::AtomicKind::FMax:
    return Op::FMax;
  case kernel::AtomicKind::FMin:
    return Op::FMin;
  case kernel::AtomicKind::And:
    return Op::And;
  case kernel::AtomicKind::Or:
    return Op::Or;
  case kernel::AtomicKind::Xor:
    return Op::Xor;
  case kernel::AtomicKind::Xchg:
    return Op::Xchg;
  }
  llvm_unreachable("unknown atomic kind");
}

/// Integers of 32 and 64 bits only: floats and small types differ by target.
Value *TargetHooks::atomicRMW(Builder &b, kernel::AtomicKind kind,
                              kernel::MemorySemantics semantics,
                              kernel::MemoryScope scope, Value *pointer,
                              Value *value) {
  if (!value->getType()->isIntegerTy(32) && !value->getType()->isIntegerTy(64))
    return nullptr;
  return b.CreateAtomicRMW(operationOf(kind), pointer, value,
                           llvm::MaybeAlign(), orderingOf(semantics),
                           syncScope(b.getContext(), scope));
}

Value *TargetHooks::compareAndSwap(Builder &b,
                                   kernel::MemorySemantics semantics,
                                   kernel::MemoryScope scope, Value *pointer,
                                   Value *compare, Value *value) {
  llvm::AtomicOrdering ordering = orderingOf(semantics);
  Value *pair = b.CreateAtomicCmpXchg(
      pointer, compare, value, llvm::MaybeAlign(), ordering,
      llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(ordering),
      syncScope(b.getContext(), scope));
  return b.CreateExtractValue(pair, 0);
}

bool TargetHooks::asyncCopy(Builder &, Value *, Value *, unsigned, Value *) {
  return false;
}
void TargetHooks::asyncCommit(Builder &) {}
void TargetHooks::asyncWait(Builder &, unsigned) {}

bool TargetHooks::isNativeFunction(math::MathFunction, unsigned, bool) const {
  return false;
}
Value *TargetHooks::function(Builder &, math::MathFunction,
                             llvm::ArrayRef<Value *>) {
  return nullptr;
}
Value *TargetHooks::squareRoot(Builder &b, Value *value) {
  return b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, value);
}
Value *TargetHooks::divide(Builder &b, Value *lhs, Value *rhs) {
  return b.CreateFDiv(lhs, rhs);
}
Value *TargetHooks::approximateSquareRoot(Builder &b, Value *value) {
  return squareRoot(b, value);
}
Value *TargetHooks::approximateQuotient(Builder &b, Value *lhs, Value *rhs) {
  return divide(b, lhs, rhs);
}
std::optional<Reciprocal> TargetHooks::reciprocal(Builder &, Value *) {
  return std::nullopt;
}
std::optional<UsualValues> TargetHooks::usualValues(Builder &,
                                                    math::MathFunction,
                                                    llvm::ArrayRef<Value *>) {
  return std::nullopt;
}

Value *TargetHooks::roundToBFloat(Builder &b, Value *value) {
  return b.CreateBitCast(b.CreateFPTrunc(value, b.getBFloatTy()),
                         b.getInt16Ty());
}

Value *TargetHooks::fusedMultiplyAdd(Builder &b, Value *x, Value *y, Value *z) {
  return b.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
}

/// Through halves: products of twice the width are not legal everywhere.
Value *TargetHooks::multiplyHigh(Builder &b, Value *lhs, Value *rhs) {
  unsigned bits = lhs->getType()->getIntegerBitWidth(), half = bits / 2;
  if (bits == 32) {
    Value *wide = b.CreateMul(b.CreateZExt(lhs, b.getInt64Ty()),
                              b.CreateZExt(rhs, b.getInt64Ty()));
    return b.CreateTrunc(b.CreateLShr(wide, 32), lhs->getType());
  }
  Value *mask = llvm::ConstantInt::get(lhs->getType(), (1ull << half) - 1);
  Value *a = b.CreateLShr(lhs, half), *c = b.CreateAnd(lhs, mask);
  Value *d = b.CreateLShr(rhs, half), *e = b.CreateAnd(rhs, mask);
  Value *low = b.CreateLShr(b.CreateMul(c, e), half);
  Value *middle = b.CreateAdd(b.CreateMul(a, e), low);
  Value *other = b.CreateAdd(b.CreateMul(c, d), b.CreateAnd(middle, mask));
  Value *high = b.CreateAdd(b.CreateMul(a, d), b.CreateLShr(middle, half));
  return b.CreateAdd(high, b.CreateLShr(other, half));
}

llvm::SmallVector<Value *>
TargetHooks::emitMatrixAtom(Builder &, const MatrixAtom &,
                            llvm::ArrayRef<Value *>, llvm::ArrayRef<Value *>,
                            llvm::ArrayRef<Value *>) {
  llvm_unreachable("target has no matrix atoms");
}

llvm::SmallVector<Value *>
TargetHooks::emitScaledAtom(Builder &, const MatrixAtom &,
                            llvm::ArrayRef<Value *>, llvm::ArrayRef<Value *>,
                            llvm::ArrayRef<Value *>, Value *, Value *) {
  llvm_unreachable("target has no atoms with factors");
}

llvm::SmallVector<Value *> TargetHooks::matrixLoad(Builder &, Value *, unsigned,
                                                   bool) {
  return {};
}

Value *TargetHooks::clock(Builder &, bool) { return nullptr; }

Value *TargetHooks::inlineAssembly(Builder &, llvm::StringRef, llvm::StringRef,
                                   llvm::Type *, llvm::ArrayRef<Value *>,
                                   bool) {
  return nullptr;
}

Value *TargetHooks::externCall(Builder &, llvm::StringRef, llvm::StringRef,
                               llvm::Type *, llvm::ArrayRef<Value *>) {
  return nullptr;
}

} // namespace tilewright::simt
