//===- Chunks.cpp - Loops over the registers of large tensors -------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds runs and emits them. The other families see a chunk as a tensor of few
// registers whose coordinates depend on the loop's index as well.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/chunks/Chunks.h"

#include "backends/simt/emit/Families.h"
#include "backends/simt/emit/SharedBuffer.h"
#include "backends/simt/emit/chunks/ChunkReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilewright::simt {

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

LinearLayout chunkLayout(const LinearLayout &layout, const ChunkSizes &sizes) {
  return layout.resizeInput(registerDim, sizes.chunkBits);
}

std::vector<uint64_t> chunkColumns(const LinearLayout &map,
                                   const ChunkSizes &sizes) {
  std::vector<uint64_t> columns;
  for (unsigned bit = sizes.chunkBits; bit < map.inputBits(registerDim); ++bit)
    columns.push_back(map.basis(registerDim, bit));
  return columns;
}

bool isCutIntoChunks(const LinearLayout &layout, const ChunkSizes &sizes) {
  if (layout.inputBits(registerDim) < sizes.fewestBits ||
      layout.freeBits(registerDim))
    return false;
  uint64_t byChunk = 0, byRest = 0;
  for (uint64_t column : chunkColumns(layout, sizes))
    byChunk |= column;
  LinearLayout chunk = chunkLayout(layout, sizes);
  for (uint64_t column : chunk.columns())
    byRest |= column;
  return (byChunk & byRest) == 0;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static RankedTensorType tensorOf(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

bool isSameTensor(RankedTensorType lhs, RankedTensorType rhs) {
  return lhs.getShape() == rhs.getShape() &&
         lhs.getEncoding() == rhs.getEncoding();
}

/// Whether a broadcast's source is the same in all chunks.
static bool isSameInChunks(BroadcastOp op, const ChunkSizes &sizes) {
  LinearLayout map = layoutOf(op.getType()).getLayout();
  uint64_t kept = 0;
  for (unsigned d = 0; d < map.outputs().size(); ++d)
    if (!llvm::is_contained(op.getDimensions(), int64_t(d)))
      kept |= map.outputMask(tensorDim(d));
  return llvm::all_of(chunkColumns(map, sizes),
                      [&](uint64_t column) { return (column & kept) == 0; });
}

static bool isOfKind(Operation *op, const ChunkSizes &sizes) {
  if (isa<arith::ArithDialect, mlir::math::MathDialect>(op->getDialect()))
    return !isa<arith::ConstantOp>(op);
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return isSameInChunks(broadcast, sizes);
  return isa<kernel::AddPtrOp, kernel::PtrCastOp, kernel::IntToPtrOp,
             kernel::PtrToIntOp, kernel::MulHiOp, tensor::SplatOp,
             kernel::RangeOp, kernel::LoadOp, kernel::StoreOp, kernel::GatherOp,
             kernel::ScatterOp>(op) &&
         !op->hasAttr(kScratchAttr);
}

/// The large tensor that an operation works on element by element; null if it
/// does anything else.
static RankedTensorType chunkedType(Operation *op, const ChunkSizes &sizes) {
  RankedTensorType found;
  auto isAllowed = [&](Value value) {
    RankedTensorType type = tensorOf(value);
    if (!type)
      return true;
    if (!found)
      found = type;
    return isSameTensor(found, type);
  };
  bool isBroadcast = isa<BroadcastOp>(op);
  if (op->getNumRegions() || !llvm::all_of(op->getResults(), isAllowed) ||
      (!isBroadcast && !llvm::all_of(op->getOperands(), isAllowed)) || !found ||
      !layoutOf(found) ||
      !isCutIntoChunks(layoutOf(found).getLayout(), sizes) ||
      !isOfKind(op, sizes))
    return nullptr;
  return found;
}

/// Whether the operation may move before the run and makes no code for tensors:
/// it is about scalars only, or all registers of its result are one value.
static bool isEmittedBefore(Operation *op) {
  auto isScalar = [](Value value) { return !tensorOf(value); };
  if (op->getNumRegions() || !isPure(op) ||
      !llvm::all_of(op->getOperands(), isScalar))
    return false;
  return isa<arith::ConstantOp, tensor::SplatOp>(op) ||
         llvm::all_of(op->getResults(), isScalar);
}

/// The large tensor that a reduction folds chunk by chunk, or null.
static RankedTensorType reducedType(Operation *op, const ChunkSizes &sizes) {
  auto reduce = dyn_cast<kernel::ReduceOp>(op);
  if (!reduce || !isFoldedByChunks(reduce))
    return nullptr;
  auto type = tensorOf(reduce.getOperands()[0]);
  auto isSame = [&](Value value) {
    return isSameTensor(tensorOf(value), type);
  };
  if (!layoutOf(type) || !isCutIntoChunks(layoutOf(type).getLayout(), sizes) ||
      !llvm::all_of(reduce.getOperands(), isSame))
    return nullptr;
  return type;
}

/// Whether a loop over chunks pays for the private memory that it needs: for
/// the shortest of large tensors, whose values may still be in registers, a few
/// operations do not.
static bool isWorthALoop(const ChunkRun &run, const ChunkSizes &sizes) {
  constexpr size_t fewestMembers = 3;
  LinearLayout map = layoutOf(run.type).getLayout();
  return map.inputBits(registerDim) > sizes.fewestBits ||
         run.members.size() >= fewestMembers;
}

std::optional<ChunkRun> findChunkRun(Block::iterator begin, Block::iterator end,
                                     const ChunkSizes &sizes) {
  auto typeOf = [&](Operation *op) {
    RankedTensorType type = reducedType(op, sizes);
    return type ? type : chunkedType(op, sizes);
  };
  ChunkRun run;
  run.type = typeOf(&*begin);
  if (!run.type)
    return std::nullopt;
  auto readsReduction = [&](Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return llvm::is_contained(run.reductions, operand.getDefiningOp());
    });
  };
  for (run.end = begin; run.end != end; ++run.end) {
    Operation *op = &*run.end;
    if (op->hasTrait<OpTrait::IsTerminator>() || readsReduction(op))
      break;
    if (isEmittedBefore(op)) {
      run.before.push_back(op);
      continue;
    }
    RankedTensorType type = typeOf(op);
    if (!type || !isSameTensor(type, run.type))
      break;
    if (auto reduce = dyn_cast<kernel::ReduceOp>(op))
      run.reductions.push_back(reduce);
    else
      run.members.push_back(op);
  }
  if (!isWorthALoop(run, sizes))
    return std::nullopt;
  return run;
}

