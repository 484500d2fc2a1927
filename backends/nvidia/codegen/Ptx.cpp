//===- Ptx.cpp - From an LLVM module to PTX ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target machine. Processor and PTX version come from a checked table: an
// unknown one would end the process.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/codegen/Ptx.h"

#include "backends/nvidia/codegen/GuardShifts.h"
#include "backends/nvidia/codegen/Respell.h"
#include "backends/simt/codegen/Codegen.h"
#include "backends/simt/codegen/WithoutPasses.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace tilewright::nvidia {

static constexpr uint32_t kCodegenFailed = 4111;

static void initialise() {
  static const bool done = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)done;
}

simt::Machine createMachine(const Target &target, unsigned level,
                            Report &report) {
  initialise();
  std::string why;
  // On level 3 the target numbers values three more times, behind our optimiser
  // which did: the same PTX for a tenth more time.
  level = std::min(level, 2u);
  simt::Machine machine =
      simt::createMachine({"nvptx64-nvidia-cuda", target.processor,
                           "+ptx" + std::to_string(target.ptx)},
                          level, why);
  if (!machine)
    report.error(kCodegenFailed,
                 "no code generator for " + target.name + ": " + why,
                 "install LLVM with its NVPTX target");
  return machine;
}

void optimiseForPtx(llvm::Module &module, llvm::TargetMachine &machine,
                    unsigned level) {
  simt::setTarget(module, machine);
  simt::optimise(module, machine, level);
  guardShifts(module);
}

std::optional<std::string> writePtx(llvm::Module &module,
                                    llvm::TargetMachine &machine) {
  // Straight-line strength reduction takes a quarter of the time for PTX, and
  // ptxas makes as many instructions and registers of its result as without.
  simt::WithoutPasses without(module.getContext(), {"slsr"});
  std::string text;
  if (!simt::emitCode(module, machine, llvm::CodeGenFileType::AssemblyFile,
                      text))
    return std::nullopt;
  return respelled(text);
}

} // namespace tilewright::nvidia
