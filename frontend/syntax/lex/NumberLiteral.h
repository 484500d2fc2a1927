//===- NumberLiteral.h - Values of number tokens ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts number tokens to values; integers keep every digit.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_LEX_NUMBERLITERAL_H
#define TILEWRIGHT_FRONTEND_SYNTAX_LEX_NUMBERLITERAL_H

#include "frontend/syntax/ASTContext.h"

namespace tilewright::syntax {

/// The value of a well-formed number token, or nullopt when it is an integer
/// of more than Limits::IntegerDigits decimal digits.
std::optional<ast::ConstantValue> numberValue(std::string_view token,
                                              ast::ASTContext &context);

} // namespace tilewright::syntax

#endif // TILEWRIGHT_FRONTEND_SYNTAX_LEX_NUMBERLITERAL_H
