//===- Options.h - Settings of one GPU compilation --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that every GPU target has; a vendor's own are kept as given.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_COMPILE_OPTIONS_H
#define TILEWRIGHT_BACKENDS_SIMT_COMPILE_OPTIONS_H

#include "backends/simt/Pipeline.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

namespace tilewright::simt {

/// An option of one vendor: an integer in a range, or a text.
struct VendorOption {
  const char *name;
  bool isText = false;
  int64_t min = 0;
  int64_t max = 0;
};

struct CompileOptions {
  std::string math; ///< empty: what the IR says, else accurate
  unsigned numWarps = 4;
  unsigned numStages = 3;
  unsigned numCtas = 1;
  unsigned maxRegisters = 0; ///< of a thread; 0: no limit
  unsigned optimise = 3;     ///< LLVM's level
  /// "simt": nothing is generated once shared memory is allocated.
  std::string stopAfter;
  backend::Steps steps{optionalSteps()}; ///< what `disable` left
  llvm::StringMap<int64_t> integers; ///< the vendor's, those that were given
  llvm::StringMap<std::string> texts;
};

/// Reads a request's options. Unknown ones are another target's, and an error
/// only when they must be understood.
std::optional<CompileOptions>
readOptions(const tw_option *options, uint64_t count, llvm::StringRef vendor,
            llvm::ArrayRef<VendorOption> more, backend::Problem &problem);

/// Names and defaults, for the plugin's fingerprint.
llvm::StringRef optionDefaults();

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_COMPILE_OPTIONS_H
