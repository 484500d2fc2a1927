//===- Words.cpp - SPIR-V modules as words ----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every instruction starts with its length and operation; ids are below the
// bound in the header.
//===----------------------------------------------------------------------===//
#include "backends/spirv/codegen/Words.h"

#include "backends/spirv/driver/KernelABI.h"

#include <cstring>
#include <map>

namespace tilewright::spirv {

static constexpr uint32_t kMagic = 0x07230203;
static constexpr size_t kHeader = 5, kBound = 3;

namespace {
/// Operations, by their numbers in the specification.
enum Operation : uint32_t {
  OpString = 7,
  OpExtension = 10,
  OpExtInstImport = 11,
  OpMemoryModel = 14,
  OpEntryPoint = 15,
  OpExecutionMode = 16,
  OpCapability = 17,
  OpTypeBool = 20,
  OpTypeInt = 21,
  OpTypeFloat = 22,
  OpConstantFalse = 42,
  OpConstant = 43,
  OpConstantNull = 46,
  OpExecutionModeId = 331
};
} // namespace

Words readWords(llvm::StringRef bytes) {
  if (bytes.size() % 4 || bytes.size() < 4 * kHeader)
    return {};
  Words words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  if (words[0] != kMagic)
    return {};
  for (size_t at = kHeader; at < words.size();) {
    size_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at)
      return {};
    at += length;
  }
  return words;
}

std::string writeWords(const Words &words) {
  return std::string(reinterpret_cast<const char *>(words.data()),
                     words.size() * 4);
}

void forEachInstruction(
    const Words &words,
    const std::function<void(size_t, uint32_t, size_t)> &visit) {
  for (size_t at = kHeader, length; at < words.size(); at += length) {
    length = words[at] >> 16;
    visit(at, words[at] & 0xffff, length);
  }
}

static uint32_t header(uint32_t op, size_t length) {
  return static_cast<uint32_t>(length << 16) | op;
}

void rewriteScalarNulls(Words &words) {
  std::map<uint32_t, unsigned> bits; // of scalar types; 1: bool
  Words out(words.begin(), words.begin() + kHeader);
  forEachInstruction(words, [&](size_t at, uint32_t op, size_t length) {
    if (op == OpTypeBool)
      bits[words[at + 1]] = 1;
    if (op == OpTypeInt || op == OpTypeFloat)
      bits[words[at + 1]] = words[at + 2];
    auto type = op == OpConstantNull ? bits.find(words[at + 1]) : bits.end();
    if (type == bits.end()) {
      out.insert(out.end(), words.begin() + at, words.begin() + at + length);
      return;
    }
    size_t zeros = type->second == 1 ? 0 : type->second > 32 ? 2 : 1;
    out.push_back(header(zeros ? OpConstant : OpConstantFalse, 3 + zeros));
    out.insert(out.end(), {words[at + 1], words[at + 2]});
    out.insert(out.end(), zeros, 0);
  });
  words = std::move(out);
}

/// Where debug instructions may start: behind modes and everything before them.
static size_t debugStart(const Words &words) {
  size_t start = kHeader;
  forEachInstruction(words, [&](size_t at, uint32_t op, size_t length) {
    switch (op) {
    case OpExtension:
    case OpExtInstImport:
    case OpMemoryModel:
    case OpEntryPoint:
    case OpExecutionMode:
    case OpExecutionModeId:
    case OpCapability:
      start = at + length;
      break;
    default:
      break;
    }
  });
  return start;
}

void addTexts(Words &words, const std::set<std::string> &texts) {
  Words added;
  for (const std::string &text : texts) {
    std::string whole = TW_SPIRV_TEXT_PREFIX + text;
    size_t length = 2 + whole.size() / 4 + 1;
    size_t at = added.size();
    added.resize(at + length, 0);
    added[at] = header(OpString, length);
    added[at + 1] = words[kBound]++;
    std::memcpy(&added[at + 2], whole.data(), whole.size());
  }
  words.insert(words.begin() + debugStart(words), added.begin(), added.end());
}

std::set<std::string> readExtensions(const Words &words) {
  std::set<std::string> names;
  forEachInstruction(words, [&](size_t at, uint32_t op, size_t length) {
    if (op != OpExtension)
      return;
    const char *text = reinterpret_cast<const char *>(&words[at + 1]);
    names.insert(std::string(text, strnlen(text, (length - 1) * 4)));
  });
  return names;
}

std::set<uint32_t> readCapabilities(const Words &words) {
  std::set<uint32_t> numbers;
  forEachInstruction(words, [&](size_t at, uint32_t op, size_t) {
    if (op == OpCapability)
      numbers.insert(words[at + 1]);
  });
  return numbers;
}

} // namespace tilewright::spirv
