//===- RequestMaker.cpp - What a compiler would ask a plugin -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage "request" of a compile, and the remarks about overrides.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/check/RequestMaker.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/Session.h"

#include "llvm/ADT/StringExtras.h"

namespace tilewright::tool {

RequestMaker::RequestMaker(const std::vector<std::string> &libraries) {
  std::vector<tw_str> paths;
  for (const std::string &library : libraries)
    paths.push_back(toStr(library));
  tw_compiler_config config = {};
  config.size = sizeof config;
  config.plugin_paths = paths.data();
  config.plugin_path_count = paths.size();
  std::string error;
  if (tw_compiler_create(&config, appendTo(error), &compiler) != TW_OK)
    throw Failure(5001, error);
}

RequestMaker::Made RequestMaker::make(const nlohmann::json &entry,
                                      const std::string &source,
                                      const std::string &target,
                                      const Options &options) {
  std::string name = entry["kernel"], signature = entry["signature"];
  tw_str stage = tw_string("request");
  std::vector<tw_option> list;
  for (const auto &[key, value] : options) {
    tw_option option = {};
    option.key = toStr(key);
    option.kind = TW_VALUE_TEXT;
    option.text = toStr(value);
    list.push_back(option);
  }
  tw_option trace = {};
  trace.key = tw_string("trace_overrides");
  trace.kind = TW_VALUE_INT;
  trace.integer = 1;
  list.push_back(trace);
  tw_compile_input input = {};
  input.size = sizeof input;
  input.source = toStr(source);
  input.file_name = tw_string("kernels.py");
  input.kernel = toStr(name);
  input.signature = toStr(signature);
  input.target = toStr(target);
  input.stages = &stage;
  input.stage_count = 1;
  input.options = list.data();
  input.option_count = list.size();
  const tw_compile_result *raw = nullptr;
  int32_t status = tw_compile(compiler, &input, &raw);
  Result result(raw);
  if (status != TW_OK || !result || result->stage_count != 1)
    throw Failure(5001, result && result->diagnostic_count
                            ? toString(result->diagnostics[0]->message)
                            : "status " + std::to_string(status));
  Made made{toString(result->stages[0].text), {}};
  for (uint64_t i = 0; i < result->remark_count; ++i) {
    std::string text = toString(result->remarks[i]->message);
    if (llvm::StringRef rest(text); rest.consume_front("override: "))
      made.decisions.push_back(rest.str());
  }
  return made;
}

std::vector<DecidedClaim> claimsOf(const std::vector<std::string> &decisions,
                                   const std::string &op) {
  std::vector<DecidedClaim> claims;
  for (llvm::StringRef decision : decisions) {
    if (!decision.consume_front(op + "@"))
      continue;
    // "1 of tensor<8xf32>: 'a' (...), pinned; not 'b' (...): reason; not ..."
    decision = decision.split(": ").second;
    bool isFirst = true;
    for (llvm::StringRef part : llvm::split(decision, "; not ")) {
      DecidedClaim claim;
      claim.isTaken = isFirst && part.consume_front("'");
      if (claim.isTaken || (!isFirst && part.consume_front("'"))) {
        auto [provider, rest] = part.split("' (");
        claim.provider = provider.str();
        claim.numerics = rest.split(")").first.rsplit(", ").second.str();
        claims.push_back(std::move(claim));
      }
      isFirst = false;
    }
  }
  return claims;
}

} // namespace tilewright::tool
