//===- Manifest.h - Suites of kernels for verify ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A TOML or JSON file (docs/formats.md, "Manifest of verify") becomes rows:
// kernels x cases x element types x modes.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_SUITE_MANIFEST_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_SUITE_MANIFEST_H

#include "frontend/driver/tool/verify/Experiment.h"

namespace tilewright::tool::verify {

/// Whether the file name is that of a manifest: .toml or .json.
bool isManifest(const std::string &path);

/// The rows of a manifest in its order. Throws Failure 7030 for anything that
/// the format does not know.
std::vector<Experiment> readManifest(const std::string &path);

/// A TOML document as JSON; dates become texts. Throws Failure 7030.
nlohmann::json parseToml(const std::string &text, const std::string &path);

} // namespace tilewright::tool::verify

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_SUITE_MANIFEST_H
