//===- Validate.h - SPIRV-Tools' verdict on a module ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No module leaves the compiler unread by the validator.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SPIRV_CODEGEN_VALIDATE_H
#define TILEWRIGHT_BACKENDS_SPIRV_CODEGEN_VALIDATE_H

#include "backends/spirv/codegen/Words.h"

namespace tilewright::spirv {

/// What is wrong with a module of SPIR-V `version` (12 is 1.2); empty if it is
/// valid.
std::string validate(const Words &words, unsigned version);

/// The module as text, as spirv-dis prints it; empty if it is malformed.
std::string disassemble(const Words &words, unsigned version);

/// Declared extensions that the validator does not know.
std::vector<std::string> unknownExtensions(const Words &words);

/// Version of the validator, for the artifact.
std::string validatorVersion();

} // namespace tilewright::spirv

#endif // TILEWRIGHT_BACKENDS_SPIRV_CODEGEN_VALIDATE_H
