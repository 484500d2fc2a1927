//===- Options.h - Settings of one CPU compilation --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The typed options of a compile request.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_OPTIONS_H
#define TILEWRIGHT_BACKENDS_CPU_OPTIONS_H

#include "backends/cpu/lower/Pipeline.h"

namespace tilewright::cpu {

using namespace backend; // reports, records and artifacts of all backends

struct CompileOptions {
  std::string math;        ///< empty: what the IR says, else accurate
  bool wantObject = false; ///< also return the relocatable object
  /// LLVM's level. The loops come vectorised and unrolled: 3 costs a fifth more
  /// time than 2 and has not made a kernel faster.
  unsigned optimise = 2;
  Steps steps{optionalSteps()}; ///< what `disable` left
};

/// Reads the request's options. Keys that only matter to GPUs are checked and
/// ignored, unknown ones are an error when they must be understood.
std::optional<CompileOptions> readOptions(const tw_option *options,
                                          uint64_t count, Problem &problem);

/// Text for the plugin's fingerprint: option names and defaults.
llvm::StringRef optionDefaults();

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_OPTIONS_H
