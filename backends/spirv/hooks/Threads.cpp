//===- Threads.cpp - Barriers, fences, shuffles, atomics --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPIR-V names the memory that an ordering concerns; LLVM's fence does not, so
// barriers and fences are calls with explicit semantics.
//===----------------------------------------------------------------------===//
#include "backends/spirv/hooks/Builtins.h"
#include "backends/spirv/hooks/SpirvHooks.h"

#include "llvm/IR/Module.h"

using llvm::Value;

namespace tilewright::spirv {

/// SPIR-V's numbers of scopes and memory semantics.
static constexpr uint32_t kCrossDevice = 0, kDevice = 1, kWorkgroup = 2;
static constexpr uint32_t kAcquire = 0x2, kRelease = 0x4, kAcquireRelease = 0x8;
static constexpr uint32_t kWorkgroupMemory = 0x100, kGlobalMemory = 0x200;

static uint32_t memoryOf(simt::Spaces spaces) {
  switch (spaces) {
  case simt::Spaces::Shared:
    return kWorkgroupMemory;
  case simt::Spaces::Global:
    return kGlobalMemory;
  case simt::Spaces::All:
    return kWorkgroupMemory | kGlobalMemory;
  }
  llvm_unreachable("unknown memory");
}

/// A call that orders memory. To LLVM no call reaches memory that does not
/// escape, such as the shared memory: fences around it say that this one does.
/// Legalisation removes them.
static void callOrdering(llvm::IRBuilderBase &b, llvm::StringRef name,
                         llvm::ArrayRef<Value *> operands) {
  auto scope = b.getContext().getOrInsertSyncScopeID("workgroup");
  b.CreateFence(llvm::AtomicOrdering::AcquireRelease, scope);
  callBuiltin(b, name, b.getVoidTy(), operands, Effect::Barrier);
  b.CreateFence(llvm::AtomicOrdering::AcquireRelease, scope);
}

void SpirvHooks::barrier(Builder &b, simt::Spaces spaces) {
  callOrdering(b, "_Z22__spirv_ControlBarrierjjj",
               {b.getInt32(kWorkgroup), b.getInt32(kWorkgroup),
                b.getInt32(kAcquireRelease | memoryOf(spaces))});
}

void SpirvHooks::fence(Builder &b, kernel::MemorySemantics semantics,
                       kernel::MemoryScope scope) {
  static constexpr uint32_t orders[] = {0, kAcquire, kRelease, kAcquireRelease};
  uint32_t order = orders[static_cast<uint32_t>(semantics)];
  if (!order)
    return;
  uint32_t reach = scope == kernel::MemoryScope::Block ? kWorkgroup
                   : scope == kernel::MemoryScope::System && traits.hasAddresses
                       ? kCrossDevice
                       : kDevice;
  callOrdering(
      b, "_Z21__spirv_MemoryBarrierjj",
      {b.getInt32(reach), b.getInt32(order | memoryOf(simt::Spaces::All))});
}

//===--- Shuffles ---------------------------------------------------------===//

/// Any scalar of up to 64 bits as i32 or i64.
static Value *toBits(llvm::IRBuilderBase &b, Value *value) {
  llvm::Type *type = value->getType();
  if (type->isPointerTy())
    return b.CreatePtrToInt(value, b.getInt64Ty());
  unsigned bits = type->getPrimitiveSizeInBits();
  value = b.CreateBitCast(value, b.getIntNTy(bits));
  return b.CreateZExt(value, bits > 32 ? b.getInt64Ty() : b.getInt32Ty());
}

static Value *fromBits(llvm::IRBuilderBase &b, Value *bits, llvm::Type *type) {
  if (type->isPointerTy())
    return b.CreateIntToPtr(bits, type);
  bits = b.CreateTrunc(bits, b.getIntNTy(type->getPrimitiveSizeInBits()));
  return b.CreateBitCast(bits, type);
}

/// `name` is mangled up to its parameters: "_Z17sub_group_shuffle".
Value *SpirvHooks::shuffle(Builder &b, llvm::StringRef name, Value *value,
                           Value *operand) {
  Value *bits = toBits(b, value);
  bool isLong = bits->getType()->isIntegerTy(64);
  Value *moved =
      callBuiltin(b, (name + (isLong ? "mj" : "jj")).str(), bits->getType(),
                  {bits, operand}, Effect::Convergent);
  return fromBits(b, moved, value->getType());
}

Value *SpirvHooks::shuffleIndex(Builder &b, Value *value, Value *lane) {
  return shuffle(b, "_Z17sub_group_shuffle", value, lane);
}

Value *SpirvHooks::shuffleXor(Builder &b, Value *value, unsigned mask) {
  return shuffle(b, "_Z21sub_group_shuffle_xor", value, b.getInt32(mask));
}

Value *SpirvHooks::ballot(Builder &b, Value *predicate) {
  if (!traits.subgroupWidth)
    return nullptr;
  auto *quad = llvm::FixedVectorType::get(b.getInt32Ty(), 4);
  Value *words =
      callBuiltin(b, "_Z16sub_group_balloti", quad,
                  b.CreateZExt(predicate, b.getInt32Ty()), Effect::Convergent);
  auto *type = b.getIntNTy(traits.subgroupWidth);
  Value *low = b.CreateExtractElement(words, uint64_t(0));
  if (traits.subgroupWidth <= 32)
    return b.CreateTrunc(low, type);
  Value *high = b.CreateExtractElement(words, uint64_t(1));
  return b.CreateOr(b.CreateZExt(low, type),
                    b.CreateShl(b.CreateZExt(high, type), 32));
}

//===--- Atomics ----------------------------------------------------------===//

/// What LLVM's SPIR-V target calls a scope.
llvm::SyncScope::ID SpirvHooks::syncScope(llvm::LLVMContext &context,
                                          kernel::MemoryScope scope) const {
  if (scope == kernel::MemoryScope::System && traits.hasAddresses)
    return llvm::SyncScope::System;
  return context.getOrInsertSyncScopeID(
      scope == kernel::MemoryScope::Block ? "workgroup" : "device");
}

/// Whether atomics on integers of this type exist.
static bool isAtomicType(llvm::Type *type, const opencl::Traits &traits) {
  return type->isIntegerTy(32) ||
         (type->isIntegerTy(64) && traits.hasLongAtomics);
}

Value *SpirvHooks::atomicRMW(Builder &b, kernel::AtomicKind kind,
                             kernel::MemorySemantics semantics,
                             kernel::MemoryScope scope, Value *pointer,
                             Value *value) {
  return isAtomicType(value->getType(), traits)
             ? TargetHooks::atomicRMW(b, kind, semantics, scope, pointer, value)
             : nullptr;
}

Value *SpirvHooks::compareAndSwap(Builder &b, kernel::MemorySemantics semantics,
                                  kernel::MemoryScope scope, Value *pointer,
                                  Value *compare, Value *value) {
  return isAtomicType(value->getType(), traits)
             ? TargetHooks::compareAndSwap(b, semantics, scope, pointer,
                                           compare, value)
             : nullptr;
}

} // namespace tilewright::spirv
