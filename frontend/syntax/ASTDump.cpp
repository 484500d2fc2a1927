//===- ASTDump.cpp - Printing syntax trees ----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of CPython's ast.dump(indent=2): a node stays on one line when it
// has at most three fields and none of them is a node with fields of its own
// or a list with elements. The height of trees is bounded, so recursion is.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/ASTDump.h"
#include "frontend/syntax/ASTFields.h"

using namespace tilewright;
using namespace tilewright::ast;
using namespace tilewright::syntax;

/// Kinds whose CPython classes record a position.
static bool hasAttributes(const Node &node) {
  switch (node.kind) {
  case NodeKind::Module:
  case NodeKind::Arguments:
  case NodeKind::WithItem:
  case NodeKind::MatchCase:
  case NodeKind::Comprehension:
    return false;
  default:
    return true;
  }
}

namespace {

/// Counts the fields that are printed and sees whether all are simple.
struct FieldCounter {
  explicit FieldCounter(bool attributes) : attributes(attributes) {}

  static FieldCounter of(const Node &node, bool attributes) {
    FieldCounter counter(attributes);
    visitFields(node, counter);
    if (node.kind == NodeKind::Module)
      ++counter.count; // type_ignores, always empty
    if (attributes && hasAttributes(node))
      counter.count += 4;
    return counter;
  }

  void operator()(std::string_view, const Node *node) {
    if (!node)
      return;
    ++count;
    allSimple = allSimple && of(*node, attributes).count == 0;
  }
  template <typename T> void operator()(std::string_view, ArrayView<T> list) {
    ++count;
    allSimple &= list.empty();
  }
  template <typename T>
  std::enable_if_t<!std::is_convertible_v<T, const Node *>>
  operator()(std::string_view, const T &) {
    ++count;
  }
  void optional(std::string_view, Identifier name) { count += !name.empty(); }

  bool attributes;
  unsigned count = 0;
  bool allSimple = true;
};

class Dumper {
public:
  explicit Dumper(DumpOptions options) : options(options) {}

  void print(const Node &node);
  std::string out;

  //===--- Visitor of the fields of the current node ---===//

  void operator()(std::string_view name, const Node *node) {
    if (!node)
      return;
    beginField(name);
    bool outerHidden = hidden;
    hidden |= options.hideInterpolations && name == "value" && isInterpolation;
    print(*node);
    hidden = outerHidden;
  }
  template <typename T>
  void operator()(std::string_view name, ArrayView<T> list) {
    beginField(name);
    if (list.empty()) {
      out += "[]";
      return;
    }
    out += '[';
    ++level;
    const char *separator = "";
    for (const T &element : list) {
      out += separator;
      separator = ",";
      newLine();
      printElement(element);
    }
    --level;
    out += ']';
  }
  void operator()(std::string_view name, Identifier text) {
    beginField(name);
    printElement(text);
  }
  void operator()(std::string_view name, int64_t number) {
    beginField(name);
    out += std::to_string(number);
  }
  void operator()(std::string_view name, const ConstantValue &value) {
    beginField(name);
    out += reprOf(value);
  }
  template <typename T>
  std::enable_if_t<std::is_enum_v<T>> operator()(std::string_view name, T op) {
    beginField(name);
    printElement(op);
  }
  void optional(std::string_view name, Identifier text) {
    if (!text.empty())
      (*this)(name, text);
  }

private:
  void newLine() {
    out += '\n';
    out.append(level * 2, ' ');
  }
  void beginField(std::string_view name) {
    if (isInline) {
      out += isFirst ? "" : ", ";
    } else {
      out += isFirst ? "" : ",";
      newLine();
    }
    isFirst = false;
    out += name;
    out += '=';
  }
  void printElement(const Node *node) {
    if (node)
      print(*node);
    else
      out += "None";
  }
  void printElement(Identifier text) {
    ConstantValue value;
    value.kind = ConstantKind::Str;
    value.text = text;
    out += reprOf(value);
  }
  template <typename T> std::enable_if_t<std::is_enum_v<T>> printElement(T op) {
    out += operatorName(op);
    out += "()";
  }
  void printAttributes(const Node &node);

  DumpOptions options;
  unsigned level = 0;
  bool isInline = false;
  bool isFirst = true;
  /// The current node is a FormattedValue; inside the value of one.
  bool isInterpolation = false;
  bool hidden = false;
};

} // namespace

void Dumper::printAttributes(const Node &node) {
  SourceRange range = hidden ? SourceRange() : node.range;
  (*this)("lineno", static_cast<int64_t>(range.line));
  (*this)("col_offset", static_cast<int64_t>(range.column));
  (*this)("end_lineno", static_cast<int64_t>(range.endLine));
  (*this)("end_col_offset", static_cast<int64_t>(range.endColumn));
}

void Dumper::print(const Node &node) {
  FieldCounter fields = FieldCounter::of(node, options.attributes);
  bool outerInline = isInline, outerFirst = isFirst;
  bool outerInterpolation = isInterpolation;
  isInterpolation = node.kind == NodeKind::FormattedValue;
  isInline = fields.allSimple && fields.count <= 3;
  isFirst = true;
  out += kindName(node.kind);
  out += '(';
  ++level;
  visitFields(node, *this);
  if (node.kind == NodeKind::Module)
    (*this)("type_ignores", StmtList());
  if (options.attributes && hasAttributes(node))
    printAttributes(node);
  --level;
  out += ')';
  isInline = outerInline;
  isFirst = outerFirst;
  isInterpolation = outerInterpolation;
}

std::string syntax::dumpAST(const Node &node, DumpOptions options) {
  Dumper dumper(options);
  dumper.print(node);
  return std::move(dumper.out);
}

std::string syntax::dumpAST(const Module &module, DumpOptions options) {
  return dumpAST(static_cast<const Node &>(module), options);
}
