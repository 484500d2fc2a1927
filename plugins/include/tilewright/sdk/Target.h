//===- Target.h - What a target is called, has and lacks --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers of the COMPILE table that follow from tables of the vendor's.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_SDK_TARGET_H
#define TILEWRIGHT_SDK_TARGET_H

#include "tilewright/sdk/Compile.h"

namespace tilewright::sdk {

/// `resolve_target` where `vendor` has one architecture: "mine" and "mine:arch"
/// are "mine:arch", anything else is refused (TW4001) with `hint`.
int32_t resolveOnly(const std::string &vendor, const std::string &arch,
                    const char *hint, tw_str target, const tw_sink *sink,
                    tw_writer out);

/// A capability that the target has, with its value or text, or has not.
struct Capability {
  uint32_t id; ///< TW_CAP_*
  int64_t value = 1;
  std::string text = {};
  bool has = true;
};

/// Answers `caps` from a table, whose texts have to outlive the answers; what
/// is not in it is unknown, so that newer hosts are not told a "no".
void answerFrom(const std::vector<Capability> &table, tw_capability *caps,
                uint64_t count);

/// TW_CAP_IR_FORMATS of a plugin that reads tw.portable with this SDK.
std::string portableFormats();

/// An operation that the target does not have.
struct Lacking {
  uint32_t op; ///< TW_PORTABLE_OP_*
  const char *reason;
  const char *hint;
};

/// Refuses an operation that is in the table (TW4160).
void refuseLacking(const Op &op, const std::string &target,
                   const std::vector<Lacking> &table);

/// The COMPILE table's `can_compile`, by the list of operations alone.
int32_t canCompile(const tw_compile_request *given,
                   const std::vector<Lacking> &table);

} // namespace tilewright::sdk

#endif // TILEWRIGHT_SDK_TARGET_H
