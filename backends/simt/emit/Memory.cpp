//===- Memory.cpp - Loads and stores of global memory -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes become one address and one mask a vector of registers (BoxAccess.cpp);
// gathers one a register. Vectors of one mask share a branch.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/BoxAccess.h"
#include "backends/simt/emit/Families.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tilewright::simt {

using llvm::Value; // not MLIR's

void emitView(Emitter &e, kernel::ViewOp op) {
  EmittedView view;
  view.op = op;
  view.base = e.scalar(op.getBase());
  mlir::Type element = op.getResult().getType().getElementType();
  if (op.getOffset())
    view.base = e.b.CreateGEP(e.memoryType(element), view.base,
                              e.scalar(op.getOffset()));
  for (mlir::Value size : op.getSizes())
    view.sizes.push_back(e.scalar(size));
  for (mlir::Value stride : op.getStrides())
    view.strides.push_back(e.scalar(stride));
  e.set(op.getResult(), std::move(view));
}

static AccessFlags flagsOf(const MemoryPiece &piece, bool isVolatile,
                           kernel::CacheHint cache,
                           kernel::EvictionHint evict) {
  AccessFlags flags;
  flags.alignment = piece.alignment;
  flags.isVolatile = isVolatile;
  flags.cache = cache;
  flags.evict = evict;
  return flags;
}

/// Pieces in the order of their first registers, those of one mask together.
static llvm::MapVector<Value *, llvm::SmallVector<const MemoryPiece *>>
byMask(llvm::ArrayRef<MemoryPiece> pieces) {
  llvm::MapVector<Value *, llvm::SmallVector<const MemoryPiece *>> groups;
  for (const MemoryPiece &piece : pieces)
    groups[piece.mask].push_back(&piece);
  return groups;
}

/// Type in memory of a piece's registers together.
static llvm::Type *typeOf(Emitter &e, const MemoryPiece &piece,
                          mlir::Type element) {
  llvm::Type *type = e.memoryType(element);
  unsigned count = piece.registers.size();
  return count > 1 ? llvm::FixedVectorType::get(type, count) : type;
}

/// A piece's registers as one scalar or vector in memory's type.
static Value *joinPiece(Emitter &e, const MemoryPiece &piece,
                        const Registers &values) {
  if (piece.registers.size() == 1)
    return e.toMemory(values[piece.registers[0]]);
  Value *vector = nullptr;
  for (auto [position, index] : llvm::enumerate(piece.registers)) {
    Value *part = e.toMemory(values[index]);
    if (!vector)
      vector = llvm::PoisonValue::get(
          llvm::FixedVectorType::get(part->getType(), piece.registers.size()));
    vector = e.b.CreateInsertElement(vector, part, position);
  }
  return vector;
}

/// The opposite: appends the piece's registers.
static void splitPiece(Emitter &e, const MemoryPiece &piece, Value *value,
                       mlir::Type element, Registers &results) {
  unsigned count = piece.registers.size();
  for (unsigned index = 0; index < count; ++index) {
    Value *part = count > 1 ? e.b.CreateExtractElement(value, index) : value;
    results.push_back(e.fromMemory(part, element));
  }
}

/// Loads pieces without a branch where the target can; the rest stays.
static void loadPredicated(Emitter &e, Value *mask, mlir::Type element,
                           const AccessFlags &hints, const Registers &others,
                           llvm::SmallVectorImpl<const MemoryPiece *> &group,
                           Registers &results) {
  llvm::SmallVector<const MemoryPiece *> rest;
  for (const MemoryPiece *piece : group) {
    AccessFlags flags =
        flagsOf(*piece, hints.isVolatile, hints.cache, hints.evict);
    llvm::Type *type = typeOf(e, *piece, element);
    Value *otherwise = joinPiece(e, *piece, others), *value = nullptr;
    if (piece->split.base)
      value =
          e.hooks.loadSplit(e.b, mask, type, piece->split, otherwise, flags);
    if (!value)
      value = e.hooks.loadIf(e.b, mask, type, piece->pointer, otherwise, flags);
    if (!value) {
      rest.push_back(piece);
      continue;
    }
    Registers loaded;
    splitPiece(e, *piece, value, element, loaded);
    for (auto [position, index] : llvm::enumerate(piece->registers))
      results[index] = loaded[position];
  }
  group.assign(rest.begin(), rest.end());
}

Registers emitLoads(Emitter &e, llvm::ArrayRef<MemoryPiece> pieces,
                    mlir::Type element, const Registers &others,
                    const AccessFlags &hints) {
  Registers results = others;
  for (auto &entry : byMask(pieces)) {
    auto &group = entry.second;
    if (entry.first)
      loadPredicated(e, entry.first, element, hints, others, group, results);
    if (group.empty())
      continue;
    Registers otherwise;
    for (const MemoryPiece *piece : group)
      for (unsigned index : piece->registers)
        otherwise.push_back(others[index]);
    Registers loaded = e.emitIf(entry.first, otherwise, [&] {
      Registers values;
      for (const MemoryPiece *piece : group)
        splitPiece(e, *piece,
                   e.hooks.load(e.b, typeOf(e, *piece, element), piece->pointer,
                                flagsOf(*piece, hints.isVolatile, hints.cache,
                                        hints.evict)),
                   element, values);
      return values;
    });
    auto next = loaded.begin();
    for (const MemoryPiece *piece : group)
      for (unsigned index : piece->registers)
        results[index] = *next++;
  }
  return results;
}

