//===- CachedCompile.h - Compile, or find it done ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The path of a compile request with a cache: every host takes it.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_CACHE_CACHEDCOMPILE_H
#define TILEWRIGHT_FRONTEND_DRIVER_CACHE_CACHEDCOMPILE_H

#include "frontend/driver/cache/Store.h"

#include <memory>

namespace tilewright::driver::cache {

/// Takes `option` if it is one of the cache's: cache_folder, cache_shared,
/// cache_megabytes. False with a problem if its value is wrong.
bool readCacheOption(const tw_option &option, Settings &settings, bool &isTaken,
                     Problem &problem);

/// As compileSource, from the store where it has the artifact; a `store` of
/// null has none. The output says whether it came from there.
void compileCached(Backends &backends, Store *store,
                   const tw_compile_input &input, CompileOutput &output);

/// JSON: the key of a request, whether the store has it, and how the nearest
/// entry differs. Nothing but diagnostics where the request has no key.
std::string explainRequest(Backends &backends, Store &store,
                           const tw_compile_input &input);

/// The entry of the folders that differs least from a key in its parts, of the
/// same kernel; nullopt without one.
std::optional<Key> findNearest(const std::vector<std::string> &folders,
                               const Key &key);

} // namespace tilewright::driver::cache

#endif // TILEWRIGHT_FRONTEND_DRIVER_CACHE_CACHEDCOMPILE_H
