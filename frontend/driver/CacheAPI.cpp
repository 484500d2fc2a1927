//===- CacheAPI.cpp - The C interface of the cache --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders of compiled kernels as JSON, for the command and for hosts.
//===----------------------------------------------------------------------===//

#include "frontend/driver/CompilerHandle.h"
#include "runtime/artifact/Artifact.h"

#include "tilewright/cache.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace tilewright;
using namespace tilewright::driver;
namespace json = llvm::json;

static void write(tw_writer out, json::Object object) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << json::Value(std::move(object)) << "\n";
  out.write(out.ctx, text.data(), text.size());
}

static int32_t report(const tw_sink *sink, const Problem &problem) {
  tw_emit(sink, TW_SEVERITY_ERROR, problem.code, problem.message.c_str(),
          problem.hint.c_str());
  return problem.status;
}

static json::Object describeEntry(const cache::StoredFile &file,
                                  const cache::Entry &entry) {
  // The part of the source is its file and a digest.
  llvm::StringRef source = entry.key.find("source").rsplit(' ').first;
  json::Object row{{"key", file.name},
                   {"bytes", int64_t(file.bytes)},
                   {"used", file.usedSeconds},
                   {"file", json::fixUTF8(source)}};
  for (const char *part : {"kernel", "signature", "target"})
    row[part] = json::fixUTF8(entry.key.find(part));
  return row;
}

int32_t tw_cache_default_folder(tw_writer out) {
  llvm::SmallString<256> folder;
  if (!out.write || !llvm::sys::path::cache_directory(folder))
    return TW_E_NOT_FOUND;
  llvm::sys::path::append(folder, "tilewright");
  out.write(out.ctx, folder.data(), folder.size());
  return TW_OK;
}

int32_t tw_cache_list(tw_str folder, const tw_sink *sink, tw_writer out) {
  Problem problem;
  if (!out.write)
    return TW_E_INVALID_ARGUMENT;
  if (!cache::isTrusted(toString(folder), cache::FolderUse::Shared, problem))
    return report(sink, problem);
  json::Array entries;
  for (const cache::StoredFile &file : cache::listFiles(toString(folder))) {
    Problem damage;
    if (auto entry = cache::readFile(file, damage))
      entries.push_back(describeEntry(file, *entry));
  }
  write(out, json::Object{{"version", 1},
                          {"folder", json::fixUTF8(toString(folder))},
                          {"entries", std::move(entries)}});
  return TW_OK;
}

/// Whether an entry of the cache holds a whole artifact.
static bool isGood(const cache::StoredFile &file, Problem &problem) {
  auto entry = cache::readFile(file, problem);
  return entry &&
         artifact::readArtifact(
             {entry->artifact.data(), entry->artifact.size()}, problem);
}

int32_t tw_cache_check(tw_str folder, uint32_t flags, const tw_sink *sink,
                       tw_writer out) {
  Problem problem;
  if (!out.write || (flags & ~TW_CACHE_REMOVE_DAMAGED))
    return TW_E_INVALID_ARGUMENT;
  if (!cache::isTrusted(toString(folder), cache::FolderUse::Shared, problem))
    return report(sink, problem);
  json::Array damaged;
  int64_t good = 0;
  for (const cache::StoredFile &file : cache::listFiles(toString(folder))) {
    Problem damage;
    if (isGood(file, damage)) {
      ++good;
      continue;
    }
    bool isRemoved =
        (flags & TW_CACHE_REMOVE_DAMAGED) && !llvm::sys::fs::remove(file.path);
    damaged.push_back(json::Object{{"file", json::fixUTF8(file.path)},
                                   {"code", damage.code},
                                   {"message", damage.message},
                                   {"removed", isRemoved}});
  }
  write(out, json::Object{{"version", 1},
                          {"good", good},
                          {"damaged", std::move(damaged)}});
  return TW_OK;
}

int32_t tw_cache_collect(tw_str folder, uint64_t maxBytes,
                         uint64_t maxAgeSeconds, const tw_sink *sink,
                         tw_writer out) {
  Problem problem;
  if (!out.write)
    return TW_E_INVALID_ARGUMENT;
  if (!cache::isTrusted(toString(folder), cache::FolderUse::Shared, problem))
    return report(sink, problem);
  cache::Collected done =
      cache::collect(toString(folder), maxBytes, maxAgeSeconds);
  json::Array kept;
  for (const std::string &file : done.kept)
    kept.push_back(json::fixUTF8(file));
  int64_t bytes = 0, entries = 0;
  for (const cache::StoredFile &file : cache::listFiles(toString(folder))) {
    bytes += int64_t(file.bytes);
    ++entries;
  }
  write(out, json::Object{{"version", 1},
                          {"removed", int64_t(done.removed)},
                          {"not_removed", std::move(kept)},
                          {"entries", entries},
                          {"bytes", bytes}});
  return TW_OK;
}

/// The only entry whose key starts as said.
static std::optional<cache::Key> findKey(const std::string &folder,
                                         const std::string &prefix,
                                         Problem &problem) {
  std::optional<cache::Key> found;
  for (const cache::StoredFile &file : cache::listFiles(folder)) {
    if (!llvm::StringRef(file.name).starts_with(prefix))
      continue;
    if (found) {
      problem.set(TW_E_INVALID_ARGUMENT, 7205,
                  "several cache entries start with '" + prefix + "'",
                  "give more digits; `tilewright cache list` shows them");
      return std::nullopt;
    }
    auto entry = cache::readFile(file, problem);
    if (!entry)
      return std::nullopt;
    found = std::move(entry->key);
  }
  if (!found)
    problem.set(TW_E_NOT_FOUND, 7205, "no cache entry '" + prefix + "'",
                "`tilewright cache list` shows the entries");
  return found;
}

int32_t tw_cache_compare(tw_str folder, tw_str key, tw_str other,
                         const tw_sink *sink, tw_writer out) {
  Problem problem;
  std::string path = toString(folder);
  if (!out.write)
    return TW_E_INVALID_ARGUMENT;
  if (!cache::isTrusted(path, cache::FolderUse::Shared, problem))
    return report(sink, problem);
  auto here = findKey(path, toString(key), problem);
  if (!here)
    return report(sink, problem);
  json::Object answer{{"version", 1},
                      {"key", here->name()},
                      {"parts", cache::partsToJSON(*here)}};
  if (other.size) {
    auto there = findKey(path, toString(other), problem);
    if (!there)
      return report(sink, problem);
    answer["nearest"] = cache::differencesToJSON(*here, *there);
  }
  write(out, std::move(answer));
  return TW_OK;
}

int32_t tw_cache_explain(tw_compiler *compiler, const tw_compile_input *input,
                         tw_writer out) {
  if (!compiler || !input || !out.write)
    return TW_E_INVALID_ARGUMENT;
  tw_compile_input known = {};
  if (int32_t status = tw_read_struct(&known, sizeof known, input))
    return status;
  if (!compiler->store)
    return TW_E_PRECONDITION;
  std::string text =
      cache::explainRequest(compiler->backends, *compiler->store, known);
  out.write(out.ctx, text.data(), text.size());
  return TW_OK;
}
