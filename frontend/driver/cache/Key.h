//===- Key.h - What a compiled kernel depends on ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cache key is a list of named parts, written as text. Its name is the digest
// of that text; entries hold the text itself, so that two keys can be compared
// part by part and no collision of names gives a wrong kernel.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_CACHE_KEY_H
#define TILEWRIGHT_FRONTEND_DRIVER_CACHE_KEY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::driver::cache {

/// Hexadecimal digits in the name of an entry.
constexpr size_t nameDigits = 40;

/// Lower-case hexadecimal BLAKE3 digest of `nameDigits` digits.
std::string digestOf(llvm::StringRef bytes);

class Key {
public:
  using Part = std::pair<std::string, std::string>;

  void add(std::string name, std::string value) {
    list.emplace_back(std::move(name), std::move(value));
  }
  const std::vector<Part> &parts() const { return list; }
  /// Value of the first part of this name, empty without one.
  llvm::StringRef find(llvm::StringRef name) const;

  /// JSON: a list of [name, value].
  std::string text() const;
  /// Of the file that holds the entry.
  std::string name() const { return digestOf(text()); }
  /// Reads `text()`; nullopt for anything else.
  static std::optional<Key> parse(llvm::StringRef text);

private:
  std::vector<Part> list;
};

/// A part that two keys disagree on; empty where a key lacks it.
struct Difference {
  std::string part;
  std::string here;
  std::string there;
};
std::vector<Difference> compare(const Key &here, const Key &there);

/// [{"part", "value"}, ...]
llvm::json::Array partsToJSON(const Key &key);
/// {"key": of `there`, "differs": [{"part", "here", "there"}, ...]}
llvm::json::Object differencesToJSON(const Key &here, const Key &there);

} // namespace tilewright::driver::cache

#endif // TILEWRIGHT_FRONTEND_DRIVER_CACHE_KEY_H
