//===- CompilerPlugin.cpp - The COMPILE profile of our plugins --*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only way into a compiler. Each function copies its tables, does the work
// and keeps exceptions inside.
//===----------------------------------------------------------------------===//
#include "backends/common/CompilerPlugin.h"

#include "backends/common/BuildId.h"
#include "backends/common/request/Request.h"
#include "dialects/kernel/Serialization.h"
#include "tilewright/sdk/Entry.h"

#include "tilewright/portable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"

using llvm::StringRef;
using namespace tilewright;
using namespace tilewright::backend;
using host::keepInside;

static constexpr uint32_t kUnknownSetting = 4107;

tw_str tw_backend::intern(StringRef text) {
  std::lock_guard<std::mutex> lock(mutex);
  return toStr(texts.insert(text).first->getKey());
}

std::unique_ptr<tw_backend> Compiler::createBackend() const {
  return std::make_unique<tw_backend>();
}

static void write(const tw_writer &out, StringRef text) {
  out.write(out.ctx, text.data(), text.size());
}

static int32_t fingerprint(tw_backend *, tw_writer out) {
  return keepInside([&] {
    write(out, (llvm::Twine(thisCompiler().vendor()) + " " + buildId() +
                " llvm " LLVM_VERSION_STRING " ir " +
                tilewright::kernel::kernelIRFingerprint() + " " +
                thisCompiler().fingerprint())
                   .str());
    return TW_OK;
  });
}

static int32_t resolveTarget(tw_backend *, tw_str text, const tw_sink *sink,
                             tw_writer out) {
  return keepInside([&]() -> int32_t {
    Problem problem;
    if (auto name = thisCompiler().resolve(toRef(text), problem)) {
      write(out, *name);
      return TW_OK;
    }
    Report(sink).error(problem);
    return problem.status;
  });
}

static int32_t getCaps(tw_backend *backend, tw_str text, tw_capability *caps,
                       uint64_t count) {
  return keepInside([&]() -> int32_t {
    Problem problem;
    auto name = thisCompiler().resolve(toRef(text), problem);
    if (!name)
      return problem.status;
    for (uint64_t i = 0; i < count; ++i) {
      caps[i].answer = TW_ANSWER_UNKNOWN;
      caps[i].value = 0;
      caps[i].text = tw_str{};
    }
    thisCompiler().answer(
        *name, {caps, size_t(count)},
        [backend](StringRef text) { return backend->intern(text); });
    tw_str libraries = tw_string(thisCompiler().libraryFormat());
    for (uint64_t i = 0; i < count; ++i)
      if (caps[i].id == TW_CAP_IR_FORMATS)
        sayYes(caps[i], backend->intern(irFormats()));
      else if (caps[i].id == TW_CAP_LIBRARY_FORMATS && libraries.size)
        sayYes(caps[i], libraries);
      else if (caps[i].id == TW_CAP_LIBRARY_FORMATS)
        sayNo(caps[i]);
    return TW_OK;
  });
}

/// Reads a request; none of its extensions is known here.
static int32_t readRequest(tw_compile_request &request,
                           const tw_compile_request *given) {
  int32_t status = tw_read_struct(&request, sizeof request, given);
  const tw_extension *next = status == TW_OK ? request.extensions : nullptr;
  for (; next; next = next->next)
    if (next->flags & TW_EXTENSION_MUST_UNDERSTAND)
      return TW_E_UNKNOWN_FIELD;
  return status;
}

static int32_t compile(tw_backend *backend, const tw_compile_request *given,
                       tw_compile_response *response) {
  return keepInside([&] {
    tw_compile_request request;
    int32_t status = readRequest(request, given);
    if (status != TW_OK)
      return status;
    tw_compile_response mine{};
    mine.size = sizeof mine;
    status = thisCompiler().compile(backend->registry, request, mine);
    if (status == TW_OK)
      status = tw_write_struct(response, sizeof mine, &mine);
    return status;
  });
}

static int32_t canCompile(tw_backend *, const tw_compile_request *given) {
  return keepInside([&] {
    tw_compile_request request;
    int32_t status = readRequest(request, given);
    return status == TW_OK ? thisCompiler().check(request) : status;
  });
}

static int32_t listTargets(tw_backend *, tw_writer out) {
  return keepInside([&] {
    write(out, llvm::join(thisCompiler().knownTargets(), "\n"));
    return TW_OK;
  });
}

/// Compilers have no settings; an option that must be understood is refused,
/// others are for whoever shares the configuration.
static int32_t openBackend(const tw_backend_config *given,
                           tw_backend **backend) {
  return keepInside([&]() -> int32_t {
    tw_backend_config config;
    int32_t status = tw_read_struct(&config, sizeof config, given);
    if (status != TW_OK)
      return status;
    std::string who =
        std::string("the compiler of target ") + thisCompiler().vendor();
    if (int32_t refused = host::refuseOptions(
            config, kUnknownSetting, who.c_str(),
            "remove it; compile options belong to the request"))
      return refused;
    std::unique_ptr<tw_backend> created = thisCompiler().createBackend();
    created->printer = host::findPrinter(config);
    thisCompiler().registerDialects(created->registry);
    *backend = created.release();
    return TW_OK;
  });
}

static void closeBackend(tw_backend *backend) { delete backend; }

static const tw_compile_table compileTable = {sizeof(tw_compile_table),
                                              0,
                                              fingerprint,
                                              resolveTarget,
                                              getCaps,
                                              compile,
                                              canCompile,
                                              listTargets};

namespace tilewright::backend {

void sayYes(tw_capability &question, int64_t value) {
  question.answer = TW_ANSWER_YES;
  question.value = value;
}

void sayYes(tw_capability &question, tw_str text) {
  question.answer = TW_ANSWER_YES;
  question.text = text;
}

void sayNo(tw_capability &question) { question.answer = TW_ANSWER_NO; }

void sayWhether(tw_capability &question, bool holds) {
  holds ? sayYes(question, 1) : sayNo(question);
}

int64_t dtypeMask(std::initializer_list<uint32_t> dtypes) {
  int64_t mask = 0;
  for (uint32_t dtype : dtypes)
    mask |= int64_t(1) << dtype;
  return mask;
}

int32_t answerOffer(const tw_host_offer *given, tw_backend_answer *answer) {
  const Compiler &compiler = thisCompiler();
  tw_backend_answer mine{};
  mine.size = sizeof mine;
  mine.portable_min = TW_PORTABLE_OLDEST;
  mine.portable_max = TW_PORTABLE_NEWEST;
  mine.vendor = tw_string(compiler.vendor());
  mine.name = tw_string(compiler.title());
  mine.build_id = tw_string(buildId());
  mine.open = openBackend;
  mine.close = closeBackend;
  mine.compile = &compileTable;
  mine.runtime = compiler.runtime();
  mine.launch = compiler.launch();
  mine.profiles = TW_PROFILE_COMPILE | (mine.runtime ? TW_PROFILE_RUNTIME : 0) |
                  (mine.launch ? TW_PROFILE_LAUNCH : 0);
  return host::answerOffer(given, mine, answer);
}

} // namespace tilewright::backend
