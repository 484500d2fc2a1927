//===- Plugin.cpp - The reference as a plugin -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Negotiation and the COMPILE table.
//===----------------------------------------------------------------------===//
#include "backends/common/BuildId.h"
#include "backends/common/Request.h"
#include "backends/reference/Compiler.h"
#include "backends/reference/Driver.h"
#include "dialects/kernel/Dialects.h"
#include "dialects/kernel/Serialization.h"

#include "tilewright/portable.h"

#include "llvm/Config/llvm-config.h"

using namespace tilewright;
using namespace tilewright::reference;
using backend::buildId;
using backend::toRef;
using llvm::StringRef;

static void write(const tw_writer &out, StringRef text) {
  out.write(out.ctx, text.data(), text.size());
}

static int32_t fingerprint(tw_backend *, tw_writer out) {
  return keepInside([&] {
    write(out, (llvm::Twine("reference ") + buildId() + " llvm " +
                LLVM_VERSION_STRING + " ir " + kernel::kernelIRFingerprint())
                   .str());
    return TW_OK;
  });
}

static int32_t resolveTargetText(tw_backend *, tw_str text, const tw_sink *sink,
                                 tw_writer out) {
  return keepInside([&]() -> int32_t {
    backend::Problem problem;
    std::optional<std::string> target = resolveTarget(toRef(text), problem);
    if (!target) {
      backend::Report(sink).error(problem);
      return problem.status;
    }
    write(out, *target);
    return TW_OK;
  });
}

/// What a target can do is what its one device can do.
static int32_t getCaps(tw_backend *, tw_str, tw_capability *caps,
                       uint64_t count) {
  return keepInside([&] {
    static const std::string formats = backend::irFormats();
    int32_t status = runtimeTable.get_caps(nullptr, caps, count);
    for (uint64_t i = 0; i < count; ++i)
      if (caps[i].id == TW_CAP_IR_FORMATS) {
        caps[i] = {TW_CAP_IR_FORMATS, TW_ANSWER_YES, 0, tw_str{}};
        caps[i].text = {formats.data(), formats.size()};
      }
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
    write(out, "kernel-ir");
    return TW_OK;
  });
}

/// There are no settings; one that must be understood is refused.
static int32_t openBackend(const tw_backend_config *given,
                           tw_backend **backend) {
  return keepInside([&]() -> int32_t {
    tw_backend_config config;
    int32_t status = tw_read_struct(&config, sizeof config, given);
    if (status != TW_OK)
      return status;
    for (uint64_t i = 0; i < config.option_count; ++i)
      if (config.options[i].flags & TW_OPTION_MUST_UNDERSTAND) {
        backend::Report(config.sink)
            .error(4107,
                   "unknown setting '" + toRef(config.options[i].key) +
                       "' for the reference",
                   "remove it; compile options belong to the request");
        return TW_E_UNKNOWN_OPTION;
      }
    auto created = std::make_unique<tw_backend>();
    kernel::registerKernelIRDialects(created->registry);
    const tw_host_services *services = config.services;
    if (services && services->get_interface)
      created->printer =
          static_cast<const tw_print_interface *>(services->get_interface(
              services->ctx, tw_string(TW_PRINT_INTERFACE_NAME), 1));
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

static int32_t refuse(tw_backend_answer *answer, int32_t status,
                      const char *text) {
  tw_backend_answer mine{};
  mine.refusal = status;
  mine.refusal_text = tw_string(text);
  tw_write_struct(answer, sizeof mine, &mine);
  return status;
}

TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *given,
                                   tw_backend_answer *answer) {
  uint32_t version = 0;
  const char *text = nullptr;
  if (int32_t status =
          tw_accept_offer(given, TW_ABI_VERSION(0, 1), &version, &text))
    return refuse(answer, status, text);
  tw_backend_answer mine{};
  mine.version = version;
  mine.portable_min = TW_PORTABLE_OLDEST;
  mine.portable_max = TW_PORTABLE_NEWEST;
  mine.profiles = TW_PROFILE_COMPILE | TW_PROFILE_RUNTIME | TW_PROFILE_LAUNCH;
  mine.vendor = tw_string("reference");
  mine.name = tw_string("Kernel IR interpreter");
  mine.build_id = tw_string(buildId());
  mine.open = openBackend;
  mine.close = closeBackend;
  mine.compile = &compileTable;
  mine.runtime = &runtimeTable;
  mine.launch = &launchTable;
  return tw_write_struct(answer, sizeof mine, &mine);
}
