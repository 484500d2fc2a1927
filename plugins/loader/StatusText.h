//===- StatusText.h - Statuses for people -----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a plugin that gives a status and no diagnostic.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_LOADER_STATUSTEXT_H
#define TILEWRIGHT_PLUGINS_LOADER_STATUSTEXT_H

#include <cstdint>
#include <string>

namespace tilewright::plugins {

/// "status 13: internal error of the plugin"; the number alone where it has no
/// meaning of its own.
std::string statusText(int32_t status);

} // namespace tilewright::plugins

#endif // TILEWRIGHT_PLUGINS_LOADER_STATUSTEXT_H
