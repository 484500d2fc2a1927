//===- CompileJob.cpp - One compile request, start to end ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests are polled between phases, never inside of one.
//===----------------------------------------------------------------------===//
#include "backends/common/request/CompileJob.h"

#include "backends/common/FatalErrorGuard.h"
#include "backends/common/request/Request.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tilewright::backend {

static constexpr uint32_t kBadBytes = 4105;

CompileJob::CompileJob(const tw_compile_request &request)
    : request(request), report(request.sink),
      artifact(std::make_unique<Artifact>()),
      started(std::chrono::steady_clock::now()) {}

bool CompileJob::wants(StringRef stage) const {
  return wantsStage(request, stage);
}

bool CompileJob::mayContinue() {
  if (request.cancelled && request.cancelled(request.cancel_ctx))
    return fail(TW_E_CANCELLED);
  auto spent = std::chrono::steady_clock::now() - started;
  if (request.time_limit &&
      spent > std::chrono::nanoseconds(request.time_limit))
    return fail(TW_E_DEADLINE);
  return true;
}

bool CompileJob::read(MLIRContext &context) {
  timings.begin("parse");
  module = readIR(request, &context);
  timings.end();
  if (module)
    return true;
  if (!report.hasErrors())
    report.error(kBadBytes, "expected Kernel IR, got bytes that do not parse",
                 "the request is damaged; compile the kernel again");
  return fail();
}

bool CompileJob::runPhase(StringRef name,
                          llvm::function_ref<void(OpPassManager &)> build) {
  if (!mayContinue())
    return false;
  timings.begin(name.str());
  PassManager manager(module->getContext());
  manager.enableVerifier(false); // the input was verified, and LLVM IR will be
  build(manager);
  bool isDone = succeeded(manager.run(*module));
  timings.end();
  if (!isDone && !report.hasErrors())
    report.error(kLoweringFailed, "phase '" + name + "' refused the kernel");
  if (!isDone)
    return fail();
  if (wants(name) && name != "llvm") { // that stage is LLVM IR
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream);
    keepStage(name, std::move(text));
  }
  return true;
}

int32_t CompileJob::run(std::shared_ptr<CompileJob> job, StringRef advice,
                        tw_compile_response &response) {
  if (std::optional<std::string> fatal =
          runGuarded([job] { job->generate(); })) {
    Report(job->request.sink)
        .error(kCodegenFailed, "the code generator gave up: " + *fatal, advice);
    return TW_E_INTERNAL;
  }
  if (job->status == TW_OK)
    job->finish();
  if (job->status == TW_OK)
    Artifact::publish(std::move(job->artifact), response);
  return job->status;
}

} // namespace tilewright::backend
