//===- Bundle.cpp - Artifacts with a dispatch table -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writer and strict reader of .twb; docs/formats.md has the format.
//===----------------------------------------------------------------------===//
#include "runtime/artifact/Bundle.h"
#include "runtime/artifact/Sections.h"

#include "tilewright/artifact.h"

#include <nlohmann/json.hpp>

namespace tilewright::artifact {

using json = nlohmann::ordered_json;

static constexpr FileKind bundleFile = {
    TW_BUNDLE_MAGIC,
    TW_BUNDLE_VERSION,
    7108,
    "bundle",
    "a bundle",
    "give a .twb file made by `tilewright bundle`"};

static std::string toHex(const Bytes &bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

static bool fromHex(const std::string &text, Bytes &bytes) {
  auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
  };
  if (text.size() % 2)
    return false;
  for (size_t i = 0; i < text.size(); i += 2) {
    int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0)
      return false;
    bytes.push_back(uint8_t(high << 4 | low));
  }
  return true;
}

std::string bundleManifest(const Bundle &bundle, int indent) {
  json variants = json::array();
  for (const BundleVariant &variant : bundle.variants)
    variants.push_back({{"kernel", variant.kernel},
                        {"artifact", variant.artifact},
                        {"target", variant.target},
                        {"signature", variant.signature},
                        {"grid_text", variant.gridText},
                        {"when_text", variant.whenText},
                        {"grid",
                         {toHex(variant.grid[0]), toHex(variant.grid[1]),
                          toHex(variant.grid[2])}},
                        {"when", toHex(variant.when)}});
  return json({{"schema", 1}, {"variants", std::move(variants)}}).dump(indent);
}

/// One row; false for anything but the eight fields with their types.
static bool readVariant(const json &row, uint64_t artifactCount,
                        BundleVariant &variant) {
  if (!row.is_object() || row.size() != 8)
    return false;
  auto text = [&](const char *key, std::string &out) {
    auto it = row.find(key);
    if (it == row.end() || !it->is_string())
      return false;
    out = it->get<std::string>();
    return true;
  };
  std::string when;
  auto artifact = row.find("artifact"), grid = row.find("grid");
  if (!text("kernel", variant.kernel) || !text("target", variant.target) ||
      !text("signature", variant.signature) ||
      !text("grid_text", variant.gridText) ||
      !text("when_text", variant.whenText) || !text("when", when) ||
      artifact == row.end() || !artifact->is_number_unsigned() ||
      grid == row.end() || !grid->is_array() || grid->size() != 3 ||
      artifact->get<uint64_t>() >= artifactCount ||
      !fromHex(when, variant.when))
    return false;
  variant.artifact = artifact->get<uint32_t>();
  for (size_t i = 0; i < 3; ++i)
    if (!(*grid)[i].is_string() ||
        !fromHex((*grid)[i].get<std::string>(), variant.grid[i]))
      return false;
  return true;
}

bool readBundleManifest(std::string_view text, uint64_t artifactCount,
                        Bundle &bundle, Problem &problem) {
  auto malformed = [&](const char *what) {
    return problem.set(TW_E_DATA_LOSS, 7106,
                       std::string("malformed manifest of a bundle: ") + what,
                       "make the bundle again");
  };
  json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object() || document.size() != 2 ||
      document.value("schema", json()) != json(1) ||
      !document.contains("variants") || !document["variants"].is_array())
    return malformed("expected schema 1 and variants");
  for (const json &row : document["variants"]) {
    bundle.variants.emplace_back();
    if (!readVariant(row, artifactCount, bundle.variants.back()))
      return malformed("a variant has other fields than it should");
  }
  return !bundle.variants.empty() || malformed("expected a variant");
}

Bytes writeBundle(const Bundle &bundle) {
  std::string manifest = bundleManifest(bundle, /*indent=*/-1);
  std::vector<tw_bytes> sections = {{manifest.data(), manifest.size()}};
  for (const Bytes &artifact : bundle.artifacts)
    sections.push_back({artifact.data(), artifact.size()});
  return writeSections(bundleFile, sections);
}

std::optional<Bundle> readBundle(tw_bytes file, Problem &problem) {
  std::vector<tw_bytes> sections;
  Bundle bundle;
  if (!readSections(bundleFile, file, sections, problem) ||
      !readBundleManifest(
          {static_cast<const char *>(sections[0].data), sections[0].size},
          sections.size() - 1, bundle, problem))
    return std::nullopt;
  for (size_t i = 1; i < sections.size(); ++i) {
    const auto *start = static_cast<const uint8_t *>(sections[i].data);
    bundle.artifacts.emplace_back(start, start + sections[i].size);
  }
  return bundle;
}

} // namespace tilewright::artifact
