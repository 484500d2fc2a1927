//===- ScalarExpression.h - Scalars of index arithmetic ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar SSA values as polynomials, their value ranges, and polynomials as SSA
// values again.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_SCALAREXPRESSION_H
#define TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_SCALAREXPRESSION_H

#include "dialects/lowering/analysis/Polynomial.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/SetVector.h"

namespace tilewright::lowering {

/// Marks a truncation of a carried 64-bit sum (SplitCarried.cpp): its operand
/// is the exact value, by the rule that index sums do not overflow.
inline constexpr llvm::StringLiteral carriedMarker = "tw.carried";
/// Marks additions, subtractions and multiplications of unsigned values: they
/// wrap as written and are never looked through.
inline constexpr llvm::StringLiteral unsignedMarker = "tw.unsigned";

/// A closed interval of 64-bit integers; the type's limits mean "unknown".
struct Interval {
  int64_t lo = INT64_MIN;
  int64_t hi = INT64_MAX;
};

/// Numbers the scalar SSA values of a function and reads their definitions.
/// Signed add, sub and mul are exact by the language's rule on index
/// arithmetic; other ops are opaque atoms.
class ScalarExpressions {
public:
  ScalarExpressions(mlir::func::FuncOp function, mlir::DominanceInfo &dominance)
      : function(function), dominance(dominance) {}

  /// The exact value of a scalar signless integer.
  Polynomial get(mlir::Value value);

  /// The same for a side of a comparison. The rule on index arithmetic is about
  /// program ids, arguments and counters: what is computed from numbers from
  /// elsewhere alone (from memory, say) wraps, and stands for itself.
  Polynomial getCompared(mlir::Value value);

  mlir::Value getAtom(unsigned number) const { return atoms[number]; }

  /// Bounds that hold for a scalar, from its definition and argument facts.
  Interval getInterval(mlir::Value value);
  Interval getInterval(const Polynomial &value);

  /// Whether a scalar that is read as unsigned is the same read as signed. Sums
  /// and products do not count: those of unsigned values wrap.
  bool isNonNegativeAsUnsigned(mlir::Value value);

  /// Proves `value >= 0`, given that every polynomial of `facts` is.
  bool proveNonNegative(const Polynomial &value,
                        llvm::ArrayRef<Polynomial> facts = {});
  /// The same for an SSA value, through divisions whose divisor is positive.
  bool proveNonNegative(mlir::Value value, llvm::ArrayRef<Polynomial> facts);

  /// Whether all atoms are defined outside of `region`.
  bool isDefinedOutside(const Polynomial &value, mlir::Region &region);
  /// Whether all atoms are arguments of the function.
  bool isOverArguments(const Polynomial &value);

  /// Whether a sum with the value may leave i64 without the program's own sums
  /// doing so: an atom of it is a number from elsewhere (from memory, say) of
  /// which nothing is known, so that it may be the smallest or largest there
  /// is.
  bool mayLeaveInteger(const Polynomial &value);

  /// An i64 with the polynomial's value, placed right after the last of its
  /// atoms: invariant parts land outside of loops.
  mlir::Value materialize(const Polynomial &value, mlir::Location loc);

  /// Sets the builder behind the definitions of all `values`, but at the
  /// earliest place where they dominate.
  void setInsertionAfter(mlir::OpBuilder &builder,
                         llvm::ArrayRef<mlir::Value> values);

  /// Names of the arguments whose range fact was used.
  llvm::ArrayRef<mlir::StringAttr> getUsedFacts() const {
    return usedFacts.getArrayRef();
  }

private:
  unsigned number(mlir::Value value);
  std::optional<Polynomial> computeDefinition(mlir::Value value);
  Interval computeInterval(mlir::Value value);
  Interval getArgumentInterval(mlir::BlockArgument argument);
  bool proveByDefinition(const Polynomial &value,
                         llvm::ArrayRef<Polynomial> facts);
  mlir::Value widen(mlir::Value value);

  mlir::func::FuncOp function;
  mlir::DominanceInfo &dominance;
  llvm::SmallVector<mlir::Value> atoms;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::DenseMap<mlir::Value, Polynomial> known;
  llvm::DenseMap<mlir::Value, Interval> intervals;
  llvm::DenseMap<mlir::Value, mlir::Value> widened;
  llvm::SetVector<mlir::StringAttr> usedFacts;
  unsigned proofDepth = 0;
};

} // namespace tilewright::lowering

#endif // TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_SCALAREXPRESSION_H
