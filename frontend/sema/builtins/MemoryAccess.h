//===- MemoryAccess.h - What memory operations share ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments that loads, stores and atomics have in common.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_BUILTINS_MEMORYACCESS_H
#define TILEWRIGHT_FRONTEND_SEMA_BUILTINS_MEMORYACCESS_H

#include "frontend/sema/Interpreter.h"

#include "dialects/kernel/KernelDialect.h"

namespace tilewright::sema {

struct AccessHints {
  kernel::CacheHint cache;
  kernel::EvictionHint eviction;
};

/// Reads cache_modifier and eviction_policy; nullopt after an error.
std::optional<AccessHints> accessHints(Interpreter &in, const CallArgs &args);
/// Reports an argument that is no pointer.
bool checkPointer(Interpreter &in, const CallArgs &args, llvm::StringRef name);
/// The argument `mask` broadcast to the shape; None when there is none.
Value maskFor(Interpreter &in, const CallArgs &args, Shape shape);
Value loadBlockPointer(Interpreter &in, CallArgs &args);
Value storeBlockPointer(Interpreter &in, CallArgs &args);

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_BUILTINS_MEMORYACCESS_H
