//===- Entry.cpp - One file of the cache ------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writer and strict reader of `.twc`.
//===----------------------------------------------------------------------===//

#include "frontend/driver/cache/Entry.h"

#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"

namespace tilewright::driver::cache {

namespace json = llvm::json;
using llvm::StringRef;

namespace {

constexpr char magic[] = {'T', 'W', 'C', '1'};
constexpr uint32_t version = 1;
/// magic, version, three sizes, digest.
constexpr size_t digestOffset = 32, digestBytes = 32, headerBytes = 64;

using Digest = std::array<uint8_t, digestBytes>;

/// Of the whole file but for the digest itself.
Digest digestOfFile(StringRef bytes) {
  llvm::BLAKE3 hasher;
  hasher.update(bytes.take_front(digestOffset));
  hasher.update(bytes.drop_front(headerBytes));
  return hasher.final<digestBytes>();
}

} // namespace

std::string writeEntry(const Entry &entry) {
  std::string key = entry.key.text();
  std::string bytes(headerBytes, '\0');
  std::memcpy(bytes.data(), magic, sizeof magic);
  llvm::support::endian::write32le(&bytes[4], version);
  llvm::support::endian::write64le(&bytes[8], key.size());
  llvm::support::endian::write64le(&bytes[16], entry.report.size());
  llvm::support::endian::write64le(&bytes[24], entry.artifact.size());
  bytes += key + entry.report + entry.artifact;
  Digest digest = digestOfFile(bytes);
  std::memcpy(&bytes[digestOffset], digest.data(), digest.size());
  return bytes;
}

std::optional<Entry> readEntry(StringRef bytes, Problem &problem) {
  auto damaged = [&](const char *what) {
    problem.set(TW_E_DATA_LOSS, 7202,
                std::string("damaged cache entry: ") + what,
                "it is not used; `tilewright cache check --remove` removes it");
    return std::nullopt;
  };
  if (bytes.size() < headerBytes ||
      bytes.take_front(4) != StringRef(magic, sizeof magic))
    return damaged("it does not start as one");
  if (llvm::support::endian::read32le(bytes.data() + 4) != version)
    return damaged("another version");
  uint64_t sizes[3], rest = bytes.size() - headerBytes;
  for (size_t i = 0; i < 3; ++i) {
    sizes[i] = llvm::support::endian::read64le(bytes.data() + 8 + 8 * i);
    if (sizes[i] > rest)
      return damaged("it is cut off");
    rest -= sizes[i];
  }
  if (rest)
    return damaged("bytes behind its end");
  Digest digest = digestOfFile(bytes);
  if (std::memcmp(digest.data(), bytes.data() + digestOffset, digest.size()) !=
      0)
    return damaged("its content does not match its digest");
  StringRef content = bytes.drop_front(headerBytes);
  Entry entry;
  auto key = Key::parse(content.take_front(sizes[0]));
  if (!key)
    return damaged("its key cannot be read");
  entry.key = std::move(*key);
  entry.report = content.substr(sizes[0], sizes[1]).str();
  entry.artifact = content.take_back(sizes[2]).str();
  return entry;
}

//===----------------------------------------------------------------------===//
// What the compiler said
//===----------------------------------------------------------------------===//

static json::Array toJSON(const syntax::SourceRange &range) {
  return json::Array{range.line, range.column, range.endLine, range.endColumn};
}

static json::Object toJSON(const syntax::Diagnostic &diagnostic) {
  json::Array notes;
  for (const syntax::Note &note : diagnostic.notes)
    notes.push_back(json::Object{{"range", toJSON(note.range)},
                                 {"message", json::fixUTF8(note.message)},
                                 {"file", json::fixUTF8(note.fileName)}});
  return json::Object{{"code", diagnostic.code},
                      {"severity", int64_t(diagnostic.severity)},
                      {"file", json::fixUTF8(diagnostic.fileName)},
                      {"range", toJSON(diagnostic.range)},
                      {"message", json::fixUTF8(diagnostic.message)},
                      {"hint", json::fixUTF8(diagnostic.hint)},
                      {"notes", std::move(notes)}};
}

std::string writeReport(const CompileOutput &output) {
  json::Array warnings, remarks;
  for (const syntax::Diagnostic &diagnostic : output.sink.diagnostics())
    warnings.push_back(toJSON(diagnostic));
  for (const syntax::Diagnostic &remark : output.remarks)
    remarks.push_back(toJSON(remark));
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << json::Value(json::Object{{"warnings", std::move(warnings)},
                                     {"remarks", std::move(remarks)}});
  return text;
}

static bool fromJSON(const json::Value &value, syntax::SourceRange &range,
                     json::Path) {
  const json::Array *numbers = value.getAsArray();
  if (!numbers || numbers->size() != 4)
    return false;
  uint32_t *fields[] = {&range.line, &range.column, &range.endLine,
                        &range.endColumn};
  for (size_t i = 0; i < 4; ++i) {
    auto number = (*numbers)[i].getAsInteger();
    if (!number)
      return false;
    *fields[i] = uint32_t(*number);
  }
  return true;
}

static bool fromJSON(const json::Value &value, syntax::Note &note,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("message", note.message) &&
         map.map("file", note.fileName) &&
         fromJSON(*value.getAsObject()->get("range"), note.range, path);
}

static bool fromJSON(const json::Value &value, syntax::Diagnostic &diagnostic,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  int64_t code = 0, severity = 0;
  bool good = map && map.map("code", code) && map.map("severity", severity) &&
              map.map("file", diagnostic.fileName) &&
              map.map("message", diagnostic.message) &&
              map.map("hint", diagnostic.hint);
  if (!good || severity < 0 || severity > int64_t(syntax::Severity::Note))
    return false;
  diagnostic.code = unsigned(code);
  diagnostic.severity = syntax::Severity(severity);
  const json::Object &object = *value.getAsObject();
  const json::Value *range = object.get("range");
  const json::Array *notes = object.getArray("notes");
  if (!range || !notes || !fromJSON(*range, diagnostic.range, path))
    return false;
  for (const json::Value &note : *notes) {
    diagnostic.notes.emplace_back();
    if (!note.getAsObject() || !note.getAsObject()->get("range") ||
        !fromJSON(note, diagnostic.notes.back(), path))
      return false;
  }
  return true;
}

bool readReport(StringRef report, CompileOutput &output) {
  auto parsed = json::parse(report);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return false;
  }
  const json::Object *object = parsed->getAsObject();
  const json::Array *warnings = object ? object->getArray("warnings") : nullptr;
  const json::Array *remarks = object ? object->getArray("remarks") : nullptr;
  if (!warnings || !remarks)
    return false;
  json::Path::Root root;
  for (const json::Array *list : {warnings, remarks})
    for (const json::Value &value : *list) {
      syntax::Diagnostic diagnostic;
      if (!fromJSON(value, diagnostic, root))
        return false;
      if (list == warnings)
        output.sink.report(std::move(diagnostic));
      else
        output.remarks.push_back(std::move(diagnostic));
    }
  return true;
}

} // namespace tilewright::driver::cache
