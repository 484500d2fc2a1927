//===- tw-opt.cpp - Run passes on IR text ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-opt with our dialects and passes, those of MLIR that they use, and
// MLIR's general transformations: the tool behind the lit tests.
//===----------------------------------------------------------------------===//

#include "backends/cpu/loops/Passes.h"
#include "backends/cpu/lower/Pipeline.h"
#include "backends/math/Passes.h"
#include "backends/simt/transforms/Passes.h"
#include "dialects/kernel/KernelDialect.h"
#include "dialects/kernel/Passes.h"
#include "dialects/lowering/Passes.h"
#include "dialects/tile/TileDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry
      .insert<mlir::arith::ArithDialect, mlir::func::FuncDialect,
              mlir::linalg::LinalgDialect, mlir::LLVM::LLVMDialect,
              mlir::math::MathDialect, mlir::memref::MemRefDialect,
              mlir::scf::SCFDialect, mlir::tensor::TensorDialect,
              mlir::vector::VectorDialect, tilewright::kernel::KernelDialect,
              tilewright::simt::SimtDialect, tilewright::tile::TileDialect>();

  mlir::registerTransformsPasses();
  tilewright::kernel::registerKernelPasses();
  tilewright::registerTilewrightLoweringPasses();
  tilewright::math::registerMathPasses();
  tilewright::simt::registerSimtPasses();
  tilewright::cpu::registerCpuPasses();
  tilewright::cpu::registerCpuPipelines();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Tilewright pass driver\n", registry));
}
