//===- Codes.h - Names of the syntax error codes ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names the 1xxx rows of codes.def that the lexer and the parser report.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_LEX_CODES_H
#define TILEWRIGHT_FRONTEND_SYNTAX_LEX_CODES_H

namespace tilewright::syntax {

enum Code : unsigned {
  // Text and tokens.
  InvalidEncoding = 1001,
  NullByte = 1002,
  InvalidCharacter = 1003,
  UnterminatedString = 1004,
  InvalidNumber = 1005,
  IntegerTooLarge = 1006,
  InvalidEscape = 1007,
  NonASCIIBytes = 1008,
  MixedStringKinds = 1009,
  InconsistentTabs = 1010,
  UnmatchedDedent = 1011,
  UnexpectedIndent = 1012,
  ExpectedBlock = 1013,
  UnclosedBracket = 1014,
  UnmatchedBracket = 1015,
  BadContinuation = 1016,
  NestedTooDeeply = 1017,
  TooManyErrors = 1018,
  InvalidFString = 1019,
  // Structure.
  ExpectedExpression = 1020,
  ExpectedColon = 1021,
  ExpectedToken = 1022,
  ExpectedEndOfStatement = 1023,
  ExpectedName = 1024,
  MisplacedKeyword = 1025,
  TryWithoutHandler = 1026,
  MixedExceptKinds = 1027,
  BareExceptNotLast = 1028,
  UnparenthesizedExceptTypes = 1029,
  LegacyStatement = 1030,
  InvalidImport = 1031,
  ExpectedDefinition = 1032,
  // Meaning that the grammar fixes.
  InvalidAssignTarget = 1040,
  InvalidDeleteTarget = 1041,
  InvalidAugmentedTarget = 1042,
  InvalidAnnotationTarget = 1043,
  AssignmentInExpression = 1044,
  UnparenthesizedGenerator = 1045,
  PositionalAfterKeyword = 1046,
  RepeatedKeyword = 1047,
  DefaultOrder = 1048,
  InvalidParameter = 1049,
  DuplicateParameter = 1050,
  InvalidStarred = 1051,
  InvalidComprehension = 1052,
  InvalidNamedExpression = 1053,
  MissingElse = 1054,
  InvalidDict = 1055,
  InvalidPattern = 1056,
  MissingComma = 1057,
};

} // namespace tilewright::syntax

#endif // TILEWRIGHT_FRONTEND_SYNTAX_LEX_CODES_H
