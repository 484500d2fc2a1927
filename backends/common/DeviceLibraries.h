//===- DeviceLibraries.h - Device code of overrides -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM bitcode that a request brings, linked into what was generated. Functions
// of it are called for each element, by `kernel.extern_call`. Elements cross as
// LLVM has them, but bf16 and fp8 as integers of their bits.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_DEVICELIBRARIES_H
#define TILEWRIGHT_BACKENDS_COMMON_DEVICELIBRARIES_H

#include "backends/common/Report.h"
#include "tilewright/plugin.h"

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::backend {

/// The format that this code links.
inline constexpr llvm::StringLiteral kBitcodeFormat = "llvm.bc";

/// On the declaration of a function that a library has to have; the library.
inline constexpr llvm::StringLiteral kLibraryAttribute = "tw-library";

/// The names of a request's libraries.
std::vector<std::string> libraryNames(const tw_compile_request &request);

/// Links what `code` calls of the request's libraries into it, to be inlined
/// where it is called; functions are marked with kLibraryAttribute. The bitcode
/// may be for any target or none: it takes that of `code`. False after an
/// error: TW4116.
bool linkLibraries(llvm::Module &code, const tw_compile_request &request,
                   Report &report);

} // namespace tilewright::backend

#endif // TILEWRIGHT_BACKENDS_COMMON_DEVICELIBRARIES_H
