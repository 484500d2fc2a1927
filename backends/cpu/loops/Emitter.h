//===- Emitter.h - Builds the loops of one kernel ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations with effects, reductions and matrix products open a loop nest;
// everything else is computed on demand inside a nest, a vector of lanes at a
// time. Methods are defined in one file a subject.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_LOOPS_EMITTER_H
#define TILEWRIGHT_BACKENDS_CPU_LOOPS_EMITTER_H

#include "backends/cpu/loops/LowerToLoops.h"
#include "backends/cpu/loops/plan/Plan.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace tilewright::cpu {

using mlir::ArrayRef;
using mlir::Block;
using mlir::Location;
using mlir::Operation;
using mlir::RankedTensorType;
using mlir::SmallVector;
using mlir::SmallVectorImpl;
using mlir::StringRef;
using mlir::Type;
using mlir::Value;
using mlir::ValueRange;

/// Where one dimension is read: lane l at `base + constant + l * step`, or at
/// `lanes[l]`.
struct Index {
  Value base; ///< i64, null for 0
  int64_t constant = 0;
  int64_t step = 0;
  Value lanes;        ///< vector of i64, overrides the rest
  unsigned level = 0; ///< loop depth at which all of it is known

  bool isUniform() const { return step == 0 && !lanes; }
  bool operator==(const Index &other) const {
    return base == other.base && constant == other.constant &&
           step == other.step && lanes == other.lanes;
  }
};
using Indices = SmallVector<Index, 4>;

/// One loop of a nest and what has been computed in its body.
struct Level {
  struct Memo {
    Indices at;
    unsigned width;
    Value result;
  };
  Operation *loop = nullptr;
  bool isGuard = false; ///< the body of a branch on bounds, not of a loop
  llvm::DenseMap<Value, SmallVector<Memo, 1>> memo;
};

/// The fast version of a chunk: accesses add what must hold for it.
struct BoundsGuard {
  mlir::scf::IfOp branch;
  Value condition;
};

/// A nest under construction.
struct Nest {
  unsigned width = 1;
  Indices identity; ///< where the body stands; values here may be stored too
  llvm::SmallDenseSet<Value> fused; ///< values that this nest also stores
  std::vector<Level> levels{1};
  BoundsGuard *guard = nullptr;
};

/// What one nest will evaluate, found before it is opened.
struct NestPlan {
  llvm::SmallDenseSet<Value> fused;
  unsigned widestBytes = 1;
  unsigned cost = 0;
  bool hasChecks = false;  ///< some access has bounds
  bool isVolatile = false; ///< some access must happen element by element
};

/// Operands of `kernel.view`, translated.
struct ViewInfo {
  Value base;   ///< !llvm.ptr
  Value offset; ///< i64 or null
  SmallVector<Value, 4> sizes, strides;
};

/// What `kernel.load` and `kernel.store` have in common.
struct BoxAccess {
  Operation *op;
  Value view;
  ValueRange offsets, lo, hi;
  ArrayRef<int32_t> boundary;
  Value index;
  std::optional<int64_t> indexDim;
  Value mask;
};

/// The memory that lanes touch: `pointer` for one lane or consecutive ones,
/// `pointers` for any; `mask` (null: all) guards.
struct Address {
  Value pointer;
  Value pointers;
  Value mask;
};

struct MatmulPlan; // MatmulPlan.h

/// A reduction, of linalg or ours.
struct Reduction {
  Operation *op;
  SmallVector<Value, 2> inputs, inits;
  SmallVector<int64_t, 2> dims;
  Block *combine;
  bool isGuarded = false; ///< chunks within bounds get code of their own
};

class Emitter {
public:
  Emitter(mlir::func::FuncOp function, const CpuLoopOptions &options);
  mlir::LogicalResult run();

private:
  using LoopBody =
      llvm::function_ref<SmallVector<Value>(Index iv, ValueRange carried)>;
  using NestBody = llvm::function_ref<void(const Indices &at, unsigned width)>;
  using GuardedBody = llvm::function_ref<SmallVector<Value>(bool isFull)>;

