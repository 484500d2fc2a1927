//===- Record.h - Kernel records from Kernel IR -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters, facts and launch predicates of each kernel, read from the `tw.*`
// attributes before lowering removes them.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_RECORD_H
#define TILEWRIGHT_BACKENDS_COMMON_RECORD_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "tilewright/record.h"

#include <deque>
#include <string>
#include <vector>

namespace tilewright::backend {

/// A kernel record with everything it points to.
struct KernelRecord {
  KernelRecord() = default;
  KernelRecord(KernelRecord &&) = default; // names keep their addresses
  KernelRecord &operator=(KernelRecord &&) = default;

  std::string name;   ///< the source's kernel name
  std::string symbol; ///< in the payload
  std::string predicate;
  std::deque<std::string> parameterNames;
  std::vector<tw_parameter> parameters;
  std::vector<tw_fact> facts;
  uint32_t blockBytes = 0;  ///< of the packed user arguments
  uint32_t deviceBytes = 0; ///< with the hidden parameters
  bool needsProgress = false;
  bool isStrided = false;    ///< a launch may have fewer blocks, see record.h
  uint64_t scratchBytes = 0; ///< of one running program; set after lowering

  // Set after code generation, by targets that have them.
  uint32_t threads = 1; ///< of a block
  uint32_t sharedStaticBytes = 0;
  uint32_t sharedDynamicBytes = 0;
  uint32_t registers = 0;  ///< of a thread
  uint64_t spillBytes = 0; ///< of a thread

  /// Appends a parameter that the launcher fills, `bytes` large; `axis` for
  /// those of the grid.
  void addHidden(uint32_t kind, llvm::StringRef name, uint32_t bytes,
                 uint32_t axis = 0);

  /// Appends the number of programs of each axis, then the first one that a
  /// launch runs of the axes from `firstAxis` on; 4 bytes each.
  void addHiddenGrid(uint32_t firstAxis);

  /// The C view; borrows from this object.
  tw_kernel_record view() const;
};

/// Reads the record of one kernel; emits a located error if it is malformed.
mlir::FailureOr<KernelRecord> readRecord(mlir::func::FuncOp kernel);

/// The TW_DTYPE_* of a Triton spelling without '*', or TW_DTYPE_NONE.
uint32_t parseDtype(llvm::StringRef spelling);

} // namespace tilewright::backend

#endif // TILEWRIGHT_BACKENDS_COMMON_RECORD_H
