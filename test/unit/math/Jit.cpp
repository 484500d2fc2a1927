//===- Jit.cpp - Expanded operations as callable loops ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes, the lowering to LLVM and ORC.
//
//===----------------------------------------------------------------------===//

#include "test/unit/math/Jit.h"
#include "backends/math/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <chrono>
#include <cstdio>

using namespace mlir;

namespace tilewright::math::test {

static unsigned failures = 0;

void reportFailure(const std::string &message) {
  if (++failures <= 100)
    std::printf("FAIL: %s\n", message.c_str());
}

unsigned failureCount() { return failures; }

static std::string replaceAll(std::string text, const std::string &from,
                              const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// The loop as a function on static memrefs, which become bare pointers.
static std::string textOf(const Loop &loop) {
  auto valueType = [&](const std::string &element) {
    if (loop.lanes == 0)
      return element;
    return "vector<" + std::to_string(loop.lanes) + "x" + element + ">";
  };
  std::string size = std::to_string(kChunk);
  std::string dialect = loop.lanes == 0 ? "memref" : "vector";
  std::string text = R"(
func.func @$N(%pa: memref<$Sx$E>, %pb: memref<$Sx$E>, %po: memref<$Sx$F>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant $W : index
  %n = arith.constant $S : index
  scf.for %i = %c0 to %n step %c1 {
    %a = $D.load %pa[%i] : memref<$Sx$E>$VI
    $LOADB
    $BODY
    $D.store %r, %po[%i] : memref<$Sx$F>$VO
  }
  return
}
)";
  text = replaceAll(text, "$BODY", loop.body);
  text = replaceAll(text, "$LOADB",
                    loop.isBinary ? "%b = $D.load %pb[%i] : memref<$Sx$E>$VI"
                                  : "");
  text = replaceAll(text, "$VI", loop.lanes ? ", $I" : "");
  text = replaceAll(text, "$VO", loop.lanes ? ", $O" : "");
  text = replaceAll(text, "$D", dialect);
  text = replaceAll(text, "$N", loop.name);
  text = replaceAll(text, "$S", size);
  text = replaceAll(text, "$W", std::to_string(std::max(loop.lanes, 1u)));
  text = replaceAll(text, "$E", loop.inputType);
  text = replaceAll(text, "$F", loop.outputType);
  text = replaceAll(text, "$I", valueType(loop.inputType));
  return replaceAll(text, "$O", valueType(loop.outputType));
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple());
  llvm::PassBuilder builder(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr("prefer-vector-width", "512");
  }
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, modules);
}

static void registerOnce(DialectRegistry &registry) {
  static const bool done = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    registerTransformsPasses();
    registerMathPasses();
    return true;
  }();
  (void)done;
  registry
      .insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
              LLVM::LLVMDialect, mlir::math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

static bool runPipeline(ModuleOp module, const std::string &pipeline) {
  PassManager manager(module.getContext());
  if (succeeded(parsePassPipeline(pipeline, manager)) &&
      succeeded(manager.run(module)))
    return true;
  reportFailure("pipeline " + pipeline);
  return false;
}

static bool lowerToLLVM(ModuleOp module) {
  PassManager manager(module.getContext());
  manager.addPass(createConvertVectorToSCFPass());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createUBToLLVMConversionPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions functions;
  functions.useBarePtrCallConv = true;
  manager.addPass(createConvertFuncToLLVMPass(functions));
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  if (succeeded(manager.run(module)))
    return true;
  reportFailure("lowering to LLVM");
  return false;
}

void Jit::compile(const std::vector<Loop> &loops, const std::string &passes,
                  const std::string &processor) {
  DialectRegistry registry;
  registerOnce(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string text;
  for (const Loop &loop : loops)
    text += textOf(loop);
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return reportFailure("parsing");
  auto start = std::chrono::steady_clock::now();
  if (!runPipeline(*module, passes))
    return;
  expansionMilliseconds = std::chrono::duration<double, std::milli>(
                              std::chrono::steady_clock::now() - start)
                              .count();
  if (!lowerToLLVM(*module))
    return;
  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  auto llvmModule = translateModuleToLLVMIR(*module, *llvmContext);
  if (!llvmModule)
    return reportFailure("translation to LLVM IR");
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return reportFailure(llvm::toString(builder.takeError()));
  if (!processor.empty())
    *builder = llvm::orc::JITTargetMachineBuilder(builder->getTargetTriple())
                   .setCPU(processor);
  auto machine = builder->createTargetMachine();
  if (!machine)
    return reportFailure(llvm::toString(machine.takeError()));
  optimize(*llvmModule, **machine);
  auto made = llvm::orc::LLJITBuilder()
                  .setJITTargetMachineBuilder(*builder)
                  .setLinkProcessSymbolsByDefault(false)
                  .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                  .create();
  if (!made)
    return reportFailure(llvm::toString(made.takeError()));
  if (llvm::Error error = (*made)->addIRModule(llvm::orc::ThreadSafeModule(
          std::move(llvmModule), std::move(llvmContext))))
    return reportFailure(llvm::toString(std::move(error)));
  jit = std::move(*made);
}

LoopFunction Jit::lookup(const std::string &name) {
  auto symbol = jit->lookup(name);
  if (!symbol) {
    reportFailure(name + ": " + llvm::toString(symbol.takeError()));
    return nullptr;
  }
  return symbol->toPtr<LoopFunction>();
}

void measureLoops(const std::vector<Loop> &loops, const std::string &passes,
                  const void *a, const void *b) {
  Jit jit(loops, passes);
  if (!jit.isValid())
    return reportFailure("cannot compile the loops");
  std::vector<double> out(kChunk);
  for (const Loop &loop : loops) {
    LoopFunction run = jit.lookup(loop.name);
    double best = 1e9;
    for (int repeat = 0; run && repeat < 40; ++repeat) {
      auto start = std::chrono::steady_clock::now();
      run(a, b, out.data());
      best = std::min(best, std::chrono::duration<double, std::nano>(
                                std::chrono::steady_clock::now() - start)
                                .count());
    }
    std::printf("%-24s %8.2f ns for 16\n", loop.name.c_str(),
                best / (kChunk / 16));
  }
}

} // namespace tilewright::math::test
