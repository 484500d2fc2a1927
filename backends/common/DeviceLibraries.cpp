//===- DeviceLibraries.cpp - Device code of overrides -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Target attributes of the bitcode are dropped: the functions are compiled for
// the processor that calls them.
//===----------------------------------------------------------------------===//
#include "backends/common/DeviceLibraries.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

namespace tilewright::backend {

static constexpr uint32_t kBadLibrary = 4116;

std::vector<std::string> libraryNames(const tw_compile_request &request) {
  std::vector<std::string> names;
  for (uint64_t i = 0; i < request.library_count; ++i)
    names.push_back(toRef(request.libraries[i].name).str());
  return names;
}

/// What the code generator of `code` needs to see of a library's functions.
static void adapt(Module &library, const Module &code) {
  library.setTargetTriple(code.getTargetTriple());
  library.setDataLayout(code.getDataLayout());
  for (Function &function : library) {
    for (StringRef name : {"target-cpu", "target-features", "tune-cpu",
                           "frame-pointer", "stack-protector-buffer-size"})
      function.removeFnAttr(name);
    for (Attribute::AttrKind kind :
         {Attribute::NoInline, Attribute::OptimizeNone, Attribute::UWTable,
          Attribute::StackProtect, Attribute::StackProtectStrong,
          Attribute::StackProtectReq})
      function.removeFnAttr(kind);
    if (function.isDeclaration())
      continue;
    function.addFnAttr(Attribute::AlwaysInline);
    function.setCallingConv(CallingConv::C);
    function.setDSOLocal(true);
  }
}

/// Calls were made for one type, and the library defines the function.
static Error checkTypes(const Module &library, const Module &code) {
  for (const Function &function : code) {
    const Function *found = library.getFunction(function.getName());
    if (!function.hasFnAttribute(kLibraryAttribute) || !found ||
        found->isDeclaration() ||
        found->getFunctionType() == function.getFunctionType())
      continue;
    std::string text;
    raw_string_ostream(text)
        << "expected '" << function.getName() << "' to be "
        << *function.getFunctionType() << ", got " << *found->getFunctionType();
    return createStringError(text);
  }
  return Error::success();
}

/// Links one library; the functions that are not called stay away.
static Error linkOne(Module &code, const tw_library &given) {
  StringRef bytes(static_cast<const char *>(given.content.data),
                  given.content.size);
  auto library =
      parseBitcodeFile(MemoryBufferRef(bytes, "library"), code.getContext());
  if (!library)
    return library.takeError();
  if (Error error = checkTypes(**library, code))
    return error;
  adapt(**library, code);
  bool hasFailed = Linker::linkModules(
      code, std::move(*library), Linker::Flags::LinkOnlyNeeded,
      [](Module &module, const StringSet<> &linked) {
        internalizeModule(module, [&](const GlobalValue &value) {
          return !value.hasName() || !linked.contains(value.getName());
        });
      });
  return hasFailed ? createStringError("it cannot be linked")
                   : Error::success();
}

bool linkLibraries(Module &code, const tw_compile_request &request,
                   Report &report) {
  auto fail = [&](StringRef library, const std::string &text) {
    report.error(kBadLibrary, "device library '" + library + "': " + text,
                 "tell its vendor; option overrides=off compiles without it");
    return false;
  };
  for (uint64_t i = 0; i < request.library_count; ++i)
    if (Error error = linkOne(code, request.libraries[i]))
      return fail(toRef(request.libraries[i].name), toString(std::move(error)));
  for (const Function &function : code)
    if (function.isDeclaration() && function.hasFnAttribute(kLibraryAttribute))
      return fail(function.getFnAttribute(kLibraryAttribute).getValueAsString(),
                  "expected a function '" + function.getName().str() +
                      "', got none");
  return true;
}

} // namespace tilewright::backend
