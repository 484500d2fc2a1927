//===- Buffers.cpp - Scratch memory of one program --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places buffers and gives dead ones' room to later ones.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/plan/Buffers.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilewright::cpu {

/// One cache line, the widest vector.
static constexpr int64_t kAlignment = 64;

int64_t ScratchSpace::allocate(int64_t bytes) {
  bytes = llvm::alignTo(bytes, kAlignment);
  for (auto it = holes.begin(); it != holes.end(); ++it) {
    auto [offset, size] = *it;
    if (size < bytes)
      continue;
    holes.erase(it);
    if (size > bytes)
      holes[offset + bytes] = size - bytes;
    return offset;
  }
  // A hole at the end grows instead of staying behind.
  if (!holes.empty()) {
    auto last = std::prev(holes.end());
    if (last->first + last->second == end) {
      int64_t offset = last->first;
      holes.erase(last);
      end = offset + bytes;
      return offset;
    }
  }
  int64_t offset = end;
  end += bytes;
  return offset;
}

void ScratchSpace::release(int64_t offset, int64_t bytes) {
  bytes = llvm::alignTo(bytes, kAlignment);
  auto it = holes.emplace(offset, bytes).first;
  auto next = std::next(it);
  if (next != holes.end() && it->first + it->second == next->first) {
    it->second += next->second;
    holes.erase(next);
  }
  if (it == holes.begin())
    return;
  auto previous = std::prev(it);
  if (previous->first + previous->second == it->first) {
    previous->second += it->second;
    holes.erase(it);
  }
}

int64_t elementBytes(Type element) {
  if (element.isIntOrFloat())
    return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  return 8; // pointers and index
}

} // namespace tilewright::cpu
