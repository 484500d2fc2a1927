//===- Profiles.h - Which hardware is simulated -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `simulate[:<profile>]`: what the thread mapping is told, and whose hooks emit
// the kernel: the simulator's own or a vendor's.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_PROFILES_H
#define TILEWRIGHT_BACKENDS_SIMULATE_PROFILES_H

#include "backends/amd/Target.h"
#include "backends/common/Report.h"
#include "backends/simt/SimtTarget.h"
#include "backends/simulate/machine/LaneABI.h"

#include <optional>

namespace tilewright::simulate {

struct Profile {
  std::string arch; ///< "wave32"
  std::string name; ///< resolved spelling, "simulate:wave32"
  MatrixFamily family = MatrixFamily::Ptx;
  bool hasMatrixLoads = false; ///< ldmatrix
  bool hasAsyncCopies = true;
  simt::SimtTarget target;
  /// Set where the hooks are a vendor's own.
  std::optional<amd::Target> amd;
};

/// Reads a target; without a profile it is wave32.
std::optional<Profile> resolveProfile(llvm::StringRef text,
                                      backend::Problem &problem);

std::vector<std::string> knownProfiles();

} // namespace tilewright::simulate

#endif // TILEWRIGHT_BACKENDS_SIMULATE_PROFILES_H
