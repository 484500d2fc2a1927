//===- Entry.cpp - Negotiation and the backend ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exported function. `open` touches no driver: a machine without one can
// still list this plugin; counting or opening devices opens the library.
//===----------------------------------------------------------------------===//
#include "tilewright/sdk/Entry.h"
#include "backends/simt/driver/Driver.h"

#include <new>

namespace tilewright::gpu {

void emitError(const tw_sink *sink, uint32_t code, const std::string &message,
               const char *hint) {
  tw_emit(sink, TW_SEVERITY_ERROR, code, message.c_str(), hint);
}

static int32_t openBackend(const tw_backend_config *given,
                           tw_backend **backend) {
  tw_backend_config config;
  if (int32_t status = tw_read_struct(&config, sizeof config, given))
    return status;
  std::string who = std::string("the ") + vendor.title + " driver plugin";
  if (int32_t status =
          host::refuseOptions(config, 5016, who.c_str(), "it has none"))
    return status;
  *backend = new (std::nothrow) tw_backend{host::findPrinter(config)};
  return *backend ? TW_OK : TW_E_EXHAUSTED;
}

static void closeBackend(tw_backend *backend) { delete backend; }

} // namespace tilewright::gpu

using namespace tilewright;

extern "C" TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *given,
                                              tw_backend_answer *answer) {
  return host::answerOffer(
      given,
      host::driverAnswer(gpu::vendor.name, gpu::vendor.description,
                         gpu::vendor.buildId, gpu::openBackend,
                         gpu::closeBackend, &gpu::runtimeTable,
                         &gpu::launchTable),
      answer);
}
