//===- fuzz-artifact.cpp - Any bytes as an artifact -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the input as a .twa file; then with the checksum made right, so that
// what lies behind it is reached; then as the manifest of a right file. What
// the reader accepts must survive being written and read again.
//===----------------------------------------------------------------------===//
#include "runtime/artifact/Artifact.h"
#include "tilewright/artifact.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace tilewright;
using namespace tilewright::artifact;

static void readOnce(const Bytes &file) {
  Problem problem;
  std::optional<Artifact> artifact =
      readArtifact({file.data(), file.size()}, problem);
  if (!artifact) {
    if (problem.status == TW_OK || !problem.code || problem.message.empty())
      std::abort(); // every refusal has a code and a text
    return;
  }
  Bytes again = writeArtifact(*artifact);
  Problem none;
  std::optional<Artifact> back =
      readArtifact({again.data(), again.size()}, none);
  if (!back || writeArtifact(*back) != again)
    std::abort();
}

/// Sets magic, version, sizes and checksum right where there is room for them.
static void seal(Bytes &file) {
  tw_artifact_header header;
  if (file.size() < sizeof header)
    return;
  std::memcpy(&header, file.data(), sizeof header);
  header.magic = TW_ARTIFACT_MAGIC;
  header.version = TW_ARTIFACT_VERSION;
  header.flags = 0;
  header.file_bytes = file.size();
  header.checksum = 0;
  std::memcpy(file.data(), &header, sizeof header);
  header.checksum = XXH64(file.data(), file.size(), 0);
  std::memcpy(file.data(), &header, sizeof header);
}

/// The input as the manifest of an otherwise right file with two payloads.
static Bytes wrap(const uint8_t *data, size_t size) {
  tw_artifact_header header = {};
  tw_artifact_section table[3];
  header.section_count = 3;
  Bytes out(sizeof header + sizeof table);
  for (uint32_t i = 0; i < 3; ++i) {
    out.resize((out.size() + 63) / 64 * 64);
    table[i] = {i ? TW_SECTION_PAYLOAD : TW_SECTION_MANIFEST, 0, out.size(),
                i ? 1 : size, 0};
    if (i == 0)
      out.insert(out.end(), data, data + size);
    else
      out.push_back(7);
  }
  std::memcpy(out.data(), &header, sizeof header);
  std::memcpy(out.data() + sizeof header, table, sizeof table);
  return out;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes file(data, data + size);
  readOnce(file);
  seal(file);
  readOnce(file);
  // The same input as a manifest.
  Bytes wrapped = wrap(data, size);
  seal(wrapped);
  readOnce(wrapped);
  return 0;
}
