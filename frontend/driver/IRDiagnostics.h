//===- IRDiagnostics.h - MLIR diagnostics as coded messages -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes report through MLIR with a "TWnnnn: " prefix; this turns what they say
// into the frontend's diagnostics, with the user's ranges and call chain.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_IRDIAGNOSTICS_H
#define TILEWRIGHT_FRONTEND_DRIVER_IRDIAGNOSTICS_H

#include "frontend/syntax/Diagnostic.h"

#include "mlir/IR/Diagnostics.h"

namespace tilewright::driver {

/// Appends `location` to the diagnostic: its range, and a note for every call
/// that was inlined on the way.
void setLocation(syntax::Diagnostic &diagnostic, mlir::Location location);

/// While it lives, every MLIR diagnostic of the context goes to the sink,
/// remarks to their own list.
class IRDiagnosticHandler : public mlir::ScopedDiagnosticHandler {
public:
  IRDiagnosticHandler(mlir::MLIRContext *context, syntax::DiagnosticSink &sink,
                      std::vector<syntax::Diagnostic> &remarks);
};

} // namespace tilewright::driver

#endif // TILEWRIGHT_FRONTEND_DRIVER_IRDIAGNOSTICS_H
