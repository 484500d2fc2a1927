//===- Modules.cpp - Loading compiled kernels -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A payload is an ELF shared object. It is written to a sealed memory file and
// opened from there: nothing touches the disk, nobody can change it later.
//===----------------------------------------------------------------------===//
#include "backends/cpu/driver/Driver.h"
#include "backends/cpu/driver/HostCpu.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

namespace tilewright::cpu {

static int32_t refuse(const tw_sink *sink, const std::string &what) {
  emitError(sink, 6015, what, "compile the kernel again for this machine");
  return TW_E_DIAGNOSED;
}

/// A segment that reaches behind the end of the file is mapped all the same,
/// and the dynamic loader dies of reading it.
static bool segmentsAreInside(tw_bytes payload, const Elf64_Ehdr &header) {
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment,
                static_cast<const char *>(payload.data) + header.e_phoff +
                    i * sizeof segment,
                sizeof segment);
    if (segment.p_offset > payload.size ||
        segment.p_filesz > payload.size - segment.p_offset)
      return false;
  }
  return true;
}

/// Catches what the dynamic loader would crash on or report badly.
static bool looksLikeElf(tw_bytes payload) {
#if defined(__x86_64__)
  constexpr uint16_t machine = EM_X86_64;
#elif defined(__aarch64__)
  constexpr uint16_t machine = EM_AARCH64;
#else
  constexpr uint16_t machine = EM_NONE;
#endif
  Elf64_Ehdr header;
  if (payload.size < sizeof header)
    return false;
  std::memcpy(&header, payload.data, sizeof header);
  bool isOne = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
               header.e_ident[EI_CLASS] == ELFCLASS64 &&
               header.e_type == ET_DYN &&
               (machine == EM_NONE || header.e_machine == machine) &&
               header.e_phentsize == sizeof(Elf64_Phdr) &&
               header.e_phoff <= payload.size &&
               uint64_t(header.e_phnum) * header.e_phentsize <=
                   payload.size - header.e_phoff;
  return isOne && segmentsAreInside(payload, header);
}

/// A sealed memory file with the payload, or -1.
static int writeMemoryFile(tw_bytes payload) {
  int file = memfd_create("tilewright-kernel",
                          MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC);
  if (file < 0 && errno == EINVAL) // a kernel older than MFD_EXEC
    file = memfd_create("tilewright-kernel", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0)
    return -1;
  const char *data = static_cast<const char *>(payload.data);
  uint64_t written = 0;
  while (written < payload.size) {
    ssize_t count = write(file, data + written, payload.size - written);
    if (count <= 0 && errno != EINTR)
      break;
    written += count > 0 ? static_cast<uint64_t>(count) : 0;
  }
  if (written == payload.size &&
      fcntl(file, F_ADD_SEALS,
            F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) == 0)
    return file;
  close(file);
  return -1;
}

/// A path of the open file that no other loaded library has. The dynamic loader
/// takes equal paths for equal libraries, and descriptor numbers are reused;
/// the inode number is not, so its bits go into the spelling: "/" or "/./".
static std::string uniquePath(int file) {
  struct stat status = {};
  fstat(file, &status);
  std::string path = "/proc/self/fd";
  for (int bit = 0; bit < 64; ++bit)
    path += (uint64_t(status.st_ino) >> bit) & 1 ? "/." : "/";
  return path + "/" + std::to_string(file);
}

int32_t loadModule(tw_device *, tw_str format, tw_bytes payload,
                   const tw_sink *sink, tw_module **module) {
  if (!tw_str_equal(format, tw_string(TW_CPU_PAYLOAD_FORMAT)))
    return refuse(sink, "expected a payload of format " TW_CPU_PAYLOAD_FORMAT
                        ", got '" +
                            std::string(format.data, format.size) + "'");
  if (!looksLikeElf(payload))
    return refuse(sink, "the payload is not a shared object for this machine");
  int file = writeMemoryFile(payload);
  if (file < 0)
    return refuse(sink, std::string("no memory file for the kernel: ") +
                            std::strerror(errno));
  void *library = dlopen(uniquePath(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  const char *reason = library ? nullptr : dlerror();
  close(file); // the mapping keeps the memory
  if (!library)
    return refuse(sink, std::string("the kernel cannot be loaded: ") +
                            (reason ? reason : "unknown reason"));
  *module = new (std::nothrow) tw_module{library};
  if (*module)
    return TW_OK;
  dlclose(library);
  return TW_E_EXHAUSTED;
}

void unloadModule(tw_module *module) {
  dlclose(module->library);
  delete module;
}

int32_t gradeArtifact(tw_device *, tw_str format, tw_str compat,
                      uint32_t *grade) {
  bool runs = tw_str_equal(format, tw_string(TW_CPU_PAYLOAD_FORMAT)) &&
              missingRequirement({compat.data, compat.size}).empty();
  *grade = runs ? TW_GRADE_OPTIMAL : TW_GRADE_UNUSABLE;
  return TW_OK;
}

} // namespace tilewright::cpu
