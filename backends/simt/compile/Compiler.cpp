//===- Compiler.cpp - One compile request for a GPU -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From bytes through the pipeline and the emitter to the vendor's generator. A
// Job holds what the guarded thread works on.
//===----------------------------------------------------------------------===//
#include "backends/common/FatalErrorGuard.h"
#include "backends/common/Request.h"
#include "backends/simt/Pipeline.h"
#include "backends/simt/compile/Vendor.h"
#include "backends/simt/report/MappingReport.h"
#include "backends/simt/report/RegisterPressure.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

using namespace mlir;
using namespace tilewright::backend;

namespace tilewright::simt {

static constexpr uint32_t kBadBytes = 4105;
static constexpr uint32_t kLoweringFailed = 4110;
static constexpr uint32_t kCodegenFailed = 4111;
static constexpr uint32_t kTooManyThreads = 4152;

namespace {
/// Target and options of a request that passed all checks.
struct CheckedRequest {
  std::unique_ptr<VendorTarget> target;
  CompileOptions options;
};

/// One compilation. Lives as long as the guarded thread may touch it.
class Job {
public:
  Job(const Vendor &vendor, const DialectRegistry &registry,
      const tw_compile_request &request, CheckedRequest checked)
      : report(request.sink), artifact(std::make_unique<Artifact>()),
        vendor(vendor), registry(registry), request(request),
        checked(std::move(checked)),
        hooks(vendor.makeHooks(*this->checked.target, this->checked.options)),
        generation{*this->checked.target,
                   this->checked.options,
                   *hooks,
                   nullptr,
                   request,
                   *artifact,
                   report},
        started(std::chrono::steady_clock::now()) {}

  /// From bytes to the vendor's code; `status` says how it went.
  void generate();
  /// The vendor's last steps, on the caller's thread.
  void finish();

  int32_t status = TW_OK;
  Report report;
  std::unique_ptr<Artifact> artifact;

private:
  bool mayContinue();
  bool fail(int32_t code = TW_E_DIAGNOSED) {
    status = code;
    return false;
  }
  bool read(MLIRContext &context);
  bool readRecords();
  bool lower();
  bool runPhase(const Phase &phase);
  bool emit();
  void describeMapping();
  void remarkSpills();
  bool stopsAfterMapping() const { return !checked.options.stopAfter.empty(); }
  void beginStep(StringRef name);
  void endStep();

  const Vendor &vendor;
  const DialectRegistry &registry;
  const tw_compile_request &request;
  CheckedRequest checked;
  std::unique_ptr<TargetHooks> hooks;
  PipelineOptions options;
  llvm::LLVMContext llvmContext;
  Generation generation;
  OwningOpRef<ModuleOp> module;
  std::chrono::steady_clock::time_point started, stepStarted;
  std::vector<std::pair<std::string, double>> timings; ///< milliseconds
  /// Where most registers are live, by symbol of a kernel.
  llvm::StringMap<SourceChain> peaks;
};
} // namespace

/// Polled between phases.
bool Job::mayContinue() {
  if (request.cancelled && request.cancelled(request.cancel_ctx))
    return fail(TW_E_CANCELLED);
  auto spent = std::chrono::steady_clock::now() - started;
  if (request.time_limit &&
      spent > std::chrono::nanoseconds(request.time_limit))
    return fail(TW_E_DEADLINE);
  return true;
}

void Job::beginStep(StringRef name) {
  stepStarted = std::chrono::steady_clock::now();
  timings.emplace_back(name.str(), 0);
}

void Job::endStep() {
  timings.back().second = std::chrono::duration<double, std::milli>(
                              std::chrono::steady_clock::now() - stepStarted)
                              .count();
}

bool Job::read(MLIRContext &context) {
  beginStep("parse");
  module = readIR(request, &context);
  endStep();
  if (!module && !report.hasErrors())
    report.error(kBadBytes, "expected Kernel IR, got bytes that do not parse",
                 "the request is damaged; compile the kernel again");
  if (!module)
    return fail();
  // The option wins over the module's attribute.
  auto text = (*module)->getAttrOfType<StringAttr>("tw.math");
  if (!checked.options.math.empty())
    options.math = checked.options.math;
  else if (text)
    options.math = text.getValue().str();
  options.numWarps = checked.options.numWarps;
  options.numStages = checked.options.numStages;
  options.steps = checked.options.steps;
  options.libraries = libraryNames(request);
  options.addPasses = [this](StringRef phase, OpPassManager &manager) {
    vendor.addPasses(phase, manager, *checked.target, checked.options);
  };
  return true;
}

bool Job::readRecords() {
  for (auto kernel : module->getOps<func::FuncOp>()) {
    FailureOr<KernelRecord> record = readRecord(kernel);
    if (failed(record))
      return fail();
    record->name = kernelName(kernel).str();
    record->threads = checked.options.numWarps * hooks->target().warpLanes();
    vendor.completeRecord(*record, *checked.target, checked.options);
    artifact->records.push_back(std::move(*record));
  }
  putFallbacksLast(artifact->records);
  return true;
}

bool Job::runPhase(const Phase &phase) {
  if (!mayContinue())
    return false;
  beginStep(phase.name);
  PassManager manager(module->getContext());
  manager.enableVerifier(false); // the input was verified, and LLVM IR will be
  buildPhase(phase, manager, *hooks, options);
  bool isDone = succeeded(manager.run(*module));
  endStep();
  if (!isDone && !report.hasErrors())
    report.error(kLoweringFailed,
                 "phase '" + phase.name + "' refused the kernel");
  if (!isDone)
    return fail();
  if (wantsStage(request, phase.name)) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream);
    artifact->stages.emplace_back(phase.name.str(), std::move(text));
  }
  return true;
}

