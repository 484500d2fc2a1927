//===- SystemCompiler.h - The C compiler of this machine --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs it as a process: source in, shared library out.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEMPLATE_SYSTEMCOMPILER_H
#define TILEWRIGHT_TEMPLATE_SYSTEMCOMPILER_H

#include <string>

namespace tilewright::template_ {

/// The shared library made from a text of C. Throws sdk::Refusal: TW4170 if
/// there is no such compiler, TW4171 if it refuses the text.
std::string buildLibrary(const std::string &compiler, const std::string &text);

/// What the compiler says about itself, one line; empty if it cannot be run.
std::string compilerVersion(const std::string &compiler);

} // namespace tilewright::template_

#endif // TILEWRIGHT_TEMPLATE_SYSTEMCOMPILER_H
