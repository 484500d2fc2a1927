//===- Passes.h - Passes of the maths library ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constructors, options and registration of the passes in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_BACKENDS_MATH_PASSES_H
#define TILEWRIGHT_BACKENDS_MATH_PASSES_H

#include "backends/math/MathExpansion.h"

#include "mlir/Pass/Pass.h"

namespace tilewright::math {

#define GEN_PASS_DECL
#include "backends/math/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "backends/math/Passes.h.inc"

} // namespace tilewright::math

#endif // TILEWRIGHT_BACKENDS_MATH_PASSES_H
