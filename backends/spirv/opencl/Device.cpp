//===- Device.cpp - The OpenCL devices of this machine ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads versions, extensions and limits of every device into traits.
//===----------------------------------------------------------------------===//
#include "backends/spirv/opencl/Device.h"
#include "backends/spirv/opencl/SignalHandlers.h"

#include <algorithm>

namespace tilewright::opencl {

/// Wider sub-groups than this cost a thread more registers than they save.
static constexpr uint64_t kNarrowest = 8, kWidestPreferred = 16;
static constexpr unsigned kNewestSpirv = 14;
static const char *const kInstallHint =
    "install an OpenCL driver that takes SPIR-V: that of the GPU, or on the "
    "processor PyPI's intel-opencl-rt with intel-cmplr-lib-rt, which `./tw "
    "setup` makes known in /etc/OpenCL/vendors";

static std::string readText(const Api &api, cl_device_id device,
                            cl_device_info what) {
  size_t bytes = 0;
  if (api.clGetDeviceInfo(device, what, 0, nullptr, &bytes) != CL_SUCCESS)
    return {};
  std::string text(bytes, '\0');
  if (api.clGetDeviceInfo(device, what, bytes, text.data(), nullptr) !=
      CL_SUCCESS)
    return {};
  text.resize(text.find('\0') == text.npos ? bytes : text.find('\0'));
  return text;
}

template <typename T>
static T readNumber(const Api &api, cl_device_id device, cl_device_info what) {
  T value = 0;
  api.clGetDeviceInfo(device, what, sizeof value, &value, nullptr);
  return value;
}

static bool hasWord(const std::string &words, const std::string &word) {
  for (size_t at = words.find(word); at != words.npos;
       at = words.find(word, at + 1)) {
    size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') &&
        (end == words.size() || words[end] == ' '))
      return true;
  }
  return false;
}

/// "OpenCL 3.1 ..." as 31; 0 if it reads otherwise.
static unsigned parseVersion(const std::string &text,
                             const std::string &prefix) {
  if (text.compare(0, prefix.size(), prefix) || text.size() < prefix.size() + 3)
    return 0;
  unsigned major = static_cast<unsigned>(text[prefix.size()] - '0');
  unsigned minor = static_cast<unsigned>(text[prefix.size() + 2] - '0');
  return major < 10 && minor < 10 ? 10 * major + minor : 0;
}

/// The newest SPIR-V of a list such as "SPIR-V_1.0 SPIR-V_1.2" that the code
/// generator writes.
static unsigned newestSpirv(const std::string &versions) {
  const std::string prefix = "SPIR-V_";
  unsigned newest = 0;
  for (size_t at = versions.find(prefix); at != versions.npos;
       at = versions.find(prefix, at + 1)) {
    unsigned version = parseVersion(versions.substr(at), prefix);
    if (version <= kNewestSpirv)
      newest = std::max(newest, version);
  }
  return newest;
}

/// Widths that code may require, when lanes can also exchange values.
static void readSubgroups(const Api &api, const std::string &extensions,
                          Device &device) {
  if (!hasWord(extensions, "cl_khr_subgroup_shuffle") ||
      !hasWord(extensions, "cl_intel_required_subgroup_size"))
    return;
  size_t bytes = 0;
  size_t widths[16] = {};
  if (api.clGetDeviceInfo(device.id, CL_DEVICE_SUB_GROUP_SIZES_INTEL,
                          sizeof widths, widths, &bytes) != CL_SUCCESS)
    return;
  for (size_t i = 0; i < bytes / sizeof(size_t) && i < 16; ++i) {
    device.subgroupWidths.push_back(widths[i]);
    if (widths[i] >= kNarrowest && widths[i] <= kWidestPreferred)
      device.traits.subgroupWidth =
          std::max<uint64_t>(device.traits.subgroupWidth, widths[i]);
  }
}

