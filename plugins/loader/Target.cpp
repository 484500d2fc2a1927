//===- Target.cpp - Target strings ------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hand-written parser, because '-' both joins words of an arch name
// ("x86-64-v4") and removes a feature ("cpu:znver4-avx512f").
//===----------------------------------------------------------------------===//
#include "plugins/loader/Target.h"

namespace tilewright::plugins {

static bool isWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '.';
}

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Takes the longest run of word characters off the front.
static std::string takeWord(std::string_view &text) {
  size_t length = 0;
  while (length < text.size() && isWord(text[length]))
    ++length;
  std::string word(text.substr(0, length));
  text.remove_prefix(length);
  return word;
}

static bool refuse(Problem &problem, std::string_view text,
                   const std::string &what) {
  return problem.set(TW_E_INVALID_ARGUMENT, 5010,
                     what + " in target '" + std::string(text) + "'",
                     "a target is vendor[:arch][+feature|-feature]*[@device], "
                     "for example cpu, nvidia:sm_90a or spirv:opencl1.2+fp16");
}

/// Architectures whose own name goes on behind a '-', whatever follows.
static constexpr std::string_view joiningArchs[] = {
    "apple",  "core",     "corei7",   "cortex",
    "exynos", "goldmont", "neoverse", "skylake"};

/// Whether the '-' at the front of `rest` belongs to the arch read so far and
/// does not remove a feature: "x86-64-v4", "gfx9-4-generic", "skylake-avx512".
static bool joinsArch(std::string_view arch, std::string_view rest) {
  if (rest.size() < 2 || rest[0] != '-')
    return false;
  for (std::string_view joining : joiningArchs)
    if (arch == joining)
      return true;
  std::string_view word = rest.substr(1);
  return isDigit(word[0]) ||
         (word[0] == 'v' && word.size() > 1 && isDigit(word[1])) ||
         word.substr(0, 7) == "generic";
}

static std::string takeArch(std::string_view &text) {
  std::string arch = takeWord(text);
  while (joinsArch(arch, text)) {
    text.remove_prefix(1);
    arch += '-' + takeWord(text);
  }
  return arch;
}

static bool takeFeatures(std::string_view &rest, Target &target,
                         std::string_view text, Problem &problem) {
  while (!rest.empty() && (rest[0] == '+' || rest[0] == '-')) {
    bool enabled = rest[0] == '+';
    rest.remove_prefix(1);
    std::string name = takeWord(rest);
    if (name.empty())
      return refuse(problem, text, "expected a feature name after '+' or '-'");
    target.features.push_back({std::move(name), enabled});
  }
  return true;
}

static bool takeDevice(std::string_view &rest, Target &target,
                       std::string_view text, Problem &problem) {
  if (rest.empty() || rest[0] != '@')
    return true;
  rest.remove_prefix(1);
  uint32_t number = 0;
  size_t digits = 0;
  while (digits < rest.size() && isDigit(rest[digits]) && digits < 5)
    number = number * 10 + static_cast<uint32_t>(rest[digits++] - '0');
  if (digits == 0 || (digits < rest.size() && isDigit(rest[digits])))
    return refuse(problem, text, "expected a device number after '@'");
  rest.remove_prefix(digits);
  target.device = number;
  return true;
}

std::optional<Target> parseTarget(std::string_view text, Problem &problem) {
  Target target;
  std::string_view rest = text;
  target.vendor = takeWord(rest);
  if (target.vendor.empty() || isDigit(target.vendor[0])) {
    refuse(problem, text, "expected a vendor name");
    return std::nullopt;
  }
  if (!rest.empty() && rest[0] == ':') {
    rest.remove_prefix(1);
    target.arch = takeArch(rest);
    if (target.arch.empty()) {
      refuse(problem, text, "expected an architecture after ':'");
      return std::nullopt;
    }
  }
  if (!takeFeatures(rest, target, text, problem) ||
      !takeDevice(rest, target, text, problem))
    return std::nullopt;
  if (!rest.empty()) {
    refuse(problem, text, "unexpected '" + std::string(1, rest[0]) + "'");
    return std::nullopt;
  }
  return target;
}

std::string Target::str() const {
  std::string text = vendor;
  if (!arch.empty())
    text += ':' + arch;
  for (const TargetFeature &feature : features)
    text += (feature.enabled ? '+' : '-') + feature.name;
  if (device)
    text += '@' + std::to_string(*device);
  return text;
}

} // namespace tilewright::plugins
