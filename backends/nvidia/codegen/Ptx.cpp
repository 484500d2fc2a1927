//===- Ptx.cpp - From an LLVM module to PTX ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target machine. Processor and PTX version come from a checked table: an
// unknown one would end the process. And what assemblers get wrong, avoided in
// the text: LLVM has many ways to arrive at an instruction.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/codegen/Ptx.h"

#include "backends/simt/codegen/Codegen.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

std::unique_ptr<llvm::TargetMachine>
createMachine(const Target &target, unsigned level, Report &report) {
  initialise();
  std::string why;
  std::unique_ptr<llvm::TargetMachine> machine =
      simt::createMachine({"nvptx64-nvidia-cuda", target.processor,
                           "+ptx" + std::to_string(target.ptx)},
                          level, why);
  if (!machine)
    report.error(kCodegenFailed,
                 "no code generator for " + target.name + ": " + why,
                 "install LLVM with its NVPTX target");
  return machine;
}

namespace {
/// How an instruction is written instead: `$0` and `$1` are its operands.
struct Spelling {
  llvm::StringRef opcode, instead;
};
} // namespace

static constexpr Spelling kSpellings[] = {
    {"sub.s16", "sub.u16 \t$0, $1"}, // both sources
    {"neg.s16", "sub.u16 \t$0, 0, $1"},
    {"abs.s16", "{ .reg .b32 %wide; cvt.s32.s16 %wide, $1; abs.s32 %wide, "
                "%wide; cvt.u16.u32 $0, %wide; }"},
};

/// Appends `text` with its operands.
static void append(std::string &out, llvm::StringRef text, llvm::StringRef d,
                   llvm::StringRef sources) {
  while (!text.empty()) {
    size_t dollar = text.find('$');
    out += text.take_front(dollar).str();
    if (dollar == llvm::StringRef::npos)
      return;
    out += (text[dollar + 1] == '0' ? d : sources).str();
    text = text.drop_front(dollar + 2);
  }
}

std::string withWrappingHalves(llvm::StringRef ptx) {
  std::string out;
  out.reserve(ptx.size());
  while (!ptx.empty()) {
    auto [line, rest] = ptx.split('\n');
    llvm::StringRef body = line.ltrim();
    llvm::StringRef opcode = body.take_until(llvm::isSpace);
    const Spelling *found = llvm::find_if(
        kSpellings, [&](const Spelling &s) { return s.opcode == opcode; });
    llvm::StringRef operands = body.drop_front(opcode.size());
    if (found == std::end(kSpellings) || !operands.ends_with(";")) {
      out += line.str();
    } else {
      auto [d, sources] = operands.drop_back().split(',');
      out += line.take_while([](char c) { return c == '\t'; }).str();
      append(out, found->instead, d.trim(), sources.trim());
      out += found->instead.ends_with("}") ? "" : ";";
    }
    if (!rest.empty() || ptx.ends_with("\n"))
      out += '\n';
    ptx = rest;
  }
  return out;
}

} // namespace tilewright::nvidia
