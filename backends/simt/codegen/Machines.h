//===- Machines.h - LLVM's target machines, kept between compiles -*- C++ -*-=//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target machine caches what it computes of its registers and processors,
// which for AMD takes longer than the code of a small kernel. One compile at a
// time has a machine; afterwards it waits for the next of the same names, and
// so do the passes that were made for it.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_CODEGEN_MACHINES_H
#define TILEWRIGHT_BACKENDS_SIMT_CODEGEN_MACHINES_H

#include "backends/simt/codegen/Emission.h"

#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace tilewright::simt {

/// LLVM's names of what to generate code for. The caller has initialised the
/// target and checked the names.
struct MachineNames {
  std::string triple;
  std::string processor;
  std::string features;
  bool isMovable = false; ///< code runs wherever it is loaded to
};

/// Keeps a machine that is no longer used, and its passes to an object.
struct MachineKeeper {
  std::string key;
  std::unique_ptr<Emission> emission; ///< null until it is needed
  void operator()(llvm::TargetMachine *machine);
};

/// A machine that no other thread uses. It must not outlive the program's
/// static objects. Who saw an error in what its passes made resets `emission`.
using Machine = std::unique_ptr<llvm::TargetMachine, MachineKeeper>;

/// Null with the reason in `why`. Floating-point operations are fused only
/// where they carry the `contract` flag.
Machine createMachine(const MachineNames &names, unsigned level,
                      std::string &why);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_CODEGEN_MACHINES_H
