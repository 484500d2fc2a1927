//===- Utf8.h - Texts that plugins give -------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON and Python take UTF-8 only, a plugin may give any bytes.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_LOADER_UTF8_H
#define TILEWRIGHT_PLUGINS_LOADER_UTF8_H

#include "tilewright/base.h"

#include <string>
#include <string_view>

namespace tilewright::plugins {

bool isUtf8(std::string_view text);

/// UTF-8 without control characters but line feeds and tabs: a zero byte ends
/// texts early, an escape sequence moves a terminal's cursor.
bool isText(std::string_view text);

/// A text for people: what is none becomes U+FFFD.
std::string readable(tw_str text);

} // namespace tilewright::plugins

#endif // TILEWRIGHT_PLUGINS_LOADER_UTF8_H
