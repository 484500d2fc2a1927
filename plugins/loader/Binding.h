//===- Binding.h - When a library's calls are bound -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a library's dynamic section before it is opened.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_LOADER_BINDING_H
#define TILEWRIGHT_PLUGINS_LOADER_BINDING_H

#include <string>

namespace tilewright::plugins {

/// Whether the file is a library linked with `-z now`, whose undefined symbols
/// fail in dlopen whatever its flags; false for what is no such file.
bool isBoundNow(const std::string &path);

} // namespace tilewright::plugins

#endif // TILEWRIGHT_PLUGINS_LOADER_BINDING_H
