//===- list-builtins.cpp - The compiler's table of built-ins ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints every built-in function with its parameters, one a line, those with a
// default marked by "=", so that tests can tell what they do not cover.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Builtins.h"

#include "llvm/Support/raw_ostream.h"

int main() {
  const auto &table = tilewright::sema::builtinTable();
  for (const std::string &name : table.namesUnder("")) {
    const auto *builtin = table.find(name);
    if (builtin->name != name)
      continue; // A second name of another function.
    llvm::outs() << name << '(';
    llvm::StringRef separator = "";
    for (const auto &parameter : builtin->parameters) {
      llvm::outs() << separator << (parameter.isVariadic ? "*" : "")
                   << parameter.name << (parameter.hasDefault ? "=" : "");
      separator = ", ";
    }
    llvm::outs() << ")\n";
  }
  return 0;
}
