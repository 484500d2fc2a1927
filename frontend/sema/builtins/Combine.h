//===- Combine.h - Reductions and scans with a region -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission of tile.reduce and tile.scan around a combine function.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_BUILTINS_COMBINE_H
#define TILEWRIGHT_FRONTEND_SEMA_BUILTINS_COMBINE_H

#include "frontend/sema/Interpreter.h"

namespace tilewright::sema {

/// Combines scalars: left values, then right values; gives one value each.
using Combine = llvm::function_ref<std::vector<Value>(llvm::ArrayRef<Value>,
                                                      llvm::ArrayRef<Value>)>;

/// Reduces tensors of one shape along an axis.
std::vector<Value> emitReduction(Interpreter &in, llvm::ArrayRef<Value> values,
                                 int64_t axis, Combine combine);
std::vector<Value> emitScan(Interpreter &in, llvm::ArrayRef<Value> values,
                            int64_t axis, bool isReverse, Combine combine);

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_BUILTINS_COMBINE_H
