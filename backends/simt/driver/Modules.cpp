//===- Modules.cpp - Loading compiled kernels -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a payload is and for which devices is the vendor's knowledge; that its
// kernels learn where to report failures and to print is shared.
//===----------------------------------------------------------------------===//
#include "backends/simt/driver/Driver.h"

#include <new>

namespace tilewright::gpu {

static int32_t refuse(const tw_sink *sink, const std::string &what,
                      const char *hint) {
  emitError(sink, 6015, what, hint);
  return TW_E_DIAGNOSED;
}

/// Tells the module's kernels where failures are reported.
static Status connectFailures(tw_device &device, Module native,
                              const std::string &image) {
  // Looked for in the code first: a lookup that fails is an error to tools.
  if (image.find(TW_GPU_FAILURE_SYMBOL) == std::string::npos)
    return Success;
  Address slot = 0;
  size_t bytes = 0;
  Status status =
      device.api->moduleGetGlobal(&slot, &bytes, native, TW_GPU_FAILURE_SYMBOL);
  if (status == NotFound)
    return Success; // nothing in it can fail
  if (status != Success || bytes != sizeof device.failureOnDevice)
    return status ? status : InvalidImage;
  return device.api->memcpyHtoD(slot, &device.failureOnDevice,
                                sizeof device.failureOnDevice);
}

int32_t loadModule(tw_device *device, tw_str format, tw_bytes payload,
                   const tw_sink *sink, tw_module **module) {
  std::string image(static_cast<const char *>(payload.data), payload.size);
  if (int32_t status = checkPayload(format, image, sink))
    return status;
  std::string log;
  ContextScope scope(*device);
  RelaxedCapture capture(*device->api);
  Module native = nullptr;
  Status status = loadImage(*device->api, image, native, log);
  std::vector<Address> formats;
  if (status == Success) {
    status = connectFailures(*device, native, image);
    if (status == Success)
      status = device->prints.connect(*device->api, native, image, formats);
    if (status != Success)
      device->api->moduleUnload(native);
  }
  if (status != Success) {
    LoadProblem problem = explainLoad(*device, status, log);
    return refuse(sink, problem.what, problem.hint);
  }
  *module = new (std::nothrow) tw_module{device, native, std::move(formats)};
  if (*module)
    return TW_OK;
  device->api->moduleUnload(native);
  return TW_E_EXHAUSTED;
}

void unloadModule(tw_module *module) {
  tw_device &device = *module->device;
  ContextScope scope(device);
  device.prints.drain(device.print);
  device.prints.forget(module->formats);
  device.api->moduleUnload(module->native);
  delete module;
}

} // namespace tilewright::gpu
