//===- Link.h - Relocatable object to shared object -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs lld inside the process, on memory only: no file is made on disk.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_CODEGEN_LINK_H
#define TILEWRIGHT_BACKENDS_CPU_CODEGEN_LINK_H

#include "backends/cpu/Target.h"

#include <string>

namespace tilewright::cpu {

/// Links `object` into an ELF shared object without undefined symbols. Reports
/// failures itself. Links run one at a time: lld keeps global state.
std::optional<std::string>
linkSharedObject(llvm::StringRef object, const Target &target, Report &report);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_CODEGEN_LINK_H