  // DeviceCall.cpp: functions of device libraries.
  bool isKnownFunction(kernel::ExternCallOp op);
  Value callDevice(kernel::ExternCallOp op, ArrayRef<Value> operands,
                   unsigned width);

  // Function.cpp: the signature, blocks and scalar operations.
  void emitSignature();
  void loadArguments(Block &old);
  void emitBlock(Block &block);
  void emitBody(Block &block, llvm::function_ref<void(Operation *)> terminator);
  void emitOperation(Operation *op);
  void emitKernelOp(Operation *op);
  void emitScalarOp(Operation *op);
  void emitEagerly(Operation *op);
  void emitView(kernel::ViewOp op);

  // Values.cpp: constants and scalars.
  Value constant(mlir::TypedAttr attribute);
  Value i64(int64_t value);
  Value zero(Type type);
  Value scalar(Value old);
  Type scalarType(Type old);
  Type laneType(Type element, unsigned width);
  Type memoryType(Type element);
  Value splat(Value value, unsigned width);
  Value iota(unsigned bits, int64_t step, unsigned width);
  Value add(Value a, Value b);
  Value multiply(Value a, int64_t factor);
  Value multiply(Value a, Value b);
  Value baseOf(const Index &index);
  Value lanesOf(const Index &index, unsigned width);
  Value refuse(Operation *op, const llvm::Twine &message, Type dummy = {});
  bool isNonNegative(Value old, unsigned depth = 0);
  Value convertFloat(Value value, Type element);

  // Nest.cpp: loops.
  NestPlan prepare(ValueRange roots);
  void prepareElsewhere(ValueRange values);
  void prepareCaptures(Operation *op);
  unsigned chooseWidth(int64_t extent, const NestPlan &plan, unsigned most = 2);
  SmallVector<Value> emitLoop(int64_t extent, int64_t step, ValueRange inits,
                              LoopBody body);
  void emitNest(ArrayRef<int64_t> shape, const NestPlan &plan, unsigned width,
                NestBody body);
  SmallVector<Value> emitGuarded(bool isWanted, mlir::TypeRange types,
                                 GuardedBody body);
  bool wantsGuard(const NestPlan &plan);
  void finish(const NestPlan &plan);
  void materialise(Value value);
  void writeValue(Value value, const Buffer &buffer);
  void copyBuffer(const Buffer &from, const Buffer &to);
  Buffer allocate(ArrayRef<int64_t> shape, Type element);
  void release(const Buffer &buffer);
  void bindBuffer(Value value, const Buffer &buffer, bool owns);

  // Transpose.cpp: values that lie along another dimension.
  int64_t memoryDimension(Value value);
  SmallVector<Value> turnBlock(SmallVector<Value> rows);
  void emitTurnedBlock(Value value, const Buffer &buffer, const Indices &at,
                       int64_t lane, int64_t along, unsigned width);
  void emitTurnedElements(Value value, const Buffer &buffer, const Indices &at,
                          int64_t lane, int64_t along, unsigned width);
  bool writeTurned(Value value, const Buffer &buffer, const NestPlan &nestPlan);

  // Evaluate.cpp: values on demand.
  /// Goes to where what depends on loops up to `level` is computed; gives the
  /// level whose values that are.
  unsigned enterLevel(unsigned level);
  Value evaluate(Value value, const Indices &at, unsigned width);
  Value compute(Value value, const Indices &at, unsigned width);
  Value computeOp(Operation *op, Value value, const Indices &at,
                  unsigned width);
  Value computeElementwise(Operation *op, Value value, const Indices &at,
                           unsigned width);
  Value computeReshape(Operation *op, const Indices &at, unsigned width);
  Value computeSplit(kernel::SplitOp op, Value value, const Indices &at,
                     unsigned width);
  Value computeGatherInTile(kernel::GatherInTileOp op, const Indices &at,
                            unsigned width);
  Value computePointer(Operation *op, const Indices &at, unsigned width);
  Value computeMulHi(Value lhs, Value rhs);

