//===- Request.cpp - What can be said before reading the IR -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extensions, format, op inventory, libraries, target and options.
//===----------------------------------------------------------------------===//
#include "backends/cpu/Request.h"

#include "dialects/kernel/Serialization.h"

#include "llvm/ADT/STLExtras.h"

using llvm::StringLiteral;
using llvm::StringRef;

namespace tilewright::cpu {

static constexpr uint32_t kBadFormat = 4104;
static constexpr uint32_t kLibraries = 4114;
static constexpr uint32_t kUnknownOp = 4115;
static constexpr StringLiteral kFormatPrefix = "mlir.exact:";

static bool checkFormat(StringRef format, Problem &problem) {
  std::string accepted = (kFormatPrefix + kernel::kernelIRFingerprint()).str();
  if (format == accepted)
    return true;
  bool isOtherBuild = format.starts_with(kFormatPrefix);
  problem = {isOtherBuild ? TW_E_VERSION : TW_E_UNIMPLEMENTED, kBadFormat,
             "expected IR format " + accepted + ", got '" + format.str() + "'",
             isOtherBuild
                 ? "host and plugin come from different builds; install both "
                   "from one build"
                 : "the cpu plugin reads Kernel IR of its own build only"};
  return false;
}

static bool checkOps(const tw_compile_request &request, Problem &problem) {
  static const llvm::StringLiteral dialects[] = {
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

static bool checkExtensions(const tw_compile_request &request,
                            Problem &problem) {
  for (const tw_extension *e = request.extensions; e; e = e->next)
    if (e->flags & TW_EXTENSION_MUST_UNDERSTAND) {
      problem = {TW_E_UNKNOWN_FIELD, 0,
                 "the cpu plugin knows no request extension", ""};
      return false;
    }
  return true;
}

std::optional<CheckedRequest> readRequest(const tw_compile_request &request,
                                          Problem &problem) {
  if (!checkExtensions(request, problem) ||
      !checkFormat(toRef(request.ir_format), problem) ||
      !checkOps(request, problem))
    return std::nullopt;
  if (request.library_count) {
    problem = {TW_E_UNIMPLEMENTED, kLibraries,
               "expected no device libraries, got " +
                   std::to_string(request.library_count),
               "the cpu plugin links none"};
    return std::nullopt;
  }
  std::optional<Target> target = resolveTarget(toRef(request.target), problem);
  if (!target)
    return std::nullopt;
  std::optional<CompileOptions> options =
      readOptions(request.options, request.option_count, problem);
  if (!options)
    return std::nullopt;
  return CheckedRequest{std::move(*target), *options};
}

int32_t checkRequest(const tw_compile_request &request) {
  Problem problem;
  if (readRequest(request, problem))
    return TW_OK;
  Report(request.sink).error(problem);
  return problem.status;
}

bool wantsStage(const tw_compile_request &request, StringRef name) {
  for (uint64_t i = 0; i < request.stage_count; ++i)
    if (toRef(request.stages[i]) == name)
      return true;
  return false;
}

} // namespace tilewright::cpu
