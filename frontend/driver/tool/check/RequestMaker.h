//===- RequestMaker.h - What a compiler would ask a plugin -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles kernels of the kit up to the request that the plugin would get.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_CHECK_REQUESTMAKER_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_CHECK_REQUESTMAKER_H

#include "tilewright/compiler.h"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tilewright::tool {

class RequestMaker {
public:
  /// Uses these libraries before all others. Throws Failure, as make() does.
  explicit RequestMaker(const std::vector<std::string> &libraries);
  ~RequestMaker() { tw_compiler_release(compiler); }
  RequestMaker(const RequestMaker &) = delete;
  RequestMaker &operator=(const RequestMaker &) = delete;

  using Options = std::vector<std::pair<std::string, std::string>>;
  struct Made {
    std::string request;
    std::vector<std::string> decisions; ///< of overrides, one a call
  };
  Made make(const nlohmann::json &entry, const std::string &source,
            const std::string &target, const Options &options = {});

private:
  tw_compiler *compiler = nullptr;
};

/// "acme" and "4 ulp" of "'acme' (IR library, priority 0, 4 ulp)".
struct DecidedClaim {
  std::string provider, numerics;
  bool isTaken = false; ///< the others were not
};
/// The claims on `op` that decisions are about.
std::vector<DecidedClaim> claimsOf(const std::vector<std::string> &decisions,
                                   const std::string &op);

} // namespace tilewright::tool

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_CHECK_REQUESTMAKER_H
