//===- SemaTest.h - Kernel text to tile IR in tests -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses and emits one kernel and keeps what came out.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_SEMA_SEMATEST_H
#define TILEWRIGHT_TEST_UNIT_SEMA_SEMATEST_H

#include "frontend/sema/Sema.h"
#include "frontend/syntax/Parser.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

namespace tilewright {

struct Emitted {
  syntax::DiagnosticSink sink;
  /// The module's text; empty after errors.
  std::string text;
  std::string diagnostics() const { return syntax::renderText(sink); }
};

inline Emitted
emit(std::string_view source, const std::string &kernel,
     const std::string &signature,
     const std::function<void(sema::KernelRequest &)> &adjust = nullptr) {
  Emitted result;
  ast::ASTContext trees;
  sema::KernelRequest request;
  request.module = syntax::parseModule(trees, source, "kernel.py", result.sink);
  request.kernelName = kernel;
  request.signature = signature;
  if (adjust)
    adjust(request);
  if (result.sink.hasErrors())
    return result;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = sema::emitKernel(context, request, result.sink);
  if (module) {
    llvm::raw_string_ostream stream(result.text);
    module->print(stream);
  }
  return result;
}

/// Expects the pieces in this order.
inline void expectInOrder(const Emitted &emitted,
                          std::initializer_list<std::string_view> pieces) {
  ASSERT_FALSE(emitted.text.empty()) << emitted.diagnostics();
  size_t at = 0;
  for (std::string_view piece : pieces) {
    at = emitted.text.find(piece, at);
    ASSERT_NE(at, std::string::npos) << "missing: " << piece << "\n"
                                     << emitted.text;
    at += piece.size();
  }
}

inline const char *const prologue = "import triton\n"
                                    "import triton.language as tl\n";

} // namespace tilewright

#endif // TILEWRIGHT_TEST_UNIT_SEMA_SEMATEST_H
