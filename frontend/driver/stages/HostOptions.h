//===- HostOptions.h - Options that the compiler takes itself ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which options of a compile end in the host, and which the artifact records.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_STAGES_HOSTOPTIONS_H
#define TILEWRIGHT_FRONTEND_DRIVER_STAGES_HOSTOPTIONS_H

#include "plugins/loader/Problem.h"
#include "runtime/artifact/Artifact.h"

#include <algorithm>
#include <iterator>

namespace tilewright::driver {

/// Options that end here; plugins never see them.
inline constexpr const char *hostOptions[] = {
    "debug", "enable_fp_fusion", "ir",          "overrides",      "pin_op",
    "raise", "ranges",           "target_info", "trace_overrides"};
/// Those of them that do not change what becomes of a kernel by themselves: how
/// the IR travels, and which overrides are chosen (the artifact says which).
inline constexpr const char *silentOptions[] = {"ir", "overrides", "pin_op",
                                                "trace_overrides"};

template <size_t N>
bool isOneOf(const char *const (&list)[N], const tw_option &option) {
  return std::find(std::begin(list), std::end(list), toString(option.key)) !=
         std::end(list);
}

inline artifact::OptionValue optionValue(const tw_option &option) {
  switch (option.kind) {
  case TW_VALUE_INT:
    return option.integer;
  case TW_VALUE_FLOAT:
    return option.number;
  default:
    return toString(option.text);
  }
}

} // namespace tilewright::driver

#endif // TILEWRIGHT_FRONTEND_DRIVER_STAGES_HOSTOPTIONS_H
