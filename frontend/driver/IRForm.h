//===- IRForm.h - In which form Kernel IR goes to a plugin ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin names the forms that it reads, the host picks one of them, a compile
// option forces one.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_IRFORM_H
#define TILEWRIGHT_FRONTEND_DRIVER_IRFORM_H

#include "frontend/driver/CompileSession.h"

namespace tilewright::driver {

struct IRForm {
  bool isPortable = false;
  uint32_t version = 1;
  std::string format; ///< as tw_compile_request has it
};

/// The forms that a plugin reads.
struct IRForms {
  bool readsExact = false;                   ///< of this build
  uint32_t portableMin = 0, portableMax = 0; ///< 0, 0: none
};

/// Reads the answer to TW_CAP_IR_FORMATS, one form a line; unknown ones are
/// skipped.
IRForms parseIRForms(llvm::StringRef text);

/// Picks a form: `wanted` is the option `ir` ("", "auto", "exact", "portable"
/// or "portable:<version>"). Left to itself, the host takes the exact form
/// where it can and else the newest version that both know. False with a
/// problem: TW4106 another value, TW5017 no form that both know.
bool chooseIRForm(const Backends::Backend &backend, const std::string &target,
                  llvm::StringRef wanted, IRForm &form, Problem &problem);
bool chooseIRForm(const IRForms &forms, llvm::StringRef wanted, IRForm &form,
                  Problem &problem);

} // namespace tilewright::driver

#endif // TILEWRIGHT_FRONTEND_DRIVER_IRFORM_H
