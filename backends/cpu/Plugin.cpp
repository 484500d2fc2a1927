//===- Plugin.cpp - The CPU compiler as a plugin ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Negotiation and the COMPILE table: the only way into the CPU compiler. Each
// function copies its tables, does the work and keeps exceptions inside.
//===----------------------------------------------------------------------===//
#include "backends/common/BuildId.h"
#include "backends/cpu/Compiler.h"
#include "backends/cpu/Request.h"
#include "dialects/kernel/Serialization.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Config/llvm-config.h"

#include <mutex>
#include <new>

using namespace tilewright::cpu;
using llvm::StringRef;

struct tw_backend {
  mlir::DialectRegistry registry;
  std::mutex mutex;
  llvm::StringSet<> texts; ///< texts of capabilities, kept until the end

  tw_str intern(StringRef text) {
    std::lock_guard<std::mutex> lock(mutex);
    return toStr(texts.insert(text).first->getKey());
  }
};

/// Turns exceptions (only the standard library's can occur) into codes.
template <typename Function>
static int32_t keepInside(const Function &function) {
  try {
    return function();
  } catch (const std::bad_alloc &) {
    return TW_E_EXHAUSTED;
  } catch (...) {
    return TW_E_INTERNAL;
  }
}

static void write(const tw_writer &out, StringRef text) {
  out.write(out.ctx, text.data(), text.size());
}

static int32_t fingerprint(tw_backend *, tw_writer out) {
  return keepInside([&] {
    write(out,
          (llvm::Twine("cpu ") + buildId() + " llvm " + LLVM_VERSION_STRING +
           " ir " + tilewright::kernel::kernelIRFingerprint() + " " +
           optionDefaults())
              .str());
    return TW_OK;
  });
}

static std::optional<Target> resolve(tw_str text, const tw_sink *sink,
                                     int32_t &status) {
  Problem problem;
  std::optional<Target> target = resolveTarget(toRef(text), problem);
  if (!target) {
    Report(sink).error(problem);
    status = problem.status;
  }
  return target;
}

static int32_t resolveTargetText(tw_backend *, tw_str text, const tw_sink *sink,
                                 tw_writer out) {
  return keepInside([&] {
    int32_t status = TW_OK;
    if (std::optional<Target> target = resolve(text, sink, status))
      write(out, target->name);
    return status;
  });
}

static int64_t dtypeMask(std::initializer_list<uint32_t> dtypes) {
  int64_t mask = 0;
  for (uint32_t dtype : dtypes)
    mask |= int64_t(1) << dtype;
  return mask;
}

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

/// Answers one question about a resolved target.
static void answerCapability(tw_backend *backend, const Target &target,
                             tw_capability &cap) {
  auto number = [&](int64_t value) {
    cap.answer = TW_ANSWER_YES;
    cap.value = value;
  };
  cap.value = 0;
  cap.text = tw_str{};
  switch (cap.id) {
  case TW_CAP_ARCH:
    cap.answer = TW_ANSWER_YES;
    cap.text = backend->intern(target.processor);
    return;
  case TW_CAP_SUBGROUP_SIZE:
  case TW_CAP_MAX_THREADS:
  case TW_CAP_FLAT_ADDRESSES:
  case TW_CAP_UNIFIED_MEMORY:
  case TW_CAP_CLUSTERS:
    return number(1);
  case TW_CAP_VECTOR_BITS:
    return number(target.vector.registerBits);
  case TW_CAP_STORAGE_DTYPES:
    return number((int64_t(1) << TW_DTYPE_COUNT) - 2);
  case TW_CAP_ARITHMETIC_DTYPES:
    return number(arithmeticDtypes(target));
  case TW_CAP_MATRIX_DTYPES:
    return number(matrixDtypes(target));
  case TW_CAP_MAX_PROGRAMS:
    return number(INT32_MAX);
  case TW_CAP_SHARED_BYTES:
  case TW_CAP_ASYNC_COPY:
  case TW_CAP_TENSOR_MAP:
  case TW_CAP_GRAPH_CAPTURE:
    cap.answer = TW_ANSWER_NO;
    return;
  default: // a device's property, or newer than this plugin
    cap.answer = TW_ANSWER_UNKNOWN;
    return;
  }
}

