//===- Portable.h - Kernel IR in the form tw.portable ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between MLIR and the versioned bytes of docs/portable-ir.md. The reader is
// the C reader of tilewright/portable.h with a visitor that builds MLIR, so
// bytes are refused by one set of rules. Source form: a vendor compiles this
// folder and dialects/kernel against an MLIR of its own.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_PORTABLE_PORTABLE_H
#define TILEWRIGHT_DIALECTS_KERNEL_PORTABLE_PORTABLE_H

#include "tilewright/portable.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilewright::kernel {

/// The format id of these bytes.
inline constexpr llvm::StringLiteral portableFormat = "tw.portable";

/// Appends `module` in `version` of the form to `bytes`. What that version
/// lacks but has a default is left out where it equals it; anything else fails
/// with an error at its place: TW3130 a version that is not written, TW3131
/// something that the version, or the form, does not hold. `schema` is null but
/// for tests.
mlir::LogicalResult writePortableIR(mlir::ModuleOp module, uint32_t version,
                                    std::string &bytes,
                                    const tw_portable_schema *schema = nullptr);

/// Reads and verifies a module, as `kernel-verify` does. On failure gives null
/// after an error on the context's diagnostic engine: TW3132 a version that is
/// not read, TW3133 bytes that are refused, with the byte and the reason,
/// TW3134 bytes of something that is not Kernel IR.
mlir::OwningOpRef<mlir::ModuleOp>
readPortableIR(llvm::StringRef bytes, mlir::MLIRContext *context,
               const tw_portable_schema *schema = nullptr);

} // namespace tilewright::kernel

#endif // TILEWRIGHT_DIALECTS_KERNEL_PORTABLE_PORTABLE_H