  // Memory.cpp: global memory and buffers.
  Address resolve(const BoxAccess &access, const Indices &at, unsigned width);
  Address resolve(Value base, Value offsets, Value mask, const Indices &at,
                  unsigned width, Type element);
  Value load(const Address &address, Type element, unsigned width, Value other,
             bool isVolatile = false);
  void store(Value value, const Address &address, Type element, unsigned width);
  Value loadBox(kernel::LoadOp op, const Indices &at, unsigned width);
  Value loadGather(kernel::GatherOp op, const Indices &at, unsigned width);
  Value readBuffer(const Buffer &buffer, ArrayRef<int64_t> shape,
                   const Indices &at, unsigned width, Type element);
  void writeBuffer(Value value, const Buffer &buffer, const Indices &at,
                   unsigned width);
  Index linearise(ArrayRef<int64_t> shape, const Indices &at, unsigned width);
  Value elementPointer(Value pointer, Type element, Value index);
  Value fromMemory(Value value, Type element);
  Value toMemory(Value value);
  void emitStore(kernel::StoreOp op);
  void emitScatter(kernel::ScatterOp op);

  // Bounds.cpp: positions and masks of box accesses.
  struct Position {
    Value uniform; ///< i64, of lane 0
    int64_t step = 0;
    Value lanes;            ///< vector of i64, overrides
    bool isWrapped = false; ///< already within the size
  };
  Position positionOf(const BoxAccess &access, unsigned dim, const Indices &at,
                      unsigned width);
  Value boundsMask(const BoxAccess &access, ArrayRef<Position> positions,
                   unsigned width);
  bool addToGuard(const BoxAccess &access, const Indices &at, unsigned width,
                  SmallVectorImpl<Position> &positions);
  Value rangeMask(Value first, Value lo, Value hi, int64_t step, unsigned width,
                  bool checksLo);
  Value wrap(Value position, Value size);
  Value wrapLanes(const Position &position, Value size, unsigned width);
  Value both(Value a, Value b);

  // Reduce.cpp, Combine.cpp, Scan.cpp, Matmul.cpp
  void emitReduce(Reduction reduction);
  SmallVector<Value> foldLanes(const Reduction &reduction,
                               SmallVector<Value> values, unsigned width);
  SmallVector<Value> reduceAlong(const Reduction &reduction,
                                 ArrayRef<int64_t> dims, Indices &at,
                                 ValueRange carried);
  SmallVector<Value> reduceAt(const Reduction &reduction, const Indices &at,
                              ValueRange carried);
  SmallVector<Value> reduceChunk(const Reduction &reduction, const Indices &at,
                                 ValueRange carried);
  SmallVector<Value> reduceBlocked(const Reduction &reduction, int64_t dim,
                                   Indices &at, ValueRange carried);
  SmallVector<Value> reduceDims(const Reduction &reduction, Indices &at);
  void emitKept(const Reduction &reduction, ArrayRef<int64_t> dims,
                Indices &at);
  void finishReduction(const Reduction &reduction, const Indices &at);
  void emitStatedReduce(const Reduction &reduction);
  SmallVector<Value> neutrals(const Reduction &reduction, unsigned width);
  SmallVector<Value> cloneCombine(Block *combine, ValueRange left,
                                  ValueRange right, unsigned width);
  void emitScan(kernel::ScanOp op);
  void scanAxis(kernel::ScanOp op, Indices &at, bool isAlongLanes);
  SmallVector<Value> scanStep(kernel::ScanOp op, Indices &at, Index position,
                              ValueRange carried, bool isAlongLanes);
  SmallVector<Value> scanLanes(Block *combine, SmallVector<Value> values,
                               unsigned width, bool isReverse);
  bool isPortable();
  void emitMatmul(mlir::linalg::LinalgOp op);
  Buffer matmulOperand(Value value, Type element, bool &isTemporary);
  Buffer matmulResult(mlir::linalg::LinalgOp op, bool &startsAtZero);
  void emitMicroKernel(const MatmulPlan &matmul, const Index &batch,
                       const Index &row, const Index &column, int64_t rows);
  void emitBlockedMatmul(const MatmulPlan &matmul);
  void emitStatedMatmul(const MatmulPlan &matmul);
  void emitStatedElements(const MatmulPlan &matmul, const Buffer &products,
                          const Index &batch, const Index &row,
                          const Index &column);
  Value multiplyAdd(Value a, Value x, Value sum);

