//===- Target.h - Which NVIDIA architecture to compile for ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `nvidia[:sm_NN[a|f]][+ptxNN]`, made explicit and checked against a table, so
// that code generation never meets an unknown name.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_NVIDIA_TARGET_H
#define TILEWRIGHT_BACKENDS_NVIDIA_TARGET_H

#include "backends/common/Report.h"
#include "backends/simt/SimtTarget.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::nvidia {

using namespace backend; // reports, records and artifacts of all backends

struct Target {
  unsigned number = 90;  ///< of the architecture, "sm_90a" is 90
  std::string processor; ///< "sm_90a", LLVM's and ptxas's name
  unsigned ptx = 80;     ///< version of the text, 10 * major + minor
  std::string name;      ///< resolved spelling, "nvidia:sm_90a"
  uint64_t sharedBytes = 0;
  bool isSpecific = false; ///< 'a': wgmma and the like exist
};

/// Makes `text` explicit; without an architecture it is sm_90a.
std::optional<Target> resolveTarget(llvm::StringRef text, Problem &problem);

/// "sm_75", ... for `list_targets`.
std::vector<std::string> knownArchitectures();

/// What the thread mapping must know, matrix atoms included.
simt::SimtTarget describe(const Target &target);

/// The `mma.sync` shapes of an architecture, with fragment layouts.
std::vector<simt::MatrixAtom> matrixAtoms(const Target &target);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_BACKENDS_NVIDIA_TARGET_H
