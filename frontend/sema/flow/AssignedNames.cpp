//===- AssignedNames.cpp - Names that statements bind -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks statements and the expressions that may hold a walrus.
//===----------------------------------------------------------------------===//

#include "frontend/sema/flow/AssignedNames.h"

#include "llvm/ADT/SetVector.h"

using namespace tilewright;
using namespace tilewright::sema;

namespace {
class Collector {
public:
  llvm::SetVector<llvm::StringRef> names;

  void target(const ast::Expr *expr) {
    if (const auto *name = ast::asNode<ast::Name>(expr))
      names.insert({name->id.data(), name->id.size()});
    else if (const auto *tuple = ast::asNode<ast::Tuple>(expr))
      targets(tuple->elts);
    else if (const auto *list = ast::asNode<ast::List>(expr))
      targets(list->elts);
    else if (const auto *starred = ast::asNode<ast::Starred>(expr))
      target(starred->value);
    else if (const auto *attribute = ast::asNode<ast::Attribute>(expr))
      target(attribute->value);
  }
  void targets(ast::ExprList list) {
    for (const ast::Expr *expr : list)
      target(expr);
  }

  /// Only conditions of statements may usefully hold a walrus.
  void condition(const ast::Expr *expr) {
    if (const auto *walrus = ast::asNode<ast::NamedExpr>(expr)) {
      target(walrus->target);
    } else if (const auto *compare = ast::asNode<ast::Compare>(expr)) {
      condition(compare->left);
      for (const ast::Expr *other : compare->comparators)
        condition(other);
    } else if (const auto *logic = ast::asNode<ast::BoolOp>(expr)) {
      for (const ast::Expr *value : logic->values)
        condition(value);
    }
  }

  void list(ast::StmtList body) {
    for (const ast::Stmt *stmt : body)
      statement(stmt);
  }
  void statement(const ast::Stmt *stmt) {
    if (const auto *assign = ast::asNode<ast::Assign>(stmt)) {
      targets(assign->targets);
    } else if (const auto *augmented = ast::asNode<ast::AugAssign>(stmt)) {
      target(augmented->target);
    } else if (const auto *annotated = ast::asNode<ast::AnnAssign>(stmt)) {
      if (annotated->value)
        target(annotated->target);
    } else if (const auto *loop = ast::asNode<ast::For>(stmt)) {
      target(loop->target);
      list(loop->body);
    } else if (const auto *loop = ast::asNode<ast::While>(stmt)) {
      condition(loop->test);
      list(loop->body);
    } else if (const auto *branch = ast::asNode<ast::If>(stmt)) {
      condition(branch->test);
      list(branch->body);
      list(branch->orelse);
    } else if (const auto *with = ast::asNode<ast::With>(stmt)) {
      list(with->body);
    } else if (const auto *expr = ast::asNode<ast::ExprStmt>(stmt)) {
      condition(expr->value);
    }
  }
};
} // namespace

std::vector<llvm::StringRef> sema::assignedNames(ast::StmtList body) {
  Collector collector;
  collector.list(body);
  return {collector.names.begin(), collector.names.end()};
}

std::vector<llvm::StringRef> sema::assignedNames(const ast::Expr *target) {
  Collector collector;
  collector.target(target);
  return {collector.names.begin(), collector.names.end()};
}
