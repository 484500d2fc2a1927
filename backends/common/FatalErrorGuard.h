//===- FatalErrorGuard.h - Surviving LLVM's fatal errors --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's fatal-error handler may not return. Work runs on a thread of its own;
// if LLVM gives up there, that thread stops for ever (its memory is lost) and
// the caller goes on with the message.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_FATALERRORGUARD_H
#define TILEWRIGHT_BACKENDS_COMMON_FATALERRORGUARD_H

#include <functional>
#include <optional>
#include <string>

namespace tilewright::backend {

/// Runs `work` to its end, or returns LLVM's fatal message. After a message
/// nothing that `work` uses may be freed: pass it by shared ownership.
std::optional<std::string> runGuarded(std::function<void()> work);

} // namespace tilewright::backend

#endif // TILEWRIGHT_BACKENDS_COMMON_FATALERRORGUARD_H
