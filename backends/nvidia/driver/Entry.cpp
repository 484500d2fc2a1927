//===- Entry.cpp - Negotiation and the backend ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exported function. `open` touches no driver: a machine without one can
// still list this plugin; counting or opening devices opens libcuda.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/driver/Driver.h"

#include <new>

namespace tilewright::nvidia {

void emitError(const tw_sink *sink, uint32_t code, const std::string &message,
               const char *hint) {
  tw_emit(sink, TW_SEVERITY_ERROR, code, message.c_str(), hint);
}

static int32_t openBackend(const tw_backend_config *given,
                           tw_backend **backend) {
  tw_backend_config config;
  if (int32_t status = tw_read_struct(&config, sizeof config, given))
    return status;
  for (uint64_t i = 0; i < config.option_count; ++i)
    if (config.options[i].flags & TW_OPTION_MUST_UNDERSTAND) {
      const tw_str key = config.options[i].key;
      emitError(config.sink, 5016,
                "the NVIDIA driver plugin has no option '" +
                    std::string(key.data, key.size) + "'",
                "it has none");
      return TW_E_UNKNOWN_OPTION;
    }
  *backend = new (std::nothrow) tw_backend();
  return *backend ? TW_OK : TW_E_EXHAUSTED;
}

static void closeBackend(tw_backend *backend) { delete backend; }

static int32_t refuse(tw_backend_answer *answer, int32_t status,
                      const char *text) {
  tw_backend_answer mine = {};
  mine.refusal = status;
  mine.refusal_text = tw_string(text);
  tw_write_struct(answer, sizeof mine, &mine);
  return status;
}

} // namespace tilewright::nvidia

using namespace tilewright::nvidia;

extern "C" TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *given,
                                              tw_backend_answer *answer) {
  uint32_t version = 0;
  const char *text = nullptr;
  if (int32_t status =
          tw_accept_offer(given, TW_ABI_VERSION(0, 1), &version, &text))
    return refuse(answer, status, text);
  tw_backend_answer mine = {};
  mine.version = version;
  mine.profiles = TW_PROFILE_RUNTIME | TW_PROFILE_LAUNCH;
  mine.vendor = tw_string("nvidia");
  mine.name = tw_string("NVIDIA driver: runs kernels through libcuda.so.1");
  mine.build_id = tw_string("nvidia driver 0.1");
  mine.open = openBackend;
  mine.close = closeBackend;
  mine.runtime = &runtimeTable;
  mine.launch = &launchTable;
  return tw_write_struct(answer, sizeof mine, &mine);
}
