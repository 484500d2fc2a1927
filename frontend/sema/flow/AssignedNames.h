//===- AssignedNames.h - Names that statements bind -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A purely syntactic question that loops ask before their body is evaluated.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_ASSIGNEDNAMES_H
#define TILEWRIGHT_FRONTEND_SEMA_ASSIGNEDNAMES_H

#include "frontend/syntax/AST.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace tilewright::sema {

/// Every name that the statements may bind, in source order without
/// duplicates; also inside branches that turn out to be dead.
std::vector<llvm::StringRef> assignedNames(ast::StmtList body);
/// The names in the target of an assignment or loop.
std::vector<llvm::StringRef> assignedNames(const ast::Expr *target);

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_ASSIGNEDNAMES_H
