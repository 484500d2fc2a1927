//===- Reporter.cpp - Error reporting of one parse --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Reporter.h.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/lex/Reporter.h"

using namespace tilewright::syntax;

void Reporter::error(Code code, SourceRange range, std::string message,
                     std::string hint, std::vector<Note> notes) {
  if (muted || isStopped)
    return;
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.fileName = fileName;
  diagnostic.range = range;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  diagnostic.notes = std::move(notes);
  sink.report(std::move(diagnostic));
  if (++errors < Limits::Errors || code == TooManyErrors)
    return;
  error(TooManyErrors, range, "too many errors, the rest was not checked",
        "fix the errors above first");
  isStopped = true;
}
