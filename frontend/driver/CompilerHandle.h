//===- CompilerHandle.h - What a tw_compiler is -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the files that implement the C interfaces.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_COMPILERHANDLE_H
#define TILEWRIGHT_FRONTEND_DRIVER_COMPILERHANDLE_H

#include "frontend/driver/CompileSession.h"
#include "frontend/driver/cache/CachedCompile.h"

#include <optional>

struct tw_compiler {
  tw_compiler(tilewright::plugins::SearchPlaces places,
              tilewright::driver::OptionList options,
              tilewright::driver::IsolationSettings isolation)
      : backends(std::move(places), std::move(options), std::move(isolation)) {}

  tilewright::driver::Backends backends;
  /// Unset without a cache.
  std::optional<tilewright::driver::cache::Store> store;
};

#endif // TILEWRIGHT_FRONTEND_DRIVER_COMPILERHANDLE_H
