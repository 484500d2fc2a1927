//===- Compile.cpp - The stages of one compile -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parse -> tile IR -> Kernel IR -> bytes -> plugin -> artifact. Each stage is
// timed; stage texts are kept when asked for.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/Dialects.h"
#include "dialects/kernel/Passes.h"
#include "dialects/kernel/Serialization.h"
#include "dialects/kernel/portable/Portable.h"
#include "dialects/lowering/Pipeline.h"
#include "frontend/driver/CompileSession.h"
#include "frontend/driver/IRDiagnostics.h"
#include "frontend/driver/IRForm.h"
#include "frontend/driver/KnownTargets.h"
#include "frontend/driver/ModulePath.h"
#include "frontend/driver/PluginDiagnostics.h"
#include "frontend/driver/TargetFacts.h"
#include "frontend/driver/overrides/Overrides.h"
#include "frontend/driver/stages/HostOptions.h"
#include "frontend/driver/stages/Needs.h"
#include "frontend/driver/stages/Steps.h"
#include "frontend/sema/Sema.h"
#include "frontend/sema/kernel/Signature.h"
#include "frontend/syntax/ASTDump.h"
#include "frontend/syntax/Parser.h"
#include "plugins/loader/Target.h"
#include "plugins/worker/Reproducer.h"
#include "runtime/artifact/Artifact.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace tilewright::driver {

using namespace mlir;

