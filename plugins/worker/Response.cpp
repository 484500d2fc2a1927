//===- Response.cpp - What a plugin's compile gave --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes first, then the tables behind pointers, then all that they point to.
//===----------------------------------------------------------------------===//
#include "plugins/worker/Response.h"

#include "plugins/worker/Wire.h"

namespace tilewright::worker {

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

//===--- All that a response points to ------------------------------------===//

template <typename T> constexpr const char *kWhat = "elements";
template <> constexpr const char *kWhat<tw_parameter> = "parameters";
template <> constexpr const char *kWhat<tw_fact> = "facts";
template <> constexpr const char *kWhat<tw_derived> = "derived values";
template <> constexpr const char *kWhat<tw_bytes> = "expressions";

namespace {
/// An archive that keeps nothing and notes the first piece that is not there.
class Auditor {
public:
  std::string wrong;

  template <typename T> void number(T &) {}
  void text(tw_str &value) { piece("bytes of text", value.data, value.size); }
  void blob(tw_bytes &value) { piece("bytes", value.data, value.size); }
  template <typename T> void array(const T *&data, uint64_t &count) {
    if (isThere(kWhat<T>, data, count, kMostEntries))
      for (uint64_t i = 0; i < count; ++i)
        visit(*this, const_cast<T &>(data[i]));
  }
  template <typename T> void pointers(const T *const *&data, uint64_t &count) {
    for (uint64_t i = 0; i < count && wrong.empty(); ++i) {
      T known; // read before, see whyNotRead
      if (tw_read_struct(&known, sizeof known, data[i]) == TW_OK)
        visit(*this, known);
    }
  }
  template <typename T> void optional(const T *&data) {
    if (data && ++links > kMostLinks && wrong.empty())
      wrong = "expected at most " + std::to_string(kMostLinks) +
              " places in all, got more";
    if (data && wrong.empty())
      visit(*this, const_cast<T &>(*data));
  }

private:
  static constexpr unsigned kMostLinks = 1000; // a chain may be a circle

  bool isThere(const char *what, const void *data, uint64_t count,
               uint64_t most) {
    if (wrong.empty())
      wrong = whyNotWalked(what, data, count, most);
    return wrong.empty();
  }
  void piece(const char *what, const void *data, uint64_t size) {
    isThere(what, data, size, kMostBytes);
  }

  unsigned links = 0;
};
} // namespace

static std::string whyNotFollowed(tw_compile_response response) {
  Auditor auditor;
  visit(auditor, response);
  return auditor.wrong;
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
  if (why.empty())
    why = whyNotRead("remark", response.remarks, response.remark_count);
  if (why.empty() && response.payload.size && !response.format.size)
    why = "expected the name of the code's format, got none";
  return why.empty() ? whyNotFollowed(response) : why;
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

} // namespace tilewright::worker
