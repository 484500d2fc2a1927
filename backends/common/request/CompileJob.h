//===- CompileJob.h - One compile request, start to end ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every compiling backend does around its own work: it reads the IR, runs
// phases that can be cancelled and whose time and text are kept, and publishes.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_REQUEST_COMPILEJOB_H
#define TILEWRIGHT_BACKENDS_COMMON_REQUEST_COMPILEJOB_H

#include "backends/common/Artifact.h"
#include "backends/common/Report.h"
#include "backends/common/request/Timings.h"

#include "tilewright/plugin.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <chrono>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilewright::backend {

/// Codes that all compilers report.
inline constexpr uint32_t kLoweringFailed = 4110, kCodegenFailed = 4111;

/// One compilation. A backend derives its own, which holds what the guarded
/// thread works on and lives as long as that may touch it.
class CompileJob {
public:
  virtual ~CompileJob() = default;

  /// From bytes to code, guarded against LLVM's fatal errors.
  virtual void generate() = 0;
  /// What remains to be done on the caller's thread.
  virtual void finish() = 0;

  /// Runs a job to its end and fills the response. `advice` is the next step
  /// after a fatal error of LLVM.
  static int32_t run(std::shared_ptr<CompileJob> job, llvm::StringRef advice,
                     tw_compile_response &response);

protected:
  explicit CompileJob(const tw_compile_request &request);

  /// False, with a status, when the request is cancelled or out of time.
  bool mayContinue();
  bool fail(int32_t code = TW_E_DIAGNOSED) {
    status = code;
    return false;
  }
  /// The request's module; false after an error.
  bool read(mlir::MLIRContext &context);
  /// Runs the passes that `build` adds and keeps the module's text where it was
  /// asked for; false after an error.
  bool runPhase(llvm::StringRef name,
                llvm::function_ref<void(mlir::OpPassManager &)> build);
  bool wants(llvm::StringRef stage) const;
  void keepStage(llvm::StringRef name, std::string text) {
    artifact->stages.emplace_back(name.str(), std::move(text));
  }

  int32_t status = TW_OK;
  const tw_compile_request &request;
  Report report;
  std::unique_ptr<Artifact> artifact;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Timings timings;

private:
  std::chrono::steady_clock::time_point started;
};

} // namespace tilewright::backend

#endif // TILEWRIGHT_BACKENDS_COMMON_REQUEST_COMPILEJOB_H