namespace {

constexpr const char *hostStages[] = {"ast",       "imports",  "tile",
                                      "functions", "identity", "kernel",
                                      "portable",  "needs",    "request"};
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
  bool runLowering(ModuleOp module, bool remarks);
  bool replaceKernel();
  bool serialize();
  int32_t callPlugin();
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
  /// `raise`: pointer arithmetic becomes views. The reference target gets the
  /// plain form, so that it shares no analysis with what it judges.
  bool raises() const;
  /// `ranges`: what stage "needs" may take integers to be.
  std::string ranges() const;
  std::vector<tw_option> pluginOptions();
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
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> ir;
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

std::string printIR(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return text + "\n";
}

void Compilation::fail(unsigned code, std::string message, std::string hint) {
  syntax::Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.fileName = toString(input.file_name);
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  output.sink.report(std::move(diagnostic));
}

bool Compilation::wants(const char *stage) const {
  for (uint64_t i = 0; i < input.stage_count; ++i)
    if (tw_str_equal(input.stages[i], tw_string(stage)))
      return true;
  return false;
}

bool Compilation::isLast(const char *stage) const {
  if (input.stage_count == 0)
    return false;
  auto rank = [](llvm::StringRef name) {
    return std::find(std::begin(hostStages), std::end(hostStages), name) -
           std::begin(hostStages);
  };
  for (uint64_t i = 0; i < input.stage_count; ++i)
    if (rank(toString(input.stages[i])) > rank(stage))
      return false;
  return true;
}

int32_t Compilation::runStages() {
  disabled = readDisabledSteps(input);
  // The plugin loads while this process parses and makes its context.
  if (!isLast("ast"))
    backends.prepare(toString(input.target));
  if (!parse())
    return TW_E_DIAGNOSED;
  if (isLast("ast"))
    return TW_OK;
  {
    StageTimer timer(output, "target");
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    DialectRegistry registry;
    kernel::registerKernelIRDialects(registry);
    context->appendDialectRegistry(registry);
    context->loadAllAvailableDialects();
    if (!findTarget())
      return TW_E_DIAGNOSED;
  }
  IRDiagnosticHandler handler(context.get(), output.sink, output.remarks);
  if (!emitTile())
    return TW_E_DIAGNOSED;
  if (isLast("tile"))
    return TW_OK;
  if (isCancelled())
    return TW_E_CANCELLED;
  if (backend) {
    overrides.emplace(backends, *backend, opVendors, input, output);
    if (!overrides->collect())
      return TW_E_DIAGNOSED;
    if (replaceKernel())
      return TW_OK;
  }
  if (isLast("identity"))
    return TW_OK;
  if (!lower())
    return TW_E_DIAGNOSED;
  if (isLast("needs"))
    return TW_OK;
  if (isCancelled())
    return TW_E_CANCELLED;
  return serialize() ? callPlugin() : TW_E_DIAGNOSED;
}

bool Compilation::parse() {
  StageTimer timer(output, "parse");
  std::string_view text(input.source.data, input.source.size);
  module = syntax::parseModule(astContext, text, toString(input.file_name),
                               output.sink);
  if (output.sink.hasErrors())
    return false;
  if (wants("ast"))
    keep("ast", syntax::dumpAST(*module) + "\n");
  return true;
}

bool Compilation::findDescribed() {
  describedBackend = backend;
  describedTarget = output.target;
  for (uint64_t i = 0; i < input.option_count; ++i) {
    if (!tw_str_equal(input.options[i].key, tw_string("target_info")))
      continue;
    if (!llvm::StringRef(output.target).starts_with("reference")) {
      fail(4106,
           "expected target reference with option 'target_info', got '" +
               output.target + "'",
           "other targets describe themselves");
      return false;
    }
    describedTarget = resolveTarget(backends, toString(input.options[i].text),
                                    describedBackend, output.sink);
  }
  return !describedTarget.empty();
}

bool Compilation::findTarget() {
  Problem problem;
  std::string text = toString(input.target);
  auto parsed = plugins::parseTarget(text, problem);
  if (parsed && isLast("needs") && !backends.find(parsed->vendor, problem))
    known = knownTarget(*parsed);
  if (known) {
    output.target = known->spelling;
    return true;
  }
  output.target = resolveTarget(backends, text, backend, output.sink);
  return !output.target.empty() && findDescribed();
}

sema::TargetInfo Compilation::targetInfo() {
  if (known)
    return *known;
  std::optional<sema::TargetInfo> info =
      describeTarget(*describedBackend, describedTarget);
  if (!info) {
    fail(4000, "the plugin does not say what '" + describedTarget + "' can do");
    info.emplace();
  }
  info->spelling = output.target;
  return *info;
}

std::vector<std::pair<std::string, std::string>>
Compilation::frontendOptions() const {
  std::vector<std::pair<std::string, std::string>> list;
  for (uint64_t i = 0; i < input.option_count; ++i) {
    const tw_option &option = input.options[i];
    std::string text = toString(option.text);
    if (isOneOf(silentOptions, option) && text != "whole")
      continue;
    if (option.kind == TW_VALUE_INT)
      text = std::to_string(option.integer);
    else if (option.kind == TW_VALUE_FLOAT)
      text = std::to_string(option.number);
    list.emplace_back(toString(option.key), text);
  }
  return list;
}

bool Compilation::raises() const {
  for (uint64_t i = 0; i < input.option_count; ++i)
    if (tw_str_equal(input.options[i].key, tw_string("raise")))
      return input.options[i].integer != 0;
  return !llvm::StringRef(output.target).starts_with("reference");
}

std::string Compilation::ranges() const {
  for (uint64_t i = 0; i < input.option_count; ++i)
    if (tw_str_equal(input.options[i].key, tw_string("ranges")))
      return toString(input.options[i].text);
  return "";
}

std::vector<tw_option> Compilation::pluginOptions() {
  std::vector<tw_option> options;
  for (uint64_t i = 0; i < input.option_count; ++i)
    if (!isOneOf(hostOptions, input.options[i]))
      options.push_back(input.options[i]);
  for (tw_option &option : options)
    if (tw_str_equal(option.key, tw_string("disable")) &&
        option.kind == TW_VALUE_TEXT)
      option.text = toStr(disabled.others);
  llvm::erase_if(options, [](const tw_option &option) {
    return tw_str_equal(option.key, tw_string("disable")) &&
           option.kind == TW_VALUE_TEXT && option.text.size == 0;
  });
  return options;
}

bool Compilation::emitTile() {
  StageTimer timer(output, "emit");
  sema::KernelRequest request;
  request.module = module;
  request.kernelName = toString(input.kernel);
  request.signature = toString(input.signature);
  request.target = targetInfo();
  request.options = frontendOptions();
  auto vendorSources = [&](const std::string &vendor) {
    std::string text = backends.sources(vendor);
    if (!text.empty())
      opVendors.push_back(vendor);
    return text;
  };
  ModulePath modules(input, astContext, output.sink, vendorSources);
  request.resolver = [&](llvm::StringRef name, unsigned level,
                         llvm::StringRef importer) {
    return modules.resolve(name, level, importer);
  };
  for (uint64_t i = 0; i < input.global_count; ++i)
    if (auto value =
            sema::parseConstant(toString(input.globals[i].value), output.sink))
      request.globals.emplace(toString(input.globals[i].name), *value);
  if (output.sink.hasErrors())
    return false;
  std::set<std::string> functions;
  if (wants("functions"))
    request.onInlined = [&](llvm::StringRef file, const ast::Node *function) {
      functions.insert((file + ":" + llvm::Twine(function->range.line)).str());
    };
  ir = sema::emitKernel(*context, request, output.sink);
  std::set<std::string> imported;
  for (const auto &[path, content] : modules.filesRead()) {
    output.filesRead.push_back(path);
    imported.insert(content);
  }
  if (wants("imports")) // sorted: where they lie does not matter
    keep("imports", llvm::join(imported, "\n"));
  if (!ir || output.sink.hasErrors())
    return false;
  if (wants("functions"))
    keep("functions", llvm::join(functions, "\n") + "\n");
  if (wants("tile"))
    keep("tile", printIR(*ir));
  return true;
}

bool Compilation::runLowering(ModuleOp module, bool remarks) {
  PassManager passes(context.get());
  passes.enableVerifier(false); // kernel-verify is the last pass
  TileToKernelOptions options;
  options.remarks = remarks;
  options.raise = raises() && disabled.raise;
  options.variants = disabled.variants;
  options.share = disabled.share;
  buildTileToKernelPipeline(passes, options);
  if (succeeded(passes.run(module)))
    return true;
  if (!output.sink.hasErrors())
    fail(3000, "lowering to Kernel IR failed without a message");
  return false;
}

bool Compilation::lower() {
  {
    StageTimer timer(output, "lower");
    if (overrides)
      overrides->mark(*ir);
    if (!runLowering(*ir, /*remarks=*/true))
      return false;
    // A body from elsewhere may be simpler where it stands.
    PassManager passes(context.get());
    passes.addPass(kernel::createCanonicalizePass());
    passes.addPass(createCSEPass());
    if (overrides && overrides->apply(*ir) && failed(passes.run(*ir)))
      return false;
  }
  if (wants("kernel"))
    keep("kernel", printIR(*ir));
  if (wants("needs"))
    keep("needs", describeNeeds(*ir, ranges()));
  std::string portable;
  if (!wants("portable"))
    return true;
  if (failed(kernel::writePortableIR(*ir, TW_PORTABLE_NEWEST, portable)))
    return false;
  keep("portable", std::move(portable));
  return true;
}

/// Looks for a prebuilt artifact of the kernel as it is without overrides; true
/// if that is the result of this compile.
bool Compilation::replaceKernel() {
  func::FuncOp kernelOp;
  for (auto function : ir->getOps<func::FuncOp>())
    if (function->hasAttr("tw.kernel") && !kernelOp)
      kernelOp = function;
  if (!kernelOp)
    return false;
  std::string name = kernelOp.getSymName().str();
  if (!wants("identity") && !overrides->claimsKernel(name))
    return false;
  OwningOpRef<ModuleOp> plain = ir->clone();
  if (!runLowering(*plain, /*remarks=*/false))
    return false;
  std::string identity = kernelIdentity(*plain);
  if (wants("identity"))
    keep("identity", llvm::toHex(identity, /*LowerCase=*/true) + "\n");
  // Stage texts are those of a compile.
  if (input.stage_count || !overrides->claimsKernel(name))
    return false;
  auto found =
      overrides->takeKernel(name, identity, kernelOp.getLoc(), emptyArtifact());
  if (found)
    write(std::move(*found));
  return found.has_value();
}

bool Compilation::serialize() {
  StageTimer timer(output, "serialize");
  std::string wanted;
  for (uint64_t i = 0; i < input.option_count; ++i)
    if (tw_str_equal(input.options[i].key, tw_string("ir")))
      wanted = toString(input.options[i].text);
  Problem problem;
  if (!chooseIRForm(*backend, output.target, wanted, form, problem)) {
    fail(problem.code, problem.message, problem.hint);
    return false;
  }
  return succeeded(form.isPortable
                       ? kernel::writePortableIR(*ir, form.version, bytes)
                       : kernel::writeKernelIR(*ir, bytes));
}

/// Names and counts of the ops in a module.
std::vector<std::pair<std::string, uint32_t>> countOps(ModuleOp module) {
  std::map<std::string, uint32_t> counts;
  module->walk(
      [&](Operation *op) { ++counts[op->getName().getStringRef().str()]; });
  return {counts.begin(), counts.end()};
}

int32_t Compilation::callPlugin() {
  std::vector<std::string> entryNames;
  for (auto function : ir->getOps<func::FuncOp>())
    if (function->hasAttr("tw.kernel") && !function->hasAttr("tw.variant_of"))
      entryNames.push_back(function.getName().str());
  std::vector<tw_str> entries;
  for (const std::string &name : entryNames)
    entries.push_back(toStr(name));
  auto counts = countOps(*ir);
  std::vector<tw_op_use> ops;
  for (const auto &[name, count] : counts)
    ops.push_back({toStr(name), 1, count});
  std::vector<tw_str> stages;
  for (uint64_t i = 0; i < input.stage_count; ++i)
    if (std::find(std::begin(hostStages), std::end(hostStages),
                  toString(input.stages[i])) == std::end(hostStages))
      stages.push_back(input.stages[i]);

  PluginDiagnostics diagnostics(output);
  tw_compile_request request = {};
  request.size = sizeof request;
  request.ir_format = toStr(form.format);
  request.ir_version = form.version;
  request.ir = {bytes.data(), bytes.size()};
  request.entries = entries.data();
  request.entry_count = entries.size();
  request.ops = ops.data();
  request.op_count = ops.size();
  request.target = toStr(output.target);
  std::vector<tw_option> options = pluginOptions();
  request.options = options.data();
  request.option_count = options.size();
  request.stages = stages.data();
  request.stage_count = stages.size();
  if (overrides) {
    request.libraries = overrides->libraries().data();
    request.library_count = overrides->libraries().size();
  }
  request.sink = &diagnostics.sink();
  request.cancelled = input.cancelled;
  request.cancel_ctx = input.cancel_ctx;
  if (wants("request")) {
    const std::vector<tw_option> &opened = backends.openOptions().list();
    keep("request",
         worker::Reproducer::write(backend->plugin->path(), opened.data(),
                                   opened.size(), request));
  }
  if (isLast("request"))
    return TW_OK;
  tw_compile_response response = {};
  response.size = sizeof response;
  int32_t status;
  {
    StageTimer timer(output, "backend");
    status = backend->plugin->compile().compile(backend->handle, &request,
                                                &response);
  }
  diagnostics.flush();
  if (status != TW_OK) {
    if (!output.sink.hasErrors() && status != TW_E_CANCELLED)
      fail(4000,
           "the plugin gave no reason (status " + std::to_string(status) + ")");
    return status;
  }
  wrap(response);
  if (response.release)
    response.release(response.release_ctx);
  return TW_OK;
}

artifact::Artifact Compilation::emptyArtifact() const {
  artifact::Artifact result;
  result.signature = toString(input.signature);
  result.target = output.target;
  for (uint64_t i = 0; i < input.option_count; ++i)
    if (!isOneOf(silentOptions, input.options[i]))
      result.options.emplace_back(toString(input.options[i].key),
                                  optionValue(input.options[i]));
  return result;
}

/// Notes what took part and makes the file.
void Compilation::write(artifact::Artifact result) {
  Problem problem;
  result.fingerprint = backends.fingerprintOf(*backend, problem);
  if (problem)
    return fail(problem.code, problem.message, problem.hint);
  if (overrides)
    for (const UsedOverride &used : overrides->used()) {
      result.tools.emplace_back("override " + used.op, used.text);
      result.fingerprint += "\noverride " + used.op + " " + used.text;
    }
  artifact::Bytes file = artifact::writeArtifact(result);
  output.artifact.assign(file.begin(), file.end());
}

void Compilation::wrap(const tw_compile_response &response) {
  StageTimer timer(output, "wrap");
  artifact::Artifact result = emptyArtifact();
  result.compat = toString(response.compat);
  for (uint64_t i = 0; i < response.tool_count; ++i)
    result.tools.emplace_back(toString(response.tools[i].key),
                              toString(response.tools[i].text));
  for (uint64_t i = 0; i < response.kernel_count; ++i)
    result.kernels.push_back(
        artifact::Kernel::fromRecord(*response.kernels[i]));
  auto *payload = static_cast<const uint8_t *>(response.payload.data);
  result.payloads.push_back(
      {toString(response.format), {payload, payload + response.payload.size}});
  for (const artifact::Kernel &entry : result.kernels) {
    Problem problem;
    if (!artifact::validateKernel(entry, problem))
      return fail(problem.code, problem.message, problem.hint);
  }
  // A compile that stopped early has stages only.
  if (response.payload.size)
    write(std::move(result));
  std::string steps = "[]";
  for (uint64_t i = 0; i < response.stage_count; ++i) {
    StageText stage = {toString(response.stages[i].name),
                       toString(response.stages[i].text)};
    if (stage.name != "steps")
      output.stages.push_back(std::move(stage));
    else
      steps = std::move(stage.text);
  }
  if (wants("steps"))
    keep("steps", withHostSteps(steps));
  PluginDiagnostics diagnostics(output);
  for (uint64_t i = 0; i < response.remark_count; ++i)
    diagnostics.take(*response.remarks[i]);
  diagnostics.flush();
}

} // namespace

void compileSource(Backends &backends, const tw_compile_input &input,
                   CompileOutput &output) {
  Compilation(backends, input, output).run();
}

} // namespace tilewright::driver
