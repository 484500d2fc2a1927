//===- NameList.h - The functions of the language, listed -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For people and for the tests of the documentation.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_NAMELIST_H
#define TILEWRIGHT_FRONTEND_SEMA_NAMELIST_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilewright::sema {

/// The functions whose names start with `prefix` ("tl.", "libdevice."), one a
/// line with their parameters.
std::string listNames(llvm::StringRef prefix);

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_NAMELIST_H
