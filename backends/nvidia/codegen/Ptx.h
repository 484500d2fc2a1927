//===- Ptx.h - From an LLVM module to PTX -----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's NVPTX target on the module of one request.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_PTX_H
#define TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_PTX_H

#include "backends/nvidia/Target.h"

#include "backends/simt/codegen/Machines.h"

namespace tilewright::nvidia {

/// Null after an error in the report. Initialises LLVM's target once.
simt::Machine createMachine(const Target &target, unsigned level,
                            Report &report);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_PTX_H
