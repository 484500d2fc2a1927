//===- Packing.h - Values to argument block ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks kind and range of each value and stores it as the kernel reads it.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_RUNTIME_PACKING_H
#define TILEWRIGHT_RUNTIME_PACKING_H

#include "plugins/loader/Problem.h"
#include "runtime/artifact/Artifact.h"
#include "tilewright/runtime.h"

namespace tilewright::runtime {

/// Stores one value at its offset in `block`.
bool packValue(const artifact::Parameter &parameter, const tw_rt_value &value,
               void *block, Problem &problem);

/// The nearest fp16 or bf16 (ties to even), as bits; overflow gives infinity.
uint16_t roundToHalf(double value);
uint16_t roundToBfloat(double value);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_PACKING_H
