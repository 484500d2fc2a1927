//===- Header.h - A bundle as a C header ------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of a bundle and a function of its kernel's arguments, for C11 and
// C++17.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_BUNDLE_HEADER_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_BUNDLE_HEADER_H

#include <string>
#include <vector>

namespace tilewright::tool {

/// A run-time argument as the manifest of an artifact describes it.
struct RuntimeArgument {
  std::string name, dtype;
  bool isPointer;
  bool operator==(const RuntimeArgument &other) const {
    return name == other.name && dtype == other.dtype &&
           isPointer == other.isPointer;
  }
};

struct HeaderContent {
  std::string kernel;
  std::string variants; ///< for people, a line each
  std::vector<RuntimeArgument> arguments;
};

/// A parameter keeps its name unless C, C++ or the header give that another
/// meaning: `int` becomes `int_`.
std::string renderHeader(const HeaderContent &content,
                         const std::string &bytes);

} // namespace tilewright::tool

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_BUNDLE_HEADER_H
