//===- Emitter.h - Builds the LLVM function of one kernel -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over simt IR. A tensor is one LLVM scalar per register of its
// layout, a scalar is one LLVM scalar that all threads compute. Operations are
// emitted by the functions of Families.h, one file a family, which see this
// interface only.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_EMIT_EMITTER_H
#define TILEWRIGHT_BACKENDS_SIMT_EMIT_EMITTER_H

#include "backends/simt/TargetHooks.h"
#include "backends/simt/dialect/SimtDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace tilewright::simt {

/// One LLVM value a register, in register order.
using Registers = llvm::SmallVector<llvm::Value *>;

/// Operands of `kernel.view`.
struct EmittedView {
  llvm::Value *base = nullptr; ///< with the offset added
  Registers sizes, strides;    ///< i64, one a dimension
  mlir::Operation *op = nullptr;
};

/// What a kernel needs besides its IR.
struct EmitOptions {
  unsigned numWarps = 4;
  bool isPortable = false;            ///< no contraction, stated orders
  std::vector<std::string> libraries; ///< device code that is linked later
};

/// A layout and what is computed from it once a kernel.
struct EmittedLayout {
  LinearLayout map;
  llvm::SmallVector<int64_t> shape;
  unsigned registers = 1;
  /// i32, one a dimension: the coordinate of register 0. Null until needed.
  Registers threadCoordinates;
  llvm::Value *isOwner = nullptr;
  /// Of a chunk, one a dimension: bits that the loop's index decides.
  llvm::SmallVector<uint64_t> loopBits;
  /// Registers by packed coordinate relative to register 0, the lowest first.
  llvm::DenseMap<uint64_t, unsigned> registerAt;

  /// Packed coordinate of a register relative to register 0; and of dimension.
  uint64_t packed(unsigned index) const { return map.apply(index); }
  uint64_t offset(unsigned index, unsigned dim) const;
  /// Bits of a dimension that threads and loops decide, not registers.
  uint64_t threadBits(unsigned dim) const;
  /// The register at a packed relative coordinate that this thread holds.
  unsigned find(uint64_t packedCoordinate);
};

class ChunkReduction;
struct ChunkRun;

class Emitter {
public:
  Emitter(llvm::Module &module, TargetHooks &hooks, const EmitOptions &options);

  /// Emits a kernel; null after a located error.
  llvm::Function *run(mlir::func::FuncOp kernel);

  llvm::IRBuilder<> b;
  TargetHooks &hooks;
  const SimtTarget &target;
  const EmitOptions options;
  unsigned threads() const { return options.numWarps * target.warpLanes(); }

  //===--- Values ---------------------------------------------------------===//

  llvm::Value *scalar(mlir::Value value) const;
  const Registers &registers(mlir::Value value) const;
  void set(mlir::Value value, llvm::Value *scalar);
  void set(mlir::Value value, Registers registers);
  const EmittedView &view(mlir::Value value) const;
  void set(mlir::Value value, EmittedView view);

  /// Type in registers of an element or of a tensor's elements: bf16 and fp8
  /// are integers, as is f16 where the target lacks it.
  llvm::Type *registerType(mlir::Type type);
  /// Type in memory: an i1 takes a byte, a pointer is i64.
  llvm::Type *memoryType(mlir::Type type);
  llvm::Value *toMemory(llvm::Value *value);
  llvm::Value *fromMemory(llvm::Value *value, mlir::Type type);
  llvm::Value *zero(mlir::Type type);
  llvm::Constant *constant(mlir::Attribute value, mlir::Type element);
  llvm::ConstantInt *i32(int64_t value) { return b.getInt32(value); }

  //===--- Layouts --------------------------------------------------------===//

  /// Of an encoded tensor type or of a tensor value.
  EmittedLayout &layout(mlir::Type type);
  EmittedLayout &layout(mlir::Value value) { return layout(value.getType()); }
  /// i32: where register `index` of this thread stands in dimension `dim`.
  llvm::Value *coordinate(EmittedLayout &layout, unsigned dim, unsigned index);
  /// i1, or null for "always": whether the register is no padding of extents
  /// that are not powers of two.
  llvm::Value *isElement(EmittedLayout &layout, unsigned index);
  /// i1, or null for "always": whether this thread is the first of those that
  /// hold the same elements.
  llvm::Value *isOwner(EmittedLayout &layout);
  /// The lowest register of this thread that holds the same element.
  static unsigned firstCopy(EmittedLayout &layout, unsigned index) {
    return layout.find(layout.packed(index));
  }
  /// i1: thread 0 of the program.
  llvm::Value *isFirstThread();
  llvm::Value *threadId() const { return thread; }
  llvm::Value *laneId() const { return lane; }
  llvm::Value *warpId() const { return warp; }

  //===--- Shared memory --------------------------------------------------===//

