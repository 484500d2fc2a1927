//===- Scope.h - Names of one function --------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local names in the order of their first binding. Copied at run-time branches
// and merged again after them.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_SCOPE_H
#define TILEWRIGHT_FRONTEND_SEMA_SCOPE_H

#include "frontend/sema/value/Value.h"
#include "llvm/ADT/MapVector.h"

namespace tilewright::sema {

struct Binding {
  Value value;
  /// Annotated as tl.constexpr: may not be rebound.
  bool isConstexpr = false;
  /// The statement that bound it last.
  const ast::Node *site = nullptr;
  /// Why the name cannot be read any more; empty when it can.
  std::string unavailable;
};

class Scope {
public:
  Binding *find(llvm::StringRef name) {
    auto it = names.find(name);
    return it == names.end() ? nullptr : &it->second;
  }
  const Binding *find(llvm::StringRef name) const {
    auto it = names.find(name);
    return it == names.end() ? nullptr : &it->second;
  }
  void bind(llvm::StringRef name, Binding binding) {
    names[name] = std::move(binding);
  }
  void erase(llvm::StringRef name) { names.erase(name); }
  void swap(Scope &other) { names.swap(other.names); }
  auto begin() { return names.begin(); }
  auto end() { return names.end(); }
  auto begin() const { return names.begin(); }
  auto end() const { return names.end(); }

private:
  /// Keys point into syntax trees, which outlive the analysis.
  llvm::MapVector<llvm::StringRef, Binding> names;
};

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_SCOPE_H
