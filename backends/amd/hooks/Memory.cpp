//===- Memory.cpp - Loads, stores and atomics -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own instructions, with hints as metadata; buffer instructions where
// lanes may be masked off and 32 bits hold their distances.
//===----------------------------------------------------------------------===//
#include "backends/amd/hooks/AmdHooks.h"

#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Support/AMDGPUAddrSpace.h"

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

//===--- Buffers ----------------------------------------------------------===//

/// Word 3 of a buffer's descriptor ("Buffer Resource Descriptor" of the ISA
/// guides): a raw buffer of 32-bit data. RDNA also wants a bit set that was
/// reserved, and compares offsets alone with the size.
static unsigned descriptorFlags(const Target &target) {
  constexpr unsigned format = 7 << 12 | 4 << 15;
  constexpr unsigned reserved = 1u << 24, checkOffset = 3u << 28;
  return target.isCDNA() ? format : format | reserved | checkOffset;
}

/// Bytes of a buffer: no proved offset is beyond, and this one is.
static constexpr unsigned kBufferBytes = 0x7fffffff, kOutside = 0x80000000;

/// What buffer instructions move: an integer or words.
static Type *wordsType(IRBuilderBase &b, uint64_t bytes) {
  switch (bytes) {
  case 1:
  case 2:
  case 4:
    return b.getIntNTy(8 * bytes);
  case 8:
  case 16:
    return FixedVectorType::get(b.getInt32Ty(), bytes / 4);
  default:
    return nullptr;
  }
}

/// The type as words, if a buffer instruction can move it.
static Type *movedType(IRBuilderBase &b, Type *type,
                       const simt::AccessFlags &flags) {
  uint64_t bits = type->getPrimitiveSizeInBits();
  bool isVolatile = flags.isVolatile || flags.cache == kernel::CacheHint::CV;
  if (bits == 0 || bits % 8 || isVolatile ||
      flags.alignment < std::min<uint64_t>(bits / 8, 4))
    return nullptr;
  return wordsType(b, bits / 8);
}

/// A buffer that begins at an address, the same one in all lanes: where LLVM
/// does not see that, it would loop over them.
static Value *describeBuffer(IRBuilderBase &b, const Target &target,
                             Value *base) {
  Value *first = b.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane,
                                   {base->getType()}, {base});
  Type *resource = b.getPtrTy(AMDGPUAS::BUFFER_RESOURCE);
  return b.CreateIntrinsic(Intrinsic::amdgcn_make_buffer_rsrc,
                           {resource, base->getType()},
                           {first, b.getInt16(0), b.getInt64(kBufferBytes),
                            b.getInt32(descriptorFlags(target))});
}

/// Where an access that is masked off is outside of the buffer: it then reads
/// 0 or writes nothing. What registers add is left to the scalar offset, which
/// takes no vector instruction.
static Value *bufferOffset(IRBuilderBase &b, Value *mask,
                           const simt::SplitAddress &address) {
  return b.CreateSelect(mask, address.offset, b.getInt32(kOutside));
}

Value *AmdHooks::loadSplit(Builder &b, Value *mask, Type *type,
                           const simt::SplitAddress &address, Value *otherwise,
                           const simt::AccessFlags &flags) {
  Type *words = movedType(b, type, flags);
  if (!words)
    return nullptr;
  CallInst *loaded = b.CreateIntrinsic(
      Intrinsic::amdgcn_raw_ptr_buffer_load, {words},
      {describeBuffer(b, chip, address.base), bufferOffset(b, mask, address),
       b.getInt32(address.constant), b.getInt32(0)});
  addHints(loaded, flags);
  Value *value = b.CreateBitCast(loaded, type);
  auto *constant = dyn_cast<Constant>(otherwise);
  return constant && constant->isNullValue()
             ? value
             : b.CreateSelect(mask, value, otherwise);
}

bool AmdHooks::storeSplit(Builder &b, Value *mask, Value *value,
                          const simt::SplitAddress &address,
                          const simt::AccessFlags &flags) {
  Type *words = movedType(b, value->getType(), flags);
  if (!words)
    return false;
  addHints(b.CreateIntrinsic(Intrinsic::amdgcn_raw_ptr_buffer_store, {words},
                             {b.CreateBitCast(value, words),
                              describeBuffer(b, chip, address.base),
                              bufferOffset(b, mask, address),
                              b.getInt32(address.constant), b.getInt32(0)}),
           flags);
  return true;
}

//===--- Atomics ----------------------------------------------------------===//

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
