//===- Plugin.cpp - The reference as a plugin -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the interpreter answers as a compiler; its other tables are in
// Runtime.cpp and Launch.cpp.
//===----------------------------------------------------------------------===//
#include "backends/reference/Compiler.h"
#include "backends/reference/Driver.h"
#include "dialects/kernel/Dialects.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::StringRef;

namespace {
class ReferenceCompiler : public backend::Compiler {
public:
  const char *vendor() const override { return "reference"; }
  const char *title() const override { return "Kernel IR interpreter"; }
  std::string fingerprint() const override { return ""; }

  std::optional<std::string> resolve(StringRef target,
                                     backend::Problem &problem) const override {
    return resolveTarget(target, problem);
  }

  std::vector<std::string> knownTargets() const override {
    return {"kernel-ir"};
  }

  void answer(StringRef, llvm::MutableArrayRef<tw_capability> questions,
              backend::Interner) const override {
    runtimeTable.get_caps(nullptr, questions.data(), questions.size());
  }

  void registerDialects(mlir::DialectRegistry &registry) const override {
    kernel::registerKernelIRDialects(registry);
  }

  std::unique_ptr<tw_backend> createBackend() const override {
    return std::make_unique<Backend>();
  }

  const tw_runtime_table *runtime() const override { return &runtimeTable; }
  const tw_launch_table *launch() const override { return &launchTable; }

  int32_t check(const tw_compile_request &request) const override {
    return checkRequest(request);
  }

  int32_t compile(const mlir::DialectRegistry &registry,
                  const tw_compile_request &request,
                  tw_compile_response &response) const override {
    return compileRequest(registry, request, response);
  }
};
} // namespace

const backend::Compiler &tilewright::backend::thisCompiler() {
  static const ReferenceCompiler compiler;
  return compiler;
}

extern "C" TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *offer,
                                              tw_backend_answer *answer) {
  return backend::answerOffer(offer, answer);
}
