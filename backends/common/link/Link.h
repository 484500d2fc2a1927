//===- Link.h - Relocatable objects to a shared object ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs lld inside the process, on memory only: no file is made on disk.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_LINK_LINK_H
#define TILEWRIGHT_BACKENDS_COMMON_LINK_LINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tilewright::backend {

/// An ELF shared object, or nothing with lld's words in `why`. `flags` are
/// lld's besides -shared. Links run one at a time: lld keeps global state.
std::optional<std::string> linkObjects(llvm::ArrayRef<llvm::StringRef> objects,
                                       llvm::ArrayRef<const char *> flags,
                                       std::string &why);

} // namespace tilewright::backend

#endif // TILEWRIGHT_BACKENDS_COMMON_LINK_LINK_H