//===----------------------------------------------------------------------===//
// Private memory
//===----------------------------------------------------------------------===//

/// Address of a register in a value's private memory.
static llvm::Value *privateSlot(Emitter &e, llvm::AllocaInst *memory,
                                Value value, llvm::Value *index) {
  return e.b.CreateInBoundsGEP(e.memoryType(value.getType()), memory, index);
}

void Emitter::storePrivate(Value value, llvm::Value *index,
                           llvm::Value *element) {
  b.CreateStore(toMemory(element),
                privateSlot(*this, privateMemory(value), value, index));
}

llvm::Value *Emitter::loadPrivate(Value value, llvm::Value *index) {
  llvm::Value *raw =
      b.CreateLoad(memoryType(value.getType()),
                   privateSlot(*this, privateMemory(value), value, index));
  return fromMemory(raw, value.getType());
}

llvm::AllocaInst *Emitter::privateMemory(Value value) {
  llvm::AllocaInst *&memory = memories[value];
  if (!memory)
    memory =
        allocatePrivate(memoryType(value.getType()), layout(value).registers);
  return memory;
}

void Emitter::copyToPrivate(Value value) {
  if (inMemory.contains(value))
    return;
  for (auto [r, element] : llvm::enumerate(registers(value)))
    storePrivate(value, i32(r), element);
}

void copyPrivate(Emitter &e, Value to, Value from) {
  bool isPrivate = e.isPrivate(from);
  llvm::Value *only = isPrivate ? nullptr : e.registers(from)[0];
  if (!isPrivate && !llvm::all_equal(e.registers(from))) {
    for (auto [r, value] : llvm::enumerate(e.registers(from)))
      e.storePrivate(to, e.i32(r), value);
    return;
  }
  e.emitLoop(e.i32(0), e.i32(e.layout(to).registers), e.i32(1), {},
             [&](llvm::Value *index, const Registers &) -> Registers {
               e.storePrivate(to, index,
                              only ? only : e.loadPrivate(from, index));
               return {};
             });
}

void Emitter::sharePrivate(Value value, Value other) {
  copyToPrivate(other);
  llvm::AllocaInst *memory = privateMemory(other);
  memories[value] = memory;
  setPrivate(value);
}

llvm::SmallVector<Value> Emitter::reload(ValueRange wanted) {
  llvm::SmallVector<Value> loaded;
  for (Value value : wanted) {
    if (!inMemory.contains(value) || values.contains(value))
      continue;
    Registers registers;
    for (unsigned r = 0; r < layout(value).registers; ++r)
      registers.push_back(loadPrivate(value, i32(r)));
    set(value, std::move(registers));
    loaded.push_back(value);
  }
  return loaded;
}

