//===- Parser.h - Text to syntax tree ---------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry point of the syntax library: parses Python 3.11 source. The parser
// recovers from errors, so one run reports several.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_PARSER_H
#define TILEWRIGHT_FRONTEND_SYNTAX_PARSER_H

#include "frontend/syntax/ASTContext.h"

namespace tilewright::syntax {

/// Bounds that keep hostile input from exhausting the stack or the clock;
/// crossing one is an ordinary coded error.
struct Limits {
  /// Open brackets and indentation levels, as in CPython.
  static constexpr unsigned Brackets = 200;
  static constexpr unsigned Indents = 100;
  /// Recursive calls of the parser.
  static constexpr unsigned Recursion = 1000;
  /// Height of the finished tree.
  static constexpr unsigned TreeHeight = 2000;
  /// Decimal digits of an integer literal, as in CPython.
  static constexpr unsigned IntegerDigits = 4300;
  /// Errors reported for one file before parsing stops.
  static constexpr unsigned Errors = 100;
};

/// Parses `text` and returns the module, never nullptr. When the sink has
/// gained errors, the statements that contain them are missing from the tree.
/// The context owns the tree and a copy of the text.
const ast::Module *parseModule(ast::ASTContext &context, std::string_view text,
                               std::string fileName, DiagnosticSink &sink);

} // namespace tilewright::syntax

#endif // TILEWRIGHT_FRONTEND_SYNTAX_PARSER_H
