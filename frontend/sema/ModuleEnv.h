//===- ModuleEnv.h - Names that a source module defines ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index of a module's top-level definitions. Nothing is evaluated until a
// kernel asks for a name; the last definition wins, as at the end of an
// import.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_MODULEENV_H
#define TILEWRIGHT_FRONTEND_SEMA_MODULEENV_H

#include "frontend/sema/value/Value.h"
#include "llvm/ADT/StringMap.h"

namespace tilewright::sema {

/// A module-level `if` on the way to a definition.
struct Guard {
  const ast::Expr *test;
  bool wanted;
};

struct Definition {
  const ast::Stmt *stmt = nullptr;
  /// The alias of an import statement.
  const ast::Alias *alias = nullptr;
  /// The value of an assignment; `index` picks from a tuple on the left.
  const ast::Expr *value = nullptr;
  int index = -1;
  std::vector<Guard> guards;
  /// Inside an exception handler: used when nothing else is.
  bool isFallback = false;
};

class ModuleEnv {
public:
  ModuleEnv(const ast::Module &module, std::string name, bool isLibrary);

  const ast::Module &module() const { return tree; }
  llvm::StringRef name() const { return moduleName; }
  llvm::StringRef fileName() const {
    return {tree.fileName.data(), tree.fileName.size()};
  }
  bool isLibrary() const { return library; }
  llvm::ArrayRef<Definition> definitions(llvm::StringRef name) const;
  /// `from m import *`, in source order.
  llvm::ArrayRef<const ast::ImportFrom *> starImports() const { return stars; }
  std::vector<std::string> names() const;
  /// The `#@hint:` comments bound to a statement.
  std::vector<ast::Comment> hintsFor(const ast::Stmt *stmt) const;

  /// Values already evaluated; nullptr when not yet. `isBusy` marks a name
  /// that is being evaluated, so that cycles are noticed.
  struct Cached {
    bool isBusy = false;
    bool isDone = false;
    Value value;
  };
  llvm::StringMap<Cached> cache;

private:
  void collect(ast::StmtList body, std::vector<Guard> &guards, bool isFallback);
  void bindHints(const ast::Module &module);
  void collectTarget(const ast::Expr *target, Definition definition);

  const ast::Module &tree;
  std::string moduleName;
  bool library;
  llvm::StringMap<std::vector<Definition>> index;
  std::vector<const ast::ImportFrom *> stars;
  /// Hints with the line of the statement that each belongs to.
  std::vector<std::pair<uint32_t, ast::Comment>> hintLines;
};

inline llvm::StringRef ref(std::string_view text) {
  return {text.data(), text.size()};
}

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_MODULEENV_H
