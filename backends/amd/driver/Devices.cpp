//===- Devices.cpp - What AMD devices are and can do ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By the name of their architecture, and which code objects they take.
//===----------------------------------------------------------------------===//
#include "backends/amd/driver/Hip.h"
#include "backends/amd/driver/KernelABI.h"

#include <cctype>
#include <cstring>
#include <memory>
#include <string_view>

using namespace tilewright::amd::hip;

namespace tilewright::gpu {

/// "gfx942:sramecc+:xnack-" stands somewhere behind the device's name of 256
/// bytes: where depends on the version of HIP's struct of properties, which has
/// no other text that begins so.
std::string architectureOf(const Api &api, int handle, const Limits &limits) {
  constexpr size_t bytes = 16384, nameBytes = 256;
  auto properties = std::make_unique<char[]>(bytes);
  const Driver &driver = driverOf(api);
  auto get =
      driver.getProperties6 ? driver.getProperties6 : driver.getProperties;
  if (get(properties.get(), handle) == Success) {
    std::string_view all(properties.get(), bytes - 1);
    size_t at = all.find("gfx", nameBytes);
    if (at != all.npos)
      return std::string(properties.get() + at);
  }
  return "gfx" + std::to_string(limits.major) + std::to_string(limits.minor);
}

bool hasClusters(const tw_device &) { return false; }

/// A kernel that needs it has no packed arguments in HIP.
bool hasCooperativeLaunch(const tw_device &) { return false; }

Status prepareFunction(const tw_kernel &kernel) {
  int threads = 0; // asking for an attribute loads the code
  return kernel.device->api->functionGetAttribute(&threads, FunctionMaxThreads,
                                                  kernel.function);
}

Status launchSpecial(const tw_kernel &, Stream, const unsigned[3], void **) {
  return InvalidImage;
}

int32_t encodeTensorMap(const tw_device &, const TensorMapRequest &, void *) {
  return TW_E_UNIMPLEMENTED;
}

static constexpr int64_t bits(uint32_t first, uint32_t last) {
  return ((int64_t(1) << (last + 1)) - 1) & ~((int64_t(1) << first) - 1);
}

/// gfx9 has waves of 64, what came later waves of 32.
static bool isCDNA(const tw_device &device) { return device.limits.major == 9; }

static int64_t matrixTypes(const tw_device &device) {
  int64_t types =
      bits(TW_DTYPE_F16, TW_DTYPE_BF16) | bits(TW_DTYPE_I8, TW_DTYPE_I8);
  if (isCDNA(device))
    types |= bits(TW_DTYPE_F32, TW_DTYPE_F64);
  if (device.limits.major >= 12 || device.arch.compare(0, 6, "gfx950") == 0)
    types |= bits(TW_DTYPE_F8E4NV, TW_DTYPE_F8E5);
  return types;
}

bool answerCapability(const tw_device &device, uint32_t id, int64_t &value) {
  auto say = [&](int64_t answer) {
    value = answer;
    return true;
  };
  switch (id) {
  case TW_CAP_SUBGROUP_SIZE:
    return say(isCDNA(device) ? 64 : 32);
  case TW_CAP_STORAGE_DTYPES:
    return say(bits(TW_DTYPE_I1, TW_DTYPE_COUNT - 1));
  case TW_CAP_ARITHMETIC_DTYPES:
    return say(bits(TW_DTYPE_I1, TW_DTYPE_F16) |
               bits(TW_DTYPE_F32, TW_DTYPE_F64));
  case TW_CAP_MATRIX_DTYPES:
    return say(matrixTypes(device));
  case TW_CAP_ATOMIC_DTYPES:
    return say(bits(TW_DTYPE_I8, TW_DTYPE_F64));
  case TW_CAP_ASYNC_COPY:
  case TW_CAP_TENSOR_MAP:
    return say(0);
  case TW_CAP_CLUSTERS:
    return say(1);
  default:
    return false;
  }
}

//===--- Code objects -----------------------------------------------------===//

static int32_t refuse(const tw_sink *sink, const std::string &what) {
  emitError(sink, 6015, what, "compile the kernel again for this device");
  return TW_E_DIAGNOSED;
}

int32_t checkPayload(tw_str format, const std::string &image,
                     const tw_sink *sink) {
  if (!tw_str_equal(format, tw_string(TW_AMD_FORMAT_HSACO)))
    return refuse(sink, "expected a payload of format " TW_AMD_FORMAT_HSACO
                        ", got '" +
                            std::string(format.data, format.size) + "'");
  if (image.compare(0, 4,
                    "\x7f"
                    "ELF") != 0)
    return refuse(sink, "the payload is no code object");
  return TW_OK;
}

Status loadImage(const Api &api, const std::string &image, Module &module,
                 std::string &) {
  return driverOf(api).moduleLoadData(&module, image.data());
}

LoadProblem explainLoad(const tw_device &device, Status status,
                        const std::string &) {
  if (status == NoBinaryForGpu)
    return {"the code is not for this device, " + device.arch,
            "compile the kernel for this device"};
  return {"the driver cannot load the kernel: " + describe(*device.api, status),
          "compile the kernel again for this device"};
}

namespace {
struct GenericProcessor {
  const char *name;
  const char *members; ///< separated by spaces; empty for a single one
};
} // namespace

static constexpr GenericProcessor kProcessors[] = {
#define AMD_ARCH(processor, family, members) {processor, members},
#include "backends/amd/Architectures.def"
};

/// The next word of `text` up to `separator`.
static std::string_view takeWord(std::string_view &text, char separator) {
  size_t end = std::min(text.find(separator), text.size());
  std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

static bool hasWord(std::string_view text, std::string_view word,
                    char separator) {
  while (!text.empty())
    if (takeWord(text, separator) == word)
      return true;
  return false;
}

/// Code for a processor runs on it; a generic one's on its members. Features
/// that it names must be the device's.
int32_t gradeArtifact(tw_device *device, tw_str, tw_str compat,
                      uint32_t *grade) {
  std::string_view here = device->arch, made(compat.data, compat.size);
  std::string_view hereName = takeWord(here, ':');
  std::string_view madeName = takeWord(made, ':');
  *grade = TW_GRADE_UNUSABLE;
  while (!made.empty())
    if (!hasWord(here, takeWord(made, ':'), ':'))
      return TW_OK;
  if (madeName == hereName)
    *grade = TW_GRADE_OPTIMAL;
  for (const GenericProcessor &row : kProcessors)
    if (madeName == row.name && hasWord(row.members, hereName, ' '))
      *grade = TW_GRADE_USABLE;
  return TW_OK;
}

} // namespace tilewright::gpu
