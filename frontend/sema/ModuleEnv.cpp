//===- ModuleEnv.cpp - Names that a source module defines -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the top level once and notes where each name comes from.
//===----------------------------------------------------------------------===//

#include "frontend/sema/ModuleEnv.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilewright;
using namespace tilewright::sema;

ModuleEnv::ModuleEnv(const ast::Module &module, std::string name,
                     bool isLibrary)
    : tree(module), moduleName(std::move(name)), library(isLibrary) {
  std::vector<Guard> guards;
  collect(module.body, guards, /*isFallback=*/false);
  bindHints(module);
}

llvm::ArrayRef<Definition> ModuleEnv::definitions(llvm::StringRef name) const {
  auto it = index.find(name);
  if (it == index.end())
    return {};
  return it->second;
}

std::vector<std::string> ModuleEnv::names() const {
  std::vector<std::string> result;
  for (const auto &entry : index)
    result.push_back(entry.first().str());
  llvm::sort(result);
  return result;
}

void ModuleEnv::collectTarget(const ast::Expr *target, Definition definition) {
  if (const auto *name = ast::asNode<ast::Name>(target)) {
    index[ref(name->id)].push_back(std::move(definition));
    return;
  }
  const auto *tuple = ast::asNode<ast::Tuple>(target);
  if (!tuple || definition.index >= 0)
    return;
  for (size_t i = 0; i < tuple->elts.size(); ++i) {
    Definition element = definition;
    element.index = static_cast<int>(i);
    collectTarget(tuple->elts[i], std::move(element));
  }
}

void ModuleEnv::collect(ast::StmtList body, std::vector<Guard> &guards,
                        bool isFallback) {
  for (const ast::Stmt *stmt : body) {
    Definition definition;
    definition.stmt = stmt;
    definition.guards = guards;
    definition.isFallback = isFallback;
    if (const auto *function = ast::asNode<ast::FunctionDef>(stmt)) {
      index[ref(function->name)].push_back(definition);
    } else if (const auto *classDef = ast::asNode<ast::ClassDef>(stmt)) {
      index[ref(classDef->name)].push_back(definition);
    } else if (const auto *assign = ast::asNode<ast::Assign>(stmt)) {
      definition.value = assign->value;
      for (const ast::Expr *target : assign->targets)
        collectTarget(target, definition);
    } else if (const auto *annotated = ast::asNode<ast::AnnAssign>(stmt)) {
      definition.value = annotated->value;
      if (annotated->value)
        collectTarget(annotated->target, definition);
    } else if (const auto *import = ast::asNode<ast::Import>(stmt)) {
      for (const ast::Alias *alias : import->names) {
        definition.alias = alias;
        llvm::StringRef bound = ref(alias->asname);
        if (bound.empty())
          bound = ref(alias->name).split('.').first;
        index[bound].push_back(definition);
      }
    } else if (const auto *from = ast::asNode<ast::ImportFrom>(stmt)) {
      for (const ast::Alias *alias : from->names) {
        definition.alias = alias;
        if (alias->name == "*")
          stars.push_back(from);
        else
          index[ref(alias->asname.empty() ? alias->name : alias->asname)]
              .push_back(definition);
      }
    } else if (const auto *branch = ast::asNode<ast::If>(stmt)) {
      guards.push_back({branch->test, true});
      collect(branch->body, guards, isFallback);
      guards.back().wanted = false;
      collect(branch->orelse, guards, isFallback);
      guards.pop_back();
    } else if (const auto *attempt = ast::asNode<ast::Try>(stmt)) {
      collect(attempt->body, guards, isFallback);
      for (const ast::ExceptHandler *handler : attempt->handlers)
        collect(handler->body, guards, /*isFallback=*/true);
      collect(attempt->orelse, guards, isFallback);
      collect(attempt->finalbody, guards, isFallback);
    } else if (const auto *with = ast::asNode<ast::With>(stmt)) {
      collect(with->body, guards, isFallback);
    }
  }
}
