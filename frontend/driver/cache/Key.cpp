//===- Key.cpp - What a compiled kernel depends on --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of keys, their digests and their differences.
//===----------------------------------------------------------------------===//

#include "frontend/driver/cache/Key.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

#include <algorithm>

namespace tilewright::driver::cache {

namespace json = llvm::json;
using llvm::StringRef;

std::string digestOf(StringRef bytes) {
  llvm::BLAKE3 hasher;
  hasher.update(bytes);
  return llvm::toHex(hasher.final<nameDigits / 2>(), /*LowerCase=*/true);
}

StringRef Key::find(StringRef name) const {
  for (const Part &part : list)
    if (part.first == name)
      return part.second;
  return {};
}

/// JSON texts are UTF-8; sources need not be.
static std::string asUTF8(const std::string &text) {
  return json::isUTF8(text) ? text : "digest " + digestOf(text);
}

std::string Key::text() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream);
  out.array([&] {
    for (const Part &part : list)
      out.array([&] {
        out.value(asUTF8(part.first));
        out.value(asUTF8(part.second));
      });
  });
  return text;
}

std::optional<Key> Key::parse(StringRef text) {
  auto parsed = json::parse(text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  const json::Array *rows = parsed->getAsArray();
  if (!rows)
    return std::nullopt;
  Key key;
  for (const json::Value &row : *rows) {
    const json::Array *pair = row.getAsArray();
    if (!pair || pair->size() != 2)
      return std::nullopt;
    auto name = (*pair)[0].getAsString(), value = (*pair)[1].getAsString();
    if (!name || !value)
      return std::nullopt;
    key.add(name->str(), value->str());
  }
  return key;
}

std::vector<Difference> compare(const Key &here, const Key &there) {
  std::vector<Difference> found;
  for (const Key::Part &part : here.parts())
    if (StringRef other = there.find(part.first); other != part.second)
      found.push_back({part.first, part.second, other.str()});
  for (const Key::Part &part : there.parts())
    if (std::none_of(
            here.parts().begin(), here.parts().end(),
            [&](const Key::Part &own) { return own.first == part.first; }))
      found.push_back({part.first, "", part.second});
  return found;
}

json::Array partsToJSON(const Key &key) {
  json::Array parts;
  for (const auto &[name, value] : key.parts())
    parts.push_back(json::Object{{"part", json::fixUTF8(name)},
                                 {"value", json::fixUTF8(value)}});
  return parts;
}

json::Object differencesToJSON(const Key &here, const Key &there) {
  json::Array differs;
  for (const Difference &one : compare(here, there))
    differs.push_back(json::Object{{"part", json::fixUTF8(one.part)},
                                   {"here", json::fixUTF8(one.here)},
                                   {"there", json::fixUTF8(one.there)}});
  return json::Object{{"key", there.name()}, {"differs", std::move(differs)}};
}

} // namespace tilewright::driver::cache
