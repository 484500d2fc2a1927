//===- Compile.h - Requests and artifacts of a compiler plugin --*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every compiler that reads tw.portable does with a request before it
// generates code, and with what it made after. Refusals are thrown inside the
// plugin; compileRequest turns them into diagnostics and statuses.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_SDK_COMPILE_H
#define TILEWRIGHT_SDK_COMPILE_H

#include "tilewright/plugin.h"
#include "tilewright/sdk/Records.h"
#include "tilewright/sdk/Tree.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::sdk {

/// Why a request is not compiled. With a code it is reported, at the place of
/// the operation if there is one.
struct Refusal {
  int32_t status = TW_E_DIAGNOSED;
  uint32_t code = 0;
  std::string message; ///< "expected X, got Y"
  std::string hint;    ///< the next step
  const Op *at = nullptr;
  std::vector<std::string> notes; ///< reported behind it
};

/// Refuses an operation that the target does not have (TW4160).
[[noreturn]] void refuseOperation(const Op &op, const std::string &target,
                                  const std::string &reason,
                                  const std::string &hint);

/// A request whose IR was read and whose options are known.
struct Request {
  std::unique_ptr<Module> module;
  std::vector<const Op *> kernels; ///< func.func, in the order of the IR
  bool isFastMath = false;
  /// Text options of the vendor's own that were given.
  std::vector<std::pair<std::string, std::string>> options;
  const tw_compile_request *given = nullptr;

  /// Throws if the host has cancelled; called between phases.
  void poll() const;
  bool wantsStage(const char *name) const;
  /// A text option of the vendor's own.
  std::string option(const char *name, const char *otherwise) const;
};

/// What a compile gives.
struct Artifact {
  std::string format, compat, payload;
  std::vector<KernelRecord> kernels;
  std::vector<std::pair<std::string, std::string>> stages;
  std::vector<std::string> overrides; ///< claims that were used
  std::vector<std::pair<std::string, std::string>> tools;
};

using CompileFunction = std::function<void(const Request &, Artifact &)>;

/// The COMPILE table's `compile`: reads the request, which has to be for
/// `vendor` and may have the text options `own`, calls `body`, writes the
/// response. No exception leaves it.
int32_t compileRequest(const char *vendor, const std::vector<const char *> &own,
                       const tw_compile_request *given,
                       tw_compile_response *response,
                       const CompileFunction &body);

/// Calls `visit` for an operation and all inside it, outermost first.
void walk(const Op &op, const std::function<void(const Op &)> &visit);

inline void write(const tw_writer &out, const std::string &text) {
  out.write(out.ctx, text.data(), text.size());
}

} // namespace tilewright::sdk

#endif // TILEWRIGHT_SDK_COMPILE_H
