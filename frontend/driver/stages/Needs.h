//===- Needs.h - What a kernel asks of any target ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage "needs": read off Kernel IR without a plugin's help, for those who ask
// where a kernel will run and what it takes for granted.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_STAGES_NEEDS_H
#define TILEWRIGHT_FRONTEND_DRIVER_STAGES_NEEDS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tilewright::driver {

/// JSON: a list of {"kind", "type", "text", "file", "line"}. Kinds: atomic,
/// arithmetic (once a float type), inline_asm, extern_call, wait, clock,
/// overflow. `ranges` is "n=0..1000000,grid0=0..65535": the values that integer
/// arguments and the extents of the grid may have; products and sums of 32 bits
/// on the way to an address or a mask are checked where all that goes into them
/// is known.
std::string describeNeeds(mlir::ModuleOp module, const std::string &ranges);

} // namespace tilewright::driver

#endif // TILEWRIGHT_FRONTEND_DRIVER_STAGES_NEEDS_H
