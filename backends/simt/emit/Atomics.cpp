//===- Atomics.cpp - Read-modify-write and compare-and-swap -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each element's operation is performed by one thread and its old value goes to
// all that hold the element. What the target lacks is a loop of
// compare-and-swap, on the word around it for small types.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/AtomicCombine.h"
#include "backends/simt/emit/BoxAccess.h"
#include "backends/simt/emit/Families.h"

using namespace mlir;

namespace tilewright::simt {

using llvm::Value; // not MLIR's

namespace {
/// Semantics and scope of one operation.
struct Order {
  kernel::MemorySemantics semantics;
  kernel::MemoryScope scope;

  bool isRelease() const {
    return semantics == kernel::MemorySemantics::Release ||
           semantics == kernel::MemorySemantics::AcquireRelease;
  }
  bool isAcquire() const {
    return semantics == kernel::MemorySemantics::Acquire ||
           semantics == kernel::MemorySemantics::AcquireRelease;
  }
};

/// Where bits below 32 live: an aligned word and a shift into it.
struct Word {
  Value *pointer;
  Value *shift = nullptr; ///< null for whole words
};
} // namespace

static Word wordOf(Emitter &e, Value *pointer, unsigned bits) {
  if (bits >= 32)
    return {pointer, nullptr};
  Value *address = e.b.CreatePtrToInt(pointer, e.b.getInt64Ty());
  Value *inside = e.b.CreateAnd(address, e.b.getInt64(3));
  Value *word =
      e.b.CreateIntToPtr(e.b.CreateSub(address, inside), pointer->getType());
  Value *shift = e.b.CreateShl(e.b.CreateTrunc(inside, e.b.getInt32Ty()), 3);
  return {word, shift};
}

/// The element's bits out of the word's.
static Value *extractBits(Emitter &e, const Word &word, Value *bits,
                          llvm::Type *type) {
  return word.shift ? e.b.CreateTrunc(e.b.CreateLShr(bits, word.shift), type)
                    : bits;
}

static Value *insertBits(Emitter &e, const Word &word, Value *old,
                         Value *value) {
  if (!word.shift)
    return value;
  unsigned width = value->getType()->getIntegerBitWidth();
  Value *mask = e.b.CreateShl(e.i32((uint64_t(1) << width) - 1), word.shift);
  Value *placed =
      e.b.CreateShl(e.b.CreateZExt(value, e.b.getInt32Ty()), word.shift);
  return e.b.CreateOr(e.b.CreateAnd(old, e.b.CreateNot(mask)), placed);
}

/// Repeats `next(old bits)` and a compare-and-swap of the word until nothing
/// came in between or `next` gives null; gives the element's old bits.
static Value *emitSwapLoop(Emitter &e, mlir::Operation *op, Order order,
                           Value *pointer, llvm::IntegerType *type,
                           llvm::function_ref<Value *(Value *)> next,
                           llvm::function_ref<Value *(Value *)> goesOn) {
  Word word = wordOf(e, pointer, type->getBitWidth());
  llvm::Type *wordType = word.shift ? e.b.getInt32Ty() : (llvm::Type *)type;
  AccessFlags flags;
  flags.alignment = wordType->getIntegerBitWidth() / 8;
  flags.isVolatile = true;
  Value *first = e.hooks.load(e.b, wordType, word.pointer, flags);
  llvm::BasicBlock *before = e.b.GetInsertBlock();
  llvm::BasicBlock *loop = e.newBlock("swap"), *end = e.newBlock("swap.end");
  e.b.CreateBr(loop);
  e.b.SetInsertPoint(loop);
  llvm::PHINode *seen = e.b.CreatePHI(wordType, 2);
  seen->addIncoming(first, before);
  Value *old = extractBits(e, word, seen, type);
  Value *wanted = insertBits(e, word, seen, next(old));
  Value *found = e.hooks.compareAndSwap(e.b, order.semantics, order.scope,
                                        word.pointer, seen, wanted);
  if (!found) {
    e.refuse(op, 4126,
             "target " + llvm::StringRef(e.target.vendor) +
                 " has no compare-and-swap of " +
                 llvm::Twine(wordType->getIntegerBitWidth()) + " bits");
    found = seen;
  }
  Value *repeats = e.b.CreateICmpNE(found, seen);
  if (goesOn)
    repeats = e.b.CreateAnd(repeats, goesOn(extractBits(e, word, found, type)));
  seen->addIncoming(found, e.b.GetInsertBlock());
  e.b.CreateCondBr(repeats, loop, end);
  e.b.SetInsertPoint(end);
  return extractBits(e, word, found, type);
}

static Value *asBits(Emitter &e, Value *value) {
  llvm::Type *type = value->getType();
  return type->isIntegerTy()
             ? value
             : e.b.CreateBitCast(value,
                                 e.b.getIntNTy(type->getScalarSizeInBits()));
}

static Value *performRMW(Emitter &e, kernel::AtomicRMWOp op, Order order,
                         AtomicCombine &combine, Value *pointer, Value *value) {
  if (Value *old = e.hooks.atomicRMW(e.b, op.getKind(), order.semantics,
                                     order.scope, pointer, value))
    return old;
  llvm::Type *type = value->getType();
  auto *raw = llvm::cast<llvm::IntegerType>(asBits(e, value)->getType());
  Value *old = emitSwapLoop(
      e, op, order, pointer, raw,
      [&](Value *bits) {
        Value *before = e.b.CreateBitCast(bits, type);
        return asBits(e, combine.emit(e, before, value));
      },
      nullptr);
  return e.b.CreateBitCast(old, type);
}

/// Swaps inside a word go on while other bits of it changed only.
static Value *performCAS(Emitter &e, mlir::Operation *op, Order order,
                         Value *pointer, Value *compare, Value *value) {
  llvm::Type *type = value->getType();
  Value *expected = asBits(e, compare), *wanted = asBits(e, value);
  auto *raw = llvm::cast<llvm::IntegerType>(expected->getType());
  Value *old = nullptr;
  if (raw->getBitWidth() >= 32)
    old = e.hooks.compareAndSwap(e.b, order.semantics, order.scope, pointer,
                                 expected, wanted);
  if (!old)
    old = emitSwapLoop(
        e, op, order, pointer, raw,
        [&](Value *bits) {
          return e.b.CreateSelect(e.b.CreateICmpEQ(bits, expected), wanted,
                                  bits);
        },
        [&](Value *) -> Value * { return e.b.getTrue(); });
  return e.b.CreateBitCast(old, type);
}

/// The program's earlier accesses before a release, later ones after an
/// acquire; the operation itself between.
static void emitOrdered(Emitter &e, Order order,
                        llvm::function_ref<void()> body) {
  if (order.isRelease()) {
    e.hooks.fence(e.b, kernel::MemorySemantics::Release, order.scope);
    e.barrier(Spaces::All);
  }
  body();
  if (order.isAcquire()) {
    e.barrier(Spaces::All);
    e.hooks.fence(e.b, kernel::MemorySemantics::Acquire, order.scope);
  }
}

/// Performs each element once and hands old values to whoever reads them.
static void emitAtomic(Emitter &e, mlir::Operation *op, Order order,
                       llvm::ArrayRef<MemoryPiece> pieces,
                       llvm::function_ref<Value *(unsigned, Value *)> perform) {
  mlir::Value result = op->getResult(0);
  bool isTensor = isa<RankedTensorType>(result.getType());
  unsigned count = isTensor ? e.layout(result).registers : 1;
  Registers results(count, e.zero(result.getType()));
  emitOrdered(e, order, [&] {
    for (const MemoryPiece &piece : pieces) {
      unsigned index = piece.registers[0];
      results[index] = e.emitIf(piece.mask, {results[index]}, [&] {
        return Registers{perform(index, piece.pointer)};
      })[0];
    }
    if (!isTensor && needsScalarBroadcast(op))
      results[0] = e.broadcastFromFirst(op, results[0],
                                        getElementTypeOrSelf(result.getType()));
  });
  if (isTensor)
    for (unsigned index = 0; index < count; ++index)
      results[index] = results[Emitter::firstCopy(e.layout(result), index)];
  e.set(result, results);
  if (!isTensor || !needsExchange(op))
    return;
  emitExchange(e, op, result, result, [&](EmittedLayout *to, unsigned index) {
    return emitElementNumber(e, *to, index);
  });
}

/// A scalar's or tensor's register, or the scalar that all elements share.
static Value *valueAt(Emitter &e, mlir::Value value, unsigned index) {
  const Registers &all = e.registers(value);
  return all.size() == 1 ? all[0] : all[index];
}

void emitAtomicRMW(Emitter &e, kernel::AtomicRMWOp op) {
  Order order{op.getSemantics(), op.getScope()};
  mlir::Type element = getElementTypeOrSelf(op.getValue().getType());
  AtomicCombine combine(op.getKind(), element, e.target);
  auto pieces = gatherPieces(e, op.getResult().getType(), op.getBase(),
                             op.getOffsets(), op.getMask(), /*isStore=*/true);
  emitAtomic(e, op, order, pieces, [&](unsigned index, Value *pointer) {
    return performRMW(e, op, order, combine, pointer,
                      valueAt(e, op.getValue(), index));
  });
}

void emitAtomicCAS(Emitter &e, kernel::AtomicCASOp op) {
  Order order{op.getSemantics(), op.getScope()};
  auto pieces = gatherPieces(e, op.getResult().getType(), op.getBase(),
                             op.getOffsets(), {}, /*isStore=*/true);
  emitAtomic(e, op, order, pieces, [&](unsigned index, Value *pointer) {
    return performCAS(e, op, order, pointer, valueAt(e, op.getCompare(), index),
                      valueAt(e, op.getValue(), index));
  });
}

} // namespace tilewright::simt
