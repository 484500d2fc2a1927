//===- Bundle.h - Artifacts with a dispatch table ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The owned form of a .twb file: artifacts of kernels for several targets and
// kinds of arguments, and for each when to take it and over which grid.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_RUNTIME_ARTIFACT_BUNDLE_H
#define TILEWRIGHT_RUNTIME_ARTIFACT_BUNDLE_H

#include "runtime/artifact/Artifact.h"

namespace tilewright::artifact {

/// One row of the table; rows of a kernel are tried in order.
struct BundleVariant {
  std::string kernel;
  uint32_t artifact = 0; // index into Bundle::artifacts
  std::string target, signature, gridText, whenText; // for people
  std::array<Bytes, 3> grid; // expression.h, over the run-time arguments
  Bytes when;                // empty: always
};

struct Bundle {
  std::vector<BundleVariant> variants;
  std::vector<Bytes> artifacts;
};

/// The manifest alone, as JSON text.
std::string bundleManifest(const Bundle &bundle, int indent);

/// Reads the JSON of a bundle's manifest; `artifactCount` bounds the indices.
bool readBundleManifest(std::string_view text, uint64_t artifactCount,
                        Bundle &bundle, Problem &problem);

/// The file's bytes.
Bytes writeBundle(const Bundle &bundle);
/// Reads a file's bytes; refuses everything that it does not know.
std::optional<Bundle> readBundle(tw_bytes file, Problem &problem);

} // namespace tilewright::artifact

#endif // TILEWRIGHT_RUNTIME_ARTIFACT_BUNDLE_H
