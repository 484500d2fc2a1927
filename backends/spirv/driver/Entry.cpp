//===- Entry.cpp - Negotiation and the backend ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exported function, and what `open` keeps of the host. Drivers are started
// when a device is first asked for.
//===----------------------------------------------------------------------===//
#include "backends/spirv/driver/Driver.h"

namespace tilewright::spirv {

int32_t refuse(const tw_sink *sink, uint32_t code, const std::string &message,
               const std::string &hint) {
  tw_emit(sink, TW_SEVERITY_ERROR, code, message.c_str(), hint.c_str());
  return TW_E_DIAGNOSED;
}

int32_t toStatus(cl_int status) {
  switch (status) {
  case CL_SUCCESS:
    return TW_OK;
  case CL_MEM_OBJECT_ALLOCATION_FAILURE:
  case CL_OUT_OF_RESOURCES:
  case CL_OUT_OF_HOST_MEMORY:
    return TW_E_EXHAUSTED;
  case CL_INVALID_VALUE:
  case CL_INVALID_ARG_VALUE:
  case CL_INVALID_ARG_SIZE:
  case CL_INVALID_GLOBAL_WORK_SIZE:
    return TW_E_INVALID_ARGUMENT;
  default:
    return TW_E_INTERNAL;
  }
}

bool Texts::add(const std::string &text) {
  std::lock_guard<std::mutex> lock(mutex);
  auto [it, isNew] =
      texts.emplace(tw_spirv_text_id(text.data(), text.size()), text);
  return isNew || it->second == text;
}

std::string Texts::find(uint64_t id) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = texts.find(id);
  return found == texts.end() ? std::string() : found->second;
}

/// There are no settings; one that must be understood is refused.
static int32_t openBackend(const tw_backend_config *given,
                           tw_backend **backend) {
  return keepInside([&]() -> int32_t {
    tw_backend_config config;
    if (int32_t status = tw_read_struct(&config, sizeof config, given))
      return status;
    if (int32_t status = host::refuseOptions(config, 5016, "the OpenCL driver",
                                             "it has none at all"))
      return status;
    auto created = std::make_unique<tw_backend>();
    created->print = host::findPrinter(config);
    *backend = created.release();
    return TW_OK;
  });
}

static void closeBackend(tw_backend *backend) { delete backend; }

} // namespace tilewright::spirv

using namespace tilewright::spirv;

const tilewright::opencl::Discovery &tw_backend::devices() {
  std::call_once(once,
                 [this] { found = tilewright::opencl::discoverDevices(); });
  return found;
}

extern "C" TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *given,
                                              tw_backend_answer *answer) {
  return tilewright::host::answerOffer(
      given,
      tilewright::host::driverAnswer("spirv", "OpenCL driver: runs SPIR-V",
                                     "opencl driver 0.1", openBackend,
                                     closeBackend, &runtimeTable, &launchTable),
      answer);
}
