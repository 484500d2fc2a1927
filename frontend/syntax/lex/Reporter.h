//===- Reporter.h - Error reporting of one parse ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds the file name to diagnostics, mutes them while the parser tries an
// alternative, and stops after Limits::Errors.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_LEX_REPORTER_H
#define TILEWRIGHT_FRONTEND_SYNTAX_LEX_REPORTER_H

#include "frontend/syntax/Parser.h"
#include "frontend/syntax/lex/Codes.h"

namespace tilewright::syntax {

class Reporter {
public:
  Reporter(DiagnosticSink &sink, std::string fileName)
      : sink(sink), fileName(std::move(fileName)) {}

  void error(Code code, SourceRange range, std::string message,
             std::string hint = {}, std::vector<Note> notes = {});

  /// True once so many errors were reported, or one so grave, that the rest of
  /// the file is not worth parsing.
  bool stopped() const { return isStopped; }
  void stop() { isStopped = true; }
  size_t errorCount() const { return errors; }

  /// Errors are dropped while at least one Mute is alive.
  class Mute {
  public:
    explicit Mute(Reporter &reporter) : reporter(reporter) { ++reporter.muted; }
    ~Mute() { --reporter.muted; }
    Mute(const Mute &) = delete;
    Mute &operator=(const Mute &) = delete;

  private:
    Reporter &reporter;
  };
  bool isMuted() const { return muted != 0; }

private:
  DiagnosticSink &sink;
  std::string fileName;
  size_t errors = 0;
  unsigned muted = 0;
  bool isStopped = false;
};

} // namespace tilewright::syntax

#endif // TILEWRIGHT_FRONTEND_SYNTAX_LEX_REPORTER_H
