//===- Steps.h - Steps of a pipeline that may be left out -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The option `disable=NAME,NAME` and the stage "steps", which lists the names,
// are the same in all our plugins. A step is optional when code without it is
// slower and means the same: what disables a wrong one removes the fault.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_STEPS_H
#define TILEWRIGHT_BACKENDS_COMMON_STEPS_H

#include "backends/common/Report.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"

namespace tilewright::backend {

struct OptionalStep {
  llvm::StringLiteral name;
  llvm::StringLiteral before; ///< the stage whose text it starts from
  llvm::StringLiteral after;  ///< the stage whose text shows what it did
  llvm::StringLiteral what;   ///< for people
};

/// The steps of a pipeline in order, and those that a request left out.
class Steps {
public:
  explicit Steps(llvm::ArrayRef<OptionalStep> known) : known(known) {}

  /// Reads the option `disable`; on false, `problem` says what is refused.
  bool read(const tw_option &option, Problem &problem);
  bool isEnabled(llvm::StringRef name) const {
    return !disabled.contains(name);
  }
  /// The stage "steps": a JSON list of objects with the fields of OptionalStep.
  std::string json() const;

private:
  llvm::ArrayRef<OptionalStep> known;
  llvm::StringSet<> disabled;
};

} // namespace tilewright::backend

#endif // TILEWRIGHT_BACKENDS_COMMON_STEPS_H
