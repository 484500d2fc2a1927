//===- Memory.cpp - Loads, stores, atomics, asynchronous copies -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX text where LLVM has no instruction for what is meant: cache and eviction
// hints, and atomics with semantics and scope.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/hooks/NvidiaHooks.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace tilewright::nvidia {

//===--- Shared memory ----------------------------------------------------===//

/// Dynamic, because static shared memory ends at 48 KB. External linkage: an
/// internal array of no elements would get one byte.
Value *NvidiaHooks::sharedMemory(Builder &b, uint64_t) {
  constexpr const char *name = "tw_shared";
  Module &module = *b.GetInsertBlock()->getModule();
  if (GlobalVariable *found = module.getGlobalVariable(name))
    return found;
  auto *type = ArrayType::get(b.getInt8Ty(), 0);
  auto *global = new GlobalVariable(module, type, /*isConstant=*/false,
                                    GlobalValue::ExternalLinkage, nullptr, name,
                                    nullptr, GlobalValue::NotThreadLocal,
                                    TargetHooks::target().sharedSpace);
  global->setAlignment(Align(128));
  return global;
}

//===--- Hinted accesses --------------------------------------------------===//

static StringRef loadModifier(kernel::CacheHint hint) {
  switch (hint) {
  case kernel::CacheHint::CA:
    return ".ca";
  case kernel::CacheHint::CG:
    return ".cg";
  case kernel::CacheHint::CV:
    return ".cv";
  case kernel::CacheHint::CS:
    return ".cs";
  default:
    return "";
  }
}

static StringRef storeModifier(kernel::CacheHint hint) {
  switch (hint) {
  case kernel::CacheHint::WB:
    return ".wb";
  case kernel::CacheHint::CG:
    return ".cg";
  case kernel::CacheHint::CS:
    return ".cs";
  case kernel::CacheHint::WT:
    return ".wt";
  default:
    return "";
  }
}

/// PTX allows one of the two; the cache operator was asked for more precisely.
static std::string hintText(StringRef modifier, kernel::EvictionHint evict) {
  if (!modifier.empty())
    return modifier.str();
  switch (evict) {
  case kernel::EvictionHint::EvictFirst:
    return ".L1::evict_first";
  case kernel::EvictionHint::EvictLast:
    return ".L1::evict_last";
  default:
    return "";
  }
}

namespace {
/// How an access is written as words: ".v4.b32", "{$0, $1, $2, $3}".
struct Words {
  unsigned count = 0;
  unsigned bits = 32;

  std::string suffix() const {
    std::string text = count > 1 ? ".v" + std::to_string(count) : "";
    return text + ".b" + std::to_string(bits);
  }
  std::string list(unsigned first) const {
    std::string text;
    for (unsigned i = 0; i < count; ++i)
      text += (i ? ", $" : "$") + std::to_string(first + i);
    return count > 1 ? "{" + text + "}" : text;
  }
  std::string constraints(StringRef one) const {
    std::string text;
    for (unsigned i = 0; i < count; ++i)
      text += (i ? "," : "") + one.str();
    return text;
  }
};
} // namespace

/// Words of an access that is aligned to its size; none for the rest, whose
/// hints are dropped.
static std::optional<Words> wordsOf(Module &module, Type *type,
                                    unsigned alignment) {
  uint64_t bytes = module.getDataLayout().getTypeStoreSize(type);
  if (type->isPointerTy() || (bytes != 4 && bytes != 8 && bytes != 16) ||
      alignment < bytes ||
      module.getDataLayout().getTypeSizeInBits(type) != 8 * bytes)
    return std::nullopt;
  return Words{unsigned(bytes / 4), 32};
}

/// A value as 32-bit words.
static SmallVector<Value *> toWords(IRBuilderBase &b, Value *value,
                                    const Words &words) {
  Type *word = b.getInt32Ty();
  if (words.count == 1)
    return {b.CreateBitCast(value, word)};
  Value *vector =
      b.CreateBitCast(value, FixedVectorType::get(word, words.count));
  SmallVector<Value *> parts;
  for (unsigned i = 0; i < words.count; ++i)
    parts.push_back(b.CreateExtractElement(vector, i));
  return parts;
}

/// What assembly with one or several results gives, as `type`.
static Value *fromWords(IRBuilderBase &b, Value *loaded, Type *type,
                        const Words &words) {
  if (words.count == 1)
    return b.CreateBitCast(loaded, type);
  Value *vector =
      PoisonValue::get(FixedVectorType::get(b.getInt32Ty(), words.count));
  for (unsigned i = 0; i < words.count; ++i)
    vector = b.CreateInsertElement(vector, b.CreateExtractValue(loaded, i), i);
  return b.CreateBitCast(vector, type);
}

static Type *resultType(IRBuilderBase &b, const Words &words) {
  Type *word = b.getInt32Ty();
  return words.count == 1
             ? word
             : StructType::get(b.getContext(),
                               SmallVector<Type *>(words.count, word));
}

