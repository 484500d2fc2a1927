//===- Compiler.cpp - From a request to an artifact -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cannot run is refused here, with the place in the source, and not when
// the kernel is launched.
//===----------------------------------------------------------------------===//
#include "backends/reference/Compiler.h"

#include "backends/common/Artifact.h"
#include "backends/common/request/Options.h"
#include "backends/common/request/Request.h"
#include "backends/reference/Driver.h"
#include "dialects/kernel/KernelOps.h"
#include "dialects/kernel/Passes.h"
#include "dialects/kernel/Serialization.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace tilewright::reference {

using namespace backend;

static constexpr uint32_t kBadTarget = 4101, kBadBytes = 4105, kRefused = 4110;
static constexpr StringLiteral kTargetName = "reference:kernel-ir";

std::optional<std::string> resolveTarget(StringRef text, Problem &problem) {
  StringRef rest = text;
  if (rest.consume_front("reference")) {
    rest.consume_front(":kernel-ir");
    rest.consume_front("@0");
    if (rest.empty())
      return kTargetName.str();
  }
  problem = {TW_E_NOT_FOUND, kBadTarget,
             "expected target reference, got '" + text.str() + "'",
             "the reference has one architecture and no features"};
  return std::nullopt;
}

/// Options for hardware are accepted and do nothing.
static bool readOption(const tw_option &option, std::string &checks,
                       Problem &problem) {
  StringRef key = toRef(option.key);
  if (key == "check") {
    StringRef value = option.kind == TW_VALUE_TEXT ? toRef(option.text) : "";
    if (option.kind == TW_VALUE_TEXT && parseChecks(value)) {
      checks = value.str();
      return true;
    }
    return refuseValue(
        problem,
        "expected a list of bounds, nan, overflow, races and uninit for "
        "option 'check', got '" +
            value + "'",
        "check=bounds reports accesses outside a buffer");
  }
  static const StringRef known[] = {"check",    "math",       "maxnreg",
                                    "num_ctas", "num_stages", "num_warps",
                                    "trace"};
  return llvm::is_contained(known, key) ||
         mayIgnore(option, "reference", known, problem);
}

static bool readRequest(const tw_compile_request &request, std::string &checks,
                        Problem &problem) {
  if (!checkEnvelope(request, "reference", problem) ||
      !resolveTarget(toRef(request.target), problem))
    return false;
  for (uint64_t i = 0; i < request.option_count; ++i)
    if (!readOption(request.options[i], checks, problem))
      return false;
  return true;
}

int32_t checkRequest(const tw_compile_request &request) {
  Problem problem;
  std::string checks;
  if (readRequest(request, checks, problem))
    return TW_OK;
  Report(request.sink).error(problem);
  return problem.status;
}

/// Emits a located error for the first operations that cannot run.
static LogicalResult checkOperations(ModuleOp module) {
  static const StringLiteral structure[] = {
      "builtin.module", "func.func",    "func.return", "scf.condition",
      "scf.yield",      "linalg.yield", "kernel.yield"};
  LogicalResult result = success();
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (Semantics::get().knows(name) || llvm::is_contained(structure, name))
      // Bodies of named linalg operations follow from the name.
      return name.starts_with("linalg.") && name != "linalg.reduce"
                 ? WalkResult::skip()
                 : WalkResult::advance();
    result = failure();
    if (auto text = dyn_cast<kernel::InlineAsmOp>(op))
      op->emitError("TW4127: the reference takes no inline assembly, got text "
                    "for '")
          << text.getTarget() << "'";
    else if (auto call = dyn_cast<kernel::ExternCallOp>(op))
      op->emitError("TW4128: the reference does not know function '")
          << call.getSymbol() << "' of '" << call.getLibrary() << "'";
    else
      op->emitError("TW4130: the reference does not execute '") << name << "'";
    return WalkResult::skip();
  });
  return result;
}

static LogicalResult readRecords(ModuleOp module, Artifact &artifact) {
  for (auto kernel : module.getOps<func::FuncOp>()) {
    FailureOr<KernelRecord> record = readRecord(kernel);
    if (failed(record))
      return failure();
    artifact.records.push_back(std::move(*record));
  }
  putFallbacksLast(artifact.records);
  return success();
}

static int32_t compileModule(ModuleOp module, const tw_compile_request &request,
                             const std::string &checks, Report &report,
                             Artifact &artifact) {
  if (failed(kernel::verifyKernelIR(module)))
    return TW_E_DIAGNOSED;
  if (int32_t status = selectKernels(module, request, report))
    return status;
  if (isPortable(module))
    expandFunctions(module);
  if (failed(checkOperations(module)) || failed(readRecords(module, artifact)))
    return TW_E_DIAGNOSED;
  if (!checks.empty())
    module->setAttr(kCheckAttr, StringAttr::get(module.getContext(), checks));
  if (failed(kernel::writeKernelIR(module, artifact.payload)))
    return TW_E_DIAGNOSED;
  artifact.format = kPayloadFormat.str();
  artifact.compat = kernel::kernelIRFingerprint();
  artifact.remarks = report.remarks();
  return TW_OK;
}

int32_t compileRequest(const DialectRegistry &registry,
                       const tw_compile_request &request,
                       tw_compile_response &response) {
  Problem problem;
  Report report(request.sink);
  std::string checks;
  if (!readRequest(request, checks, problem)) {
    report.error(problem);
    return problem.status;
  }
  auto isCancelled = [&] {
    return request.cancelled && request.cancelled(request.cancel_ctx);
  };
  if (isCancelled())
    return TW_E_CANCELLED;
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto handler = report.attach(&context, kRefused);
  OwningOpRef<ModuleOp> module = readIR(request, &context);
  if (!module) {
    if (!report.hasErrors())
      report.error(kBadBytes, "expected Kernel IR, got bytes that do not parse",
                   "the request is damaged; compile the kernel again");
    return TW_E_DIAGNOSED;
  }
  if (isCancelled())
    return TW_E_CANCELLED;
  auto artifact = std::make_unique<Artifact>();
  int32_t status = compileModule(*module, request, checks, report, *artifact);
  if (status == TW_OK)
    Artifact::publish(std::move(artifact), response);
  return status;
}

} // namespace tilewright::reference
