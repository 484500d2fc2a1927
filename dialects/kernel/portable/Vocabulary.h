//===- Vocabulary.h - Portable numbers and MLIR's words ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types, enumerations and names of attributes in both worlds. Cases are
// matched by their spelling, never by MLIR's numbers.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_PORTABLE_VOCABULARY_H
#define TILEWRIGHT_DIALECTS_KERNEL_PORTABLE_VOCABULARY_H

#include "tilewright/portable.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tilewright::kernel::portable {

/// TW_DTYPE_* of an element type; 0 if the form has none such.
uint32_t elementCode(mlir::Type type);

/// The element type of a code that the reader let pass.
mlir::Type elementType(uint32_t code, mlir::MLIRContext *context);

/// MLIR's name of attribute `id`.
llvm::StringRef attributeName(uint32_t id);

/// The case of enumeration `id`, or the bits, that an attribute of MLIR holds.
std::optional<uint32_t> caseOf(const tw_portable_schema &schema, uint32_t id,
                               mlir::Attribute value);

/// The attribute of MLIR that holds case, or bits, `number`.
mlir::Attribute attributeOf(const tw_portable_schema &schema, uint32_t id,
                            uint32_t number, mlir::MLIRContext *context);

} // namespace tilewright::kernel::portable

#endif // TILEWRIGHT_DIALECTS_KERNEL_PORTABLE_VOCABULARY_H