Value *NvidiaHooks::load(Builder &b, Type *type, Value *pointer,
                         const simt::AccessFlags &flags) {
  Module &module = *b.GetInsertBlock()->getModule();
  std::string hint = hintText(loadModifier(flags.cache), flags.evict);
  std::optional<Words> words = wordsOf(module, type, flags.alignment);
  if (hint.empty() || !words || flags.isVolatile)
    return TargetHooks::load(b, type, pointer, flags);
  std::string text = "ld.global" + hint + words->suffix() + " " +
                     words->list(0) + ", [$" + std::to_string(words->count) +
                     "];";
  Value *loaded = callPtx(b, resultType(b, *words), text,
                          words->constraints("=r") + ",l,~{memory}", {pointer});
  return fromWords(b, loaded, type, *words);
}

/// A predicated instruction; its results hold the other values before it.
Value *NvidiaHooks::loadIf(Builder &b, Value *mask, Type *type, Value *pointer,
                           Value *otherwise, const simt::AccessFlags &flags) {
  Module &module = *b.GetInsertBlock()->getModule();
  std::optional<Words> words = wordsOf(module, type, flags.alignment);
  if (!words || flags.isVolatile)
    return nullptr;
  unsigned count = words->count;
  std::string text = "@$" + std::to_string(count + 1) + " ld.global" +
                     hintText(loadModifier(flags.cache), flags.evict) +
                     words->suffix() + " " + words->list(0) + ", [$" +
                     std::to_string(count) + "];";
  std::string constraints = words->constraints("=r") + ",l,b";
  for (unsigned i = 0; i < count; ++i)
    constraints += "," + std::to_string(i);
  SmallVector<Value *> operands = {pointer, mask};
  operands.append(toWords(b, otherwise, *words));
  Value *loaded = callPtx(b, resultType(b, *words), text,
                          constraints + ",~{memory}", operands);
  return fromWords(b, loaded, type, *words);
}

void NvidiaHooks::store(Builder &b, Value *value, Value *pointer,
                        const simt::AccessFlags &flags) {
  Module &module = *b.GetInsertBlock()->getModule();
  std::string hint = hintText(storeModifier(flags.cache), flags.evict);
  std::optional<Words> words =
      wordsOf(module, value->getType(), flags.alignment);
  if (hint.empty() || !words || flags.isVolatile)
    return TargetHooks::store(b, value, pointer, flags);
  SmallVector<Value *> operands = {pointer};
  operands.append(toWords(b, value, *words));
  callPtx(b, b.getVoidTy(),
          "st.global" + hint + words->suffix() + " [$0], " + words->list(1) +
              ";",
          "l," + words->constraints("r") + ",~{memory}", operands);
}

bool NvidiaHooks::storeIf(Builder &b, Value *mask, Value *value, Value *pointer,
                          const simt::AccessFlags &flags) {
  Module &module = *b.GetInsertBlock()->getModule();
  std::optional<Words> words =
      wordsOf(module, value->getType(), flags.alignment);
  if (!words || flags.isVolatile)
    return false;
  SmallVector<Value *> operands = {pointer, mask};
  operands.append(toWords(b, value, *words));
  callPtx(b, b.getVoidTy(),
          "@$1 st.global" + hintText(storeModifier(flags.cache), flags.evict) +
              words->suffix() + " [$0], " + words->list(2) + ";",
          "l,b," + words->constraints("r") + ",~{memory}", operands);
  return true;
}

//===--- Atomics ----------------------------------------------------------===//

static StringRef semanticsText(kernel::MemorySemantics semantics) {
  switch (semantics) {
  case kernel::MemorySemantics::Relaxed:
    return ".relaxed";
  case kernel::MemorySemantics::Acquire:
    return ".acquire";
  case kernel::MemorySemantics::Release:
    return ".release";
  case kernel::MemorySemantics::AcquireRelease:
    return ".acq_rel";
  }
  llvm_unreachable("unknown semantics");
}

static StringRef scopeSuffix(kernel::MemoryScope scope) {
  switch (scope) {
  case kernel::MemoryScope::Block:
    return ".cta";
  case kernel::MemoryScope::Device:
    return ".gpu";
  case kernel::MemoryScope::System:
    return ".sys";
  }
  llvm_unreachable("unknown scope");
}

static bool isFloatKind(kernel::AtomicKind kind) {
  return kind == kernel::AtomicKind::FAdd || kind == kernel::AtomicKind::FMax ||
         kind == kernel::AtomicKind::FMin;
}

/// ".add.u32" for a kind on a type, or nothing where PTX has no such atomic.
/// Global atom.add.f32 flushes subnormals, which portable results may not.
static std::string atomicText(kernel::AtomicKind kind, Type *type,
                              bool isPortable, unsigned architecture) {
  unsigned width = type->getScalarSizeInBits();
  if (isFloatKind(kind)) {
    if (kind != kernel::AtomicKind::FAdd)
      return "";
    if (type->isFloatTy())
      return isPortable ? "" : ".add.f32";
    if (type->isDoubleTy())
      return ".add.f64";
    return type->isHalfTy() && architecture >= 70 ? ".add.noftz.f16" : "";
  }
  if (!type->isIntegerTy() || (width != 32 && width != 64))
    return "";
  std::string bits = std::to_string(width);
  switch (kind) {
  case kernel::AtomicKind::Add:
    return ".add.u" + bits;
  case kernel::AtomicKind::Max:
    return ".max.s" + bits;
  case kernel::AtomicKind::Min:
    return ".min.s" + bits;
  case kernel::AtomicKind::UMax:
    return ".max.u" + bits;
  case kernel::AtomicKind::UMin:
    return ".min.u" + bits;
  case kernel::AtomicKind::And:
    return ".and.b" + bits;
  case kernel::AtomicKind::Or:
    return ".or.b" + bits;
  case kernel::AtomicKind::Xor:
    return ".xor.b" + bits;
  case kernel::AtomicKind::Xchg:
    return ".exch.b" + bits;
  default:
    return "";
  }
}

