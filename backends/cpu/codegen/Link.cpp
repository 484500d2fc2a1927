//===- Link.cpp - Relocatable object to shared object -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that the code generator calls on processors without the instruction
// (fma, floor, ...) come from one small object that is only linked when it is
// needed.
//===----------------------------------------------------------------------===//
#include "backends/cpu/codegen/Link.h"

#include "backends/common/link/Link.h"
#include "backends/cpu/builtins/Builtins.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Triple.h"

using llvm::StringRef;

namespace tilewright::cpu {

static constexpr uint32_t kLinkFailed = 4112;
static constexpr uint32_t kUndefinedSymbol = 4113;

/// Undefined symbols of a relocatable object, sorted; nothing if malformed.
static std::optional<std::vector<std::string>>
undefinedSymbols(StringRef object) {
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(object, "kernel"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<StringRef> name = symbol.getName();
    if (!flags || !name) {
      llvm::consumeError(flags.takeError());
      llvm::consumeError(name.takeError());
      return std::nullopt;
    }
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) && !name->empty())
      names.push_back(name->str());
  }
  llvm::sort(names);
  return names;
}

/// The object with the functions that generated code may call, for a target.
static StringRef builtinsFor(const Target &target) {
  llvm::Triple triple(target.triple);
  for (const BuiltinsObject &row : builtinsObjects())
    if (triple.getArchName() == row.arch)
      return StringRef(reinterpret_cast<const char *>(row.data), row.bytes);
  return {};
}

/// Decides whether the builtins have to be linked; reports what they lack.
static bool needsBuiltins(StringRef object, const Target &target, bool &needed,
                          Report &report) {
  std::optional<std::vector<std::string>> wanted = undefinedSymbols(object);
  if (!wanted) {
    report.error(kLinkFailed, "the generated object cannot be read back");
    return false;
  }
  needed = !wanted->empty();
  std::vector<std::string> missing;
  for (const std::string &name : *wanted)
    if (!llvm::is_contained(builtinNames(), StringRef(name)) ||
        builtinsFor(target).empty())
      missing.push_back(name);
  if (missing.empty())
    return true;
  report.error(kUndefinedSymbol,
               "generated code for " + target.name + " calls " +
                   llvm::join(missing, ", ") + ", which does not exist",
               "report this kernel; a processor with more features may do");
  return false;
}

std::optional<std::string>
linkSharedObject(StringRef object, const Target &target, Report &report) {
  bool withBuiltins = false;
  if (!needsBuiltins(object, target, withBuiltins, report))
    return std::nullopt;
  std::vector<StringRef> objects = {object};
  if (withBuiltins)
    objects.push_back(builtinsFor(target));
  std::string why;
  std::optional<std::string> image =
      backend::linkObjects(objects,
                           {"--no-rosegment", "--hash-style=gnu", "-z", "now",
                            "-z", "defs", "--gc-sections"},
                           why);
  if (!image)
    report.error(kLinkFailed, "linking the kernel failed: " + why);
  return image;
}

} // namespace tilewright::cpu
