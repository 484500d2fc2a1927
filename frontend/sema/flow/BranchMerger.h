//===- BranchMerger.h - After a run-time branch -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the scopes and completions of the two sides of an scf.if, gives the
// operation the results that are needed and the scope that follows.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_BRANCHMERGER_H
#define TILEWRIGHT_FRONTEND_SEMA_BRANCHMERGER_H

#include "frontend/sema/Interpreter.h"

namespace tilewright::sema {

class BranchMerger {
public:
  /// `op` has no results and no terminators yet.
  BranchMerger(Interpreter &interpreter, mlir::scf::IfOp op, Branch &taken,
               Branch &other)
      : in(interpreter), b(interpreter.builder()), op(op), taken(taken),
        other(other), takenLives(!taken.completion.returns()),
        otherLives(!other.completion.returns()) {}

  /// Decides what each name is after the branch.
  void mergeNames(const Scope &before);
  /// Rebuilds the operation with its results; sets the scope that follows.
  Completion finish(Scope &scope);

private:
  /// Results of the operation that one merged value takes.
  struct Slot {
    size_t first;
    Value pattern;
  };

  void mergeBothLive();
  void mergeOneLive();
  void mergeChanged(llvm::StringRef name, const Binding &left,
                    const Binding &right);
  void mergeReturns(Completion &result);
  void mergeFlags(Completion &result);
  void rebuild();

  Slot output(const Value &takenValue, const Value &otherValue);
  Value resultOf(const Slot &slot) const;
  Value inBlock(mlir::Block *block, llvm::function_ref<Value()> make);
  /// A value of the given structure that is never read.
  Value placeholderFor(const Value &value, mlir::Block *block);
  Value placeholder(mlir::Type type);
  bool isInside(const Value &value) const;
  void markUnavailable(llvm::StringRef name, const Binding &from,
                       const llvm::Twine &why);

  Interpreter &in;
  mlir::ImplicitLocOpBuilder &b;
  mlir::scf::IfOp op;
  Branch &taken, &other;
  bool takenLives, otherLives;

  llvm::SmallVector<mlir::Value> takenOutputs, otherOutputs, results;
  std::vector<std::pair<llvm::StringRef, Slot>> nameSlots;
  std::optional<Slot> returnSlot, flagSlot;
  Scope merged;
};

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_BRANCHMERGER_H
