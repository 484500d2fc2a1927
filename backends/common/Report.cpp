//===- Report.cpp - Diagnostics of one compilation --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR notes follow their error; LLVM's text is passed on under one code.
//===----------------------------------------------------------------------===//
#include "backends/common/Report.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::backend {

static void appendChain(mlir::Location location, SourceChain &chain,
                        llvm::StringRef function) {
  if (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(location)) {
    appendChain(call.getCallee(), chain, function);
    appendChain(call.getCaller(), chain, {});
    return;
  }
  if (auto name = mlir::dyn_cast<mlir::NameLoc>(location))
    return appendChain(name.getChildLoc(), chain, name.getName().strref());
  if (auto fused = mlir::dyn_cast<mlir::FusedLoc>(location)) {
    if (!fused.getLocations().empty())
      appendChain(fused.getLocations().front(), chain, function);
    return;
  }
  if (auto range = mlir::dyn_cast<mlir::FileLineColRange>(location))
    chain.push_back({range.getFilename().str(), function.str(),
                     range.getStartLine(), range.getStartColumn(),
                     range.getEndLine(), range.getEndColumn()});
}

SourceChain describeLocation(mlir::Location location) {
  SourceChain chain;
  appendChain(location, chain, {});
  return chain;
}

const tw_location *viewLocation(const SourceChain &chain,
                                std::deque<tw_location> &links) {
  const tw_location *next = nullptr;
  for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
    tw_location link{};
    link.file = toStr(it->file);
    link.function = toStr(it->function);
    link.line = it->line;
    link.column = it->column;
    link.end_line = it->endLine;
    link.end_column = it->endColumn;
    link.caller = next;
    links.push_back(link);
    next = &links.back();
  }
  return next;
}

Report::Report(const tw_sink *caller) : sink(nullptr), known{} {
  if (caller && tw_read_struct(&known, sizeof known, caller) == TW_OK &&
      known.emit)
    sink = &known;
}

Report::~Report() = default;

void Report::emit(uint32_t severity, uint32_t code, llvm::StringRef message,
                  llvm::StringRef hint, const SourceChain &chain) {
  errors |= severity == TW_SEVERITY_ERROR;
  if (!sink)
    return;
  std::deque<tw_location> links;
  tw_diagnostic diagnostic{};
  diagnostic.size = sizeof diagnostic;
  diagnostic.severity = severity;
  diagnostic.code = code;
  diagnostic.message = toStr(message);
  diagnostic.hint = toStr(hint);
  diagnostic.location = viewLocation(chain, links);
  sink->emit(sink->ctx, &diagnostic);
}

void Report::error(uint32_t code, const llvm::Twine &message,
                   llvm::StringRef hint) {
  emit(TW_SEVERITY_ERROR, code, message.str(), hint);
}

void Report::error(const Problem &problem) {
  emit(TW_SEVERITY_ERROR, problem.code, problem.message, problem.hint);
}

void Report::remark(const llvm::Twine &message, const SourceChain &chain) {
  kept.push_back({message.str(), chain});
}

/// Strips a leading "TWnnnn: " and returns its number, or nothing.
static std::optional<uint32_t> takeCode(llvm::StringRef &text) {
  llvm::StringRef rest = text;
  uint32_t code = 0;
  if (!rest.consume_front("TW") || rest.consumeInteger(10, code) ||
      !rest.consume_front(": "))
    return std::nullopt;
  text = rest;
  return code;
}

void Report::takeMLIR(mlir::Diagnostic &diagnostic, uint32_t defaultCode) {
  std::string buffer = diagnostic.str();
  llvm::StringRef text = buffer;
  std::optional<uint32_t> code = takeCode(text);
  SourceChain chain = describeLocation(diagnostic.getLocation());
  switch (diagnostic.getSeverity()) {
  case mlir::DiagnosticSeverity::Remark:
    return remark(text, chain);
  case mlir::DiagnosticSeverity::Note:
    if (text.starts_with("see current operation"))
      return; // a dump of IR says nothing to a user
    return emit(TW_SEVERITY_NOTE, code.value_or(0), text, {}, chain);
  case mlir::DiagnosticSeverity::Warning:
    emit(TW_SEVERITY_WARNING, code.value_or(0), text, {}, chain);
    break;
  case mlir::DiagnosticSeverity::Error:
    emit(TW_SEVERITY_ERROR, code.value_or(defaultCode), text, {}, chain);
    break;
  }
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    takeMLIR(note, defaultCode);
}

std::unique_ptr<mlir::ScopedDiagnosticHandler>
Report::attach(mlir::MLIRContext *context, uint32_t defaultCode) {
  return std::make_unique<mlir::ScopedDiagnosticHandler>(
      context, [this, defaultCode](mlir::Diagnostic &diagnostic) {
        takeMLIR(diagnostic, defaultCode);
        return mlir::success();
      });
}

namespace {
/// Passes the words of remarks on, without names and categories.
class RemarkKeeper : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  explicit RemarkKeeper(Report &report) : report(report) {}

  void streamOptimizationRemark(
      const mlir::remark::detail::Remark &remark) override {
    std::string text;
    for (const mlir::remark::detail::Remark::Arg &arg : remark.getArgs())
      text += (text.empty() ? "" : "; ") + arg.val;
    report.remark(text, describeLocation(remark.getLocation()));
  }

private:
  Report &report;
};
} // namespace

void Report::attachRemarks(mlir::MLIRContext *context) {
  mlir::remark::RemarkCategories categories;
  categories.passed = categories.missed = ".*"; // `all` only widens these
  categories.analysis = categories.failed = ".*";
  // Fails only for a filter that is no regular expression.
  (void)mlir::remark::enableOptimizationRemarks(
      *context, std::make_unique<RemarkKeeper>(*this),
      std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(), categories);
}

void Report::takeLLVM(const llvm::DiagnosticInfo &info, uint32_t defaultCode) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info.print(printer);
  switch (info.getSeverity()) {
  case llvm::DS_Error:
    if (info.getKind() == llvm::DK_SrcMgr)
      return emit(TW_SEVERITY_ERROR, defaultCode,
                  "expected inline assembly of the target, got: " + text,
                  "$0, $1, ... stand for results and operands in order");
    return emit(TW_SEVERITY_ERROR, defaultCode, text);
  case llvm::DS_Warning:
    return emit(TW_SEVERITY_WARNING, 0, text);
  case llvm::DS_Remark:
    return remark(text);
  case llvm::DS_Note:
    return emit(TW_SEVERITY_NOTE, 0, text);
  }
}

} // namespace tilewright::backend
