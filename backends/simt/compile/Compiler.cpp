//===- Compiler.cpp - One compile request for a GPU -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From bytes through the pipeline and the emitter to the vendor's generator. A
// Job holds what the guarded thread works on.
//===----------------------------------------------------------------------===//
#include "backends/common/request/CompileJob.h"
#include "backends/common/request/Request.h"
#include "backends/simt/Pipeline.h"
#include "backends/simt/compile/Vendor.h"
#include "backends/simt/report/MappingReport.h"
#include "backends/simt/report/RegisterPressure.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright::backend;

namespace tilewright::simt {

static constexpr uint32_t kTooManyThreads = 4152;

namespace {
/// Target and options of a request that passed all checks.
struct CheckedRequest {
  std::unique_ptr<VendorTarget> target;
  CompileOptions options;
};

class Job : public CompileJob {
public:
  Job(const Vendor &vendor, const DialectRegistry &registry,
      const tw_compile_request &request, CheckedRequest checked)
      : CompileJob(request), vendor(vendor), registry(registry),
        checked(std::move(checked)),
        hooks(vendor.makeHooks(*this->checked.target, this->checked.options)),
        generation{*this->checked.target,
                   this->checked.options,
                   *hooks,
                   nullptr,
                   request,
                   *artifact,
                   report} {}

  /// From bytes to the vendor's code.
  void generate() override;
  /// The vendor's last steps.
  void finish() override;

private:
  void choosePipeline();
  bool readRecords();
  bool lower();
  bool emit();
  void describeMapping();
  void remarkSpills();
  bool stopsAfterMapping() const { return !checked.options.stopAfter.empty(); }

  const Vendor &vendor;
  const DialectRegistry &registry;
  CheckedRequest checked;
  std::unique_ptr<TargetHooks> hooks;
  PipelineOptions options;
  llvm::LLVMContext llvmContext;
  Generation generation;
  /// Where most registers are live, by symbol of a kernel.
  llvm::StringMap<SourceChain> peaks;
};
} // namespace

void Job::choosePipeline() {
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

bool Job::lower() {
  for (const Phase &phase : pipelinePhases()) {
    if (!runPhase(phase.name, [&](OpPassManager &manager) {
          buildPhase(phase, manager, *hooks, options);
        }))
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
    if (wants("layout"))
      kernels.push_back(reportMapping(kernel, *hooks));
  }
  if (!wants("layout"))
    return;
  llvm::json::Object report{{"version", 1},
                            {"target", checked.target->name},
                            {"kernels", std::move(kernels)}};
  keepStage(
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
  timings.begin("emit");
  generation.module = std::make_unique<llvm::Module>("tilewright", llvmContext);
  for (auto kernel : module->getOps<func::FuncOp>())
    if (!emitKernel(kernel, *generation.module, *hooks, options))
      return fail();
  timings.end();
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
  if (!mayContinue() || !read(context))
    return;
  choosePipeline();
  if (!lower())
    return;
  describeMapping();
  if (stopsAfterMapping() || !emit() || !mayContinue())
    return;
  timings.begin("codegen");
  if (!vendor.generate(generation))
    fail();
  timings.end();
}

void Job::finish() {
  if (!mayContinue())
    return;
  timings.begin("assemble");
  if (!stopsAfterMapping() && !vendor.finish(generation)) {
    fail();
    return;
  }
  timings.end();
  remarkSpills();
  if (wants("timings"))
    keepStage("timings", timings.json());
  if (wants("steps"))
    keepStage("steps", options.steps.json());
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
  return CompileJob::run(
      std::make_shared<Job>(theVendor, registry, request, std::move(*checked)),
      "report this kernel; another target may do", response);
}

} // namespace tilewright::simt
