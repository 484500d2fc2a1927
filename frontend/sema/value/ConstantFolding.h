//===- ConstantFolding.h - Python's operators -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators on compile-time values mean what they mean in Python.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_CONSTANTFOLDING_H
#define TILEWRIGHT_FRONTEND_SEMA_CONSTANTFOLDING_H

#include "frontend/sema/Reporter.h"

namespace tilewright::sema {

/// Error value with a diagnostic when the operation is undefined.
Value foldBinary(Reporter &reporter, ast::BinaryOperator op, const Value &left,
                 const Value &right);
Value foldCompare(Reporter &reporter, ast::CompareOperator op,
                  const Value &left, const Value &right);
Value foldUnary(Reporter &reporter, ast::UnaryOperator op,
                const Value &operand);
/// Python's ==.
bool constantsEqual(const Value &left, const Value &right);
/// "+", "//", "==", "not".
const char *spelling(ast::BinaryOperator op);
const char *spelling(ast::CompareOperator op);

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_CONSTANTFOLDING_H
