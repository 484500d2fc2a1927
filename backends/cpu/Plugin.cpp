//===- Plugin.cpp - The CPU compiler as a plugin ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the CPU compiler says of itself.
//===----------------------------------------------------------------------===//
#include "backends/common/CompilerPlugin.h"
#include "backends/common/DeviceLibraries.h"
#include "backends/cpu/Compiler.h"
#include "backends/cpu/Request.h"

#include "llvm/Config/llvm-config.h"

using namespace tilewright::cpu;
using llvm::StringRef;

static int64_t arithmeticDtypes(const Target &target) {
  int64_t mask =
      dtypeMask({TW_DTYPE_I1, TW_DTYPE_I8, TW_DTYPE_I16, TW_DTYPE_I32,
                 TW_DTYPE_I64, TW_DTYPE_U8, TW_DTYPE_U16, TW_DTYPE_U32,
                 TW_DTYPE_U64, TW_DTYPE_F32, TW_DTYPE_F64});
  if (target.vector.hasHalfArithmetic)
    mask |= dtypeMask({TW_DTYPE_F16});
  return mask;
}

static int64_t matrixDtypes(const Target &target) {
  int64_t mask = 0;
  if (target.vector.hasBfloatDot)
    mask |= dtypeMask({TW_DTYPE_BF16});
  if (target.vector.hasByteDot)
    mask |= dtypeMask({TW_DTYPE_I8, TW_DTYPE_U8});
  return mask;
}

/// One question about a resolved target. What is not answered is a device's
/// property, or newer than this plugin.
static void answerOne(const Target &target, tw_capability &question,
                      Interner intern) {
  switch (question.id) {
  case TW_CAP_ARCH:
    return sayYes(question, intern(target.processor));
  case TW_CAP_SUBGROUP_SIZE:
  case TW_CAP_MAX_THREADS:
  case TW_CAP_FLAT_ADDRESSES:
  case TW_CAP_UNIFIED_MEMORY:
  case TW_CAP_CLUSTERS:
    return sayYes(question, 1);
  case TW_CAP_VECTOR_BITS:
    return sayYes(question, target.vector.registerBits);
  case TW_CAP_STORAGE_DTYPES:
    return sayYes(question, (int64_t(1) << TW_DTYPE_COUNT) - 2);
  case TW_CAP_ARITHMETIC_DTYPES:
    return sayYes(question, arithmeticDtypes(target));
  case TW_CAP_MATRIX_DTYPES:
    return sayYes(question, matrixDtypes(target));
  case TW_CAP_MAX_PROGRAMS:
    return sayYes(question, INT32_MAX);
  case TW_CAP_SHARED_BYTES:
  case TW_CAP_ASYNC_COPY:
  case TW_CAP_TENSOR_MAP:
  case TW_CAP_GRAPH_CAPTURE:
  case TW_CAP_HINTS:
    return sayNo(question);
  default:
    return;
  }
}

namespace {
class CpuCompiler : public Compiler {
public:
  const char *vendor() const override { return "cpu"; }
  const char *title() const override {
    return "CPU compiler (LLVM " LLVM_VERSION_STRING ")";
  }
  std::string fingerprint() const override { return optionDefaults().str(); }

  std::optional<std::string> resolve(StringRef text,
                                     Problem &problem) const override {
    std::optional<Target> target = resolveTarget(text, problem);
    return target ? std::optional(target->name) : std::nullopt;
  }

  std::vector<std::string> knownTargets() const override {
    return knownProcessors();
  }

  void answer(StringRef text, llvm::MutableArrayRef<tw_capability> questions,
              Interner intern) const override {
    Problem problem;
    if (std::optional<Target> target = resolveTarget(text, problem))
      for (tw_capability &question : questions)
        answerOne(*target, question, intern);
  }

  const char *libraryFormat() const override { return kBitcodeFormat.data(); }

  void registerDialects(mlir::DialectRegistry &registry) const override {
    tilewright::cpu::registerDialects(registry);
  }

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

const Compiler &tilewright::backend::thisCompiler() {
  static const CpuCompiler compiler;
  return compiler;
}

extern "C" TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *offer,
                                              tw_backend_answer *answer) {
  return answerOffer(offer, answer);
}
