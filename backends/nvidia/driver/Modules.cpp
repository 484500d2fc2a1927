//===- Modules.cpp - Loading compiled kernels -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A payload is a cubin, which runs on one architecture, or PTX text, which the
// driver compiles for this device.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/driver/Driver.h"

#include <cctype>
#include <cstdlib>
#include <new>

namespace tilewright::nvidia {

static std::string toString(tw_str text) {
  return std::string(text.data, text.size);
}

static std::string versionText(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

static int32_t refuse(const tw_sink *sink, const std::string &what,
                      const char *hint) {
  emitError(sink, 6015, what, hint);
  return TW_E_DIAGNOSED;
}

/// Says why the driver would not load a payload.
static int32_t explainLoad(const tw_device &device, cuda::Status status,
                           const std::string &log, const tw_sink *sink) {
  const cuda::Driver &driver = *device.cuda;
  if (status == cuda::UnsupportedPtxVersion)
    return refuse(sink,
                  "the PTX is newer than the driver, which is for CUDA " +
                      versionText(driver.version),
                  "update NVIDIA's driver, or compile with an older PTX "
                  "version: --opt ptx=NN");
  if (status == cuda::NoBinaryForGpu)
    return refuse(sink, "the code is not for this device, " + device.arch,
                  "compile the kernel for this device");
  return refuse(sink,
                "the driver cannot load the kernel: " +
                    driver.describe(status) + (log.empty() ? "" : "\n" + log),
                "compile the kernel again for this device");
}

/// Tells the module's kernels where failures are reported.
static cuda::Status connectFailures(tw_device &device, cuda::Module native) {
  cuda::Address slot = 0;
  size_t bytes = 0;
  cuda::Status status = device.cuda->moduleGetGlobal(&slot, &bytes, native,
                                                     TW_NVIDIA_FAILURE_SYMBOL);
  if (status == cuda::NotFound)
    return cuda::Success; // nothing in it can fail
  if (status != cuda::Success || bytes != sizeof device.failureOnDevice)
    return status ? status : cuda::InvalidImage;
  return device.cuda->memcpyHtoD(slot, &device.failureOnDevice,
                                 sizeof device.failureOnDevice);
}

int32_t loadModule(tw_device *device, tw_str format, tw_bytes payload,
                   const tw_sink *sink, tw_module **module) {
  bool isText = tw_str_equal(format, tw_string(TW_NVIDIA_FORMAT_PTX));
  if (!isText && !tw_str_equal(format, tw_string(TW_NVIDIA_FORMAT_CUBIN)))
    return refuse(sink,
                  "expected a payload of format " TW_NVIDIA_FORMAT_CUBIN
                  " or " TW_NVIDIA_FORMAT_PTX ", got '" +
                      toString(format) + "'",
                  "compile the kernel again for this device");
  // PTX must end in a zero byte; the driver reads a cubin's size from itself.
  std::string image(static_cast<const char *>(payload.data), payload.size);
  if (!isText && image.compare(0, 4,
                               "\x7f"
                               "ELF") != 0)
    return refuse(sink, "the payload is no cubin",
                  "compile the kernel again for this device");
  char log[4096] = {};
  int options[] = {cuda::JitErrorLog, cuda::JitErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  ContextScope scope(*device);
  RelaxedCapture capture(*device->cuda);
  cuda::Module native = nullptr;
  cuda::Status status = device->cuda->moduleLoadDataEx(&native, image.c_str(),
                                                       2, options, values);
  if (status == cuda::Success)
    if ((status = connectFailures(*device, native)))
      device->cuda->moduleUnload(native);
  if (status != cuda::Success)
    return explainLoad(*device, status, log, sink);
  *module = new (std::nothrow) tw_module{device, native};
  if (*module)
    return TW_OK;
  device->cuda->moduleUnload(native);
  return TW_E_EXHAUSTED;
}

void unloadModule(tw_module *module) {
  ContextScope scope(*module->device);
  module->device->cuda->moduleUnload(module->native);
  delete module;
}

namespace {
/// "sm_90a": 90, arch-specific.
struct Architecture {
  int number = 0;
  bool specific = false; // 'a': this architecture only
  bool family = false;   // 'f': this major and newer minors
};
} // namespace

static Architecture parseArchitecture(const std::string &text) {
  Architecture arch;
  if (text.compare(0, 3, "sm_") != 0)
    return arch;
  char *end = nullptr;
  arch.number = static_cast<int>(std::strtol(text.c_str() + 3, &end, 10));
  arch.specific = *end == 'a';
  arch.family = *end == 'f';
  return arch;
}

/// NVIDIA's compatibility rules: binaries run on the same major version from
/// their minor on, PTX on everything newer; 'a' code on its architecture only.
int32_t gradeArtifact(tw_device *device, tw_str format, tw_str compat,
                      uint32_t *grade) {
  std::string text = toString(compat);
  Architecture made = parseArchitecture(text.substr(0, text.find(';')));
  int here = 10 * device->limits.major + device->limits.minor;
  bool isText = tw_str_equal(format, tw_string(TW_NVIDIA_FORMAT_PTX));
  bool sameMajor = made.number / 10 == here / 10;
  *grade = TW_GRADE_UNUSABLE;
  if (made.number == here)
    *grade = TW_GRADE_OPTIMAL;
  else if (made.number && made.number < here && !made.specific &&
           (sameMajor || (isText && !made.family)))
    *grade = TW_GRADE_USABLE;
  return TW_OK;
}

} // namespace tilewright::nvidia
