//===- LocalReader.cpp - Registers from shared memory ---------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By matrices of 16-byte rows where the layouts allow, else by vectors.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/matrix/LocalReader.h"

#include "backends/simt/analysis/Scratch.h"
#include "backends/simt/emit/Families.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace tilewright;
using namespace tilewright::simt;
using llvm::Value;

LinearLayout tilewright::simt::offsetsIn(mlir::Value memory,
                                         const LinearLayout &tensor) {
  auto type = mlir::cast<MemDescType>(memory.getType());
  return tensor.compose(type.getLayout().getLayout().inverse());
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// The buffer that `slot` (null: the only one) picks.
static Value *bufferBase(Emitter &e, mlir::Value memory, mlir::Value slot) {
  auto type = mlir::cast<MemDescType>(memory.getType());
  Value *base = e.shared(*memory.getDefiningOp<AllocOp>().getOffset());
  if (!slot)
    return base;
  uint64_t bytes = uint64_t(memoryBytes(type.getElementType()))
                   << type.getLayout().getLayout().inputBits();
  return e.b.CreateInBoundsGEP(e.b.getInt8Ty(), base,
                               e.b.CreateMul(e.scalar(slot), e.i32(bytes)));
}

LocalAddresses::LocalAddresses(Emitter &e, mlir::Value memory, mlir::Value slot,
                               const LinearLayout &offsets,
                               unsigned elementBytes)
    : e(e), index(e, offsets), elementBytes(elementBytes),
      base(bufferBase(e, memory, slot)) {
  for (unsigned bit = 0; bit < offsets.inputBits(); ++bit)
    if (!(offsets.inputMask(registerDim) >> bit & 1))
      threadBits |= offsets.columns()[bit];
}

Value *LocalAddresses::at(unsigned registerIndex) {
  uint64_t known = index.ofRegister(registerIndex);
  Value *&moved = byKnown[known & threadBits];
  if (!moved)
    moved =
        e.b.CreateInBoundsGEP(e.b.getInt8Ty(), base,
                              e.b.CreateMul(index.ofThreads(known & threadBits),
                                            e.i32(elementBytes)));
  uint64_t added = (known & ~threadBits) * elementBytes;
  return added ? e.b.CreateConstInBoundsGEP1_64(e.b.getInt8Ty(), moved, added)
               : moved;
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

LocalReader::LocalReader(Emitter &e, LocalLoadOp op, uint64_t preferred)
    : e(e), element(mlir::getElementTypeOrSelf(op.getResult().getType())),
      elementBytes(memoryBytes(element)) {
  EmittedLayout &layout = e.layout(op.getResult());
  LinearLayout offsets = offsetsIn(op.getMemory(), layout.map);
  registers.assign(layout.registers, nullptr);
  if (e.hooks.hasMatrixLoads() && element.isIntOrFloat() &&
      !element.isInteger(1))
    matrices = planMatrixLoad(offsets, elementBytes, preferred);
  if (matrices) {
    accessBits = matrices->wordBits;
    accessBits.insert(accessBits.end(), matrices->matrixBits.begin(),
                      matrices->matrixBits.end());
  } else {
    accessBits =
        vectorAccess(offsets, offsetDim, elementBytes, 16).registerBits;
  }
  addresses = std::make_unique<LocalAddresses>(
      e, op.getMemory(), op.getBuffer(), matrices ? matrices->address : offsets,
      elementBytes);
}

llvm::SmallVector<unsigned>
LocalReader::members(unsigned first, llvm::ArrayRef<unsigned> bits) const {
  llvm::SmallVector<unsigned> result = {first};
  for (unsigned bit : bits)
    for (size_t i = 0, size = result.size(); i < size; ++i)
      result.push_back(result[i] | 1u << bit);
  return result;
}

void LocalReader::readMatrices(unsigned first) {
  llvm::SmallVector<unsigned> each = members(first, matrices->matrixBits);
  llvm::SmallVector<Value *> words = e.hooks.matrixLoad(
      e.b, addresses->at(first), each.size(), matrices->isTransposed);
  for (auto [word, firstOfWord] : llvm::zip_equal(words, each)) {
    llvm::SmallVector<unsigned> inside =
        members(firstOfWord, matrices->wordBits);
    llvm::Type *type = e.memoryType(element);
    if (inside.size() > 1)
      type = llvm::FixedVectorType::get(type, inside.size());
    Value *value = e.b.CreateBitCast(word, type);
    for (auto [i, index] : llvm::enumerate(inside))
      registers[index] = e.fromMemory(
          inside.size() > 1 ? e.b.CreateExtractElement(value, i) : value,
          element);
  }
}

void LocalReader::readVector(unsigned first) {
  SharedBuffer buffer(e, addresses->at(first), element);
  llvm::SmallVector<unsigned> inside = members(first, accessBits);
  Registers values = buffer.loadVector(e.i32(0), inside.size());
  for (auto [index, value] : llvm::zip_equal(inside, values))
    registers[index] = value;
}

void LocalReader::read(unsigned index) {
  unsigned first = index;
  for (unsigned bit : accessBits)
    first &= ~(1u << bit);
  if (matrices)
    readMatrices(first);
  else
    readVector(first);
}

Value *LocalReader::get(unsigned index) {
  if (!registers[index])
    read(index);
  return registers[index];
}

Registers LocalReader::all() {
  for (unsigned index = 0; index < registers.size(); ++index)
    get(index);
  return registers;
}

/// Whether the operation's code holds barriers: what is read behind them is not
/// what barriers were placed for.
static bool meetsInScratch(mlir::Operation *op) {
  return op
      ->walk([](mlir::Operation *inner) {
        return inner->hasAttr(kScratchAttr) ? mlir::WalkResult::interrupt()
                                            : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

bool tilewright::simt::isReadByDot(Emitter &e, LocalLoadOp op) {
  if (!op->hasOneUse() || !e.hooks.hasMatrixAtoms())
    return false;
  auto dot = mlir::dyn_cast<DotOp>(*op->getUsers().begin());
  if (!dot || !dot.getAtom() || dot->getBlock() != op->getBlock() ||
      op->getUses().begin()->getOperandNumber() > 1 || isDotInLoops(e, dot))
    return false;
  for (mlir::Operation *at = op->getNextNode(); at != dot;
       at = at->getNextNode())
    if (!mlir::isa<LocalLoadOp>(at) &&
        (!mlir::isMemoryEffectFree(at) || meetsInScratch(at)))
      return false;
  return true;
}
