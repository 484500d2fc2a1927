//===- Toml.cpp - TOML as JSON ----------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one translation unit that includes toml++.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/verify/suite/Manifest.h"

#include <toml++/toml.h>

namespace tilewright::tool::verify {

static nlohmann::json convert(const toml::node &node) {
  if (const toml::table *table = node.as_table()) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto &[key, value] : *table)
      object[std::string(key.str())] = convert(value);
    return object;
  }
  if (const toml::array *array = node.as_array()) {
    nlohmann::json list = nlohmann::json::array();
    for (const toml::node &entry : *array)
      list.push_back(convert(entry));
    return list;
  }
  if (auto text = node.value_exact<std::string>())
    return *text;
  if (auto integer = node.value_exact<int64_t>())
    return *integer;
  if (auto number = node.value_exact<double>())
    return *number;
  if (auto truth = node.value_exact<bool>())
    return *truth;
  std::ostringstream date;
  date << toml::node_view<const toml::node>(node);
  return date.str();
}

nlohmann::json parseToml(const std::string &text, const std::string &path) {
  try {
    return convert(toml::parse(text, path));
  } catch (const toml::parse_error &error) {
    throw Failure(7030, path + ":" + std::to_string(error.source().begin.line) +
                            ":" + std::to_string(error.source().begin.column) +
                            ": " + std::string(error.description()));
  }
}

} // namespace tilewright::tool::verify
