//===- Serialization.h - Kernel IR as bytes ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR bytecode behind a small header. Bytes are read by the build that wrote
// them only: the header holds a fingerprint of LLVM's version and of the
// dialect, and a checksum. The checksum finds damage, not forgery: MLIR's
// reader is not safe on bytes that were made to break it.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_SERIALIZATION_H
#define TILEWRIGHT_DIALECTS_KERNEL_SERIALIZATION_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilewright::kernel {

/// Format version, LLVM's version and a hash of the dialect's definition, such
/// as "1-22.1.8-0123456789abcdef". Equal fingerprints read each other's bytes.
std::string kernelIRFingerprint();

/// Appends `module` to `bytes`. Fails with an error (TW3124) if MLIR cannot
/// write it.
mlir::LogicalResult writeKernelIR(mlir::ModuleOp module, std::string &bytes);

/// Reads and verifies a module. On failure gives null after an error on the
/// context's diagnostic engine: TW3120 not Kernel IR or cut short, TW3121
/// damaged, TW3122 of another build, TW3123 malformed inside.
mlir::OwningOpRef<mlir::ModuleOp> readKernelIR(llvm::StringRef bytes,
                                               mlir::MLIRContext *context);

} // namespace tilewright::kernel

#endif // TILEWRIGHT_DIALECTS_KERNEL_SERIALIZATION_H
