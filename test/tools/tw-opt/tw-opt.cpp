//===- tw-opt.cpp - Run passes on IR text ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-opt with our dialects and passes: the tool behind the lit tests.
//===----------------------------------------------------------------------===//

#include "backends/cpu/loops/Passes.h"
#include "backends/cpu/lower/Pipeline.h"
#include "backends/math/Passes.h"
#include "backends/simt/transforms/Passes.h"
#include "dialects/kernel/KernelDialect.h"
#include "dialects/kernel/Passes.h"
#include "dialects/lowering/Passes.h"
#include "dialects/tile/TileDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry
      .insert<tilewright::kernel::KernelDialect, tilewright::simt::SimtDialect,
              tilewright::tile::TileDialect>();

  mlir::registerAllPasses();
  tilewright::kernel::registerKernelPasses();
  tilewright::registerTilewrightLoweringPasses();
  tilewright::registerTilewrightLoweringPasses();
  tilewright::math::registerMathPasses();
  tilewright::simt::registerSimtPasses();
  tilewright::cpu::registerCpuPasses();
  tilewright::cpu::registerCpuPipelines();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Tilewright pass driver\n", registry));
}