  /// The operation's scratch memory, at the offset that simt-allocate-shared
  /// wrote (attribute `simt.scratch`), plus `bytes`.
  llvm::Value *scratch(mlir::Operation *op, int64_t bytes = 0);
  /// Base of shared memory plus `bytes`.
  llvm::Value *shared(int64_t bytes);
  void barrier(Spaces spaces = Spaces::Shared) { hooks.barrier(b, spaces); }
  /// What thread 0 has, for all threads; through the operation's scratch.
  llvm::Value *broadcastFromFirst(mlir::Operation *op, llvm::Value *value,
                                  mlir::Type element);

  //===--- Code -----------------------------------------------------------===//

  /// Runs `body` where `condition` holds (null: everywhere).
  void emitIf(llvm::Value *condition, llvm::function_ref<void()> body);
  /// As above with results: `otherwise` where the condition does not hold.
  Registers emitIf(llvm::Value *condition, const Registers &otherwise,
                   llvm::function_ref<Registers()> body);
  /// Emits `body` for i32 index = begin, begin + step, ... < end with values
  /// carried; all threads must agree on the bounds only if body has barriers.
  Registers emitLoop(llvm::Value *begin, llvm::Value *end, llvm::Value *step,
                     const Registers &carried,
                     llvm::function_ref<Registers(llvm::Value *index,
                                                  const Registers &carried)>
                         body);
  /// A region's only block on scalars; gives the operands of its terminator.
  Registers emitCombine(mlir::Block &block, llvm::ArrayRef<llvm::Value *> args);
  /// All operations of a block but the terminator.
  void emitBody(mlir::Block &block);
  llvm::BasicBlock *newBlock(const llvm::Twine &name);
  /// Where values that hold in the whole kernel are computed: the entry block.
  void inEntry(llvm::function_ref<void()> body);
  /// Private memory of this thread, allocated in the entry block.
  llvm::AllocaInst *allocatePrivate(llvm::Type *type, uint64_t count);

  //===--- Tensors in private memory (Chunks.cpp) -------------------------===//

  /// Register `index` of a value's private memory, made at first use.
  llvm::Value *loadPrivate(mlir::Value value, llvm::Value *index);
  void storePrivate(mlir::Value value, llvm::Value *index,
                    llvm::Value *element);
  /// Whether a value is in private memory and has registers only while an
  /// operation reads it; and says that it is.
  bool isPrivate(mlir::Value value) const { return inMemory.contains(value); }
  void setPrivate(mlir::Value value) {
    inMemory.insert(value);
    values.erase(value);
  }
  /// The same for a value whose registers are those of another.
  void sharePrivate(mlir::Value value, mlir::Value other);
  /// Copies a value's registers to its private memory, if they are not there.
  void copyToPrivate(mlir::Value value);

  /// Reports a coded error at the operation; emission goes on.
  void refuse(mlir::Operation *op, unsigned code, const llvm::Twine &message);
  /// What a refused operation gives, so that emission can go on.
  void setPoison(mlir::Value value);

private:
  bool declare(mlir::func::FuncOp kernel);
  void emitOperation(mlir::Operation *op);
  void emitKnownOperation(mlir::Operation *op);
  void emitKernelOperation(mlir::Operation *op);

  // Chunks.cpp: large tensors, see there.
  void emitRun(const ChunkRun &run);
  void emitChunk(const ChunkRun &run, llvm::ArrayRef<mlir::Value> inputs,
                 llvm::ArrayRef<mlir::Value> outputs,
                 llvm::MutableArrayRef<ChunkReduction> reductions,
                 llvm::Value *index);
  llvm::AllocaInst *privateMemory(mlir::Value value);
  /// Loads the registers of values that live in private memory; gives those
  /// that were loaded, to be forgotten where the code is left.
  llvm::SmallVector<mlir::Value> reload(mlir::ValueRange wanted);
  void forget(llvm::ArrayRef<mlir::Value> loaded);

  llvm::Module &module;
  bool failed = false;
  KernelFrame frame;
  llvm::BasicBlock *entry = nullptr;
  llvm::Instruction *entryEnd = nullptr; ///< what `inEntry` inserts before
  llvm::Value *thread = nullptr, *lane = nullptr, *warp = nullptr;
  llvm::Value *firstThread = nullptr, *sharedBase = nullptr;
  /// Behind pointers: references stay valid while others are added.
  llvm::DenseMap<mlir::Value, std::unique_ptr<Registers>> values;
  llvm::DenseMap<mlir::Value, EmittedView> views;
  llvm::DenseMap<mlir::Type, std::unique_ptr<EmittedLayout>> layouts;

  /// The chunk under emission, and what large tensors of it are.
  std::unique_ptr<EmittedLayout> chunk;
  mlir::RankedTensorType chunkType;
  llvm::DenseMap<mlir::Value, llvm::AllocaInst *> memories;
  llvm::DenseSet<mlir::Value> inMemory; ///< values that have no registers
  /// What a terminator reads, until the next operation.
  llvm::SmallVector<mlir::Value> atBlockEnd;
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_EMIT_EMITTER_H
