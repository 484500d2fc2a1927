//===- Assemble.h - From PTX to a cubin -------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's assembler, where there is one: libnvJitLink (in this process) or the
// ptxas program. Without either the artifact holds PTX, which every driver
// assembles when it loads the module.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_ASSEMBLE_H
#define TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_ASSEMBLE_H

#include "backends/nvidia/Target.h"

#include "llvm/ADT/StringMap.h"

namespace tilewright::nvidia {

/// Which assembler a request may use.
struct AssemblerOptions {
  /// "auto": the first that exists; "none": keep PTX; "nvjitlink", "ptxas", or
  /// the path of a ptxas program.
  std::string choice = "auto";
  unsigned level = 3;
};

/// What the assembler says of one kernel.
struct AssembledKernel {
  unsigned registers = 0;
  uint64_t spillBytes = 0; ///< stored
  uint64_t staticSharedBytes = 0;
};

struct Assembled {
  std::string cubin;
  std::string tool; ///< "ptxas 13.0"
  std::string log;  ///< in the assembler's words
  llvm::StringMap<AssembledKernel> kernels;
};

/// None when no assembler is to be used or none exists (`report` is silent), or
/// when it refuses the text (`report` has an error).
std::optional<Assembled> assemble(llvm::StringRef ptx, const Target &target,
                                  const AssemblerOptions &options,
                                  Report &report);

/// Begins to find out what `assemblerName` says, and does not wait for it.
void beginNaming(const AssemblerOptions &options);

/// What would assemble, for the fingerprint: "ptxas 13.0", or "none".
std::string assemblerName(const AssemblerOptions &options);

/// Reads registers, spills and shared memory out of an assembler's verbose log.
void readResources(llvm::StringRef log, Assembled &assembled);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_ASSEMBLE_H
