//===- Fences.cpp - Fences by the name that a library has -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fence of SPIR-V becomes a call of `mem_fence` in SPIR, which drivers link
// with a library of theirs. PoCL 3.1 has it there under the name that its
// header gives it, so that no module links that has a fence. This names the
// function before the module is translated.
//===----------------------------------------------------------------------===//
#include "backends/spirv/driver/Driver.h"

#include <cstring>
#include <initializer_list>

namespace tilewright::spirv {

namespace {

/// What a platform's library calls `mem_fence(flags)`.
struct FenceName {
  const char *platform;
  const char *symbol;
};

constexpr FenceName fenceNames[] = {
    {"Portable Computing Language", "_Z13_cl_mem_fencej"}};

enum Op : uint32_t {
  OpCapability = 17,
  OpTypeVoid = 19, // the first of the types
  OpTypeInt = 21,
  OpTypeFunction = 33,
  OpConstant = 43,
  OpFunction = 54,
  OpFunctionParameter = 55,
  OpFunctionEnd = 56,
  OpFunctionCall = 57,
  OpDecorate = 71,
  OpMemoryBarrier = 225,
};

constexpr size_t kHeaderWords = 5;
constexpr size_t kBound = 3; ///< the word above all ids
constexpr uint32_t kCapabilityLinkage = 5;
constexpr uint32_t kDecorationLinkage = 41;
constexpr uint32_t kImport = 1;
constexpr uint32_t kLocalAndGlobal = 3; ///< CLK_*_MEM_FENCE

using Words = std::vector<uint32_t>;

/// One instruction of a module.
struct Instruction {
  const uint32_t *words;

  uint32_t op() const { return words[0] & 0xffff; }
  size_t size() const { return words[0] >> 16; }
};

class FenceCalls {
public:
  explicit FenceCalls(Words module) : module(std::move(module)) {}

  /// The module with its fences as calls of `symbol`.
  Words run(const char *symbol);

private:
  template <typename Visit> void forEach(Visit visit) const {
    for (size_t at = kHeaderWords; at < module.size(); at += module[at] >> 16)
      visit(Instruction{&module[at]});
  }
  uint32_t newId() { return module[kBound]++; }
  bool findTypes();
  void add(uint32_t op, std::initializer_list<uint32_t> operands,
           const Words &more = {});
  void declare();
  void import(const char *symbol);

  Words module, result;
  uint32_t voidType = 0, intType = 0, functionType = 0, function = 0, flags = 0;
};

} // namespace

/// Types exist once; false if the module has no fence.
bool FenceCalls::findTypes() {
  bool hasFence = false;
  forEach([&](Instruction i) {
    hasFence |= i.op() == OpMemoryBarrier;
    if (i.op() == OpTypeVoid)
      voidType = i.words[1];
    else if (i.op() == OpTypeInt && i.words[2] == 32)
      intType = i.words[1];
    else if (i.op() == OpTypeFunction && i.size() == 4 &&
             i.words[2] == voidType && i.words[3] == intType)
      functionType = i.words[1];
  });
  return hasFence;
}

void FenceCalls::add(uint32_t op, std::initializer_list<uint32_t> operands,
                     const Words &more) {
  size_t size = 1 + operands.size() + more.size();
  result.push_back(static_cast<uint32_t>(size) << 16 | op);
  result.insert(result.end(), operands);
  result.insert(result.end(), more.begin(), more.end());
}

/// The function without a body, and its argument.
void FenceCalls::declare() {
  if (!functionType)
    add(OpTypeFunction, {functionType = newId(), voidType, intType});
  add(OpConstant, {intType, flags = newId(), kLocalAndGlobal});
  add(OpFunction, {voidType, function, 0, functionType});
  add(OpFunctionParameter, {intType, newId()});
  add(OpFunctionEnd, {});
}

void FenceCalls::import(const char *symbol) {
  Words text(std::strlen(symbol) / 4 + 1, 0);
  std::memcpy(text.data(), symbol, std::strlen(symbol));
  text.push_back(kImport);
  add(OpDecorate, {function, kDecorationLinkage}, text);
}

Words FenceCalls::run(const char *symbol) {
  if (!findTypes())
    return module;
  function = newId();
  result.assign(module.begin(), module.begin() + kHeaderWords);
  add(OpCapability, {kCapabilityLinkage});
  bool isImported = false;
  forEach([&](Instruction i) {
    if (i.op() == OpMemoryBarrier)
      return add(OpFunctionCall, {voidType, newId(), function, flags});
    if (i.op() >= OpTypeVoid && i.op() <= OpTypeFunction && !isImported) {
      import(symbol);
      isImported = true;
    }
    if (i.op() == OpFunction && !flags)
      declare();
    result.insert(result.end(), i.words, i.words + i.size());
  });
  result[kBound] = module[kBound];
  return std::move(result);
}

std::vector<uint32_t> nameFences(const opencl::Device &device,
                                 tw_bytes payload) {
  Words words(payload.size / 4);
  std::memcpy(words.data(), payload.data, words.size() * 4);
  for (const FenceName &name : fenceNames)
    if (device.platformName == name.platform)
      return FenceCalls(std::move(words)).run(name.symbol);
  return words;
}

} // namespace tilewright::spirv
