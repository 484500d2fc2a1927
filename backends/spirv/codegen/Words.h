//===- Words.h - SPIR-V modules as words ------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and rewriting of finished modules: what LLVM's target leaves to be
// said differently, texts for the driver, and what a module asks of a device.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SPIRV_CODEGEN_WORDS_H
#define TILEWRIGHT_BACKENDS_SPIRV_CODEGEN_WORDS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tilewright::spirv {

using Words = std::vector<uint32_t>;

/// The words of a module, or none if it is not one.
Words readWords(llvm::StringRef bytes);
std::string writeWords(const Words &words);

/// Calls `visit` with the index of every instruction, its operation and its
/// words.
void forEachInstruction(
    const Words &words,
    const std::function<void(size_t at, uint32_t op, size_t length)> &visit);

/// Zeros of scalar types become ordinary constants: older readers know
/// OpConstantNull for aggregates only.
void rewriteScalarNulls(Words &words);

/// Adds the texts as OpString, see driver/KernelABI.h.
void addTexts(Words &words, const std::set<std::string> &texts);

/// Names of the extensions that a module declares.
std::set<std::string> readExtensions(const Words &words);
/// Numbers of the capabilities that a module declares.
std::set<uint32_t> readCapabilities(const Words &words);

} // namespace tilewright::spirv

#endif // TILEWRIGHT_BACKENDS_SPIRV_CODEGEN_WORDS_H
