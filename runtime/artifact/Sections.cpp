//===- Sections.cpp - Files of a manifest and payloads ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writer and strict reader; a file has one possible layout.
//===----------------------------------------------------------------------===//
#include "runtime/artifact/Sections.h"

#include "tilewright/artifact.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstddef>
#include <cstring>

namespace tilewright::artifact {

static uint64_t alignUp(uint64_t offset) {
  return (offset + TW_ARTIFACT_ALIGNMENT - 1) / TW_ARTIFACT_ALIGNMENT *
         TW_ARTIFACT_ALIGNMENT;
}

/// Hash of the whole file with the checksum field read as zero.
static uint64_t checksumOf(const uint8_t *file, uint64_t bytes) {
  constexpr size_t field = offsetof(tw_artifact_header, checksum);
  const uint64_t zero = 0;
  XXH64_state_t state;
  XXH64_reset(&state, 0);
  XXH64_update(&state, file, field);
  XXH64_update(&state, &zero, sizeof zero);
  XXH64_update(&state, file + field + 8, bytes - field - 8);
  return XXH64_digest(&state);
}

Bytes writeSections(const FileKind &kind,
                    const std::vector<tw_bytes> &sections) {
  std::vector<tw_artifact_section> table;
  uint64_t end = sizeof(tw_artifact_header) +
                 sections.size() * sizeof(tw_artifact_section);
  for (const tw_bytes &section : sections) {
    uint64_t offset = alignUp(end);
    uint32_t what = table.empty() ? TW_SECTION_MANIFEST : TW_SECTION_PAYLOAD;
    table.push_back({what, 0, offset, section.size, 0});
    end = offset + section.size;
  }
  Bytes file(end);
  tw_artifact_header header = {};
  header.magic = kind.magic;
  header.version = kind.version;
  header.section_count = static_cast<uint32_t>(table.size());
  header.file_bytes = end;
  std::memcpy(file.data(), &header, sizeof header);
  std::memcpy(file.data() + sizeof header, table.data(),
              table.size() * sizeof table[0]);
  for (size_t i = 0; i < table.size(); ++i)
    if (table[i].bytes)
      std::memcpy(file.data() + table[i].offset, sections[i].data,
                  table[i].bytes);
  header.checksum = checksumOf(file.data(), end);
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

static bool malformed(const FileKind &kind, Problem &problem,
                      const std::string &what) {
  return problem.set(TW_E_DATA_LOSS, 7105,
                     std::string("malformed ") + kind.name + ": " + what,
                     "compile the kernel again");
}

/// Magic, version, flags, length, checksum, in this order: a file of another
/// version may have any length.
static bool checkHeader(const FileKind &kind, tw_bytes file,
                        tw_artifact_header &header, Problem &problem) {
  const auto *bytes = static_cast<const uint8_t *>(file.data);
  const std::string name = kind.name;
  uint32_t magic = 0;
  if (file.size >= sizeof magic)
    std::memcpy(&magic, bytes, sizeof magic);
  if (magic != kind.magic)
    return problem.set(TW_E_INVALID_ARGUMENT, kind.wrongCode,
                       std::string("this is not ") + kind.described,
                       kind.makeIt);
  auto truncated = [&](uint64_t expected) {
    return problem.set(TW_E_DATA_LOSS, 7103,
                       "truncated " + name + ": expected " +
                           std::to_string(expected) + " bytes, got " +
                           std::to_string(file.size),
                       "copy or compile it again");
  };
  if (file.size < sizeof header)
    return truncated(sizeof header);
  std::memcpy(&header, bytes, sizeof header);
  if (header.version != kind.version || header.flags)
    return problem.set(TW_E_VERSION, 7102,
                       name + " has version " + std::to_string(header.version) +
                           " and flags " + std::to_string(header.flags) +
                           ", expected " + std::to_string(kind.version) +
                           " and 0",
                       "recompile it, or use a newer tilewright");
  if (header.file_bytes != file.size)
    return truncated(header.file_bytes);
  if (checksumOf(bytes, file.size) != header.checksum)
    return problem.set(TW_E_DATA_LOSS, 7104,
                       "damaged " + name + ": the checksum does not match",
                       "copy or compile it again");
  for (uint64_t reserved : header.reserved)
    if (reserved)
      return malformed(kind, problem,
                       "a reserved field of the header is not zero");
  return true;
}

/// Sections must follow each other with zero padding and end the file.
bool readSections(const FileKind &kind, tw_bytes file,
                  std::vector<tw_bytes> &sections, Problem &problem) {
  tw_artifact_header header;
  if (!checkHeader(kind, file, header, problem))
    return false;
  const auto *bytes = static_cast<const uint8_t *>(file.data);
  if (header.section_count < 2 ||
      header.section_count > TW_ARTIFACT_MAX_SECTIONS)
    return malformed(kind, problem, "wrong number of sections");
  std::vector<tw_artifact_section> table(header.section_count);
  uint64_t end = sizeof header + table.size() * sizeof table[0];
  if (end > file.size)
    return malformed(kind, problem, "the section table does not fit");
  std::memcpy(table.data(), bytes + sizeof header,
              table.size() * sizeof table[0]);
  for (size_t i = 0; i < table.size(); ++i) {
    const tw_artifact_section &section = table[i];
    uint32_t what = i == 0 ? TW_SECTION_MANIFEST : TW_SECTION_PAYLOAD;
    if (section.kind != what || section.flags || section.reserved)
      return malformed(kind, problem, "unknown section");
    if (section.offset != alignUp(end) || section.offset > file.size ||
        section.bytes > file.size - section.offset)
      return malformed(kind, problem, "a section is out of place");
    for (uint64_t at = end; at < section.offset; ++at)
      if (bytes[at])
        return malformed(kind, problem, "padding is not zero");
    end = section.offset + section.bytes;
    sections.push_back({bytes + section.offset, section.bytes});
  }
  return end == file.size ||
         malformed(kind, problem, "bytes behind the sections");
}

} // namespace tilewright::artifact