static void readTraits(const Api &api, const std::string &extensions,
                       Device &device) {
  cl_device_id id = device.id;
  Traits &traits = device.traits;
  unsigned version =
      parseVersion(readText(api, id, CL_DEVICE_VERSION), "OpenCL ");
  setVersion(traits, version == 0 || version < 20
                         ? "opencl1.2"
                         : "opencl" + std::to_string(version / 10) + "." +
                               std::to_string(version % 10));
  traits.openclVersion = std::max(version, 12u);
  traits.spirvVersion = device.takesIL() ? newestSpirv(device.ilVersions) : 10;
  traits.hasHalf = hasWord(extensions, "cl_khr_fp16");
  traits.hasDouble =
      readNumber<cl_device_fp_config>(api, id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  traits.hasLongAtomics = hasWord(extensions, "cl_khr_int64_base_atomics") &&
                          hasWord(extensions, "cl_khr_int64_extended_atomics");
  traits.hasFloatAtomics = hasWord(extensions, "cl_ext_float_atomics");
  auto shared = readNumber<cl_device_svm_capabilities>(
      api, id, CL_DEVICE_SVM_CAPABILITIES);
  traits.hasAddresses = (shared & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0;
  device.hasFineBuffers = (shared & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
  device.sharesHostMemory = (shared & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0;
  traits.localBytes = readNumber<cl_ulong>(api, id, CL_DEVICE_LOCAL_MEM_SIZE);
  traits.maxThreads =
      readNumber<size_t>(api, id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  readSubgroups(api, extensions, device);
}

static Device describe(const Api &api, cl_platform_id platform, cl_device_id id,
                       const std::string &platformName) {
  Device device;
  device.platform = platform;
  device.id = id;
  device.platformName = platformName;
  device.name = readText(api, id, CL_DEVICE_NAME);
  std::string extensions = readText(api, id, CL_DEVICE_EXTENSIONS);
  if (api.clCreateProgramWithIL)
    device.ilVersions = readText(api, id, CL_DEVICE_IL_VERSION);
  if (newestSpirv(device.ilVersions) == 0)
    device.ilVersions.clear();
  device.takesSpir = hasWord(extensions, "cl_khr_spir");
  readTraits(api, extensions, device);
  return device;
}

static std::string readPlatformName(const Api &api, cl_platform_id platform) {
  char name[256] = {};
  api.clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name,
                        nullptr);
  return name;
}

std::string Device::missing(const Traits &needed) const {
  Traits asked = needed, offered = traits;
  bool hasWidth = asked.subgroupWidth == 0 ||
                  std::find(subgroupWidths.begin(), subgroupWidths.end(),
                            asked.subgroupWidth) != subgroupWidths.end();
  if (!hasWidth)
    return "sg" + std::to_string(asked.subgroupWidth);
  asked.subgroupWidth = 0;
  return missingTrait(asked, offered);
}

Discovery discoverDevices() {
  KeepSignalHandlers keep;
  Discovery result;
  std::string why;
  const Api *api = openApi(why);
  if (!api) {
    result.problem = "OpenCL's loader cannot be opened: " + why;
    result.hint = "install the package ocl-icd-libopencl1";
    return result;
  }
  cl_platform_id platforms[16] = {};
  cl_uint platformCount = 0;
  api->clGetPlatformIDs(16, platforms, &platformCount);
  std::string refused;
  for (cl_uint p = 0; p < std::min(platformCount, 16u); ++p) {
    cl_device_id ids[16] = {};
    cl_uint count = 0;
    std::string platform = readPlatformName(*api, platforms[p]);
    api->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 16, ids, &count);
    for (cl_uint d = 0; d < std::min(count, 16u); ++d) {
      Device device = describe(*api, platforms[p], ids[d], platform);
      if (device.takesIL() || device.takesSpir)
        result.devices.push_back(std::move(device));
      else
        refused += (refused.empty() ? "" : ", ") + device.name;
    }
  }
  std::stable_sort(result.devices.begin(), result.devices.end(),
                   [](const Device &a, const Device &b) {
                     return a.takesIL() && !b.takesIL();
                   });
  if (!result.devices.empty())
    return result;
  result.problem = refused.empty()
                       ? "no OpenCL device on this machine"
                       : "no OpenCL device takes SPIR-V; there are " + refused;
  result.hint = kInstallHint;
  return result;
}

} // namespace tilewright::opencl
