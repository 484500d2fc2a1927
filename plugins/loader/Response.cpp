//===- Response.cpp - What a plugin's compile gave --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes first, then the tables behind pointers.
//===----------------------------------------------------------------------===//
#include "plugins/loader/Response.h"

namespace tilewright::plugins {

/// Larger than any code, smaller than what cannot be copied.
static constexpr uint64_t kMostBytes = uint64_t(1) << 32;
static constexpr uint64_t kMostEntries = uint64_t(1) << 20;

/// Why an array of `count` cannot be walked, or "".
static std::string whyNotWalked(const char *what, const void *data,
                                uint64_t count, uint64_t most) {
  if (count > most)
    return "expected at most " + std::to_string(most) + " " + what + ", got " +
           std::to_string(count);
  if (count && !data)
    return "expected an array of " + std::to_string(count) + " " + what +
           ", got NULL";
  return "";
}

/// Why one of the tables cannot be read, or "".
template <typename T>
static std::string whyNotRead(const char *what, const T *const *tables,
                              uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    T known;
    int32_t status = tw_read_struct(&known, sizeof known, tables[i]);
    if (status == TW_OK)
      continue;
    std::string which = std::string(what) + " " + std::to_string(i);
    if (!tables[i])
      return "expected " + which + ", got NULL";
    if (status == TW_E_UNKNOWN_FIELD)
      return which + " has a field that this version does not know";
    return "expected a multiple of 8 as size of " + which + ", got " +
           std::to_string(tables[i]->size);
  }
  return "";
}

static std::string whatIsWrong(const tw_compile_response &response) {
  if (response.flags)
    return "expected 0 as flags of the response, got " +
           std::to_string(response.flags);
  for (std::string why : {whyNotWalked("bytes of code", response.payload.data,
                                       response.payload.size, kMostBytes),
                          whyNotWalked("kernel records", response.kernels,
                                       response.kernel_count, kMostEntries),
                          whyNotWalked("stage texts", response.stages,
                                       response.stage_count, kMostEntries),
                          whyNotWalked("remarks", response.remarks,
                                       response.remark_count, kMostEntries),
                          whyNotWalked("tools", response.tools,
                                       response.tool_count, kMostEntries),
                          whyNotWalked("overrides", response.overrides,
                                       response.override_count, kMostEntries)})
    if (!why.empty())
      return why;
  std::string why =
      whyNotRead("kernel record", response.kernels, response.kernel_count);
  return why.empty()
             ? whyNotRead("remark", response.remarks, response.remark_count)
             : why;
}

bool checkResponse(const tw_compile_response &response, const std::string &path,
                   Problem &problem) {
  std::string wrong = whatIsWrong(response);
  return wrong.empty() ||
         problem.set(TW_E_DIAGNOSED, 5027,
                     "the plugin '" + path +
                         "' gave a response that cannot be used: " + wrong,
                     "report it to the plugin's vendor; 'tilewright "
                     "plugin-check' examines the plugin");
}

} // namespace tilewright::plugins
