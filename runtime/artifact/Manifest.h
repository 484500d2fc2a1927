//===- Manifest.h - The JSON part of an artifact ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything of an artifact but its payload bytes, to and from JSON text.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_RUNTIME_ARTIFACT_MANIFEST_H
#define TILEWRIGHT_RUNTIME_ARTIFACT_MANIFEST_H

#include "runtime/artifact/Artifact.h"

namespace tilewright::artifact {

/// Compact text (`indent` < 0) is what the file holds.
std::string writeManifest(const Artifact &artifact, int indent);

/// Fills everything but payload bytes; `payloads` gets one entry per format.
bool readManifest(std::string_view text, Artifact &artifact, Problem &problem);

} // namespace tilewright::artifact

#endif // TILEWRIGHT_RUNTIME_ARTIFACT_MANIFEST_H
