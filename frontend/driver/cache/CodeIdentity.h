//===- CodeIdentity.h - Which build is this? --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names the machine code that makes artifacts, so that an entry of another
// build of the compiler, of LLVM or of a plugin is never taken.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_CACHE_CODEIDENTITY_H
#define TILEWRIGHT_FRONTEND_DRIVER_CACHE_CODEIDENTITY_H

#include <string>

namespace tilewright::driver::cache {

/// The build id that the linker computed from the file's content, else a digest
/// of the content; empty where the file cannot be read.
std::string identityOfFile(const std::string &path);

/// Of this library and of LLVM's and MLIR's; empty where one is not known.
std::string identityOfCompiler();

} // namespace tilewright::driver::cache

#endif // TILEWRIGHT_FRONTEND_DRIVER_CACHE_CODEIDENTITY_H
