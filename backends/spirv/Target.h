//===- Target.h - Which OpenCL device to compile for ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `spirv[:opencl<version>][+feature|-feature]*[@device]`, made explicit. A bare
// target is the attached device, or OpenCL 2.0 where there is none.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SPIRV_TARGET_H
#define TILEWRIGHT_BACKENDS_SPIRV_TARGET_H

#include "backends/common/Report.h"
#include "backends/simt/SimtTarget.h"
#include "backends/spirv/opencl/Traits.h"

#include <optional>

namespace tilewright::spirv {

using namespace backend; // reports, records and artifacts of all backends

struct Target {
  opencl::Traits traits;
  bool emulatesAtoms = false; ///< of m16n8k16, for tests
  std::string name;           ///< resolved spelling

  /// LLVM's triple, with the version of SPIR-V.
  std::string triple() const;
  simt::SimtTarget describe() const;
};

std::optional<Target> resolveTarget(llvm::StringRef text, Problem &problem);

/// Versions and features, one a line, for `list_targets`.
std::vector<std::string> knownTargets();

} // namespace tilewright::spirv

#endif // TILEWRIGHT_BACKENDS_SPIRV_TARGET_H