/// Register constraint of a type in PTX assembly.
static StringRef constraintOf(Type *type) {
  if (type->isFloatTy())
    return "f";
  if (type->isDoubleTy())
    return "d";
  if (type->getScalarSizeInBits() == 16)
    return "h";
  return type->getScalarSizeInBits() == 64 ? "l" : "r";
}

namespace {
/// How assembly names an address: ".global" with a 64-bit register, ".shared"
/// with a 32-bit one.
struct Address {
  Address(IRBuilderBase &b, Value *pointer, unsigned sharedSpace)
      : isShared(pointer->getType()->getPointerAddressSpace() == sharedSpace),
        value(isShared ? b.CreatePtrToInt(pointer, b.getInt32Ty()) : pointer) {}

  StringRef space() const { return isShared ? ".shared" : ".global"; }
  StringRef constraint() const { return isShared ? "r" : "l"; }

  bool isShared;
  Value *value;
};
} // namespace

Value *NvidiaHooks::atomicRMW(Builder &b, kernel::AtomicKind kind,
                              kernel::MemorySemantics semantics,
                              kernel::MemoryScope scope, Value *pointer,
                              Value *value) {
  Type *type = value->getType();
  std::string operation =
      atomicText(kind, type, options.isPortable, target.number);
  if (operation.empty())
    return nullptr;
  Value *operand =
      type->isHalfTy() ? b.CreateBitCast(value, b.getInt16Ty()) : value;
  StringRef constraint = constraintOf(type);
  Address address(b, pointer, TargetHooks::target().sharedSpace);
  std::string text = ("atom" + semanticsText(semantics) + scopeSuffix(scope) +
                      address.space() + operation + " $0, [$1], $2;")
                         .str();
  Value *old = callPtx(b, operand->getType(), text,
                       ("=" + constraint + "," + address.constraint() + "," +
                        constraint + ",~{memory}")
                           .str(),
                       {address.value, operand});
  return b.CreateBitCast(old, type);
}

Value *NvidiaHooks::compareAndSwap(Builder &b,
                                   kernel::MemorySemantics semantics,
                                   kernel::MemoryScope scope, Value *pointer,
                                   Value *compare, Value *value) {
  unsigned width = value->getType()->getScalarSizeInBits();
  if (width != 16 && width != 32 && width != 64)
    return nullptr;
  StringRef constraint = constraintOf(value->getType());
  std::string text = ("atom" + semanticsText(semantics) + scopeSuffix(scope) +
                      ".global.cas.b" + Twine(width) + " $0, [$1], $2, $3;")
                         .str();
  return callPtx(
      b, value->getType(), text,
      ("=" + constraint + ",l," + constraint + "," + constraint + ",~{memory}")
          .str(),
      {pointer, compare, value});
}

//===--- Asynchronous copies ----------------------------------------------===//

/// cp.async; a false predicate reads nothing and writes zeros (source size 0).
/// The size is selected in the text: LLVM would turn a conjunction of
/// predicates into a chain of selects.
bool NvidiaHooks::asyncCopy(Builder &b, Value *shared, Value *global,
                            unsigned bytes, Value *predicate) {
  if (target.number < 80)
    return false;
  std::string size = std::to_string(bytes);
  std::string copy = std::string("cp.async.") + (bytes == 16 ? "cg" : "ca") +
                     ".shared.global [$0], [$1], " + size;
  SmallVector<Value *> operands = {b.CreatePtrToInt(shared, b.getInt32Ty()),
                                   global};
  if (!predicate) {
    callPtx(b, b.getVoidTy(), copy + ";", "r,l,~{memory}", operands);
    return true;
  }
  operands.push_back(predicate);
  callPtx(b, b.getVoidTy(),
          "{\n\t.reg .b32 bytes;\n\tselp.b32 bytes, " + size + ", 0, $2;\n\t" +
              copy + ", bytes;\n\t}",
          "r,l,b,~{memory}", operands);
  return true;
}

void NvidiaHooks::asyncCommit(Builder &b) {
  callPtx(b, b.getVoidTy(), "cp.async.commit_group;", "~{memory}", {});
}

void NvidiaHooks::asyncWait(Builder &b, unsigned pending) {
  callPtx(b, b.getVoidTy(),
          "cp.async.wait_group " + std::to_string(pending) + ";", "~{memory}",
          {});
}

} // namespace tilewright::nvidia
