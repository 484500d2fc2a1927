//===- Entry.cpp - Negotiation and the backend ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exported function, and what `open` makes of the host's options.
//===----------------------------------------------------------------------===//
#include "tilewright/sdk/Entry.h"
#include "backends/cpu/driver/Driver.h"
#include "backends/cpu/driver/HostCpu.h"

#include <new>

namespace tilewright::cpu {

static constexpr int64_t maxThreads = 4096;

void emitError(const tw_sink *sink, uint32_t code, const std::string &message,
               const char *hint) {
  tw_emit(sink, TW_SEVERITY_ERROR, code, message.c_str(), hint);
}

/// Reads "threads" (0: one for each processor of this process); other options
/// are another plugin's unless they must be understood.
static int32_t readOptions(const tw_backend_config &config, int64_t &threads) {
  for (uint64_t i = 0; i < config.option_count; ++i) {
    const tw_option &option = config.options[i];
    if (!tw_str_equal(option.key, tw_string("threads")))
      continue;
    if (option.kind != TW_VALUE_INT || option.integer < 0 ||
        option.integer > maxThreads) {
      emitError(config.sink, 6013, "expected 0 to 4096 for option 'threads'",
                "0 uses every processor of this process");
      return TW_E_INVALID_ARGUMENT;
    }
    threads = option.integer;
  }
  return host::refuseOptions(config, 5016, "the CPU driver",
                             "the one option is 'threads'", "threads");
}

static int32_t openBackend(const tw_backend_config *given,
                           tw_backend **backend) {
  tw_backend_config config;
  if (int32_t status = tw_read_struct(&config, sizeof config, given))
    return status;
  int64_t threads = 0;
  if (int32_t status = readOptions(config, threads))
    return status;
  if (threads == 0)
    threads = hostProcessors();
  *backend = new (std::nothrow) tw_backend(static_cast<unsigned>(threads));
  if (!*backend)
    return TW_E_EXHAUSTED;
  (*backend)->printer.interface = host::findPrinter(config);
  return TW_OK;
}

static void closeBackend(tw_backend *backend) { delete backend; }

} // namespace tilewright::cpu

using namespace tilewright;

extern "C" TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *given,
                                              tw_backend_answer *answer) {
  return host::answerOffer(
      given,
      host::driverAnswer("cpu",
                         "CPU driver: runs kernels on this host's threads",
                         "cpu driver 0.1", cpu::openBackend, cpu::closeBackend,
                         &cpu::runtimeTable, &cpu::launchTable),
      answer);
}
