//===- Describe.cpp - The kernels of a text as JSON -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets a host build a signature without reading the source itself.
//===----------------------------------------------------------------------===//

#include "frontend/driver/CompileSession.h"
#include "frontend/sema/Sema.h"
#include "frontend/syntax/Parser.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::driver {

namespace {

llvm::json::Object describe(const sema::ParameterInfo &parameter) {
  std::string prefix = parameter.isKeywordVariadic ? "**"
                       : parameter.isVariadic      ? "*"
                                                   : "";
  return llvm::json::Object{
      {"name", prefix + parameter.name},
      {"constexpr", parameter.isConstexpr},
      {"annotation", parameter.annotation},
      {"default", parameter.hasDefault
                      ? llvm::json::Value(parameter.defaultText)
                      : llvm::json::Value(nullptr)}};
}

} // namespace

std::string describeKernels(std::string_view source,
                            const std::string &fileName,
                            syntax::DiagnosticSink &sink) {
  ast::ASTContext context;
  const ast::Module *module =
      syntax::parseModule(context, source, fileName, sink);
  llvm::json::Array kernels;
  for (const sema::KernelInfo &kernel : sema::listKernels(*module)) {
    llvm::json::Array parameters;
    for (const sema::ParameterInfo &parameter : kernel.parameters)
      parameters.push_back(describe(parameter));
    kernels.push_back(
        llvm::json::Object{{"name", kernel.name},
                           {"line", kernel.range.line},
                           {"parameters", std::move(parameters)}});
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(kernels));
  return text;
}

} // namespace tilewright::driver
