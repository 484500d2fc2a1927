//===- Passes.h - Passes from tile IR to Kernel IR ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the passes of this room and registers them with the pipeline.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_LOWERING_PASSES_H
#define TILEWRIGHT_DIALECTS_LOWERING_PASSES_H

#include "dialects/kernel/KernelDialect.h"
#include "dialects/tile/TileDialect.h"
#include "mlir/Pass/Pass.h"

namespace tilewright::lowering {

#define GEN_PASS_DECL
#include "dialects/lowering/Passes.h.inc"

} // namespace tilewright::lowering

namespace tilewright {

/// Registers every pass of this room and the pipeline `tile-to-kernel`.
void registerTilewrightLoweringPasses();

} // namespace tilewright

#endif // TILEWRIGHT_DIALECTS_LOWERING_PASSES_H
