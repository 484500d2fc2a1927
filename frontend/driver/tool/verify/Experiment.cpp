//===- Experiment.cpp - What one row of verify runs -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which options and which rule hold for a target.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/verify/Experiment.h"

namespace tilewright::tool::verify {

Tolerance Experiment::rule() const {
  Tolerance bits;
  bits.isBits = true;
  return isPortable() && unordered.empty() ? bits : tolerance;
}

CommonOptions Experiment::optionsFor(const CommonOptions &common,
                                     const std::string &vendor) const {
  CommonOptions result = common;
  result.file = heading.file;
  result.source = source;
  result.kernel = heading.kernel;
  result.signature = signature;
  result.math = heading.math;
  result.check.clear(); // of the reference alone, see Runner.cpp
  result.options.clear();
  for (const std::string &option : heading.options) {
    size_t colon = option.find(':'), equals = option.find('=');
    if (colon == std::string::npos || colon > equals)
      result.options.push_back(option);
    else if (option.compare(0, colon, vendor) == 0)
      result.options.push_back(option.substr(colon + 1));
  }
  return result;
}

std::string vendorOf(const std::string &target) {
  return target.substr(0, target.find_first_of(":@+-"));
}

} // namespace tilewright::tool::verify
