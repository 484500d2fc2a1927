//===- Sections.h - Files of a manifest and payloads ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Header, section table, sections, as tilewright/artifact.h lays them out: what
// artifacts and bundles have in common.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_RUNTIME_ARTIFACT_SECTIONS_H
#define TILEWRIGHT_RUNTIME_ARTIFACT_SECTIONS_H

#include "runtime/artifact/Artifact.h"

namespace tilewright::artifact {

/// What a file of sections is.
struct FileKind {
  uint32_t magic;
  uint32_t version;
  uint32_t wrongCode;    // for files that start otherwise
  const char *name;      // "artifact"
  const char *described; // "an artifact"
  const char *makeIt;    // how one gets such a file
};

/// The file's bytes; the first section is the manifest.
Bytes writeSections(const FileKind &kind,
                    const std::vector<tw_bytes> &sections);

/// The sections of a file, manifest first, as views into it. Refuses everything
/// that writeSections would not write.
bool readSections(const FileKind &kind, tw_bytes file,
                  std::vector<tw_bytes> &sections, Problem &problem);

} // namespace tilewright::artifact

#endif // TILEWRIGHT_RUNTIME_ARTIFACT_SECTIONS_H
