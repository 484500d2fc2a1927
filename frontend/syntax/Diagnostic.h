//===- Diagnostic.h - Located, coded messages -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one diagnostic type of the frontend: a code, a source range, a message
// and a next step. The parser, the semantic analysis and the hosts all report
// through a DiagnosticSink; renderers turn the collected list into text with
// carets or into JSON.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_DIAGNOSTIC_H
#define TILEWRIGHT_FRONTEND_SYNTAX_DIAGNOSTIC_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::syntax {

/// A half-open piece of source: lines are 1-based, columns are 0-based UTF-8
/// byte offsets, as in CPython's `ast`. Line 0 means "no position".
struct SourceRange {
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t endLine = 0;
  uint32_t endColumn = 0;

  bool isValid() const { return line != 0; }
  friend bool operator==(const SourceRange &a, const SourceRange &b) {
    return a.line == b.line && a.column == b.column && a.endLine == b.endLine &&
           a.endColumn == b.endColumn;
  }
  friend bool operator!=(const SourceRange &a, const SourceRange &b) {
    return !(a == b);
  }
};

/// The range from the start of `first` to the end of `last`.
inline SourceRange join(SourceRange first, SourceRange last) {
  return {first.line, first.column, last.endLine, last.endColumn};
}

enum class Severity : uint8_t { Error, Warning, Remark, Note };

/// A second location that explains a diagnostic; an empty file name means the
/// file of the diagnostic itself.
struct Note {
  SourceRange range;
  std::string message;
  std::string fileName;
};

/// One message: `code` is the number in codes.def (1003 is printed TW1003; 0
/// prints no code), `hint` the next step for the user (may be empty).
struct Diagnostic {
  unsigned code = 0;
  Severity severity = Severity::Error;
  std::string fileName;
  SourceRange range;
  std::string message;
  std::string hint;
  std::vector<Note> notes;
};

/// Collects diagnostics in the order reported, with the text of the files they
/// point into so that they can be rendered later.
class DiagnosticSink {
public:
  void report(Diagnostic diagnostic);

  /// Remembers a text of a file for the renderers. A file may have several:
  /// hosts give each function apart, at its lines of the file.
  void addSource(std::string fileName, std::string text);
  /// The latest text of the file, or nullptr; with a line, the latest text in
  /// which that line is not blank, if there is one.
  const std::string *findSource(std::string_view fileName,
                                uint32_t line = 0) const;

  const std::vector<Diagnostic> &diagnostics() const { return list; }
  bool hasErrors() const { return errors != 0; }
  size_t errorCount() const { return errors; }
  void clear();

  /// Orders the diagnostics from index `from` on by line and column, keeping
  /// the order of those at the same place.
  void sortByPosition(size_t from = 0);

private:
  std::vector<Diagnostic> list;
  std::map<std::string, std::vector<std::string>, std::less<>> sources;
  size_t errors = 0;
};

/// "TW1003", or "" for code 0.
std::string codeName(unsigned code);
/// "error", "warning", "remark" or "note".
std::string_view severityName(Severity severity);

/// One diagnostic as `file:line:column: error: TW1003: message`, the source
/// line, a caret with tildes, the hint and the notes. Columns are printed
/// 1-based. `source` may be nullptr.
std::string renderText(const Diagnostic &diagnostic, const std::string *source);
/// All diagnostics of a sink as text.
std::string renderText(const DiagnosticSink &sink);

/// All diagnostics of a sink as a JSON array of objects with file, line,
/// column (1-based, in bytes), endLine, endColumn, severity, code, message,
/// hint and notes.
std::string renderJSON(const DiagnosticSink &sink);

} // namespace tilewright::syntax

#endif // TILEWRIGHT_FRONTEND_SYNTAX_DIAGNOSTIC_H
