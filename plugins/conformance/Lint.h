//===- Lint.h - What can be said of a plugin's file -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules TWB-1xx that need no loading, from the ELF headers.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_CONFORMANCE_LINT_H
#define TILEWRIGHT_PLUGINS_CONFORMANCE_LINT_H

#include "plugins/conformance/Rules.h"

namespace tilewright::conformance {

/// Findings about every static rule; all failed with the reason if the file
/// cannot be read as a shared library. `glibc` is the newest version of the C
/// library that may be needed ("2.28"), empty for any.
std::vector<Finding> lintLibrary(const std::string &path,
                                 const std::string &glibc);

/// Names of the libraries that a library is linked against.
std::vector<std::string> neededLibraries(const std::string &path);

} // namespace tilewright::conformance

#endif // TILEWRIGHT_PLUGINS_CONFORMANCE_LINT_H
