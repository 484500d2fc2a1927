//===- BuildId.cpp - Which build of the plugin this is ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the NT_GNU_BUILD_ID note of the object that holds this code.
//===----------------------------------------------------------------------===//
#include "backends/common/BuildId.h"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <string>

namespace tilewright::backend {

static bool holdsAddress(const dl_phdr_info &object, uintptr_t address) {
  for (unsigned i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object.dlpi_phdr[i];
    uintptr_t start = object.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && address - start < segment.p_memsz)
      return true;
  }
  return false;
}

/// Reads the build id out of one note segment; empty if it has none.
static std::string readNotes(const char *notes, size_t bytes) {
  static const char digits[] = "0123456789abcdef";
  auto align = [](size_t size) { return (size + 3) & ~size_t(3); };
  std::string text;
  for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= bytes;) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes + at, sizeof header);
    const char *name = notes + at + sizeof header;
    const char *content = name + align(header.n_namesz);
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 &&
        std::memcmp(name, "GNU", 4) == 0)
      for (size_t i = 0; i < header.n_descsz; ++i) {
        text += digits[(content[i] >> 4) & 15];
        text += digits[content[i] & 15];
      }
    at += sizeof header + align(header.n_namesz) + align(header.n_descsz);
  }
  return text;
}

static int visitObject(dl_phdr_info *object, size_t, void *result) {
  if (!holdsAddress(*object, reinterpret_cast<uintptr_t>(&visitObject)))
    return 0;
  std::string &text = *static_cast<std::string *>(result);
  for (unsigned i = 0; i < object->dlpi_phnum && text.empty(); ++i) {
    const ElfW(Phdr) &segment = object->dlpi_phdr[i];
    if (segment.p_type == PT_NOTE)
      text = readNotes(
          reinterpret_cast<const char *>(object->dlpi_addr + segment.p_vaddr),
          segment.p_memsz);
  }
  return 1;
}

const char *buildId() {
  static const std::string text = [] {
    std::string found;
    dl_iterate_phdr(visitObject, &found);
    return found.empty() ? std::string("unknown") : found;
  }();
  return text.c_str();
}

} // namespace tilewright::backend
