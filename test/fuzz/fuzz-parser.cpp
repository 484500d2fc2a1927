//===- fuzz-parser.cpp - Fuzz target of the parser --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses any bytes and checks what must always hold: a module comes back,
// errors are coded and lie in the text, children lie in their parents, the
// tree is no taller than promised, and everything can be rendered.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/ASTDump.h"
#include "frontend/syntax/ASTFields.h"
#include "frontend/syntax/Parser.h"
#include "frontend/syntax/lex/Unicode.h"

#include <cstdlib>

using namespace tilewright;
using namespace tilewright::ast;

static void require(bool holds) {
  if (!holds)
    std::abort();
}

static bool isBefore(uint32_t line, uint32_t column, uint32_t endLine,
                     uint32_t endColumn) {
  return line < endLine || (line == endLine && column <= endColumn);
}

namespace {
/// Walks a tree and checks heights and ranges.
struct Checker {
  const Module &module;
  const Node *parent;

  void check(const Node &node) {
    const SourceRange &range = node.range;
    require(node.height <= syntax::Limits::TreeHeight + 1);
    require(range.isValid() && range.endLine <= module.lineStarts.size());
    require(isBefore(range.line, range.column, range.endLine, range.endColumn));
    Checker inner{module, &node};
    visitFields(node, inner);
  }
  void operator()(std::string_view name, const Node *node) {
    if (!node)
      return;
    require(node->height < parent->height);
    // Parts of joined strings have the range of all of them.
    bool isPart = parent->kind == NodeKind::JoinedStr ||
                  parent->kind == NodeKind::FormattedValue;
    const SourceRange &outer = parent->range, &range = node->range;
    require(isPart || name == "decorator_list" ||
            (isBefore(outer.line, outer.column, range.line, range.column) &&
             isBefore(range.endLine, range.endColumn, outer.endLine,
                      outer.endColumn)));
    check(*node);
  }
  template <typename T>
  void operator()(std::string_view name, ArrayView<T> list) {
    if constexpr (std::is_pointer_v<T>)
      for (const Node *node : list)
        (*this)(name, node);
  }
  template <typename T>
  std::enable_if_t<!std::is_convertible_v<T, const Node *>>
  operator()(std::string_view, const T &) {}
  void optional(std::string_view, Identifier) {}
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ASTContext context;
  syntax::DiagnosticSink sink;
  std::string_view text(reinterpret_cast<const char *>(data), size);
  const Module *module = syntax::parseModule(context, text, "fuzz.py", sink);
  require(module != nullptr);
  for (const syntax::Diagnostic &diagnostic : sink.diagnostics()) {
    require(diagnostic.code > 1000 && diagnostic.code < 1100);
    require(diagnostic.range.isValid() && !diagnostic.message.empty());
    require(!diagnostic.hint.empty());
  }
  require(sink.errorCount() <= syntax::Limits::Errors + 1);
  Checker{*module, module}.check(*module);
  if (!sink.hasErrors())
    require(!syntax::dumpAST(*module).empty());
  for (const std::string &rendered :
       {syntax::renderText(sink), syntax::renderJSON(sink)})
    require(syntax::findInvalidUTF8(rendered, 0) == rendered.size());
  return 0;
}
