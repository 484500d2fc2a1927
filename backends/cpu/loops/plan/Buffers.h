//===- Buffers.h - Scratch memory of one program ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row-major buffers at constant offsets, reused when their values are dead.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_LOOPS_PLAN_BUFFERS_H
#define TILEWRIGHT_BACKENDS_CPU_LOOPS_PLAN_BUFFERS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <map>

namespace tilewright::cpu {

/// A dense row-major array in scratch memory.
struct Buffer {
  mlir::Value pointer; ///< !llvm.ptr to the first element
  mlir::Type element;  ///< type of the elements as stored
  llvm::SmallVector<int64_t, 4> shape;
  int64_t offset = -1; ///< bytes from the start of scratch memory
  int64_t bytes = 0;

  explicit operator bool() const { return offset >= 0; }
};

/// First-fit allocator of offsets; emission in program order makes a free list
/// enough.
class ScratchSpace {
public:
  int64_t allocate(int64_t bytes);
  void release(int64_t offset, int64_t bytes);
  int64_t peakBytes() const { return end; }

private:
  std::map<int64_t, int64_t> holes; ///< offset -> bytes
  int64_t end = 0;
};

/// Bytes that an element takes in memory (i1 takes one, pointers eight).
int64_t elementBytes(mlir::Type element);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_LOOPS_PLAN_BUFFERS_H
