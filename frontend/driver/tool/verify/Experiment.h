//===- Experiment.h - What one row of verify runs ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel with values for all its arguments and the rule that judges what it
// writes. Rows come from the command line or from a manifest.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_EXPERIMENT_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_EXPERIMENT_H

#include "frontend/driver/tool/Session.h"
#include "frontend/driver/tool/verify/Comparison.h"

#include <map>
#include <optional>

namespace tilewright::tool::verify {

struct Experiment {
  Row heading;        ///< without cells
  std::string source; ///< the text itself; empty: what `heading.file` holds
  std::string signature;
  std::vector<std::string> extras; ///< arrays behind tables of addresses
  /// Arrays that the kernel may write; empty: those that it writes on the
  /// reference.
  std::vector<std::string> outputs;
  Tolerance tolerance; ///< in modes other than portable
  /// Why portable mode need not give the same bits; empty: it has to.
  std::string unordered;
  /// Vendor -> why the kernel is not run there.
  std::map<std::string, std::string> excuses;
  /// Array -> .npy file that it has to equal besides.
  std::map<std::string, std::string> expected;

  bool isPortable() const { return heading.math == "portable"; }
  /// The rule for what a target writes.
  Tolerance rule() const;
  /// The options of a compile for a target of `vendor`: entries of the form
  /// `vendor:KEY=VALUE` hold for it alone.
  CommonOptions optionsFor(const CommonOptions &common,
                           const std::string &vendor) const;
};

/// "nvidia" of "nvidia:sm_90a@1".
std::string vendorOf(const std::string &target);

} // namespace tilewright::tool::verify

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_EXPERIMENT_H
