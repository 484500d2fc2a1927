//===- Codegen.h - From a kernel's LLVM module to text or object *- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimiser and emission, the same for every GPU target. The optimiser always
// runs with the real target machine: without it LLVM does not know that
// branches diverge, and moves code across points where threads meet.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_CODEGEN_CODEGEN_H
#define TILEWRIGHT_BACKENDS_SIMT_CODEGEN_CODEGEN_H

#include "backends/simt/codegen/Machines.h"

#include "llvm/Support/CodeGen.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::simt {

/// Gives the module the machine's triple and data layout.
void setTarget(llvm::Module &module, const llvm::TargetMachine &machine);

/// Whether all passes of a level run before code generation, or only those of
/// level 1, because the target's code generator numbers values, hoists and
/// sinks once more; for a kernel without functions those of BriefPipeline.h.
enum class Effort : uint8_t { Full, Brief };

/// LLVM's default pipeline of level 0 to 3. Loops are unrolled only at level 3
/// or where they are marked: layouts have unrolled what is worth it. Targets
/// whose divergence LLVM does not know get level 1 at most: their drivers
/// optimise again.
void optimise(llvm::Module &module, llvm::TargetMachine &machine,
              unsigned level, Effort effort = Effort::Full);

/// Appends assembly or an object; false if the target cannot emit it. Changes
/// the module.
bool emitCode(llvm::Module &module, llvm::TargetMachine &machine,
              llvm::CodeGenFileType kind, std::string &out);

/// Appends an object like `emitCode`, with passes that the machine keeps. After
/// an error in the module's context the keeper's `emission` must not be used
/// again.
bool emitObject(llvm::Module &module, Machine &machine, std::string &out);

/// The module as text.
std::string printModule(const llvm::Module &module);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_CODEGEN_CODEGEN_H
