//===- Container.cpp - The .twa file ----------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Header, section table, sections; layout in tilewright/artifact.h.
//===----------------------------------------------------------------------===//
#include "runtime/artifact/Manifest.h"

#include "tilewright/artifact.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstddef>
#include <cstdio>
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

Bytes writeArtifact(const Artifact &artifact) {
  std::string manifest = writeManifest(artifact, /*indent=*/-1);
  std::vector<tw_artifact_section> table;
  std::vector<const void *> contents;
  uint64_t end = sizeof(tw_artifact_header) +
                 (1 + artifact.payloads.size()) * sizeof(tw_artifact_section);
  auto add = [&](uint32_t kind, const void *data, uint64_t bytes) {
    uint64_t offset = alignUp(end);
    table.push_back({kind, 0, offset, bytes, 0});
    contents.push_back(data);
    end = offset + bytes;
  };
  add(TW_SECTION_MANIFEST, manifest.data(), manifest.size());
  for (const Payload &payload : artifact.payloads)
    add(TW_SECTION_PAYLOAD, payload.bytes.data(), payload.bytes.size());

  Bytes file(end);
  tw_artifact_header header = {};
  header.magic = TW_ARTIFACT_MAGIC;
  header.version = TW_ARTIFACT_VERSION;
  header.section_count = static_cast<uint32_t>(table.size());
  header.file_bytes = end;
  std::memcpy(file.data(), &header, sizeof header);
  std::memcpy(file.data() + sizeof header, table.data(),
              table.size() * sizeof table[0]);
  for (size_t i = 0; i < table.size(); ++i)
    if (table[i].bytes)
      std::memcpy(file.data() + table[i].offset, contents[i], table[i].bytes);
  header.checksum = checksumOf(file.data(), end);
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

std::string manifestText(const Artifact &artifact) {
  return writeManifest(artifact, /*indent=*/2) + "\n";
}

static bool malformed(Problem &problem, const std::string &what) {
  return problem.set(TW_E_DATA_LOSS, 7105, "malformed artifact: " + what,
                     "compile the kernel again");
}

/// Magic, version, flags, length, checksum, in this order: a file of another
/// version may have any length.
static bool checkHeader(tw_bytes file, tw_artifact_header &header,
                        Problem &problem) {
  const auto *bytes = static_cast<const uint8_t *>(file.data);
  uint32_t magic = 0;
  if (file.size >= sizeof magic)
    std::memcpy(&magic, bytes, sizeof magic);
  if (magic != TW_ARTIFACT_MAGIC)
    return problem.set(TW_E_INVALID_ARGUMENT, 7101, "this is not an artifact",
                       "give a .twa file made by `tilewright compile`");
  auto truncated = [&](uint64_t expected) {
    return problem.set(TW_E_DATA_LOSS, 7103,
                       "truncated artifact: expected " +
                           std::to_string(expected) + " bytes, got " +
                           std::to_string(file.size),
                       "copy or compile it again");
  };
  if (file.size < sizeof header)
    return truncated(sizeof header);
  std::memcpy(&header, bytes, sizeof header);
  if (header.version != TW_ARTIFACT_VERSION || header.flags)
    return problem.set(TW_E_VERSION, 7102,
                       "artifact has version " +
                           std::to_string(header.version) + " and flags " +
                           std::to_string(header.flags) + ", expected " +
                           std::to_string(TW_ARTIFACT_VERSION) + " and 0",
                       "recompile it, or use a newer tilewright");
  if (header.file_bytes != file.size)
    return truncated(header.file_bytes);
  if (checksumOf(bytes, file.size) != header.checksum)
    return problem.set(TW_E_DATA_LOSS, 7104,
                       "damaged artifact: the checksum does not match",
                       "copy or compile it again");
  for (uint64_t reserved : header.reserved)
    if (reserved)
      return malformed(problem, "a reserved field of the header is not zero");
  return true;
}

/// Sections must follow each other with zero padding and end the file.
static bool readSections(tw_bytes file, const tw_artifact_header &header,
                         std::vector<tw_artifact_section> &table,
                         Problem &problem) {
  const auto *bytes = static_cast<const uint8_t *>(file.data);
  if (header.section_count < 2 ||
      header.section_count > TW_ARTIFACT_MAX_SECTIONS)
    return malformed(problem, "wrong number of sections");
  table.resize(header.section_count);
  uint64_t end = sizeof header + table.size() * sizeof table[0];
  if (end > file.size)
    return malformed(problem, "the section table does not fit");
  std::memcpy(table.data(), bytes + sizeof header,
              table.size() * sizeof table[0]);
  for (size_t i = 0; i < table.size(); ++i) {
    const tw_artifact_section &section = table[i];
    uint32_t kind = i == 0 ? TW_SECTION_MANIFEST : TW_SECTION_PAYLOAD;
    if (section.kind != kind || section.flags || section.reserved)
      return malformed(problem, "unknown section");
    if (section.offset != alignUp(end) || section.offset > file.size ||
        section.bytes > file.size - section.offset)
      return malformed(problem, "a section is out of place");
    for (uint64_t at = end; at < section.offset; ++at)
      if (bytes[at])
        return malformed(problem, "padding is not zero");
    end = section.offset + section.bytes;
  }
  return end == file.size || malformed(problem, "bytes behind the sections");
}

std::optional<Artifact> readArtifact(tw_bytes file, Problem &problem) {
  tw_artifact_header header;
  std::vector<tw_artifact_section> table;
  if (!checkHeader(file, header, problem) ||
      !readSections(file, header, table, problem))
    return std::nullopt;
  const auto *bytes = static_cast<const uint8_t *>(file.data);
  std::string_view manifest(
      reinterpret_cast<const char *>(bytes + table[0].offset), table[0].bytes);
  Artifact artifact;
  if (!readManifest(manifest, artifact, problem))
    return std::nullopt;
  if (artifact.payloads.size() + 1 != table.size()) {
    malformed(problem, "manifest and sections disagree");
    return std::nullopt;
  }
  for (size_t i = 0; i < artifact.payloads.size(); ++i) {
    const uint8_t *start = bytes + table[i + 1].offset;
    artifact.payloads[i].bytes.assign(start, start + table[i + 1].bytes);
  }
  return artifact;
}

std::optional<Bytes> readFile(const std::string &path, Problem &problem) {
  Bytes bytes;
  bool good = false;
  if (std::FILE *file = std::fopen(path.c_str(), "rb")) {
    uint8_t chunk[1 << 16];
    while (size_t count = std::fread(chunk, 1, sizeof chunk, file))
      bytes.insert(bytes.end(), chunk, chunk + count);
    good = !std::ferror(file);
    std::fclose(file);
  }
  if (good)
    return bytes;
  problem.set(TW_E_NOT_FOUND, 7107, "cannot read '" + path + "'",
              "check the path and its permissions");
  return std::nullopt;
}

} // namespace tilewright::artifact