static int32_t getCaps(tw_backend *backend, tw_str text, tw_capability *caps,
                       uint64_t count) {
  return keepInside([&] {
    int32_t status = TW_OK;
    std::optional<Target> target = resolve(text, nullptr, status);
    for (uint64_t i = 0; target && i < count; ++i)
      answerCapability(backend, *target, caps[i]);
    return status;
  });
}

static int32_t compile(tw_backend *backend, const tw_compile_request *given,
                       tw_compile_response *response) {
  return keepInside([&] {
    tw_compile_request request;
    int32_t status = tw_read_struct(&request, sizeof request, given);
    if (status != TW_OK)
      return status;
    tw_compile_response mine{};
    mine.size = sizeof mine;
    status = compileRequest(backend->registry, request, mine);
    if (status == TW_OK)
      status = tw_write_struct(response, sizeof mine, &mine);
    return status;
  });
}

static int32_t canCompile(tw_backend *, const tw_compile_request *given) {
  return keepInside([&] {
    tw_compile_request request;
    int32_t status = tw_read_struct(&request, sizeof request, given);
    return status == TW_OK ? checkRequest(request) : status;
  });
}

static int32_t listTargets(tw_backend *, tw_writer out) {
  return keepInside([&] {
    write(out, llvm::join(knownProcessors(), "\n"));
    return TW_OK;
  });
}

/// The compiler itself has no settings; an option that must be understood is
/// refused, others are for whoever shares the configuration.
static int32_t openBackend(const tw_backend_config *given,
                           tw_backend **backend) {
  return keepInside([&]() -> int32_t {
    tw_backend_config config;
    int32_t status = tw_read_struct(&config, sizeof config, given);
    if (status != TW_OK)
      return status;
    for (uint64_t i = 0; i < config.option_count; ++i)
      if (config.options[i].flags & TW_OPTION_MUST_UNDERSTAND) {
        Report(config.sink)
            .error(4107,
                   "unknown setting '" + toRef(config.options[i].key) +
                       "' for the cpu compiler",
                   "remove it; compile options belong to the request");
        return TW_E_UNKNOWN_OPTION;
      }
    auto created = std::make_unique<tw_backend>();
    registerDialects(created->registry);
    *backend = created.release();
    return TW_OK;
  });
}

static void closeBackend(tw_backend *backend) { delete backend; }

static const tw_compile_table compileTable = {sizeof(tw_compile_table),
                                              0,
                                              fingerprint,
                                              resolveTargetText,
                                              getCaps,
                                              compile,
                                              canCompile,
                                              listTargets};

static int32_t refuse(tw_backend_answer *answer, tw_backend_answer &mine,
                      int32_t status, const char *text) {
  mine.refusal = status;
  mine.refusal_text = tw_string(text);
  tw_write_struct(answer, sizeof mine, &mine);
  return status;
}

TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *given,
                                   tw_backend_answer *answer) {
  const uint32_t version = TW_ABI_VERSION(TW_ABI_MAJOR, TW_ABI_MINOR);
  tw_host_offer offer;
  tw_backend_answer mine{};
  mine.size = sizeof mine;
  if (tw_read_struct(&offer, sizeof offer, given) != TW_OK)
    return refuse(answer, mine, TW_E_UNKNOWN_FIELD,
                  "the host offers something that this plugin does not know");
  if (offer.magic != TW_OFFER_MAGIC)
    return refuse(answer, mine, TW_E_INVALID_ARGUMENT,
                  "the offer does not come from tilewright");
  if (offer.min_version > version || offer.max_version < version)
    return refuse(answer, mine, TW_E_VERSION,
                  "the cpu compiler speaks ABI 0.1 only");
  mine.version = version;
  mine.profiles = TW_PROFILE_COMPILE;
  mine.vendor = tw_string("cpu");
  mine.name = tw_string("CPU compiler (LLVM " LLVM_VERSION_STRING ")");
  mine.build_id = tw_string(buildId());
  mine.open = openBackend;
  mine.close = closeBackend;
  mine.compile = &compileTable;
  return tw_write_struct(answer, sizeof mine, &mine);
}
