//===- Records.h - Kernel records from the tree -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters and facts of a kernel, from the attributes of its arguments. All
// facts that are stated are listed, which is safe: a launch that breaks one is
// refused.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_SDK_RECORDS_H
#define TILEWRIGHT_SDK_RECORDS_H

#include "tilewright/record.h"
#include "tilewright/sdk/Tree.h"

#include <deque>
#include <string>
#include <vector>

namespace tilewright::sdk {

/// A kernel record with everything it points to.
struct KernelRecord {
  KernelRecord() = default;
  KernelRecord(KernelRecord &&) = default; // names keep their addresses
  KernelRecord &operator=(KernelRecord &&) = default;

  std::string name;      ///< of the kernel, the same for all its variants
  std::string symbol;    ///< in the payload; empty: the name
  std::string predicate; ///< when a variant is taken, as code; empty: always
  std::deque<std::string> parameterNames;
  std::vector<tw_parameter> parameters; ///< the user's, one an argument
  std::vector<tw_fact> facts;
  uint32_t blockBytes = 0;  ///< of the packed arguments
  uint32_t sharedBytes = 0; ///< of on-chip memory, for people

  /// The C view; borrows from this object.
  tw_kernel_record view() const;
};

/// The name that a kernel is launched by, that of its variants, too.
std::string kernelName(const Op &kernel);

/// The record of a func.func; throws Refusal (TW4109) if it is malformed.
KernelRecord readRecord(const Op &kernel);

} // namespace tilewright::sdk

#endif // TILEWRIGHT_SDK_RECORDS_H
