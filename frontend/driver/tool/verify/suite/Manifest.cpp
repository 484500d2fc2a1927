//===- Manifest.cpp - Suites of kernels for verify --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every value is checked where it is read, and a table that has a key left over
// is refused. Texts may hold {expression} over the integers of a case, and
// {dtype}.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/verify/suite/Manifest.h"
#include "frontend/driver/tool/Expression.h"
#include "frontend/driver/tool/Failure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

#include <set>

namespace tilewright::tool::verify {

using nlohmann::json;

static constexpr int kVersion = 1;

bool isManifest(const std::string &path) {
  llvm::StringRef extension = llvm::sys::path::extension(path);
  return extension == ".toml" || extension == ".json";
}

namespace {
/// One object of the manifest with its place in it, for messages.
class Table {
public:
  Table(const json &value, std::string place) : value(value), place(place) {
    if (!value.is_object())
      throw wrong("expected a table", value);
  }

  Failure wrong(const std::string &expected, const json &got) const {
    return Failure(7030, place + ": " + expected + ", got " + got.dump());
  }
  /// The value of a key, null if it is absent.
  const json *find(const std::string &key) {
    known.insert(key);
    auto found = value.find(key);
    return found == value.end() ? nullptr : &*found;
  }
  const json &require(const std::string &key) {
    if (const json *found = find(key))
      return *found;
    throw Failure(7030, place + ": expected the key '" + key + "'");
  }
  std::string text(const std::string &key, const std::string &otherwise) {
    const json *found = find(key);
    if (!found)
      return otherwise;
    if (!found->is_string())
      throw wrong("expected a text for '" + key + "'", *found);
    return *found;
  }
  std::vector<std::string> texts(const std::string &key,
                                 std::vector<std::string> otherwise) {
    const json *found = find(key);
    if (!found)
      return otherwise;
    bool isList = found->is_array() &&
                  llvm::all_of(*found, [](auto &e) { return e.is_string(); });
    if (!isList)
      throw wrong("expected a list of texts for '" + key + "'", *found);
    return *found;
  }
  /// A table of texts.
  std::map<std::string, std::string> textMap(const std::string &key) {
    const json *found = find(key);
    if (!found)
      return {};
    bool isMap = found->is_object() &&
                 llvm::all_of(*found, [](auto &e) { return e.is_string(); });
    if (!isMap)
      throw wrong("expected a table of texts for '" + key + "'", *found);
    return *found;
  }
  /// Refuses what nobody asked for.
  void finish() const {
    for (const auto &[key, entry] : value.items())
      if (!known.count(key))
        throw Failure(7030, place + ": unknown key '" + key + "'",
                      "known keys: " + llvm::join(known, ", "));
  }
  const std::string &where() const { return place; }

private:
  const json &value;
  std::string place;
  std::set<std::string> known;
};

/// What a kernel of the manifest is before its cases are spread out.
struct Entry {
  Experiment common;
  std::vector<std::string> dtypes, modes;
  std::vector<std::map<std::string, int64_t>> cases;
  std::map<std::string, std::string> arguments, extras;
};
} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A manifest's value as `--arg` has it.
static std::string argumentText(const Table &table, const std::string &name,
                                const json &value) {
  if (value.is_string())
    return value;
  if (value.is_boolean())
    return value.get<bool>() ? "True" : "False";
  if (value.is_null())
    return "None";
  if (value.is_number())
    return value.dump();
  throw table.wrong(
      "expected a text, a number or a truth value for '" + name + "'", value);
}

static std::map<std::string, std::string>
argumentTexts(Table &table, const std::string &key) {
  std::map<std::string, std::string> texts;
  if (const json *found = table.find(key)) {
    Table values(*found, table.where() + "." + key);
    for (const auto &[name, value] : found->items())
      texts[name] = argumentText(values, name, value);
  }
  return texts;
}

static std::vector<std::map<std::string, int64_t>> readCases(Table &table) {
  const json *found = table.find("cases");
  if (!found)
    return {{}};
  if (!found->is_array() || found->empty())
    throw table.wrong("expected a list of cases", *found);
  std::vector<std::map<std::string, int64_t>> cases;
  for (const json &entry : *found) {
    Table one(entry, table.where() + ".cases");
    cases.emplace_back();
    for (const auto &[name, value] : entry.items()) {
      if (!value.is_number_integer())
        throw one.wrong("expected an integer for '" + name + "'", value);
      cases.back()[name] = value;
    }
  }
  return cases;
}

/// The value of an expression of a manifest; errors say where it stands.
static int64_t evaluateAt(const std::string &place, const std::string &text,
                          const std::map<std::string, int64_t> &names) {
  std::vector<int64_t> values;
  try {
    values = evaluateIntegers(text, names);
  } catch (const Failure &error) {
    throw Failure(error.code, place + ": " + error.what(), error.hint);
  }
  if (values.size() != 1)
    throw Failure(7030, place + ": expected one integer, got '" + text + "'");
  return values[0];
}

/// "{rows * 2}" and "{dtype}" replaced by their values.
static std::string substitute(const std::string &text, const std::string &dtype,
                              const std::map<std::string, int64_t> &names,
                              const std::string &place) {
  std::string result;
  llvm::StringRef rest = text;
  while (!rest.empty()) {
    size_t open = rest.find('{');
    result += rest.take_front(open).str();
    if (open == llvm::StringRef::npos)
      break;
    auto [inside, behind] = rest.drop_front(open + 1).split('}');
    if (inside.size() + open + 1 >= rest.size())
      throw Failure(7030, place + ": expected '}' in '" + text + "'");
    rest = behind;
    if (inside.trim() == "dtype") {
      result += dtype;
      continue;
    }
    result += std::to_string(evaluateAt(place, inside.str(), names));
  }
  return result;
}

static std::vector<std::string> substituteAll(
    const std::map<std::string, std::string> &texts, const std::string &dtype,
    const std::map<std::string, int64_t> &names, const std::string &place) {
  std::vector<std::string> result;
  for (const auto &[name, text] : texts)
    result.push_back(name + "=" +
                     substitute(text, dtype, names, place + "." + name));
  return result;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// A file of the manifest, relative to its folder.
static std::string beside(const std::string &manifest,
                          const std::string &file) {
  llvm::StringRef folder = llvm::sys::path::parent_path(manifest);
  if (folder.empty() || llvm::sys::path::is_absolute(file))
    return file;
  return (folder + "/" + file).str();
}

static Entry readEntry(const json &value, const std::string &manifest,
                       const std::string &place) {
  Table table(value, place);
  Entry entry;
  Row &heading = entry.common.heading;
  heading.kernel = table.require("kernel").is_string()
                       ? table.text("kernel", "")
                       : throw table.wrong("expected a text for 'kernel'",
                                           table.require("kernel"));
  heading.name = heading.id = table.text("name", heading.kernel);
  entry.common.source = table.text("source", "");
  if (entry.common.source.empty())
    table.require("file");
  else if (table.find("file"))
    throw Failure(7030, place + ": expected 'file' or 'source', got both");
  heading.file = entry.common.source.empty()
                     ? beside(manifest, table.text("file", ""))
                     : manifest;
  table.require("grid");
  heading.grid = table.text("grid", "");
  heading.options = table.texts("options", {});
  entry.common.signature = table.text("signature", "");
  entry.common.outputs = table.texts("outputs", {});
  entry.common.unordered = table.text("unordered", "");
  entry.common.excuses = table.textMap("excuses");
  for (auto &[array, file] : table.textMap("expected"))
    entry.common.expected[array] = beside(manifest, file);
  if (const json *tolerance = table.find("tolerance"))
    entry.common.tolerance = parseTolerance(
        tolerance->is_string()
            ? tolerance->get<std::string>()
            : throw table.wrong("expected a text for 'tolerance'", *tolerance));
  entry.dtypes = table.texts("dtypes", {""});
  entry.modes = table.texts("math", {"accurate", "portable"});
  entry.cases = readCases(table);
  entry.arguments = argumentTexts(table, "arguments");
  entry.extras = argumentTexts(table, "buffers");
  table.finish();
  for (const std::string &mode : entry.modes)
    if (mode != "accurate" && mode != "portable" && mode != "fast")
      throw Failure(7032, place +
                              ": expected a list of accurate, portable and "
                              "fast for 'math', got '" +
                              mode + "'");
  return entry;
}

/// "n=1000, m=3" for people, "n1000.m3" for files.
static std::pair<std::string, std::string>
caseNames(const std::map<std::string, int64_t> &values) {
  std::string title, id;
  for (const auto &[name, value] : values) {
    title += (title.empty() ? "" : " ") + name + "=" + std::to_string(value);
    id += "." + name + std::to_string(value);
  }
  return {title, id};
}

/// Names of rows are names of folders, see Recording.h and Bisect.h.
static void requireFileName(const std::string &id, const std::string &place) {
  bool isPlain = llvm::all_of(id, [](unsigned char c) {
    return c >= ' ' && c != 127 && c != '/' && c != '\\';
  });
  if (!isPlain || id.empty() || id.front() == '.')
    throw Failure(7030,
                  place +
                      ": expected a name of rows that can name a file, "
                      "got '" +
                      id + "'",
                  "no '/' or '\\', and no '.' at its begin");
}

static void spread(const Entry &entry, const std::string &place,
                   std::vector<Experiment> &rows) {
  for (const auto &values : entry.cases)
    for (const std::string &dtype : entry.dtypes)
      for (const std::string &mode : entry.modes) {
        Experiment row = entry.common;
        auto [title, id] = caseNames(values);
        row.heading.title = title;
        row.heading.dtype = dtype;
        row.heading.math = mode;
        row.heading.kernel = entry.common.heading.kernel;
        row.heading.id += id + (dtype.empty() ? "" : "." + dtype) + "." + mode;
        requireFileName(row.heading.id, place);
        row.heading.arguments =
            substituteAll(entry.arguments, dtype, values, place + ".arguments");
        row.extras =
            substituteAll(entry.extras, dtype, values, place + ".buffers");
        row.heading.grid = substitute(entry.common.heading.grid, dtype, values,
                                      place + ".grid");
        row.signature = substitute(entry.common.signature, dtype, values,
                                   place + ".signature");
        rows.push_back(std::move(row));
      }
}

std::vector<Experiment> readManifest(const std::string &path) {
  std::string text = readTextFile(path);
  json document;
  if (llvm::sys::path::extension(path) == ".toml") {
    document = parseToml(text, path);
  } else {
    try {
      document = json::parse(text);
    } catch (const json::parse_error &error) {
      throw Failure(7030, path + ": " + error.what());
    }
  }
  Table table(document, path);
  const json &version = table.require("version");
  if (!version.is_number_integer() || version != kVersion)
    throw table.wrong("expected version " + std::to_string(kVersion), version);
  table.text("suite", "");
  const json &kernels = table.require("kernels");
  if (!kernels.is_array())
    throw table.wrong("expected a list for 'kernels'", kernels);
  table.finish();
  std::vector<Experiment> rows;
  for (size_t i = 0; i < kernels.size(); ++i) {
    std::string place = path + ": kernels[" + std::to_string(i) + "]";
    spread(readEntry(kernels[i], path, place), place, rows);
  }
  std::set<std::string> ids;
  for (const Experiment &row : rows)
    if (!ids.insert(row.heading.id).second)
      throw Failure(7030,
                    path + ": two rows are called '" + row.heading.id + "'",
                    "give one of the kernels another name");
  return rows;
}

} // namespace tilewright::tool::verify
