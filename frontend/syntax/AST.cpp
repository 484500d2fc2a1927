//===- AST.cpp - Names and small queries of the tree ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CPython's spellings of kinds and operators, and source text of nodes.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/AST.h"

#include <charconv>

using namespace tilewright;
using namespace tilewright::ast;

std::string_view ast::kindName(NodeKind kind) {
  switch (kind) {
  case NodeKind::ExprStmt:
    return "Expr";
  case NodeKind::Arguments:
    return "arguments";
  case NodeKind::Arg:
    return "arg";
  case NodeKind::Keyword:
    return "keyword";
  case NodeKind::Alias:
    return "alias";
  case NodeKind::WithItem:
    return "withitem";
  case NodeKind::MatchCase:
    return "match_case";
  case NodeKind::Comprehension:
    return "comprehension";
  default:
    break;
  }
  static constexpr std::string_view names[] = {
#define TW_NODE(name) #name,
#include "frontend/syntax/NodeKinds.def"
  };
  return names[static_cast<size_t>(kind)];
}

template <size_t N>
static std::string_view nameIn(const std::string_view (&names)[N], size_t i) {
  assert(i < N && "operator without a name");
  return names[i];
}

std::string_view ast::operatorName(ExprContext context) {
  static constexpr std::string_view names[] = {"Load", "Store", "Del"};
  return nameIn(names, static_cast<size_t>(context));
}

std::string_view ast::operatorName(BoolOperator op) {
  static constexpr std::string_view names[] = {"And", "Or"};
  return nameIn(names, static_cast<size_t>(op));
}

std::string_view ast::operatorName(BinaryOperator op) {
  static constexpr std::string_view names[] = {
      "Add",    "Sub",    "Mult",  "MatMult", "Div",    "Mod",     "Pow",
      "LShift", "RShift", "BitOr", "BitXor",  "BitAnd", "FloorDiv"};
  return nameIn(names, static_cast<size_t>(op));
}

std::string_view ast::operatorName(UnaryOperator op) {
  static constexpr std::string_view names[] = {"Invert", "Not", "UAdd", "USub"};
  return nameIn(names, static_cast<size_t>(op));
}

std::string_view ast::operatorName(CompareOperator op) {
  static constexpr std::string_view names[] = {
      "Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn"};
  return nameIn(names, static_cast<size_t>(op));
}

template <typename T>
static std::optional<T> integerOf(const ConstantValue &value) {
  assert(value.isInt() && "not an integer");
  T result = 0;
  const char *end = value.text.data() + value.text.size();
  std::from_chars_result parsed =
      std::from_chars(value.text.data(), end, result);
  if (parsed.ec != std::errc() || parsed.ptr != end)
    return std::nullopt;
  return result;
}

std::optional<int64_t> ConstantValue::asInt64() const {
  return integerOf<int64_t>(*this);
}

std::optional<uint64_t> ConstantValue::asUInt64() const {
  return integerOf<uint64_t>(*this);
}

std::string_view Module::textOf(SourceRange range) const {
  if (!range.isValid() || range.endLine > lineStarts.size())
    return {};
  size_t begin = lineStarts[range.line - 1] + range.column;
  size_t end = lineStarts[range.endLine - 1] + range.endColumn;
  if (end > source.size() || begin > end)
    return {};
  return source.substr(begin, end - begin);
}

SourceRange ast::decoratedRange(const Stmt *stmt) {
  ExprList decorators;
  if (auto *function = asNode<FunctionDef>(stmt))
    decorators = function->decoratorList;
  else if (auto *function = asNode<AsyncFunctionDef>(stmt))
    decorators = function->decoratorList;
  else if (auto *cls = asNode<ClassDef>(stmt))
    decorators = cls->decoratorList;
  if (decorators.empty())
    return stmt->range;
  SourceRange range = join(decorators.front()->range, stmt->range);
  range.column = stmt->range.column;
  return range;
}