  // ControlFlow.cpp
  void emitFor(mlir::scf::ForOp op);
  void emitIf(mlir::scf::IfOp op);
  void emitWhile(mlir::scf::WhileOp op);
  void writeYields(ValueRange yields, ArrayRef<Buffer> buffers,
                   ValueRange arguments);
  bool readsOf(Value value, const Buffer &buffer, bool isIdentity,
               bool &onlyIdentity);
  std::optional<Buffer> carriedDestination(Value value);

  // Arrange.cpp: join, cat, histogram and other whole-tile operations.
  void emitJoin(kernel::JoinOp op);
  void emitCat(kernel::CatOp op);
  void emitHistogram(kernel::HistogramOp op);
  void emitFromElements(mlir::tensor::FromElementsOp op);

  // Atomics.cpp, Services.cpp
  Value combineAtomic(kernel::AtomicKind kind, Value old, Value value);
  Value atomicFloatLoop(kernel::AtomicKind kind, Value pointer, Value value,
                        mlir::LLVM::AtomicOrdering ordering);
  void emitAtomic(Operation *op, Value shaped, Value base, Value offsets,
                  Value mask,
                  llvm::function_ref<Value(const Indices &, Value)> perform);
  void evaluateBefore(Operation *op, Value value, const Indices &at);
  void emitAtomicRMW(kernel::AtomicRMWOp op);
  void emitAtomicCAS(kernel::AtomicCASOp op);
  Value text(StringRef content);
  Value serviceField(size_t offset);
  void callService(size_t offset, ArrayRef<Value> arguments);
  void callFail(int32_t code, StringRef message, Location location);
  void addPrintLibrary();
  Value append(StringRef name, Value end, ValueRange arguments);
  Value appendText(StringRef content, Value end);
  Value appendElement(Value element, Value end, bool isSigned, bool isHex);
  Value makeLine(int64_t fixedBytes);
  void printLine(kernel::PrintOp op, Value line, Value value, const Indices &at,
                 bool isSigned);
  void emitPrint(kernel::PrintOp op);
  void emitAssert(kernel::AssertOp op);
  void emitTrap(kernel::TrapOp op);
  void emitClock(kernel::ClockOp op);

  mlir::func::FuncOp function;
  CpuLoopOptions options;
  mlir::ImplicitLocOpBuilder b;
  Plan plan;
  ScratchSpace scratch;
  Block *entry = nullptr;
  unsigned textCount = 0;
  llvm::StringMap<std::string> textNames; ///< symbols of string constants
  Nest *nest = nullptr;
  bool hadError = false;
  bool keepsLoopsRolled = false; ///< in code that rarely runs
  Value programIds[3], programCounts[3], services, scratchPointer;
  mlir::IRMapping scalars;
  llvm::DenseMap<Value, ViewInfo> views;
  llvm::DenseMap<mlir::Attribute, Value> constants;
  llvm::DenseMap<int64_t, Value> scratchPointers;
  llvm::DenseMap<Value, Buffer> carriedBuffers; ///< by loop argument
};

/// Whether an access is simpler for chunks that stay within bounds.
inline bool hasBounds(ArrayRef<int32_t> boundary) {
  return llvm::any_of(boundary, [](int32_t mode) {
    return mode != int32_t(kernel::BoundaryMode::Unchecked);
  });
}

/// Element type of a tensor, or the type itself.
inline Type elementOf(Value value) {
  return mlir::getElementTypeOrSelf(value.getType());
}

/// Shape of a tensor, empty for a scalar.
inline ArrayRef<int64_t> shapeOf(Value value) {
  auto type = mlir::dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

/// The dimension that lanes run along: the last that is longer than one.
int64_t laneDimension(ArrayRef<int64_t> shape);

/// The neutral element of a combine region, if it is one known operation.
mlir::TypedAttr neutralElement(Block *combine, Type element);

/// The one operation of a combine region `op(left, right)`, or null.
Operation *singleCombine(Block *combine);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_LOOPS_EMITTER_H
