//===- KernelIRTable.cpp - What Kernel IR may hold ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of KernelIRTable.def and its look-up.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/verify/KernelIRTable.h"

#include "dialects/kernel/KernelDialect.h"
#include "dialects/kernel/rules/OpRules.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tilewright::kernel {

static constexpr LegalOp table[] = {
#define KERNEL_OP(name, form, operands, results)                               \
  {llvm::StringLiteral(name), OpForm::form, llvm::StringLiteral(operands),     \
   llvm::StringLiteral(results)},
#include "dialects/kernel/verify/KernelIRTable.def"
};

llvm::ArrayRef<LegalOp> legalOps() { return table; }

const LegalOp *lookupLegalOp(StringRef name) {
  static const llvm::StringMap<const LegalOp *> rows = [] {
    llvm::StringMap<const LegalOp *> map;
    for (const LegalOp &row : table)
      map.try_emplace(row.name, &row);
    return map;
  }();
  return rows.lookup(name);
}

char elementClass(Type element) {
  if (isa<PointerType>(element))
    return 'P';
  if (isa<ViewType>(element))
    return 'V';
  if (!rules::isMemoryElement(element))
    return 0;
  if (element.isInteger(1))
    return 'B';
  if (isa<IntegerType>(element))
    return 'I';
  return rules::isFloat8(element) ? 'Q' : 'F';
}

std::string describeElements(StringRef classes) {
  if (classes.empty())
    return "nothing";
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleave(
      classes, stream,
      [&](char letter) {
        switch (letter) {
        case 'B':
          stream << "i1";
          break;
        case 'I':
          stream << "an integer";
          break;
        case 'F':
          stream << "a float";
          break;
        case 'Q':
          stream << "fp8";
          break;
        case 'P':
          stream << "a pointer";
          break;
        default:
          stream << "a view";
        }
      },
      " or ");
  return text;
}

} // namespace tilewright::kernel
