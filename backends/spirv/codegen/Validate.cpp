//===- Validate.cpp - SPIRV-Tools' verdict on a module ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Universal environments: those of OpenCL versions refuse half floats.
//===----------------------------------------------------------------------===//
#include "backends/spirv/codegen/Validate.h"

#include "llvm/ADT/STLExtras.h"

#include <spirv-tools/libspirv.hpp>

namespace tilewright::spirv {

static spv_target_env environmentOf(unsigned version) {
  static constexpr spv_target_env environments[] = {
      SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2,
      SPV_ENV_UNIVERSAL_1_3, SPV_ENV_UNIVERSAL_1_4};
  return environments[version % 10 < 5 ? version % 10 : 4];
}

std::string validate(const Words &words, unsigned version) {
  spvtools::SpirvTools tools(environmentOf(version));
  std::string text;
  tools.SetMessageConsumer([&](spv_message_level_t level, const char *,
                               const spv_position_t &, const char *message) {
    if (level <= SPV_MSG_ERROR)
      text += (text.empty() ? "" : "; ") + std::string(message);
  });
  if (tools.Validate(words.data(), words.size()))
    return {};
  return text.empty() ? "invalid for an unknown reason" : text;
}

std::string disassemble(const Words &words, unsigned version) {
  spvtools::SpirvTools tools(environmentOf(version));
  std::string text;
  if (!tools.Disassemble(words, &text,
                         SPV_BINARY_TO_TEXT_OPTION_INDENT |
                             SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES))
    return {};
  return text;
}

std::vector<std::string> unknownExtensions(const Words &words) {
  // The library has no list to ask: those that it knows, of those that the
  // code generator may use here.
  static const char *const known[] = {"SPV_EXT_shader_atomic_float_add",
                                      "SPV_EXT_shader_atomic_float_min_max",
                                      "SPV_INTEL_subgroups",
                                      "SPV_KHR_no_integer_wrap_decoration",
                                      "SPV_KHR_float_controls",
                                      "SPV_KHR_expect_assume",
                                      "SPV_KHR_shader_clock"};
  std::vector<std::string> unknown;
  for (const std::string &name : readExtensions(words))
    if (!llvm::is_contained(known, name))
      unknown.push_back(name);
  return unknown;
}

std::string validatorVersion() {
  llvm::StringRef version = spvSoftwareVersionString();
  return version.str();
}

} // namespace tilewright::spirv
