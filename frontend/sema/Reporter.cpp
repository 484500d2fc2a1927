//===- Reporter.cpp - Located errors with call chains -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the chain of frames into notes.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Reporter.h"

#include "frontend/sema/ModuleEnv.h"

using namespace tilewright;
using namespace tilewright::sema;

static std::string fileOf(const CallFrame *frame) {
  return frame && frame->module ? frame->module->fileName().str()
                                : std::string();
}

static bool isLibrary(const CallFrame *frame) {
  return frame && frame->module && frame->module->isLibrary();
}

syntax::Diagnostic Reporter::build(syntax::SourceRange where, unsigned code,
                                   const llvm::Twine &message) {
  syntax::Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = message.str();
  const CallFrame *current = frame;
  while (isLibrary(current) && current->caller) {
    where = current->callRange;
    current = current->caller;
  }
  diagnostic.fileName = fileOf(current);
  diagnostic.range = where;
  for (; current && current->caller; current = current->caller) {
    if (isLibrary(current->caller))
      continue;
    syntax::Note note;
    note.range = current->callRange;
    note.fileName = fileOf(current->caller);
    note.message = "in '" + current->functionName + "', called from here";
    diagnostic.notes.push_back(std::move(note));
  }
  return diagnostic;
}

Value Reporter::errorAt(syntax::SourceRange where, unsigned code,
                        const llvm::Twine &message, llvm::StringRef hint,
                        std::vector<syntax::Note> notes) {
  if (quiet)
    return Value::error();
  syntax::Diagnostic diagnostic = build(where, code, message);
  diagnostic.hint = hint.str();
  diagnostic.notes.insert(diagnostic.notes.begin(), notes.begin(), notes.end());
  std::string key =
      diagnostic.fileName + ":" + std::to_string(diagnostic.range.line) + ":" +
      std::to_string(diagnostic.range.column) + ":" +
      // What follows from an error inside the library says nothing new.
      (isLibrary(frame) ? "library" : std::to_string(code));
  ++errors;
  // The same mistake in an unrolled loop is one mistake.
  if (seen.insert(key).second)
    sink.report(std::move(diagnostic));
  return Value::error();
}

Value Reporter::error(unsigned code, const llvm::Twine &message,
                      llvm::StringRef hint) {
  return errorAt(range, code, message, hint);
}

void Reporter::remark(syntax::Severity severity, unsigned code,
                      const llvm::Twine &message) {
  if (quiet)
    return;
  syntax::Diagnostic diagnostic = build(range, code, message);
  diagnostic.severity = severity;
  sink.report(std::move(diagnostic));
}

void Reporter::warning(unsigned code, const llvm::Twine &message,
                       llvm::StringRef hint) {
  if (quiet)
    return;
  syntax::Diagnostic diagnostic = build(range, code, message);
  diagnostic.severity = syntax::Severity::Warning;
  diagnostic.hint = hint.str();
  std::string key = diagnostic.fileName + ":" +
                    std::to_string(diagnostic.range.line) +
                    ":warning:" + diagnostic.message;
  if (seen.insert(key).second)
    sink.report(std::move(diagnostic));
}

syntax::Note Reporter::noteAt(syntax::SourceRange where,
                              const llvm::Twine &message) {
  syntax::Note note;
  note.range = where;
  note.fileName = fileOf(frame);
  note.message = message.str();
  return note;
}

std::string sema::nearestName(llvm::StringRef name,
                              llvm::ArrayRef<std::string> names) {
  unsigned best = name.size() / 3 + 1;
  std::string result;
  for (const std::string &candidate : names) {
    if (name == candidate)
      continue;
    unsigned distance = name.edit_distance(candidate, true, best);
    if (name.equals_insensitive(candidate))
      distance = 0;
    // One edit makes any short name from any other.
    if (distance > candidate.size() / 3)
      continue;
    if (distance < best) {
      best = distance;
      result = candidate;
    }
  }
  return result;
}

std::string sema::didYouMean(llvm::StringRef name,
                             llvm::ArrayRef<std::string> names,
                             llvm::StringRef fallback) {
  std::string nearest = nearestName(name, names);
  return nearest.empty() ? fallback.str() : "did you mean '" + nearest + "'?";
}
