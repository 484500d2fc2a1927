//===- Modules.cpp - Loading SPIR-V -----------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver compiles a module when it is loaded; its build log becomes part of
// the error. Drivers without SPIR-V get the same module as SPIR.
//===----------------------------------------------------------------------===//
#include "backends/spirv/driver/Driver.h"
#include "backends/spirv/opencl/SignalHandlers.h"

#include <cstring>

namespace tilewright::spirv {

static constexpr uint32_t kCannotLoad = 6015;
static constexpr uint32_t kMagic = 0x07230203;
static constexpr uint32_t kOpString = 7;
static constexpr size_t kHeaderWords = 5;
static constexpr size_t kLongestLog = 2000;

static bool isText(tw_str given, const char *text) {
  return tw_str_equal(given, tw_string(text));
}

/// Keeps the texts of a module; false if the module is cut short or a text has
/// the id of another one.
static bool readTexts(tw_bytes payload, Texts &texts) {
  std::vector<uint32_t> words(payload.size / 4);
  if (payload.size % 4 || words.size() < kHeaderWords)
    return false;
  std::memcpy(words.data(), payload.data, payload.size);
  if (words[0] != kMagic)
    return false;
  const std::string prefix = TW_SPIRV_TEXT_PREFIX;
  for (size_t at = kHeaderWords; at < words.size();) {
    size_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at)
      return false;
    if ((words[at] & 0xffff) == kOpString && length > 2) {
      const char *data = reinterpret_cast<const char *>(&words[at + 2]);
      std::string text(data, strnlen(data, (length - 2) * 4));
      if (text.compare(0, prefix.size(), prefix) == 0 &&
          !texts.add(text.substr(prefix.size())))
        return false;
    }
    at += length;
  }
  return true;
}

static std::string readLog(const tw_device &device, cl_program program) {
  size_t bytes = 0;
  device.api->clGetProgramBuildInfo(program, device.info->id,
                                    CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
  std::string log(bytes, '\0');
  device.api->clGetProgramBuildInfo(program, device.info->id,
                                    CL_PROGRAM_BUILD_LOG, bytes, log.data(),
                                    nullptr);
  log.resize(strnlen(log.data(), bytes));
  while (!log.empty() && std::strchr(" \n\r\t", log.back()))
    log.pop_back();
  return log.size() > kLongestLog ? log.substr(0, kLongestLog) + " ..." : log;
}

/// A program made of the payload, or null with a reported reason.
static cl_program createProgram(tw_device &device, tw_bytes payload,
                                const tw_sink *sink) {
  cl_int status = CL_SUCCESS;
  cl_program program = nullptr;
  if (device.info->takesIL()) {
    program = device.api->clCreateProgramWithIL(device.context, payload.data,
                                                payload.size, &status);
  } else {
    std::string why;
    std::vector<uint32_t> words = nameFences(*device.info, payload);
    std::string bitcode =
        translateToSpir({words.data(), words.size() * sizeof(uint32_t)}, why);
    if (bitcode.empty()) {
      refuse(sink, kCannotLoad,
             "'" + device.info->name + "' takes SPIR only, and " + why,
             "install the package llvm-spirv-15, or a driver that takes "
             "SPIR-V");
      return nullptr;
    }
    size_t bytes = bitcode.size();
    auto *data = reinterpret_cast<const unsigned char *>(bitcode.data());
    program = device.api->clCreateProgramWithBinary(
        device.context, 1, &device.info->id, &bytes, &data, nullptr, &status);
  }
  if (status == CL_SUCCESS)
    return program;
  refuse(sink, kCannotLoad,
         "the driver of '" + device.info->name +
             "' does not take the module: " + opencl::statusName(status),
         "compile the kernel for this device: --target spirv");
  return nullptr;
}

int32_t loadModule(tw_device *device, tw_str format, tw_bytes payload,
                   const tw_sink *sink, tw_module **module) {
  return keepInside([&]() -> int32_t {
    bool usesHandles = isText(format, TW_SPIRV_HANDLES_FORMAT);
    if (!usesHandles && !isText(format, TW_SPIRV_PAYLOAD_FORMAT))
      return refuse(sink, kCannotLoad,
                    "expected a payload of format " TW_SPIRV_PAYLOAD_FORMAT
                    ", got '" +
                        std::string(format.data, format.size) + "'",
                    "compile the kernel again for target spirv");
    if (!readTexts(payload, device->backend->texts))
      return refuse(sink, kCannotLoad, "the payload is not a SPIR-V module",
                    "compile the kernel again");
    cl_program program = createProgram(*device, payload, sink);
    if (!program)
      return TW_E_DIAGNOSED;
    const char *options =
        device->info->takesIL() ? "" : "-x spir -spir-std=1.2";
    opencl::KeepSignalHandlers keep;
    cl_int status = device->api->clBuildProgram(program, 1, &device->info->id,
                                                options, nullptr, nullptr);
    if (status != CL_SUCCESS) {
      std::string log = readLog(*device, program);
      device->api->clReleaseProgram(program);
      return refuse(
          sink, kCannotLoad,
          "the driver of '" + device->info->name +
              "' cannot build the kernel: " + opencl::statusName(status) +
              (log.empty() ? "" : "; its log: " + log),
          "report this kernel; a target with fewer features may do");
    }
    *module = new tw_module{device, program, usesHandles};
    return TW_OK;
  });
}

void unloadModule(tw_module *module) {
  module->device->api->clReleaseProgram(module->program);
  delete module;
}

/// Reads "opencl2.0+spv1.2+fp64" back.
static bool parseNeeds(const std::string &text, opencl::Traits &needed) {
  size_t end = text.find('+');
  if (!setVersion(needed, text.substr(0, end)))
    return false;
  needed = opencl::Traits(); // the version's promises are not needs
  while (end != text.npos) {
    size_t next = text.find('+', end + 1);
    if (!setTrait(needed, text.substr(end + 1, next - end - 1), true))
      return false;
    end = next;
  }
  return true;
}

int32_t gradeArtifact(tw_device *device, tw_str format, tw_str compat,
                      uint32_t *grade) {
  return keepInside([&]() -> int32_t {
    opencl::Traits needed;
    bool isOurs = isText(format, TW_SPIRV_PAYLOAD_FORMAT) ||
                  isText(format, TW_SPIRV_HANDLES_FORMAT);
    bool fits = isOurs &&
                parseNeeds(std::string(compat.data, compat.size), needed) &&
                device->info->missing(needed).empty();
    *grade = fits ? TW_GRADE_OPTIMAL : TW_GRADE_UNUSABLE;
    return TW_OK;
  });
}

} // namespace tilewright::spirv
