//===- Container.cpp - The .twa file ----------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An artifact as a manifest and payloads; layout in tilewright/artifact.h.
//===----------------------------------------------------------------------===//
#include "runtime/artifact/Manifest.h"
#include "runtime/artifact/Sections.h"

#include "tilewright/artifact.h"

#include <cstdio>

namespace tilewright::artifact {

static constexpr FileKind artifactFile = {
    TW_ARTIFACT_MAGIC,
    TW_ARTIFACT_VERSION,
    7101,
    "artifact",
    "an artifact",
    "give a .twa file made by `tilewright compile`"};

Bytes writeArtifact(const Artifact &artifact) {
  std::string manifest = writeManifest(artifact, /*indent=*/-1);
  std::vector<tw_bytes> sections = {{manifest.data(), manifest.size()}};
  for (const Payload &payload : artifact.payloads)
    sections.push_back({payload.bytes.data(), payload.bytes.size()});
  return writeSections(artifactFile, sections);
}

std::string manifestText(const Artifact &artifact) {
  return writeManifest(artifact, /*indent=*/2) + "\n";
}

std::optional<Artifact> readArtifact(tw_bytes file, Problem &problem) {
  std::vector<tw_bytes> sections;
  if (!readSections(artifactFile, file, sections, problem))
    return std::nullopt;
  std::string_view manifest(static_cast<const char *>(sections[0].data),
                            sections[0].size);
  Artifact artifact;
  if (!readManifest(manifest, artifact, problem))
    return std::nullopt;
  if (artifact.payloads.size() + 1 != sections.size()) {
    problem.set(TW_E_DATA_LOSS, 7105,
                "malformed artifact: manifest and sections disagree",
                "compile the kernel again");
    return std::nullopt;
  }
  for (size_t i = 0; i < artifact.payloads.size(); ++i) {
    const auto *start = static_cast<const uint8_t *>(sections[i + 1].data);
    artifact.payloads[i].bytes.assign(start, start + sections[i + 1].size);
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
