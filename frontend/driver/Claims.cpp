//===- Claims.cpp - High-level ops that a plugin takes over -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One text a version: name@version[:dtypes[:lowest-highest rank]].
//===----------------------------------------------------------------------===//

#include "frontend/driver/Claims.h"

using namespace tilewright;
using namespace tilewright::driver;

/// Element types as Kernel IR spells them, by TW_DTYPE_*.
static constexpr const char *typeNames[TW_DTYPE_COUNT] = {
    "",       "i1",         "i8",         "i16",          "i32",
    "i64",    "i8",         "i16",        "i32",          "i64",
    "f16",    "bf16",       "f32",        "f64",          "f8E4M3FN",
    "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ"};

static std::string typesOf(uint64_t dtypes) {
  std::string text;
  for (unsigned dtype = 1; dtype < TW_DTYPE_COUNT; ++dtype)
    if (dtypes >> dtype & 1)
      text += (text.empty() ? "" : "|") + std::string(typeNames[dtype]);
  return text;
}

std::vector<std::string> driver::collectClaims(const Backends::Backend &backend,
                                               const std::string &target) {
  std::vector<std::string> claims;
  if (!backend.plugin->offers(TW_PROFILE_OVERRIDE))
    return claims;
  const tw_override_record *const *records = nullptr;
  uint64_t count = 0;
  if (backend.plugin->overrides().list(backend.handle, toStr(target), &records,
                                       &count) != TW_OK)
    return claims;
  for (uint64_t i = 0; i < count; ++i) {
    const tw_override_record &record = *records[i];
    if (target.compare(0, record.arch.size, toString(record.arch)) != 0)
      continue;
    std::string conditions;
    if (record.max_rank)
      conditions = ":" + typesOf(record.dtypes) + ":" +
                   std::to_string(record.min_rank) + "-" +
                   std::to_string(record.max_rank);
    else if (record.dtypes)
      conditions = ":" + typesOf(record.dtypes);
    for (uint32_t version = record.min_version;
         version <= record.max_version && version - record.min_version < 64;
         ++version)
      claims.push_back(toString(record.op) + "@" + std::to_string(version) +
                       conditions);
  }
  return claims;
}
