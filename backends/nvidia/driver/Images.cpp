//===- Images.cpp - Cubins and PTX ------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A payload is a cubin, which runs on one architecture, or PTX text, which the
// driver compiles for this device.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/driver/Cuda.h"
#include "backends/nvidia/driver/KernelABI.h"

#include <cstdlib>
#include <cstring>
#include <elf.h>

using namespace tilewright::nvidia::cuda;

namespace tilewright::gpu {

static std::string toString(tw_str text) {
  return std::string(text.data, text.size);
}

static std::string versionText(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

static int32_t refuse(const tw_sink *sink, const std::string &what) {
  emitError(sink, 6015, what, "compile the kernel again for this device");
  return TW_E_DIAGNOSED;
}

/// Whether all that the headers of an ELF file speak of is there: the driver
/// reads on where it is not.
static bool isWhole(const std::string &image) {
  auto isInside = [&](uint64_t offset, uint64_t bytes) {
    return offset <= image.size() && bytes <= image.size() - offset;
  };
  Elf64_Ehdr head;
  if (!isInside(0, sizeof head))
    return false;
  std::memcpy(&head, image.data(), sizeof head);
  if (!isInside(head.e_shoff, uint64_t(head.e_shnum) * sizeof(Elf64_Shdr)) ||
      !isInside(head.e_phoff, uint64_t(head.e_phnum) * sizeof(Elf64_Phdr)))
    return false;
  for (unsigned i = 0; i < head.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, image.data() + head.e_shoff + i * sizeof section,
                sizeof section);
    if (section.sh_type != SHT_NOBITS &&
        !isInside(section.sh_offset, section.sh_size))
      return false;
  }
  return true;
}

int32_t checkPayload(tw_str format, const std::string &image,
                     const tw_sink *sink) {
  bool isText = tw_str_equal(format, tw_string(TW_NVIDIA_FORMAT_PTX));
  if (!isText && !tw_str_equal(format, tw_string(TW_NVIDIA_FORMAT_CUBIN)))
    return refuse(sink, "expected a payload of format " TW_NVIDIA_FORMAT_CUBIN
                        " or " TW_NVIDIA_FORMAT_PTX ", got '" +
                            toString(format) + "'");
  if (!isText && image.compare(0, 4,
                               "\x7f"
                               "ELF") != 0)
    return refuse(sink, "the payload is no cubin");
  if (!isText && !isWhole(image))
    return refuse(sink, "the payload is a part of a cubin");
  return TW_OK;
}

/// PTX must end in a zero byte; the driver reads a cubin's size from itself.
Status loadImage(const Api &api, const std::string &image, Module &module,
                 std::string &log) {
  char text[4096] = {};
  int options[] = {JitErrorLog, JitErrorLogBytes};
  void *values[] = {text, reinterpret_cast<void *>(sizeof text)};
  Status status = driverOf(api).moduleLoadDataEx(&module, image.c_str(), 2,
                                                 options, values);
  log = text;
  return status;
}

LoadProblem explainLoad(const tw_device &device, Status status,
                        const std::string &log) {
  if (status == UnsupportedPtxVersion)
    return {"the PTX is newer than the driver, which is for CUDA " +
                versionText(device.api->version),
            "update NVIDIA's driver, or compile for a target with an older PTX "
            "version, as in nvidia:sm_90a+ptx80"};
  if (status == NoBinaryForGpu)
    return {"the code is not for this device, " + device.arch,
            "compile the kernel for this device"};
  return {"the driver cannot load the kernel: " +
              describe(*device.api, status) + (log.empty() ? "" : "\n" + log),
          "compile the kernel again for this device"};
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
  if (!isText && !tw_str_equal(format, tw_string(TW_NVIDIA_FORMAT_CUBIN)))
    return TW_OK;
  if (made.number == here)
    *grade = TW_GRADE_OPTIMAL;
  else if (made.number && made.number < here && !made.specific &&
           (sameMajor || (isText && !made.family)))
    *grade = TW_GRADE_USABLE;
  return TW_OK;
}

} // namespace tilewright::gpu
