//===- IRDiagnostics.cpp - MLIR diagnostics as coded messages -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Location forms: FileLineColRange for a place, CallSiteLoc for an inlined
// call, fused and named locations hold one of these.
//===----------------------------------------------------------------------===//

#include "frontend/driver/IRDiagnostics.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tilewright::driver {

using namespace mlir;

namespace {

struct Place {
  std::string fileName;
  syntax::SourceRange range;
};

/// The places of a location, from the innermost call outwards.
void collectPlaces(Location location, std::vector<Place> &places) {
  llvm::TypeSwitch<Attribute>(location)
      .Case([&](FileLineColRange at) {
        auto column = [](unsigned c) { return c ? c - 1 : 0; };
        places.push_back({at.getFilename().str(),
                          {at.getStartLine(), column(at.getStartColumn()),
                           at.getEndLine(), column(at.getEndColumn())}});
      })
      .Case([&](CallSiteLoc call) {
        collectPlaces(call.getCallee(), places);
        collectPlaces(call.getCaller(), places);
      })
      .Case([&](NameLoc named) { collectPlaces(named.getChildLoc(), places); })
      .Case([&](FusedLoc fused) {
        if (!fused.getLocations().empty())
          collectPlaces(fused.getLocations().front(), places);
      })
      .Default([](Attribute) {});
}

/// Takes "TW3001: " off the front of a message and returns the number.
unsigned takeCode(std::string &message) {
  llvm::StringRef text(message);
  unsigned code = 0;
  if (!text.consume_front("TW") || text.consumeInteger(10, code) ||
      !text.consume_front(": "))
    return 0;
  message = text.str();
  return code;
}

syntax::Severity severityOf(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return syntax::Severity::Error;
  case DiagnosticSeverity::Warning:
    return syntax::Severity::Warning;
  case DiagnosticSeverity::Note:
    return syntax::Severity::Note;
  case DiagnosticSeverity::Remark:
    return syntax::Severity::Remark;
  }
  return syntax::Severity::Error;
}

} // namespace

void setLocation(syntax::Diagnostic &diagnostic, Location location) {
  std::vector<Place> places;
  collectPlaces(location, places);
  if (places.empty())
    return;
  diagnostic.fileName = places.front().fileName;
  diagnostic.range = places.front().range;
  for (size_t i = 1; i < places.size(); ++i)
    diagnostic.notes.push_back(
        {places[i].range, "called from here", places[i].fileName});
}

IRDiagnosticHandler::IRDiagnosticHandler(
    MLIRContext *context, syntax::DiagnosticSink &sink,
    std::vector<syntax::Diagnostic> &remarks)
    : ScopedDiagnosticHandler(context) {
  setHandler([&sink, &remarks](mlir::Diagnostic &from) {
    syntax::Diagnostic to;
    to.severity = severityOf(from.getSeverity());
    to.message = from.str();
    to.code = takeCode(to.message);
    if (to.severity == syntax::Severity::Error && to.code == 0)
      to.code = 3000;
    setLocation(to, from.getLocation());
    for (mlir::Diagnostic &note : from.getNotes()) {
      // A note without a place of its own is the next step.
      std::vector<Place> places;
      collectPlaces(note.getLocation(), places);
      std::string text = note.str();
      bool isHint = llvm::StringRef(text).starts_with("hint: ");
      if (isHint)
        to.hint = text.substr(6);
      else if (places.empty())
        to.notes.push_back({{}, text, {}});
      else
        to.notes.push_back({places[0].range, text, places[0].fileName});
    }
    if (to.severity == syntax::Severity::Remark)
      remarks.push_back(std::move(to));
    else
      sink.report(std::move(to));
    return success();
  });
}

} // namespace tilewright::driver
