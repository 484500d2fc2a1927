//===- ModulePath.h - Python modules from folders ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the modules that a kernel's file imports as Python would: relative to
// its package, then in a list of folders. Modules handed over as text come
// first. Nothing is executed.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_MODULEPATH_H
#define TILEWRIGHT_FRONTEND_DRIVER_MODULEPATH_H

#include "frontend/sema/Sema.h"
#include "frontend/syntax/ASTContext.h"
#include "frontend/syntax/Diagnostic.h"

#include "tilewright/compiler.h"

#include <deque>
#include <functional>
#include <map>
#include <set>

namespace tilewright::driver {

class ModulePath {
public:
  /// Source text of the ops that a vendor's plugin adds, or "".
  using VendorSources = std::function<std::string(const std::string &vendor)>;

  ModulePath(const tw_compile_input &input, ast::ASTContext &context,
             syntax::DiagnosticSink &sink, VendorSources vendorSources);

  /// The module that `from <dots><name> import ...` in `importer` means; the
  /// main file's name is "". Null when there is none.
  sema::ResolvedModule resolve(llvm::StringRef name, unsigned level,
                               llvm::StringRef importer);

  /// Resolves every import of the main module and of what those import, also
  /// the ones that a kernel has no use for.
  void readAll(const ast::Module &main);
  /// Content of each file read so far, by path.
  const std::map<std::string, std::string> &filesRead() const { return files; }

private:
  const ast::Module *parse(std::string_view text, std::string fileName);
  sema::ResolvedModule find(const std::string &name);
  const ast::Module *readFile(const std::string &path);

  const tw_compile_input &input;
  ast::ASTContext &context;
  syntax::DiagnosticSink &sink;
  VendorSources vendorSources;
  std::deque<std::string> texts; // of vendors; the trees point into them
  /// Name of the main file as a module of its package, and where to look.
  std::string mainName;
  std::vector<std::string> folders;
  std::map<std::string, const ast::Module *> modules;
  std::set<std::string> packages;
  std::map<std::string, std::string> files;
};

} // namespace tilewright::driver

#endif // TILEWRIGHT_FRONTEND_DRIVER_MODULEPATH_H
