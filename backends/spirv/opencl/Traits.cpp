//===- Traits.cpp - What a SPIR-V target has --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading, printing and comparing, from the rows of Traits.def.
//===----------------------------------------------------------------------===//
#include "backends/spirv/opencl/Traits.h"

namespace tilewright::opencl {

namespace {
/// What a version of OpenCL promises. Local memory and work-items are the
/// minimum of the full profile for `local`, and what drivers commonly offer for
/// `threads`.
struct VersionRow {
  const char *name;
  unsigned opencl;
  unsigned spirv;
  bool hasAddresses;
};
} // namespace

static constexpr VersionRow versions[] = {
    {"opencl1.2", 12, 10, false}, {"opencl2.0", 20, 10, true},
    {"opencl2.1", 21, 10, true},  {"opencl2.2", 22, 12, true},
    {"opencl3.0", 30, 12, false}, {"opencl3.1", 31, 12, false}};
static constexpr uint64_t kLocalBytes = 32768;
static constexpr uint64_t kMaxThreads = 256;
static constexpr unsigned kNewestSpirv = 14;

bool setVersion(Traits &traits, std::string_view name) {
  for (const VersionRow &row : versions)
    if (name == row.name) {
      traits = Traits();
      traits.openclVersion = row.opencl;
      traits.spirvVersion = row.spirv;
      traits.hasAddresses = row.hasAddresses;
      traits.localBytes = kLocalBytes;
      traits.maxThreads = kMaxThreads;
      return true;
    }
  return false;
}

std::vector<std::string> versionNames() {
  std::vector<std::string> names;
  for (const VersionRow &row : versions)
    names.push_back(row.name);
  return names;
}

std::vector<std::string> traitNames() {
  return {
#define TW_SPIRV_FLAG(name, field, meaning) name,
#define TW_SPIRV_NUMBER(name, field, meaning) name,
#include "backends/spirv/opencl/Traits.def"
      "spv"};
}

/// Reads the digits behind the name of a numbered trait.
static bool readNumber(std::string_view text, uint64_t &number) {
  if (text.empty() || text.size() > 12)
    return false;
  number = 0;
  for (char c : text) {
    if (c < '0' || c > '9')
      return false;
    number = number * 10 + static_cast<uint64_t>(c - '0');
  }
  return true;
}

static bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

/// "1.4" as 14.
static bool readSpirvVersion(std::string_view text, unsigned &version) {
  if (text.size() != 3 || text[0] != '1' || text[1] != '.' || text[2] < '0' ||
      unsigned(text[2] - '0') > kNewestSpirv % 10)
    return false;
  version = 10 + static_cast<unsigned>(text[2] - '0');
  return true;
}

bool setTrait(Traits &traits, std::string_view name, bool enabled) {
#define TW_SPIRV_FLAG(spelling, field, meaning)                                \
  if (name == spelling) {                                                      \
    traits.field = enabled;                                                    \
    return true;                                                               \
  }
#define TW_SPIRV_NUMBER(spelling, field, meaning)                              \
  if (startsWith(name, spelling)) {                                            \
    std::string_view digits = name.substr(std::string_view(spelling).size());  \
    if (enabled)                                                               \
      return readNumber(digits, traits.field);                                 \
    traits.field = 0;                                                          \
    return digits.empty();                                                     \
  }
#include "backends/spirv/opencl/Traits.def"
  return enabled && startsWith(name, "spv") &&
         readSpirvVersion(name.substr(3), traits.spirvVersion);
}

static std::string versionText(unsigned version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

std::string traitsText(const Traits &traits) {
  std::string text = "opencl" + versionText(traits.openclVersion) + "+spv" +
                     versionText(traits.spirvVersion);
#define TW_SPIRV_FLAG(name, field, meaning)                                    \
  if (traits.field)                                                            \
    text += "+" name;
#define TW_SPIRV_NUMBER(name, field, meaning)                                  \
  if (traits.field)                                                            \
    text += "+" name + std::to_string(traits.field);
#include "backends/spirv/opencl/Traits.def"
  return text;
}

std::string missingTrait(const Traits &needed, const Traits &offered) {
  if (needed.spirvVersion > offered.spirvVersion)
    return "SPIR-V " + versionText(needed.spirvVersion);
#define TW_SPIRV_FLAG(name, field, meaning)                                    \
  if (needed.field && !offered.field)                                          \
    return name;
#define TW_SPIRV_NUMBER(name, field, meaning)                                  \
  if (needed.field > offered.field)                                            \
    return name + std::to_string(needed.field);
#include "backends/spirv/opencl/Traits.def"
  return {};
}

} // namespace tilewright::opencl