bool Job::lower() {
  for (const Phase &phase : pipelinePhases()) {
    if (!runPhase(phase))
      return false;
    // Records need verified attributes, which lowering then removes.
    if (phase.name == "verify") {
      status = selectKernels(*module, request, report);
      if (status != TW_OK || !readRecords())
        return false;
    }
  }
  return true;
}

/// Resources and, on request, the mapping as text.
void Job::describeMapping() {
  llvm::json::Array kernels;
  for (auto kernel : module->getOps<func::FuncOp>()) {
    if (Operation *peak = estimateRegisters(kernel, hooks->target().chunks).op)
      peaks[kernel.getSymName()] = describeLocation(peak->getLoc());
    for (KernelRecord &record : artifact->records)
      if (record.symbol == kernel.getSymName()) {
        record.sharedStaticBytes = sharedBytes(kernel);
        record.isStrided = isStrided(kernel);
      }
    if (wantsStage(request, "layout"))
      kernels.push_back(reportMapping(kernel, *hooks));
  }
  if (!wantsStage(request, "layout"))
    return;
  llvm::json::Object report{{"version", 1},
                            {"target", checked.target->name},
                            {"kernels", std::move(kernels)}};
  artifact->stages.emplace_back(
      "layout",
      llvm::formatv("{0:2}\n", llvm::json::Value(std::move(report))).str());
}

/// What the target's own tools say of registers, at the likely place.
void Job::remarkSpills() {
  for (const KernelRecord &record : artifact->records) {
    if (!record.spillBytes)
      continue;
    auto peak = peaks.find(record.symbol);
    report.remark("registers: " + Twine(record.spillBytes) +
                      " bytes a thread are spilled, at " +
                      Twine(record.registers) +
                      " registers; tensors take most around here: use more "
                      "warps or smaller tiles",
                  peak == peaks.end() ? SourceChain() : peak->second);
  }
}

bool Job::emit() {
  beginStep("emit");
  generation.module = std::make_unique<llvm::Module>("tilewright", llvmContext);
  for (auto kernel : module->getOps<func::FuncOp>())
    if (!emitKernel(kernel, *generation.module, *hooks, options))
      return fail();
  endStep();
  if (!linkLibraries(*generation.module, request, report))
    return fail();
  std::string why;
  llvm::raw_string_ostream stream(why);
  if (!llvm::verifyModule(*generation.module, &stream))
    return true;
  report.error(kCodegenFailed, "the emitter made invalid code: " + why,
               "report this kernel");
  return fail();
}

void Job::generate() {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto handler = report.attach(&context, kLoweringFailed);
  report.attachRemarks(&context);
  // The module must not outlive its context, whatever happens.
  auto cleanup = llvm::make_scope_exit([&] { module = {}; });
  if (!mayContinue() || !read(context) || !lower())
    return;
  describeMapping();
  if (stopsAfterMapping() || !emit() || !mayContinue())
    return;
  beginStep("codegen");
  if (!vendor.generate(generation))
    fail();
  endStep();
}

