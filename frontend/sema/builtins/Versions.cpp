//===- Versions.cpp - Versions that modules compare -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules choose functions by `triton.__version__`, through the packaging
// library or by hand. A version is a tuple of its numbers.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

using namespace tilewright;
using namespace tilewright::sema;

/// packaging.version.parse("3.6.0"): (3, 6, 0), also as major, minor, micro.
static Value emitVersion(Interpreter &in, CallArgs &args) {
  std::optional<std::string> text = in.constantStr(args, "version");
  if (!text)
    return Value::error();
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(*text).split(parts, '.');
  std::vector<Value> numbers;
  for (llvm::StringRef part : parts) {
    int64_t number;
    // What follows the numbers, a suffix such as rc1, has no order here.
    if (numbers.size() == 3 || part.consumeInteger(10, number))
      break;
    numbers.push_back(Value::integer(number));
  }
  if (numbers.empty())
    return in.argumentError(args, "version", 2312,
                            "expected a version such as '3.6.0', got '" +
                                *text + "'");
  numbers.resize(3, Value::integer(0));
  auto layout = std::make_shared<RecordLayout>();
  layout->name = "Version";
  layout->fields = {"major", "minor", "micro"};
  layout->areConstexpr.assign(3, true);
  return Value::record(std::move(numbers), std::move(layout));
}

/// importlib.metadata.version("triton").
static Value emitPackageVersion(Interpreter &in, CallArgs &args) {
  std::optional<std::string> name = in.constantStr(args, "name");
  if (!name)
    return Value::error();
  if (*name == "triton" || *name == "tilewright")
    return in.attribute(Value::module("triton"), "__version__");
  return in.error(2176, "the version of '" + *name +
                            "' is not known to the compiler");
}

/// "3.6.0".split(".")
static Value emitSplit(Interpreter &in, CallArgs &args) {
  std::optional<std::string> separator = in.constantStr(args, "separator");
  if (!separator)
    return Value::error();
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef self = args["self"].strValue();
  bool atSpaces = separator->empty();
  self.split(parts, atSpaces ? " " : *separator, -1, /*KeepEmpty=*/!atSpaces);
  std::vector<Value> pieces;
  for (llvm::StringRef part : parts)
    pieces.push_back(Value::str(part.str()));
  return Value::tuple(std::move(pieces), /*isList=*/true);
}

void sema::registerVersions(BuiltinTable &table) {
  for (const char *name : {"parse", "Version"})
    table.add(std::string("packaging.version.") + name, "version", emitVersion);
  table.add("importlib.metadata.version", "name", emitPackageVersion);
  table.add("str.split", "self, separator=None", emitSplit);
}
