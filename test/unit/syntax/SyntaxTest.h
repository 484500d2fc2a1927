//===- SyntaxTest.h - Parsing in tests --------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parse with its context and diagnostics, and short forms of both.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_SYNTAX_SYNTAXTEST_H
#define TILEWRIGHT_TEST_UNIT_SYNTAX_SYNTAXTEST_H

#include "frontend/syntax/ASTDump.h"
#include "frontend/syntax/Parser.h"
#include "gtest/gtest.h"

namespace tilewright::syntax {

struct Parsed {
  explicit Parsed(std::string_view text)
      : module(parseModule(context, text, "test.py", sink)) {}

  /// Errors as "TW1003@2:5 TW1020@4:0", line and 0-based column.
  std::string errors() const {
    std::string out;
    for (const Diagnostic &d : sink.diagnostics()) {
      out += out.empty() ? "" : " ";
      out += codeName(d.code) + "@" + std::to_string(d.range.line) + ":" +
             std::to_string(d.range.column);
    }
    return out;
  }
  /// The value of the first statement, an expression or an assignment.
  const ast::Expr *value() const {
    if (module->body.empty())
      return nullptr;
    if (auto *stmt = ast::asNode<ast::ExprStmt>(module->body[0]))
      return stmt->value;
    auto *assign = ast::asNode<ast::Assign>(module->body[0]);
    return assign ? assign->value : nullptr;
  }
  /// repr() of the constant that is the first statement.
  std::string constant() const {
    auto *node = ast::asNode<ast::Constant>(value());
    return node ? reprOf(node->value) : "no constant: " + errors();
  }

  ast::ASTContext context;
  DiagnosticSink sink;
  const ast::Module *module;
};

inline std::string errorsOf(std::string_view text) {
  return Parsed(text).errors();
}

} // namespace tilewright::syntax

#endif // TILEWRIGHT_TEST_UNIT_SYNTAX_SYNTAXTEST_H