void Job::finish() {
  if (!mayContinue())
    return;
  beginStep("assemble");
  if (!stopsAfterMapping() && !vendor.finish(generation)) {
    fail();
    return;
  }
  endStep();
  remarkSpills();
  if (wantsStage(request, "timings")) {
    std::string text = "{";
    for (const auto &[name, milliseconds] : timings)
      text += (text.size() > 1 ? ", \"" : "\"") + name +
              "\": " + llvm::formatv("{0:f3}", milliseconds).str();
    artifact->stages.emplace_back("timings", text + "}");
  }
  if (wantsStage(request, "steps"))
    artifact->stages.emplace_back("steps", options.steps.json());
  artifact->remarks = report.remarks();
}

//===--- The Compiler of a Vendor -----------------------------------------===//

/// Whether a program of the target may have as many threads as were asked for.
static bool checkThreads(const SimtTarget &target, unsigned numWarps,
                         Problem &problem) {
  unsigned threads = numWarps * target.warpLanes();
  if (!target.isThreadsBound || threads <= target.maxThreads)
    return true;
  unsigned most = llvm::bit_floor(target.maxThreads / target.warpLanes());
  problem = {TW_E_DIAGNOSED, kTooManyThreads,
             ("expected at most " + Twine(target.maxThreads) +
              " threads of a program, got " + Twine(threads) + " (" +
              Twine(numWarps) + " warps of " + Twine(target.warpLanes()) + ")")
                 .str(),
             ("num_warps=" + Twine(most) + " fits").str()};
  return false;
}

static std::optional<CheckedRequest>
readRequest(const Vendor &vendor, const tw_compile_request &request,
            Problem &problem) {
  if (!checkEnvelope(request, vendor.name(), problem, kBitcodeFormat))
    return std::nullopt;
  CheckedRequest checked;
  checked.target = vendor.resolve(toRef(request.target), problem);
  if (!checked.target)
    return std::nullopt;
  auto options = readOptions(request.options, request.option_count,
                             vendor.name(), vendor.options(), problem);
  if (!options)
    return std::nullopt;
  checked.options = std::move(*options);
  if (!vendor.checkOptions(checked.options, problem))
    return std::nullopt;
  if (!checkThreads(
          vendor.makeHooks(*checked.target, checked.options)->target(),
          checked.options.numWarps, problem))
    return std::nullopt;
  return checked;
}

std::string SimtCompiler::fingerprint() const {
  return (optionDefaults() + " " + theVendor.tools()).str();
}

std::optional<std::string> SimtCompiler::resolve(StringRef target,
                                                 Problem &problem) const {
  auto resolved = theVendor.resolve(target, problem);
  return resolved ? std::optional(resolved->name) : std::nullopt;
}

/// What every GPU target has.
static void answerCommon(tw_capability &question) {
  if (question.id == TW_CAP_STORAGE_DTYPES)
    sayYes(question, (int64_t(1) << TW_DTYPE_COUNT) - 2);
  else if (question.id == TW_CAP_MAX_PROGRAMS)
    sayYes(question, INT32_MAX);
}

void SimtCompiler::answer(StringRef target,
                          MutableArrayRef<tw_capability> questions,
                          Interner intern) const {
  Problem problem;
  if (auto resolved = theVendor.resolve(target, problem))
    for (tw_capability &question : questions) {
      answerCommon(question);
      theVendor.answer(*resolved, question, intern);
    }
}

void SimtCompiler::registerDialects(DialectRegistry &registry) const {
  simt::registerDialects(registry);
}

int32_t SimtCompiler::check(const tw_compile_request &request) const {
  Problem problem;
  if (readRequest(theVendor, request, problem))
    return TW_OK;
  Report(request.sink).error(problem);
  return problem.status;
}

int32_t SimtCompiler::compile(const DialectRegistry &registry,
                              const tw_compile_request &request,
                              tw_compile_response &response) const {
  Problem problem;
  auto checked = readRequest(theVendor, request, problem);
  if (!checked) {
    Report(request.sink).error(problem);
    return problem.status;
  }
  auto job =
      std::make_shared<Job>(theVendor, registry, request, std::move(*checked));
  if (std::optional<std::string> fatal =
          runGuarded([job] { job->generate(); })) {
    Report(request.sink)
        .error(kCodegenFailed, "the code generator gave up: " + *fatal,
               "report this kernel; another target may do");
    return TW_E_INTERNAL;
  }
  if (job->status == TW_OK)
    job->finish();
  if (job->status == TW_OK)
    Artifact::publish(std::move(job->artifact), response);
  return job->status;
}

} // namespace tilewright::simt
