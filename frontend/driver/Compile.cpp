//===- Compile.cpp - The stages of one compile -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parse -> tile IR -> Kernel IR -> bytes -> plugin -> artifact. Each stage is
// timed; stage texts are kept when asked for.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/Dialects.h"
#include "frontend/driver/IRDiagnostics.h"
#include "frontend/driver/stages/Compilation.h"
#include "frontend/syntax/ASTDump.h"
#include "frontend/syntax/Parser.h"

#include <algorithm>

using namespace mlir;

namespace tilewright::driver {

std::string printIR(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return text + "\n";
}

void Compilation::fail(unsigned code, std::string message, std::string hint) {
  syntax::Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.fileName = toString(input.file_name);
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  output.sink.report(std::move(diagnostic));
}

bool Compilation::wants(const char *stage) const {
  for (uint64_t i = 0; i < input.stage_count; ++i)
    if (tw_str_equal(input.stages[i], tw_string(stage)))
      return true;
  return false;
}

const tw_option *Compilation::findOption(const char *name) const {
  for (uint64_t i = 0; i < input.option_count; ++i)
    if (tw_str_equal(input.options[i].key, tw_string(name)))
      return &input.options[i];
  return nullptr;
}

bool Compilation::isLast(const char *stage) const {
  if (input.stage_count == 0)
    return false;
  auto rank = [](llvm::StringRef name) {
    return std::find(std::begin(hostStages), std::end(hostStages), name) -
           std::begin(hostStages);
  };
  for (uint64_t i = 0; i < input.stage_count; ++i)
    if (rank(toString(input.stages[i])) > rank(stage))
      return false;
  return true;
}

bool Compilation::parse() {
  StageTimer timer(output, "parse");
  std::string_view text(input.source.data, input.source.size);
  module = syntax::parseModule(astContext, text, toString(input.file_name),
                               output.sink);
  if (output.sink.hasErrors())
    return false;
  if (wants("ast"))
    keep("ast", syntax::dumpAST(*module) + "\n");
  return true;
}

bool Compilation::isTimedOnly() const {
  return std::all_of(
      input.stages, input.stages + input.stage_count,
      [](tw_str stage) { return tw_str_equal(stage, tw_string("timings")); });
}

int32_t Compilation::runStages() {
  disabled = readDisabledSteps(input);
  // The plugin loads while this process parses and makes its context.
  if (!isLast("ast"))
    backends.prepare(toString(input.target));
  if (!parse())
    return TW_E_DIAGNOSED;
  if (isLast("ast"))
    return TW_OK;
  {
    StageTimer timer(output, "target");
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    DialectRegistry registry;
    kernel::registerKernelIRDialects(registry);
    context->appendDialectRegistry(registry);
    context->loadAllAvailableDialects();
    if (!findTarget())
      return TW_E_DIAGNOSED;
  }
  IRDiagnosticHandler handler(context.get(), output.sink, output.remarks);
  if (!emitTile())
    return TW_E_DIAGNOSED;
  if (isLast("tile"))
    return TW_OK;
  if (isCancelled())
    return TW_E_CANCELLED;
  if (backend) {
    overrides.emplace(backends, *backend, opVendors, input, output);
    if (!overrides->collect())
      return TW_E_DIAGNOSED;
    if (replaceKernel())
      return TW_OK;
  }
  if (isLast("identity"))
    return TW_OK;
  if (!lower())
    return TW_E_DIAGNOSED;
  if (isLast("needs"))
    return TW_OK;
  if (isCancelled())
    return TW_E_CANCELLED;
  return serialize() ? callPlugin() : TW_E_DIAGNOSED;
}

void compileSource(Backends &backends, const tw_compile_input &input,
                   CompileOutput &output) {
  Compilation(backends, input, output).run();
}

} // namespace tilewright::driver
