//===- Memory.cpp - Loads, stores and atomics -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own instructions, with hints as metadata.
//===----------------------------------------------------------------------===//
#include "backends/amd/hooks/AmdHooks.h"

#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace tilewright::amd {

/// Data that is used once need not stay in the caches.
static bool isStreaming(const simt::AccessFlags &flags) {
  return flags.cache == kernel::CacheHint::CS ||
         flags.evict == kernel::EvictionHint::EvictFirst;
}

static void addHints(Instruction *access, const simt::AccessFlags &flags) {
  LLVMContext &context = access->getContext();
  if (isStreaming(flags))
    access->setMetadata(
        LLVMContext::MD_nontemporal,
        MDNode::get(context, ConstantAsMetadata::get(ConstantInt::get(
                                 Type::getInt32Ty(context), 1))));
}

Value *AmdHooks::load(Builder &b, Type *type, Value *pointer,
                      const simt::AccessFlags &flags) {
  Value *loaded = b.CreateAlignedLoad(type, pointer, Align(flags.alignment),
                                      flags.isVolatile ||
                                          flags.cache == kernel::CacheHint::CV);
  addHints(cast<Instruction>(loaded), flags);
  return loaded;
}

void AmdHooks::store(Builder &b, Value *value, Value *pointer,
                     const simt::AccessFlags &flags) {
  addHints(b.CreateAlignedStore(value, pointer, Align(flags.alignment),
                                flags.isVolatile),
           flags);
}

/// Lanes that are masked off read the kernel's arguments, which are there in
/// 16-byte pieces, and forget what they read: no branch keeps loads apart.
Value *AmdHooks::loadIf(Builder &b, Value *mask, Type *type, Value *pointer,
                        Value *otherwise, const simt::AccessFlags &flags) {
  if (flags.isVolatile ||
      pointer->getType()->getPointerAddressSpace() != target().globalSpace)
    return nullptr;
  Value *arguments =
      b.CreateIntrinsic(Intrinsic::amdgcn_kernarg_segment_ptr, {});
  Value *known = b.CreateAddrSpaceCast(arguments, pointer->getType());
  simt::AccessFlags safe = flags;
  safe.alignment = std::min(flags.alignment, 16u);
  Value *loaded = load(b, type, b.CreateSelect(mask, pointer, known), safe);
  return b.CreateSelect(mask, loaded, otherwise);
}

static bool isFloatAdd(kernel::AtomicKind kind, Type *type) {
  return kind == kernel::AtomicKind::FAdd &&
         (type->isFloatTy() || type->isDoubleTy());
}

/// Sums of floats are LLVM's, which uses the memory's own adders where they
/// are right for all memory, and compare-and-swap elsewhere. Those adders may
/// flush subnormal numbers, which portable results may not.
Value *AmdHooks::atomicRMW(Builder &b, kernel::AtomicKind kind,
                           kernel::MemorySemantics semantics,
                           kernel::MemoryScope scope, Value *pointer,
                           Value *value) {
  if (!isFloatAdd(kind, value->getType()) || options.isPortable)
    return TargetHooks::atomicRMW(b, kind, semantics, scope, pointer, value);
  return b.CreateAtomicRMW(AtomicRMWInst::FAdd, pointer, value, MaybeAlign(),
                           simt::orderingOf(semantics),
                           syncScope(b.getContext(), scope));
}

} // namespace tilewright::amd
