//===- Indexing.h - Row-major positions -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Position lists and the element number they stand for.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_REFERENCE_INTERPRETER_INDEXING_H
#define TILEWRIGHT_BACKENDS_REFERENCE_INTERPRETER_INDEXING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace tilewright::reference {

using Position = llvm::SmallVector<int64_t, 4>;

/// The position of element `number` of a row-major array.
inline Position positionOf(int64_t number, llvm::ArrayRef<int64_t> shape) {
  Position position(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    position[d] = number % shape[d];
    number /= shape[d];
  }
  return position;
}

inline int64_t numberOf(llvm::ArrayRef<int64_t> position,
                        llvm::ArrayRef<int64_t> shape) {
  int64_t number = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    number = number * shape[d] + position[d];
  return number;
}

} // namespace tilewright::reference

#endif // TILEWRIGHT_BACKENDS_REFERENCE_INTERPRETER_INDEXING_H
