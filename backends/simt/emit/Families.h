//===- Families.h - One emission function an operation ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each reads its operands from the emitter, emits at its builder and sets the
// results. Grouped by the file that defines them.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_EMIT_FAMILIES_H
#define TILEWRIGHT_BACKENDS_SIMT_EMIT_FAMILIES_H

#include "backends/simt/dialect/SimtOps.h"
#include "backends/simt/emit/Emitter.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tilewright::simt {

/// Elementwise.cpp: any operation of arith and math on scalars or tensors, and
/// elementwise kernel operations; false if the operation is none of these.
bool emitElementwise(Emitter &e, mlir::Operation *op);
/// One element of it.
llvm::Value *emitScalarOperation(Emitter &e, mlir::Operation *op,
                                 llvm::ArrayRef<llvm::Value *> operands);

// Quotients.cpp
/// Whether 2 ulp are allowed: the flag `afn` on f32, outside portable mode.
bool mayApproximate(Emitter &e, mlir::Operation *op);
llvm::Value *emitQuotient(Emitter &e, mlir::Operation *op,
                          llvm::ArrayRef<llvm::Value *> operands);
/// A division of a tensor by one number; false if it is another one.
bool emitQuotients(Emitter &e, mlir::Operation *op, unsigned count,
                   Registers &results);

// Functions.cpp
/// A function of math or arith that the target computes; null if it is none.
llvm::Value *emitFunction(Emitter &e, mlir::Operation *op,
                          llvm::ArrayRef<llvm::Value *> operands);
/// A function of many registers at once; false if that is not shorter.
bool emitFunctions(Emitter &e, mlir::Operation *op, unsigned count,
                   Registers &results);

// Reshape.cpp: what moves values between registers of one thread.
/// Row-major number (i32) of the element in a register.
llvm::Value *emitElementNumber(Emitter &e, EmittedLayout &layout,
                               unsigned index);
void emitSplat(Emitter &e, mlir::tensor::SplatOp op);
void emitRange(Emitter &e, kernel::RangeOp op);
void emitBroadcast(Emitter &e, BroadcastOp op);
void emitTranspose(Emitter &e, TransposeOp op);
void emitReshape(Emitter &e, ReshapeOp op);
void emitJoin(Emitter &e, kernel::JoinOp op);
void emitSplit(Emitter &e, kernel::SplitOp op);
void emitCat(Emitter &e, kernel::CatOp op);
void emitExtractSlice(Emitter &e, mlir::tensor::ExtractSliceOp op);

// ControlFlow.cpp
void emitFor(Emitter &e, mlir::scf::ForOp op);
void emitIf(Emitter &e, mlir::scf::IfOp op);
void emitWhile(Emitter &e, mlir::scf::WhileOp op);

// Memory.cpp
void emitView(Emitter &e, kernel::ViewOp op);
void emitLoad(Emitter &e, kernel::LoadOp op);
void emitStore(Emitter &e, kernel::StoreOp op);
void emitGather(Emitter &e, kernel::GatherOp op);
void emitScatter(Emitter &e, kernel::ScatterOp op);

// Atomics.cpp
void emitAtomicRMW(Emitter &e, kernel::AtomicRMWOp op);
void emitAtomicCAS(Emitter &e, kernel::AtomicCASOp op);

// Convert.cpp
void emitConvertLayout(Emitter &e, ConvertLayoutOp op);
/// i32: the row-major number of the source's element that a register of the
/// result holds; null for the layout of scalars.
using SourceElement =
    llvm::function_ref<llvm::Value *(EmittedLayout *result, unsigned index)>;
/// Stores registers to scratch by row-major element number and reads `result`
/// (a tensor or a scalar). Padding is neither stored nor read. The general path
/// of whatever moves elements.
void emitExchange(Emitter &e, mlir::Operation *op, mlir::Value source,
                  mlir::Value result, SourceElement elementNumber);

// chunks/LoopedMoves.cpp: the same on large tensors in private memory; false
// for all others.
bool emitLoopedMove(Emitter &e, mlir::Operation *op);
bool emitLoopedExchange(Emitter &e, mlir::Operation *op, mlir::Value source,
                        mlir::Value result, SourceElement elementNumber);

// Reduce.cpp, Scan.cpp, Gather.cpp, Histogram.cpp
void emitReduce(Emitter &e, kernel::ReduceOp op);
/// On large operands in private memory; false if they have to be in registers.
bool emitLoopedReduce(Emitter &e, kernel::ReduceOp op);
/// The rest of a reduction whose registers are folded as its plan says: one
/// value an operand for each register that is left.
void finishReduce(Emitter &e, kernel::ReduceOp op,
                  std::vector<Registers> partials);
void emitScan(Emitter &e, kernel::ScanOp op);
void emitGatherInTile(Emitter &e, kernel::GatherInTileOp op);
void emitHistogram(Emitter &e, kernel::HistogramOp op);

// Dot.cpp, matrix/MatrixDot.cpp
void emitDot(Emitter &e, DotOp op);
/// With the target's matrix instruction.
void emitMatrixDot(Emitter &e, DotOp op);
/// Whether that takes so many of them that they are emitted as loops.
bool isDotInLoops(Emitter &e, DotOp op);
/// On operands in private memory; false if it takes few.
bool emitLoopedDot(Emitter &e, DotOp op);

// matrix/Shared.cpp: buffers of shared memory and copies to them.
void emitLocalLoad(Emitter &e, LocalLoadOp op);
void emitLocalStore(Emitter &e, LocalStoreOp op);
void emitAsyncCopy(Emitter &e, AsyncCopyOp op);
void emitRotate(Emitter &e, RotateOp op);

// Services.cpp
void emitPrint(Emitter &e, kernel::PrintOp op);
void emitAssert(Emitter &e, kernel::AssertOp op);
void emitTrap(Emitter &e, kernel::TrapOp op);
void emitClock(Emitter &e, kernel::ClockOp op);
void emitAssume(Emitter &e, kernel::AssumeOp op);
void emitInlineAsm(Emitter &e, kernel::InlineAsmOp op);
void emitExternCall(Emitter &e, kernel::ExternCallOp op);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_EMIT_FAMILIES_H