void emitStores(Emitter &e, llvm::ArrayRef<MemoryPiece> pieces,
                const Registers &values, const AccessFlags &hints) {
  for (auto &entry : byMask(pieces)) {
    Value *mask = entry.first;
    llvm::SmallVector<std::pair<Value *, const MemoryPiece *>> rest;
    auto flags = [&](const MemoryPiece &piece) {
      return flagsOf(piece, hints.isVolatile, hints.cache, hints.evict);
    };
    for (const MemoryPiece *piece : entry.second) {
      Value *value = joinPiece(e, *piece, values);
      bool isStored =
          piece->split.base &&
          e.hooks.storeSplit(e.b, mask, value, piece->split, flags(*piece));
      if (!mask ||
          (!isStored &&
           !e.hooks.storeIf(e.b, mask, value, piece->pointer, flags(*piece))))
        rest.emplace_back(value, piece);
    }
    if (rest.empty())
      continue;
    e.emitIf(mask, [&] {
      for (auto [value, piece] : rest)
        e.hooks.store(e.b, value, piece->pointer, flags(*piece));
    });
  }
}

/// What masked-off elements become: one value a register.
static Registers otherValues(Emitter &e, mlir::Value other, mlir::Type result,
                             unsigned count) {
  if (!other)
    return Registers(count, e.zero(result));
  const Registers &values = e.registers(other);
  return values.size() == count ? values : Registers(count, values[0]);
}

static unsigned registerCount(Emitter &e, mlir::Type type) {
  return isa<RankedTensorType>(type) ? e.layout(type).registers : 1;
}

/// Sets the result; a scalar of volatile memory is read by one thread.
template <typename Op>
static void finishLoad(Emitter &e, Op op, llvm::ArrayRef<MemoryPiece> pieces,
                       bool isBroadcast) {
  mlir::Type type = op.getResult().getType();
  mlir::Type element = getElementTypeOrSelf(type);
  Registers others =
      otherValues(e, op.getOther(), type, registerCount(e, type));
  AccessFlags hints;
  hints.isVolatile = op.getIsVolatile();
  hints.cache = op.getCache();
  hints.evict = op.getEvict();
  if (!isBroadcast)
    return e.set(op.getResult(), emitLoads(e, pieces, element, others, hints));
  Registers read = e.emitIf(e.isFirstThread(), others, [&] {
    return emitLoads(e, pieces, element, others, hints);
  });
  e.set(op.getResult(), e.broadcastFromFirst(op, read[0], element));
}

void emitLoad(Emitter &e, kernel::LoadOp op) {
  BoxAccess box(e, op, op.getResult().getType());
  finishLoad(e, op, box.pieces(/*isStore=*/false), needsScalarBroadcast(op));
}

void emitStore(Emitter &e, kernel::StoreOp op) {
  BoxAccess box(e, op, op.getValue().getType());
  AccessFlags hints;
  hints.cache = op.getCache();
  hints.evict = op.getEvict();
  emitStores(e, box.pieces(/*isStore=*/true), e.registers(op.getValue()),
             hints);
}

llvm::SmallVector<MemoryPiece> gatherPieces(Emitter &e, mlir::Type shaped,
                                            mlir::Value base,
                                            mlir::Value offsets,
                                            mlir::Value mask, bool isStore) {
  mlir::Type pointee =
      cast<kernel::PointerType>(getElementTypeOrSelf(base.getType()))
          .getPointee();
  const Registers &bases = e.registers(base);
  auto at = [&](mlir::Value value, unsigned index) -> Value * {
    if (!value)
      return nullptr;
    const Registers &all = e.registers(value);
    return all.size() == 1 ? all[0] : all[index];
  };
  llvm::SmallVector<MemoryPiece> pieces;
  unsigned count = registerCount(e, shaped);
  for (unsigned index = 0; index < count; ++index) {
    if (isStore && isa<RankedTensorType>(shaped) &&
        Emitter::firstCopy(e.layout(shaped), index) != index)
      continue;
    MemoryPiece piece;
    piece.registers = {index};
    piece.alignment = memoryBytes(pointee);
    piece.pointer = bases.size() == 1 ? bases[0] : bases[index];
    if (Value *offset = at(offsets, index))
      piece.pointer = e.b.CreateGEP(e.memoryType(pointee), piece.pointer,
                                    e.b.CreateSExt(offset, e.b.getInt64Ty()));
    piece.mask =
        combineMasks(e, accessMask(e, shaped, index, isStore), at(mask, index));
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

void emitGather(Emitter &e, kernel::GatherOp op) {
  auto pieces = gatherPieces(e, op.getResult().getType(), op.getBase(),
                             op.getOffsets(), op.getMask(), false);
  finishLoad(e, op, pieces, needsScalarBroadcast(op));
}

void emitScatter(Emitter &e, kernel::ScatterOp op) {
  AccessFlags hints;
  hints.cache = op.getCache();
  hints.evict = op.getEvict();
  auto pieces = gatherPieces(e, op.getValue().getType(), op.getBase(),
                             op.getOffsets(), op.getMask(), true);
  emitStores(e, pieces, e.registers(op.getValue()), hints);
}

} // namespace tilewright::simt
