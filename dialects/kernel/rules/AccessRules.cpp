//===- AccessRules.cpp - Constraints of pointers and atomics ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointer arithmetic and casts, and the element types of atomics.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/rules/OpRules.h"

using namespace mlir;

namespace tilewright::kernel::rules {

LogicalResult verifySameShape(Operation *op, Type a, Type b) {
  if (haveSameShape(a, b))
    return success();
  return op->emitOpError("expected one shape, got ")
         << a << " and " << b << " (C1)";
}

LogicalResult verifyPointerInteger(Operation *op, Type pointer, Type integer) {
  if (failed(verifySameShape(op, pointer, integer)))
    return failure();
  if (!getElementTypeOrSelf(integer).isSignlessInteger(64))
    return breaks(op, "C1", "an address of type i64", integer);
  return success();
}

LogicalResult verifyExchangeWidth(Operation *op, Type value) {
  unsigned width = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  if (width == 16 || width == 32 || width == 64)
    return success();
  return breaks(op, "C2", "an element of 16, 32 or 64 bits", value);
}

LogicalResult verifyAtomicElement(Operation *op, AtomicKind kind,
                                  Type element) {
  if (kind == AtomicKind::Xchg)
    return success();
  bool needsFloat = kind == AtomicKind::FAdd || kind == AtomicKind::FMax ||
                    kind == AtomicKind::FMin;
  if (needsFloat ? isa<FloatType>(element) : element.isSignlessInteger())
    return success();
  return breaks(op, "C3",
                Twine(needsFloat ? "a float" : "an integer") + " element for " +
                    stringifyAtomicKind(kind),
                element);
}

} // namespace tilewright::kernel::rules
