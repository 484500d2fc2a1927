//===- SimtOps.h - Operations of the simt dialect ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the dialect's operations; SimtOps.td documents them.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_DIALECT_SIMTOPS_H
#define TILEWRIGHT_BACKENDS_SIMT_DIALECT_SIMTOPS_H

#include "backends/simt/dialect/SimtDialect.h"
#include "dialects/kernel/KernelDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "backends/simt/dialect/SimtOps.h.inc"

#endif // TILEWRIGHT_BACKENDS_SIMT_DIALECT_SIMTOPS_H
