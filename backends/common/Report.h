//===- Report.h - Diagnostics of one compilation ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns what a backend, MLIR and LLVM have to say into coded diagnostics
// of the C interface, and keeps the remarks for the response.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_REPORT_H
#define TILEWRIGHT_BACKENDS_COMMON_REPORT_H

#include "tilewright/base.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class Diagnostic;
class Location;
class MLIRContext;
class ScopedDiagnosticHandler;
} // namespace mlir
namespace llvm {
class DiagnosticInfo;
} // namespace llvm

namespace tilewright::backend {

inline llvm::StringRef toRef(tw_str text) {
  return llvm::StringRef(text.data, text.size);
}
inline tw_str toStr(llvm::StringRef text) {
  return tw_str{text.data(), text.size()};
}

/// A coded refusal that has not been reported yet.
struct Problem {
  int32_t status = TW_E_DIAGNOSED;
  uint32_t code = 0;
  std::string message;
  std::string hint;
};

/// A location chain whose strings are owned.
struct SourceRange {
  std::string file;
  std::string function;
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t endLine = 0;
  uint32_t endColumn = 0;
};

/// Innermost range first, then the calls that were inlined.
using SourceChain = std::vector<SourceRange>;

SourceChain describeLocation(mlir::Location location);

/// Collects and forwards the diagnostics of one request. Used by one thread at
/// a time.
class Report {
public:
  explicit Report(const tw_sink *sink);
  ~Report();

  void emit(uint32_t severity, uint32_t code, llvm::StringRef message,
            llvm::StringRef hint = {}, const SourceChain &chain = {});
  void error(uint32_t code, const llvm::Twine &message,
             llvm::StringRef hint = {});
  void error(const Problem &problem);

  /// Remarks are not sent to the sink; the response carries them.
  void remark(const llvm::Twine &message, const SourceChain &chain = {});

  /// Routes the diagnostics of an MLIR context here while the result lives.
  /// Errors that carry no `TWnnnn: ` prefix get `defaultCode`.
  std::unique_ptr<mlir::ScopedDiagnosticHandler>
  attach(mlir::MLIRContext *context, uint32_t defaultCode);

  /// Keeps what comes through the remark engine of an MLIR context. The report
  /// must outlive the context.
  void attachRemarks(mlir::MLIRContext *context);

  /// Takes a diagnostic of LLVM's optimiser or code generator.
  void takeLLVM(const llvm::DiagnosticInfo &info, uint32_t defaultCode);

  bool hasErrors() const { return errors; }

  struct Remark {
    std::string message;
    SourceChain chain;
  };
  const std::deque<Remark> &remarks() const { return kept; }

private:
  void takeMLIR(mlir::Diagnostic &diagnostic, uint32_t defaultCode);

  const tw_sink *sink;
  tw_sink known;
  bool errors = false;
  std::deque<Remark> kept;
};

/// C view of a chain; `links` owns the structs and must outlive the use.
const tw_location *viewLocation(const SourceChain &chain,
                                std::deque<tw_location> &links);

} // namespace tilewright::backend

#endif // TILEWRIGHT_BACKENDS_COMMON_REPORT_H
