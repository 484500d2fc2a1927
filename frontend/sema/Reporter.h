//===- Reporter.h - Located errors with call chains -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows which source range is being evaluated and through which helper calls
// it was reached. Errors inside the standard library are shown at the user's
// call.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_REPORTER_H
#define TILEWRIGHT_FRONTEND_SEMA_REPORTER_H

#include "frontend/sema/value/Value.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

namespace tilewright::sema {

/// One function being interpreted.
struct CallFrame {
  const CallFrame *caller = nullptr;
  /// Where the caller calls, in the caller's file.
  syntax::SourceRange callRange;
  std::string functionName;
  ModuleEnv *module = nullptr;
  /// The function's definition, to refuse recursion.
  const ast::Node *node = nullptr;
};

class Reporter {
public:
  explicit Reporter(syntax::DiagnosticSink &sink) : sink(sink) {}

  /// Reports at the current range; returns Value::error() for convenience.
  Value error(unsigned code, const llvm::Twine &message,
              llvm::StringRef hint = "");
  Value errorAt(syntax::SourceRange range, unsigned code,
                const llvm::Twine &message, llvm::StringRef hint = "",
                std::vector<syntax::Note> notes = {});
  /// A warning at the current range; the same one is given once.
  void warning(unsigned code, const llvm::Twine &message, llvm::StringRef hint);
  void remark(syntax::Severity severity, unsigned code,
              const llvm::Twine &message);

  bool hadError() const { return errors != 0; }
  /// True when so many errors were found that going on helps nobody.
  bool isExhausted() const { return errors >= MaxErrors; }
  /// Line 3 of "k.py" for notes without a range.
  syntax::Note noteAt(syntax::SourceRange range, const llvm::Twine &message);

  syntax::SourceRange range;
  const CallFrame *frame = nullptr;
  /// While not 0, errors are neither reported nor counted.
  unsigned quiet = 0;

private:
  static constexpr unsigned MaxErrors = 20;
  syntax::Diagnostic build(syntax::SourceRange range, unsigned code,
                           const llvm::Twine &message);

  syntax::DiagnosticSink &sink;
  unsigned errors = 0;
  llvm::StringSet<> seen;
};

/// The entry of `names` that is closest to `name`, or empty when none is near.
std::string nearestName(llvm::StringRef name,
                        llvm::ArrayRef<std::string> names);
/// "did you mean 'x'?" or the fallback.
std::string didYouMean(llvm::StringRef name, llvm::ArrayRef<std::string> names,
                       llvm::StringRef fallback = "");

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_REPORTER_H
