//===- Format.h - Python's format() of compile-time values ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For f-strings in messages and assembly text: the specifications of integers,
// floats and text that occur there.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_FORMAT_H
#define TILEWRIGHT_FRONTEND_SEMA_FORMAT_H

#include "frontend/sema/value/Value.h"

namespace tilewright::sema {

/// format(value, spec): [[fill]align][sign][#][0][width][.precision][type] with
/// types d x X o b f e g % s; nullopt when the spec does not fit the value.
std::optional<std::string> formatValue(const Value &value,
                                       llvm::StringRef spec);

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_FORMAT_H
