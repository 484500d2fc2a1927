//===- NameList.cpp - The functions of the language, listed -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line a function, as `tl.load(pointer, mask=None, ...)`: built-in ones
// from their table, those of the library from their source.
//===----------------------------------------------------------------------===//

#include "frontend/sema/NameList.h"

#include "frontend/library/Library.h"
#include "frontend/sema/Builtins.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::sema;

static std::string parameterText(const BuiltinParameter &parameter) {
  if (parameter.isVariadic)
    return "*" + parameter.name;
  if (parameter.hasDefault)
    return parameter.name + "=" + parameter.defaultValue.pythonRepr();
  return parameter.name;
}

/// The name as users write it: `dtype.is_floating`, `desc.load`.
static std::string publicName(llvm::StringRef name) {
  if (name.consume_front("dtype.query."))
    return ("dtype." + name).str();
  if (name.consume_front("descriptor."))
    return ("desc." + name).str();
  return name.str();
}

/// The parameters of a library function, without annotations.
static std::string libraryParameters(llvm::StringRef name) {
  llvm::StringRef file = libraryFileOf(name);
  if (file.empty())
    file = deviceFileOf(name);
  std::string_view source = librarySource(file);
  llvm::StringRef text(source.data(), source.size());
  text = text.split(("\ndef " + name + "(").str()).second.split("):").first;
  std::string plain = text.str();
  const std::string annotation = ": tl.constexpr";
  for (size_t at; (at = plain.find(annotation)) != std::string::npos;)
    plain.erase(at, annotation.size());
  for (size_t at; (at = plain.find(" = ")) != std::string::npos;)
    plain.replace(at, 3, "=");
  return plain;
}

std::string sema::listNames(llvm::StringRef prefix) {
  std::vector<std::string> lines;
  const BuiltinTable &table = builtinTable();
  for (const std::string &name : table.namesUnder("")) {
    std::string shown = publicName(name);
    if (!llvm::StringRef(shown).starts_with(prefix))
      continue;
    std::vector<std::string> parameters;
    for (const BuiltinParameter &parameter : table.find(name)->parameters)
      parameters.push_back(parameterText(parameter));
    bool isMethod = llvm::StringRef(shown).starts_with("desc.") ||
                    llvm::StringRef(shown).starts_with("dtype.");
    if (isMethod && !parameters.empty())
      parameters.erase(parameters.begin());
    lines.push_back(shown + "(" + llvm::join(parameters, ", ") + ")");
  }
  for (bool isDevice : {false, true})
    for (const std::string &name : libraryNames(isDevice)) {
      std::string shown = (isDevice ? "libdevice." : "tl.") + name;
      if (llvm::StringRef(shown).starts_with(prefix))
        lines.push_back(shown + "(" + libraryParameters(name) + ")");
    }
  llvm::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}
