//===- Binding.cpp - When a library's calls are bound -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only headers and the dynamic section are read; nothing in them is believed.
//===----------------------------------------------------------------------===//
#include "plugins/loader/Binding.h"

#include <cstring>
#include <fstream>
#include <link.h>

namespace tilewright::plugins {

template <typename T>
static bool readAt(std::ifstream &file, uint64_t offset, T &value) {
  file.seekg(std::streamoff(offset));
  return bool(file.read(reinterpret_cast<char *>(&value), sizeof value));
}

static bool saysNow(const ElfW(Dyn) & entry) {
  return entry.d_tag == DT_BIND_NOW ||
         (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_BIND_NOW)) ||
         (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_NOW));
}

/// Looks through the entries at `offset`.
static bool saysNow(std::ifstream &file, uint64_t offset, uint64_t bytes) {
  ElfW(Dyn) entry;
  for (uint64_t at = 0; at + sizeof entry <= bytes; at += sizeof entry) {
    if (!readAt(file, offset + at, entry) || entry.d_tag == DT_NULL)
      return false;
    if (saysNow(entry))
      return true;
  }
  return false;
}

bool isBoundNow(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  ElfW(Ehdr) head;
  if (!readAt(file, 0, head) ||
      std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_phentsize != sizeof(ElfW(Phdr)))
    return false;
  for (unsigned i = 0; i < head.e_phnum; ++i) {
    ElfW(Phdr) segment;
    if (!readAt(file, head.e_phoff + i * sizeof segment, segment))
      return false;
    if (segment.p_type == PT_DYNAMIC)
      return saysNow(file, segment.p_offset, segment.p_filesz);
  }
  return false;
}

} // namespace tilewright::plugins
