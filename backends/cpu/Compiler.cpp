//===- Compiler.cpp - One compile request, start to end ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops, LLVM and an object on the guarded thread; linking happens on the
// caller's afterwards, with the object's bytes only.
//===----------------------------------------------------------------------===//
#include "backends/cpu/Compiler.h"

#include "backends/common/DeviceLibraries.h"
#include "backends/common/request/CompileJob.h"
#include "backends/cpu/Request.h"
#include "backends/cpu/builtins/Builtins.h"
#include "backends/cpu/codegen/Codegen.h"
#include "backends/cpu/codegen/Link.h"
#include "backends/cpu/driver/KernelABI.h"
#include "backends/cpu/loops/LowerToLoops.h"
#include "backends/cpu/lower/Passes.h"
#include "backends/cpu/lower/Pipeline.h"
#include "dialects/kernel/KernelDialect.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace tilewright::cpu {

void registerDialects(DialectRegistry &registry) {
  registry
      .insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
              kernel::KernelDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
              mlir::math::MathDialect, scf::SCFDialect, tensor::TensorDialect,
              ub::UBDialect, vector::VectorDialect>();
  registerTranslations(registry);
}

namespace {
class Job : public CompileJob {
public:
  Job(const DialectRegistry &registry, const tw_compile_request &request,
      CheckedRequest checked)
      : CompileJob(request), registry(registry), checked(std::move(checked)) {}

  /// From bytes to the object.
  void generate() override;
  /// From the object to the artifact.
  void finish() override;

private:
  bool readRecords();
  void protectSymbol(func::FuncOp kernel);
  bool lower();
  std::string chooseMath();
  void keepScratch();

  const DialectRegistry &registry;
  CheckedRequest checked;
  std::string object;
  bool needsNanoseconds = false; // the driver's clock
};
} // namespace

/// A kernel may not take the name of a function that code generation calls.
void Job::protectSymbol(func::FuncOp kernel) {
  if (llvm::is_contained(builtinNames(), kernel.getSymName()) ||
      kernel.getSymName().starts_with("_"))
    kernel.setSymName((kernel.getSymName() + ".kernel").str());
}

bool Job::readRecords() {
  for (auto kernel : module->getOps<func::FuncOp>()) {
    std::string name = kernelName(kernel).str();
    protectSymbol(kernel);
    FailureOr<KernelRecord> record = readRecord(kernel);
    if (failed(record))
      return fail();
    record->name = std::move(name);
    artifact->records.push_back(std::move(*record));
  }
  putFallbacksLast(artifact->records);
  return true;
}

void Job::keepScratch() {
  for (KernelRecord &record : artifact->records)
    if (auto function = module->lookupSymbol<func::FuncOp>(record.symbol))
      if (auto bytes = function->getAttrOfType<IntegerAttr>(kScratchBytesAttr))
        record.scratchBytes = bytes.getInt();
}

/// The option wins over the module's attribute.
std::string Job::chooseMath() {
  if (!checked.options.math.empty())
    return checked.options.math;
  auto text = (*module)->getAttrOfType<StringAttr>("tw.math");
  return text ? text.getValue().str() : "accurate";
}

bool Job::lower() {
  PipelineOptions options;
  options.vector = checked.target.vector;
  options.math = chooseMath();
  options.steps = checked.options.steps;
  options.libraries = libraryNames(request);
  for (const Phase &phase : pipelinePhases()) {
    if (!runPhase(phase.name, [&](OpPassManager &manager) {
          phase.build(manager, options);
        }))
      return false;
    // Records need verified attributes, which lowering then removes.
    if (phase.name == "verify") {
      status = selectKernels(*module, request, report);
      if (status != TW_OK || !readRecords())
        return false;
      (*module)->walk([&](kernel::ClockOp op) {
        needsNanoseconds |= op.getKind() == "globaltimer";
      });
    }
    if (phase.name == "loops")
      keepScratch();
  }
  return true;
}

void Job::generate() {
  timings.begin("context");
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto handler = report.attach(&context, kLoweringFailed);
  // The module must not outlive its context, whatever happens.
  auto cleanup = llvm::make_scope_exit([&] { module = {}; });
  if (!mayContinue() || !read(context) || !lower() || !mayContinue())
    return;
  CodegenOptions options;
  options.optimise = checked.options.optimise;
  options.wantLLVM = wants("llvm");
  options.wantAsm = wants("asm");
  options.request = &request;
  std::optional<Generated> code =
      generateCode(*module, checked.target, options, report, timings);
  if (!code) {
    fail();
    return;
  }
  if (options.wantLLVM)
    keepStage("llvm", std::move(code->llvmText));
  if (options.wantAsm)
    keepStage("asm", std::move(code->asmText));
  object = std::move(code->object);
}

void Job::finish() {
  if (!mayContinue())
    return;
  timings.begin("link");
  std::optional<std::string> image =
      linkSharedObject(object, checked.target, report);
  timings.end();
  if (!image) {
    fail();
    return;
  }
  artifact->format = TW_CPU_PAYLOAD_FORMAT;
  artifact->payload = std::move(*image);
  artifact->compat = checked.target.compat;
  if (needsNanoseconds) {
    bool isFirst = StringRef(artifact->compat).ends_with(";");
    artifact->compat += (isFirst ? "" : ",");
    artifact->compat += TW_CPU_SERVICE_NANOSECONDS;
  }
  artifact->tools = {"lld", "llvm"};
  if (checked.options.wantObject)
    keepStage("object", std::move(object));
  if (wants("steps"))
    keepStage("steps", checked.options.steps.json());
  if (wants("timings"))
    keepStage("timings", timings.json());
  artifact->remarks = report.remarks();
}

int32_t compileRequest(const DialectRegistry &registry,
                       const tw_compile_request &request,
                       tw_compile_response &response) {
  Problem problem;
  std::optional<CheckedRequest> checked = readRequest(request, problem);
  if (!checked) {
    Report(request.sink).error(problem);
    return problem.status;
  }
  return CompileJob::run(
      std::make_shared<Job>(registry, request, std::move(*checked)),
      "report this kernel; another processor name may do", response);
}

} // namespace tilewright::cpu
