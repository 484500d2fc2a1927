//===- Compilation.h - What one compile carries -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From text to an artifact in one object. The order of the stages is in
// Compile.cpp, each stage in the file of this folder that has its name.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_STAGES_COMPILATION_H
#define TILEWRIGHT_FRONTEND_DRIVER_STAGES_COMPILATION_H

#include "frontend/driver/CompileSession.h"
#include "frontend/driver/IRForm.h"
#include "frontend/driver/PluginDiagnostics.h"
#include "frontend/driver/overrides/Overrides.h"
#include "frontend/driver/stages/Steps.h"
#include "frontend/sema/Sema.h"
#include "frontend/syntax/ASTContext.h"
#include "runtime/artifact/Artifact.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <chrono>

namespace tilewright::driver {

/// Stages whose texts the host writes; the others are a plugin's.
inline constexpr const char *hostStages[] = {
    "ast",    "imports",  "tile",  "functions", "identity",
    "kernel", "portable", "needs", "request"};

/// Everything that one compile carries from stage to stage.
class Compilation {
public:
  Compilation(Backends &backends, const tw_compile_input &input,
              CompileOutput &output)
      : backends(backends), input(input), output(output) {}

  /// Runs all stages; leaves the status in the output.
  void run() {
    int32_t status = runStages();
    if (status == TW_OK && output.sink.hasErrors())
      status = TW_E_DIAGNOSED;
    output.status = status;
  }

private:
  int32_t runStages();
  bool parse();
  bool emitTile();
  bool lower();
  bool runLowering(mlir::ModuleOp module, bool remarks);
  bool replaceKernel();
  bool serialize();
  int32_t callPlugin();
  int32_t callPlugin(const tw_compile_request &request,
                     PluginDiagnostics &diagnostics);
  /// TW5027: the plugin reported success, and its response says otherwise.
  void failResponse(const std::string &why);
  void wrap(const tw_compile_response &response);
  artifact::Artifact emptyArtifact() const;
  void write(artifact::Artifact result);

  void fail(unsigned code, std::string message, std::string hint = {});
  bool wants(const char *stage) const;
  void keep(const char *stage, std::string text) {
    output.stages.push_back({stage, std::move(text)});
  }
  /// True when no stage after `stage` was asked for, so that looking at one
  /// stage needs nothing behind it.
  bool isLast(const char *stage) const;
  /// Whether no text of a stage was asked for but that of the times.
  bool isTimedOnly() const;
  /// The option of that name, or null.
  const tw_option *findOption(const char *name) const;
  /// `raise`: pointer arithmetic becomes views. The reference target gets the
  /// plain form, so that it shares no analysis with what it judges.
  bool raises() const;
  /// `ranges`: what stage "needs" may take integers to be.
  std::string ranges() const;
  std::vector<tw_option> pluginOptions() const;
  std::vector<tw_str> pluginStages() const;
  bool isCancelled() const {
    return input.cancelled && input.cancelled(input.cancel_ctx);
  }
  /// `target_info`: the target that `tl.target` describes, the one compiled for
  /// unless the reference stands in for another. False after a failure.
  bool findDescribed();
  sema::TargetInfo targetInfo();
  std::vector<std::pair<std::string, std::string>> frontendOptions() const;
  /// The target, from its plugin or, where no stage needs that, from the table
  /// of published ones; false after an error.
  bool findTarget();

  Backends &backends;
  const tw_compile_input &input;
  CompileOutput &output;
  const Backends::Backend *backend = nullptr;
  const Backends::Backend *describedBackend = nullptr;
  std::string describedTarget;
  ast::ASTContext astContext;
  const ast::Module *module = nullptr;
  std::optional<sema::TargetInfo> known;
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> ir;
  std::vector<std::string> opVendors; ///< whose added ops the kernel uses
  std::optional<Overrides> overrides;
  IRForm form;
  std::string bytes;
  DisabledSteps disabled;
};

/// Adds the time of its scope to the output.
class StageTimer {
public:
  StageTimer(CompileOutput &output, const char *stage)
      : output(output), stage(stage), start(Clock::now()) {}
  ~StageTimer() {
    auto elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(
        Clock::now() - start);
    output.timings.push_back({stage, static_cast<uint64_t>(elapsed.count())});
  }

private:
  using Clock = std::chrono::steady_clock;
  CompileOutput &output;
  const char *stage;
  Clock::time_point start;
};

/// The text of a module, as stages have it.
std::string printIR(mlir::ModuleOp module);

} // namespace tilewright::driver

#endif // TILEWRIGHT_FRONTEND_DRIVER_STAGES_COMPILATION_H
