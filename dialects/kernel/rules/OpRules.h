//===- OpRules.h - Constraints that both dialects state ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile dialect and Kernel IR have twin operations. Their constraints C1..Cn
// are checked here once; each message cites the number from the .td file.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_RULES_OPRULES_H
#define TILEWRIGHT_DIALECTS_KERNEL_RULES_OPRULES_H

#include "dialects/kernel/KernelDialect.h"
#include "mlir/IR/Operation.h"

namespace tilewright::kernel::rules {

/// Reports that `op` breaks constraint `rule` ("C1"): "<message> (C1)".
mlir::LogicalResult breaks(mlir::Operation *op, llvm::StringRef rule,
                           const llvm::Twine &message);

/// The same with "expected X, got Y".
mlir::LogicalResult breaks(mlir::Operation *op, llvm::StringRef rule,
                           const llvm::Twine &expected, mlir::Type got);

/// Extents of a tensor; none for a scalar.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);

/// Whether both are scalars, or both tensors of one static shape.
bool haveSameShape(mlir::Type a, mlir::Type b);

/// A tensor of `shape`, or the element type itself if the shape is empty.
mlir::Type tensorOrScalar(llvm::ArrayRef<int64_t> shape, mlir::Type element);

/// `type` with another element type.
mlir::Type withElement(mlir::Type type, mlir::Type element);

/// What a kernel can hold in memory: i1..i64 by powers of two and the floats of
/// the language.
bool isMemoryElement(mlir::Type type);

/// Whether an fp8 of any kind.
bool isFloat8(mlir::Type type);

// Shapes. The verifiers of twin operations read operands and results by
// position, which both dialects share.
/// The type of `join`'s result.
mlir::RankedTensorType joinType(mlir::Type operand);
/// The type of each of `split`'s results.
mlir::Type splitType(mlir::RankedTensorType source);
/// The type of `cat`'s result.
mlir::RankedTensorType catType(mlir::RankedTensorType operand);
/// The type of `reduce`'s result for one operand.
mlir::Type reduceType(mlir::Type operand, int32_t axis);

mlir::LogicalResult verifyGridAxis(mlir::Operation *op, int32_t axis);
mlir::LogicalResult verifyRange(mlir::Operation *op, mlir::Type result,
                                int64_t start, int64_t end);
mlir::LogicalResult verifyJoin(mlir::Operation *op);
mlir::LogicalResult verifySplit(mlir::Operation *op);
mlir::LogicalResult verifyCat(mlir::Operation *op);
mlir::LogicalResult verifyGatherInTile(mlir::Operation *op, int32_t axis);
mlir::LogicalResult verifyFact(mlir::Operation *op);

// Matrices, reductions, regions.
/// Whether elements of these types may be multiplied: C2 of dot.
bool areDotOperands(mlir::Type lhs, mlir::Type rhs);
/// Whether `acc` may accumulate products of `element`: C3 of dot.
bool isDotAccumulator(mlir::Type element, mlir::Type acc);

struct ScaledOperand {
  mlir::RankedTensorType type;
  /// Null if there is none.
  mlir::Type scale;
  llvm::StringRef format;
  bool packedAlongK;
};
mlir::LogicalResult verifyDotScaled(mlir::Operation *op, ScaledOperand lhs,
                                    ScaledOperand rhs, mlir::Type acc);
mlir::LogicalResult verifyReduce(mlir::Operation *op, int32_t axis);
mlir::LogicalResult verifyScan(mlir::Operation *op, int32_t axis);
/// C3 and C4 of reduce and scan.
mlir::LogicalResult verifyCombineRegion(mlir::Operation *op);
/// C1 and C2 of call_op.
mlir::LogicalResult verifyCallRegion(mlir::Operation *op);
/// C3 of call_op.
mlir::LogicalResult verifyCallName(mlir::Operation *op, llvm::StringRef name);
mlir::LogicalResult verifyHistogram(mlir::Operation *op, mlir::Type source,
                                    mlir::Type mask, mlir::Type result);
mlir::LogicalResult verifyMulHi(mlir::Operation *op);
mlir::LogicalResult verifyPrint(mlir::Operation *op, size_t values,
                                size_t signedness);

/// Adds a combine region to `state` and lets `body` fill it in.
void buildCombineRegion(mlir::OpBuilder &builder, mlir::OperationState &state,
                        mlir::ValueRange operands, CombineBuilder body);

// Pointers and atomics.
mlir::LogicalResult verifySameShape(mlir::Operation *op, mlir::Type a,
                                    mlir::Type b);
mlir::LogicalResult verifyPointerInteger(mlir::Operation *op,
                                         mlir::Type pointer,
                                         mlir::Type integer);
/// C2 of atomic_cas: what hardware can exchange.
mlir::LogicalResult verifyExchangeWidth(mlir::Operation *op, mlir::Type value);
/// C3 of atomic_rmw.
mlir::LogicalResult verifyAtomicElement(mlir::Operation *op, AtomicKind kind,
                                        mlir::Type element);

} // namespace tilewright::kernel::rules

#endif // TILEWRIGHT_DIALECTS_KERNEL_RULES_OPRULES_H
