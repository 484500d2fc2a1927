//===- ASTDump.h - Printing syntax trees ------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a tree exactly as CPython 3.11 prints ast.dump(tree, indent=2).
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_ASTDUMP_H
#define TILEWRIGHT_FRONTEND_SYNTAX_ASTDUMP_H

#include "frontend/syntax/AST.h"

namespace tilewright::syntax {

struct DumpOptions {
  /// Prints lineno, col_offset, end_lineno and end_col_offset, as
  /// ast.dump(tree, include_attributes=True, indent=2) does.
  bool attributes = false;
  /// Prints zeros for positions inside f-string expressions, which CPython
  /// 3.11 only estimates.
  bool hideInterpolations = false;
};

std::string dumpAST(const ast::Module &module, DumpOptions options = {});
/// Any subtree.
std::string dumpAST(const ast::Node &node, DumpOptions options = {});

/// Python's repr() of a literal.
std::string reprOf(const ast::ConstantValue &value);

} // namespace tilewright::syntax

#endif // TILEWRIGHT_FRONTEND_SYNTAX_ASTDUMP_H
