//===- KernelIRTable.h - What Kernel IR may hold ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads KernelIRTable.def: legal operations and the element types they take.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_VERIFY_KERNELIRTABLE_H
#define TILEWRIGHT_DIALECTS_KERNEL_VERIFY_KERNELIRTABLE_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::kernel {

/// How the shapes of an operation's operands and results relate.
enum class OpForm { Elementwise, Scalar, Any };

/// A row of the table; element classes are spelled as in KernelIRTable.def.
struct LegalOp {
  llvm::StringLiteral name;
  OpForm form;
  llvm::StringLiteral operands;
  llvm::StringLiteral results;
};

/// All rows.
llvm::ArrayRef<LegalOp> legalOps();

/// The row of an operation; null if it is not part of Kernel IR.
const LegalOp *lookupLegalOp(llvm::StringRef name);

/// The class letter of an element type; 0 if Kernel IR has no such type.
char elementClass(mlir::Type element);

/// Spells classes for a message: "FQ" is "a float or fp8".
std::string describeElements(llvm::StringRef classes);

} // namespace tilewright::kernel

#endif // TILEWRIGHT_DIALECTS_KERNEL_VERIFY_KERNELIRTABLE_H
