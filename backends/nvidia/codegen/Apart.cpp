//===- Apart.cpp - PTX of several kernels at once ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules and contexts of LLVM belong to one thread; so does all of a Part
// until its thread ends, or for ever if LLVM gives up there.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/codegen/Apart.h"

#include "backends/common/FatalErrorGuard.h"
#include "backends/nvidia/codegen/Ptx.h"
#include "backends/simt/codegen/Split.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using llvm::StringRef;

namespace tilewright::nvidia {

static constexpr uint32_t kCodegenFailed = 4111;

struct KernelsApart::Part {
  simt::Bitcode bitcode;
  Target target;
  unsigned level;
  std::string ptx; ///< empty if LLVM cannot write it

  void generate() {
    Report none(nullptr); // the first kernel's machine exists, so will this one
    simt::Machine machine = createMachine(target, level, none);
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> module = simt::readKernel(bitcode, context);
    optimiseForPtx(*module, *machine, level);
    if (std::optional<std::string> text = writePtx(*module, *machine))
      ptx = std::move(*text);
  }
};

KernelsApart::KernelsApart(llvm::Module &module, const Target &target,
                           unsigned level) {
  for (simt::Bitcode &bitcode : simt::splitKernels(module)) {
    auto part = std::make_shared<Part>(
        Part{std::move(bitcode), target, level, /*ptx=*/{}});
    parts.push_back(part);
    fatal.push_back(std::async(std::launch::async, [part] {
      return runGuarded([part] { part->generate(); });
    }));
  }
}

bool KernelsApart::appendTo(std::string &ptx, Report &report) {
  for (auto [part, message] : llvm::zip_equal(parts, fatal)) {
    if (std::optional<std::string> reason = message.get()) {
      report.error(kCodegenFailed, "the code generator gave up: " + *reason,
                   "report this kernel; another target may do");
      return false;
    }
    if (part->ptx.empty()) {
      report.error(kCodegenFailed,
                   "LLVM cannot write PTX for " + part->target.name);
      return false;
    }
    appendPtx(ptx, part->ptx);
  }
  return true;
}

void appendPtx(std::string &ptx, StringRef other) {
  StringRef rest = other.split(".address_size").second.split('\n').second;
  while (!rest.empty()) {
    auto [line, next] = rest.split('\n');
    if (line.starts_with(".visible .entry"))
      break;
    if (!line.starts_with(".extern") || !StringRef(ptx).contains(line))
      ptx += (line + "\n").str();
    rest = next;
  }
  ptx += rest;
}

} // namespace tilewright::nvidia
