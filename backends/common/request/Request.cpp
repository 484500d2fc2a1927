//===- Request.cpp - What every backend asks of a request -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel IR of this build and the portable form are read.
//===----------------------------------------------------------------------===//
#include "backends/common/request/Request.h"

#include "dialects/kernel/Serialization.h"
#include "dialects/kernel/portable/Portable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using llvm::StringLiteral;
using llvm::StringRef;
using namespace mlir;

namespace tilewright::backend {

static constexpr uint32_t kBadFormat = 4104;
static constexpr uint32_t kNoKernel = 4108;
static constexpr uint32_t kLibraries = 4114;
static constexpr uint32_t kUnknownOp = 4115;
static constexpr StringLiteral kFormatPrefix = "mlir.exact:";

/// TW_E_VERSION and a hint for forms that only another version reads.
static bool checkFormat(const tw_compile_request &request, StringRef vendor,
                        Problem &problem) {
  StringRef format = toRef(request.ir_format);
  std::string accepted = (kFormatPrefix + kernel::kernelIRFingerprint()).str();
  bool isPortable = format == kernel::portableFormat;
  if (format == accepted ||
      (isPortable && request.ir_version >= TW_PORTABLE_OLDEST &&
       request.ir_version <= TW_PORTABLE_NEWEST))
    return true;
  if (isPortable) {
    problem = {TW_E_VERSION, kBadFormat,
               "expected a version of tw.portable from " +
                   std::to_string(TW_PORTABLE_OLDEST) + " to " +
                   std::to_string(TW_PORTABLE_NEWEST) + ", got " +
                   std::to_string(request.ir_version),
               "the host writes what a plugin names; update one of them"};
    return false;
  }
  bool isOtherBuild = format.starts_with(kFormatPrefix);
  problem = {isOtherBuild ? TW_E_VERSION : TW_E_UNIMPLEMENTED, kBadFormat,
             "expected IR format " + accepted + ", got '" + format.str() + "'",
             isOtherBuild
                 ? "host and plugin come from different builds; install both "
                   "from one build"
                 : ("the " + vendor +
                    " plugin reads Kernel IR of its own build and tw.portable")
                       .str()};
  return false;
}

std::string irFormats() {
  return (kFormatPrefix + kernel::kernelIRFingerprint() + "\n" +
          kernel::portableFormat + ":" + llvm::Twine(TW_PORTABLE_OLDEST) + "-" +
          llvm::Twine(TW_PORTABLE_NEWEST))
      .str();
}

OwningOpRef<ModuleOp> readIR(const tw_compile_request &request,
                             MLIRContext *context) {
  StringRef bytes(static_cast<const char *>(request.ir.data), request.ir.size);
  if (toRef(request.ir_format) == kernel::portableFormat)
    return kernel::readPortableIR(bytes, context);
  return kernel::readKernelIR(bytes, context);
}

static bool checkOps(const tw_compile_request &request, Problem &problem) {
  static const StringLiteral dialects[] = {
      "arith", "builtin", "func", "kernel", "linalg", "math", "scf", "tensor"};
  for (uint64_t i = 0; i < request.op_count; ++i) {
    StringRef name = toRef(request.ops[i].name);
    if (llvm::is_contained(dialects, name.split('.').first))
      continue;
    problem = {TW_E_UNIMPLEMENTED, kUnknownOp,
               "expected operations of Kernel IR, got '" + name.str() + "'",
               "disable overrides that produce it, or choose another target"};
    return false;
  }
  return true;
}

bool checkEnvelope(const tw_compile_request &request, StringRef vendor,
                   Problem &problem, StringRef libraryFormat) {
  for (const tw_extension *e = request.extensions; e; e = e->next)
    if (e->flags & TW_EXTENSION_MUST_UNDERSTAND) {
      problem = {TW_E_UNKNOWN_FIELD, 0,
                 ("the " + vendor + " plugin knows no request extension").str(),
                 ""};
      return false;
    }
  if (!checkFormat(request, vendor, problem) || !checkOps(request, problem))
    return false;
  for (uint64_t i = 0; i < request.library_count; ++i) {
    StringRef format = toRef(request.libraries[i].format);
    if (!libraryFormat.empty() && format == libraryFormat)
      continue;
    std::string expected = libraryFormat.empty()
                               ? "no device libraries"
                               : "device libraries in " + libraryFormat.str();
    problem = {TW_E_UNIMPLEMENTED, kLibraries,
               "expected " + expected + ", got one in '" + format.str() + "'",
               ("the " + vendor + " plugin links " +
                (libraryFormat.empty() ? "none" : "no others"))
                   .str()};
    return false;
  }
  return true;
}

bool wantsStage(const tw_compile_request &request, StringRef name) {
  for (uint64_t i = 0; i < request.stage_count; ++i)
    if (toRef(request.stages[i]) == name)
      return true;
  return false;
}

StringRef kernelName(func::FuncOp function) {
  auto base = function->getAttrOfType<StringAttr>("tw.variant_of");
  return base ? base.getValue() : function.getSymName();
}

int32_t selectKernels(ModuleOp module, const tw_compile_request &request,
                      Report &report) {
  llvm::StringSet<> found;
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    bool isWanted = function->hasAttr("tw.kernel") && request.entry_count == 0;
    for (uint64_t i = 0; i < request.entry_count; ++i)
      isWanted |= toRef(request.entries[i]) == kernelName(function);
    if (isWanted)
      found.insert(kernelName(function));
    else
      function.erase();
  }
  for (uint64_t i = 0; i < request.entry_count; ++i)
    if (!found.contains(toRef(request.entries[i]))) {
      report.error(kNoKernel, "expected a kernel named '" +
                                  toRef(request.entries[i]) + "' in the IR");
      return TW_E_NOT_FOUND;
    }
  if (!found.empty())
    return TW_OK;
  report.error(kNoKernel, "expected at least one kernel in the IR");
  return TW_E_NOT_FOUND;
}

void putFallbacksLast(std::deque<KernelRecord> &records) {
  llvm::stable_sort(records, [](const KernelRecord &a, const KernelRecord &b) {
    return !a.predicate.empty() && b.predicate.empty();
  });
}

} // namespace tilewright::backend
