//===- BuiltinTable.cpp - The table of built-in functions -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the declared parameters and answers look-ups.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Builtins.h"
#include "frontend/sema/kernel/Signature.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace tilewright;
using namespace tilewright::sema;

static BuiltinParameter parseParameter(llvm::StringRef text) {
  BuiltinParameter parameter;
  parameter.isVariadic = text.consume_front("*");
  auto [name, value] = text.split('=');
  parameter.name = name.str();
  if (value.empty())
    return parameter;
  parameter.hasDefault = true;
  syntax::DiagnosticSink sink;
  std::optional<Constant> constant = parseConstant(value, sink);
  if (!constant)
    llvm_unreachable("default of a built-in parameter does not parse");
  parameter.defaultValue = Value::fromConstant(*constant);
  return parameter;
}

Builtin &BuiltinTable::add(llvm::StringRef name, llvm::StringRef parameters,
                           Value (*emit)(Interpreter &, CallArgs &)) {
  Builtin &builtin = storage.emplace_back();
  builtin.emit = emit;
  llvm::SmallVector<llvm::StringRef> parts;
  parameters.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts)
    builtin.parameters.push_back(parseParameter(part.trim()));
  auto inserted = byName.try_emplace(name, &builtin);
  builtin.name = inserted.first->first();
  return builtin;
}

void BuiltinTable::alias(llvm::StringRef name, llvm::StringRef existing) {
  const Builtin *builtin = find(existing);
  if (!builtin)
    llvm_unreachable("alias of an unknown built-in");
  byName.try_emplace(name, builtin);
}

const Builtin *BuiltinTable::find(llvm::StringRef name) const {
  auto it = byName.find(name);
  return it == byName.end() ? nullptr : it->second;
}

const Builtin *BuiltinTable::findMethod(llvm::StringRef name) const {
  const Builtin *builtin = find(("tensor." + name).str());
  if (!builtin)
    builtin = find(("tl." + name).str());
  return builtin && builtin->isMethod ? builtin : nullptr;
}

std::vector<std::string>
BuiltinTable::namesUnder(llvm::StringRef prefix) const {
  std::vector<std::string> names;
  for (const auto &entry : byName)
    if (entry.first().starts_with(prefix))
      names.push_back(entry.first().drop_front(prefix.size()).str());
  llvm::sort(names);
  return names;
}

const BuiltinTable &sema::builtinTable() {
  static const BuiltinTable table = [] {
    BuiltinTable result;
    registerMemory(result);
    registerAtomics(result);
    registerMapElementwise(result);
    registerMath(result);
    registerLibdevice(result);
    registerReductions(result);
    registerShapes(result);
    registerDot(result);
    registerControl(result);
    registerCreation(result);
    registerCasts(result);
    registerDescriptors(result);
    registerBlockPointers(result);
    registerPython(result);
    registerRecords(result);
    registerTargets(result);
    registerInlineAsm(result);
    registerVersions(result);
    return result;
  }();
  return table;
}

const Value &CallArgs::operator[](llvm::StringRef name) const {
  for (size_t i = 0; i < values.size(); ++i)
    if (builtin->parameters[i].name == name)
      return values[i];
  llvm_unreachable("a built-in asks for a parameter it does not declare");
}

syntax::SourceRange CallArgs::rangeOf(llvm::StringRef name) const {
  for (size_t i = 0; i < values.size(); ++i)
    if (builtin->parameters[i].name == name)
      return ranges[i];
  return range;
}
