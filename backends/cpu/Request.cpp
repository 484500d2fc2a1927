//===- Request.cpp - What can be said before reading the IR -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all backends check, then target and options.
//===----------------------------------------------------------------------===//
#include "backends/cpu/Request.h"

#include "backends/common/DeviceLibraries.h"

namespace tilewright::cpu {

std::optional<CheckedRequest> readRequest(const tw_compile_request &request,
                                          Problem &problem) {
  if (!checkEnvelope(request, "cpu", problem, backend::kBitcodeFormat))
    return std::nullopt;
  std::optional<Target> target = resolveTarget(toRef(request.target), problem);
  if (!target)
    return std::nullopt;
  std::optional<CompileOptions> options =
      readOptions(request.options, request.option_count, problem);
  if (!options)
    return std::nullopt;
  return CheckedRequest{std::move(*target), *options};
}

int32_t checkRequest(const tw_compile_request &request) {
  Problem problem;
  if (readRequest(request, problem))
    return TW_OK;
  Report(request.sink).error(problem);
  return problem.status;
}

} // namespace tilewright::cpu
