//===- MappingReport.h - The mapping to threads, to be read -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `tilewright explain --layout` shows of a kernel: which register of which
// thread holds what, how accesses use global memory and the banks of shared
// memory, and what the resources are. The format is in docs/formats.md.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_REPORT_MAPPINGREPORT_H
#define TILEWRIGHT_BACKENDS_SIMT_REPORT_MAPPINGREPORT_H

#include "backends/simt/TargetHooks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/JSON.h"

namespace tilewright::simt {

/// Of a kernel that went through all phases of the pipeline.
llvm::json::Object reportMapping(mlir::func::FuncOp kernel,
                                 const TargetHooks &hooks);

/// A layout as one term a run of bits: "dim1 = lane[0:4] << 2 ^ register[0:1]".
/// `x[a:b]` are bits a to b of x; a dimension that nothing decides is 0.
std::string layoutRule(const LinearLayout &layout, const std::string &output);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_REPORT_MAPPINGREPORT_H