void Emitter::forget(ArrayRef<Value> loaded) {
  for (Value value : loaded)
    values.erase(value);
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

std::unique_ptr<EmittedLayout> layoutOfChunk(Emitter &e, EmittedLayout &whole,
                                             llvm::Value *index,
                                             const ChunkSizes &sizes) {
  auto chunk = std::make_unique<EmittedLayout>();
  chunk->map = chunkLayout(whole.map, sizes);
  chunk->shape = whole.shape;
  chunk->registers = 1u << sizes.chunkBits;
  chunk->isOwner = e.isOwner(whole);
  std::vector<uint64_t> columns = chunkColumns(whole.map, sizes);
  for (unsigned d = 0; d < whole.shape.size(); ++d) {
    std::string dim = tensorDim(d);
    std::vector<uint64_t> part;
    uint64_t touched = 0;
    for (uint64_t column : columns) {
      part.push_back((column & whole.map.outputMask(dim)) >>
                     whole.map.outputShift(dim));
      touched |= part.back();
    }
    llvm::Value *first = e.coordinate(whole, d, 0);
    llvm::Value *added = emitLinearMap(e, index, part);
    bool isApart = (touched & whole.threadBits(d)) == 0;
    chunk->threadCoordinates.push_back(isApart ? e.b.CreateOr(first, added)
                                               : e.b.CreateXor(first, added));
    chunk->loopBits.push_back(touched);
  }
  return chunk;
}

/// Large tensors that members read and the run does not make.
static llvm::SetVector<Value> inputsOf(const ChunkRun &run) {
  llvm::SetVector<Value> inputs;
  llvm::SmallVector<Operation *> readers(run.members);
  llvm::append_range(readers, run.reductions);
  for (Operation *op : readers)
    for (Value operand : op->getOperands()) {
      RankedTensorType type = tensorOf(operand);
      bool isMade = llvm::is_contained(run.members, operand.getDefiningOp());
      if (type && isSameTensor(type, run.type) && !isMade)
        inputs.insert(operand);
    }
  return inputs;
}

static llvm::SmallVector<Value> outputsOf(const ChunkRun &run) {
  llvm::SmallVector<Value> outputs;
  for (Operation *op : run.members)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !llvm::is_contained(run.members, user) &&
                   !llvm::is_contained(run.reductions, user);
          }))
        outputs.push_back(result);
  return outputs;
}

void Emitter::emitRun(const ChunkRun &run) {
  for (Operation *op : run.before)
    emitOperation(op);
  llvm::SetVector<Value> inputs = inputsOf(run);
  for (Value input : inputs) {
    if (!inMemory.contains(input) && llvm::all_equal(registers(input)))
      continue;
    copyToPrivate(input);
  }
  llvm::SmallVector<Value> outputs = outputsOf(run);
  for (Value output : outputs)
    privateMemory(output);
  std::vector<ChunkReduction> reductions;
  for (kernel::ReduceOp op : run.reductions)
    reductions.emplace_back(*this, op);
  unsigned chunks = layout(run.type).registers >> target.chunks.chunkBits;
  emitLoop(i32(0), i32(chunks), i32(1), {},
           [&](llvm::Value *index, const Registers &) -> Registers {
             emitChunk(run, inputs.getArrayRef(), outputs, reductions, index);
             return {};
           });
  inMemory.insert_range(outputs);
  for (auto [op, reduction] : llvm::zip_equal(run.reductions, reductions))
    for (auto [result, memory] :
         llvm::zip(op->getResults(), reduction.finish())) {
      memories[result] = memory;
      inMemory.insert(result);
    }
}

void Emitter::emitChunk(const ChunkRun &run, ArrayRef<Value> inputs,
                        ArrayRef<Value> outputs,
                        MutableArrayRef<ChunkReduction> reductions,
                        llvm::Value *index) {
  std::unique_ptr<EmittedLayout> inside =
      layoutOfChunk(*this, layout(run.type), index, target.chunks);
  llvm::Value *first = b.CreateShl(index, target.chunks.chunkBits);
  auto slot = [&](unsigned r) { return b.CreateOr(first, i32(r)); };
  llvm::SmallVector<std::pair<Value, std::unique_ptr<Registers>>> whole;
  for (Value input : inputs) {
    Registers part;
    bool isOneValue =
        !inMemory.contains(input) && llvm::all_equal(registers(input));
    for (unsigned r = 0; r < 1u << target.chunks.chunkBits; ++r)
      part.push_back(isOneValue ? registers(input)[0]
                                : loadPrivate(input, slot(r)));
    whole.emplace_back(input, std::move(values[input]));
    set(input, std::move(part));
  }
  chunk = std::move(inside);
  chunkType = run.type;
  for (Operation *op : run.members)
    emitOperation(op);
  for (ChunkReduction &reduction : reductions)
    reduction.addChunk(index);
  for (Value output : outputs)
    for (auto [r, value] : llvm::enumerate(registers(output)))
      storePrivate(output, slot(r), value);
  chunk.reset();
  for (Operation *op : run.members)
    for (Value result : op->getResults())
      values.erase(result);
  for (auto &[input, registers] : whole) {
    if (registers)
      values[input] = std::move(registers);
    else
      values.erase(input);
  }
}

} // namespace tilewright::simt
