//===- RequestKey.h - The key of a compile request --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that can change an artifact is in the key: the text with all that
// it imports, what was captured, the signature, the options, the target with
// what its plugin says of it, and the code of compiler and plugin.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_CACHE_REQUESTKEY_H
#define TILEWRIGHT_FRONTEND_DRIVER_CACHE_REQUESTKEY_H

#include "frontend/driver/CompileSession.h"
#include "frontend/driver/cache/Key.h"

#include <set>

namespace tilewright::driver::cache {

struct RequestKey {
  Key key;
  std::string target; // resolved
  /// Files that the key covers; an artifact made from others is not kept.
  std::set<std::string> files;
};

/// Whether artifacts of such requests are kept: those that ask for stage texts
/// or for a form of the IR want to see the compiler work.
bool isCacheable(const tw_compile_input &input);

/// Nothing where compiling will fail too, or where the code that compiles
/// cannot be identified.
std::optional<RequestKey> makeKey(Backends &backends,
                                  const tw_compile_input &input);

} // namespace tilewright::driver::cache

#endif // TILEWRIGHT_FRONTEND_DRIVER_CACHE_REQUESTKEY_H
