//===- CacheCommand.cpp - tilewright cache ----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists, explains, tidies and checks a folder of compiled kernels.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Commands.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/Report.h"

#include "tilewright/cache.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <ctime>
#include <memory>

namespace tilewright::tool {

using nlohmann::json;

namespace {

struct CacheOptions {
  std::string folder;
  std::string key, other;
  double megabytes = 4096;
  double days = 0;
  bool remove = false;
  bool isJSON = false;

  std::string path() const {
    std::string text = folder;
    if (text.empty() && tw_cache_default_folder(appendTo(text)) != TW_OK)
      throw Failure(7010, "no cache folder is known for this user",
                    "name it with --folder");
    return text;
  }
};

/// Calls a function of cache.h; its diagnostics become a Failure.
template <typename Function> json ask(Function function) {
  std::string answer;
  Failure problem(7099, "the compiler library refused the request");
  tw_sink sink = {};
  sink.size = sizeof sink;
  sink.ctx = &problem;
  sink.emit = [](void *ctx, const tw_diagnostic *diagnostic) {
    *static_cast<Failure *>(ctx) =
        Failure(diagnostic->code, toString(diagnostic->message),
                toString(diagnostic->hint));
  };
  if (function(&sink, appendTo(answer)) != TW_OK)
    throw problem;
  return json::parse(answer);
}

/// Prints the document for --json, says whether it did.
bool printJSON(const CacheOptions &options, const json &answer) {
  if (options.isJSON)
    std::printf("%s\n", answer.dump(1).c_str());
  return options.isJSON;
}

void list(const CacheOptions &options) {
  std::string folder = options.path();
  json answer = ask([&](const tw_sink *sink, tw_writer out) {
    return tw_cache_list(toStr(folder), sink, out);
  });
  if (printJSON(options, answer))
    return;
  uint64_t bytes = 0;
  for (const json &entry : answer["entries"]) {
    time_t used = entry["used"].get<int64_t>();
    char date[32];
    std::strftime(date, sizeof date, "%Y-%m-%d %H:%M", std::localtime(&used));
    std::printf("%.12s  %s  %8.1f KB  %s  %s(%s)\n",
                entry["key"].get<std::string>().c_str(), date,
                entry["bytes"].get<double>() / 1024,
                entry["target"].get<std::string>().c_str(),
                entry["kernel"].get<std::string>().c_str(),
                entry["signature"].get<std::string>().c_str());
    bytes += entry["bytes"].get<uint64_t>();
  }
  std::printf("%zu entries, %.1f MB in %s\n", answer["entries"].size(),
              bytes / 1048576.0, folder.c_str());
}

void printDifferences(const json &nearest) {
  std::printf("differs from %.12s in:\n",
              nearest["key"].get<std::string>().c_str());
  for (const json &one : nearest["differs"])
    std::printf("  %s\n    here:  %s\n    there: %s\n",
                one["part"].get<std::string>().c_str(),
                one["here"].get<std::string>().c_str(),
                one["there"].get<std::string>().c_str());
  if (nearest["differs"].empty())
    std::printf("  nothing\n");
}

void printParts(const json &answer) {
  std::printf("%s\n", answer["key"].get<std::string>().c_str());
  for (const json &part : answer["parts"])
    std::printf("  %s: %s\n", part["part"].get<std::string>().c_str(),
                part["value"].get<std::string>().c_str());
  if (answer.contains("nearest"))
    printDifferences(answer["nearest"]);
}

/// One entry, or what differs between two.
void explainEntry(const CacheOptions &options) {
  std::string folder = options.path();
  json answer = ask([&](const tw_sink *sink, tw_writer out) {
    return tw_cache_compare(toStr(folder), toStr(options.key),
                            toStr(options.other), sink, out);
  });
  if (!printJSON(options, answer))
    printParts(answer);
}

/// What compiling a file would find.
void explainFile(CommonOptions &common, const CacheOptions &options) {
  common.cacheFolder = options.path();
  Session session(common);
  for (const std::string &target : splitTopLevel(common.targets)) {
    json answer = json::parse(session.explainCache(common.signature, target));
    if (printJSON(options, answer))
      continue;
    if (!answer.contains("key")) {
      std::printf("%s: does not compile, or is never kept\n", target.c_str());
      continue;
    }
    std::printf("%s: %s\n", target.c_str(),
                answer["found"].get<bool>() ? "in the cache"
                                            : "not in the cache");
    if (answer["found"].get<bool>())
      answer.erase("nearest");
    printParts(answer);
  }
}

/// Entries that a user wanted gone and that are still there.
void requireRemoved(const std::vector<std::string> &kept) {
  if (!kept.empty())
    throw Failure(7207,
                  "cannot remove " + std::to_string(kept.size()) +
                      " cache entries, the first is '" + kept[0] + "'",
                  "make the folder writable, or run as its owner");
}

void collect(const CacheOptions &options) {
  std::string folder = options.path();
  json answer = ask([&](const tw_sink *sink, tw_writer out) {
    return tw_cache_collect(toStr(folder),
                            uint64_t(options.megabytes * 1048576),
                            uint64_t(options.days * 86400), sink, out);
  });
  if (!printJSON(options, answer))
    std::printf("removed %lld entries, kept %lld of %.1f MB\n",
                answer["removed"].get<long long>(),
                answer["entries"].get<long long>(),
                answer["bytes"].get<double>() / 1048576);
  requireRemoved(answer["not_removed"]);
}

void check(const CacheOptions &options) {
  std::string folder = options.path();
  json answer = ask([&](const tw_sink *sink, tw_writer out) {
    return tw_cache_check(
        toStr(folder), options.remove ? TW_CACHE_REMOVE_DAMAGED : 0, sink, out);
  });
  std::vector<std::string> kept;
  for (const json &one : answer["damaged"])
    if (!one["removed"].get<bool>())
      kept.push_back(one["file"]);
  if (!printJSON(options, answer)) {
    for (const json &one : answer["damaged"])
      std::printf("TW%u: %s: %s\n", one["code"].get<unsigned>(),
                  one["file"].get<std::string>().c_str(),
                  one["message"].get<std::string>().c_str());
    std::printf("%lld entries are good, %zu are damaged",
                answer["good"].get<long long>(), answer["damaged"].size());
    if (options.remove && !answer["damaged"].empty())
      std::printf(", of which %zu were removed",
                  answer["damaged"].size() - kept.size());
    std::printf("\n");
  }
  if (options.remove)
    requireRemoved(kept);
  else if (!kept.empty())
    throw AlreadyReported();
}

} // namespace

void addCacheCommand(CLI::App &app, CommonOptions &common) {
  CLI::App *cache =
      app.add_subcommand("cache", "look into a folder of compiled kernels");
  cache->require_subcommand(1);
  auto options = std::make_shared<CacheOptions>();
  auto add = [&](const char *name, const char *what) {
    CLI::App *command = cache->add_subcommand(name, what);
    command->add_option("--folder", options->folder,
                        "the folder (default: this user's)");
    command->add_flag("--json", options->isJSON, "as JSON");
    return command;
  };
  add("list", "all entries")->callback([options] { list(*options); });
  CLI::App *explain = add(
      "explain", "the parts of an entry's key and how another's differ; with "
                 "--file: whether a kernel is in the cache, and if not, why");
  explain->add_option("key", options->key, "first digits of a key");
  explain->add_option("other", options->other, "a key to compare with");
  explain->add_option("--file", common.file, "kernel file");
  addCompileOptions(*explain, common);
  explain->remove_option(explain->get_option("--cache")); // here: --folder
  explain->callback([options, &common] {
    if (options->key.empty() == common.file.empty())
      throw Failure(7205, "expected a key, or a kernel file after --file",
                    "`tilewright cache list` shows the keys");
    if (options->key.empty())
      explainFile(common, *options);
    else
      explainEntry(*options);
  });
  CLI::App *gc = add("gc", "remove the entries that were not used for longest");
  gc->add_option("--megabytes", options->megabytes,
                 "what may stay (default 4096, 0: no limit)")
      ->check(CLI::NonNegativeNumber);
  gc->add_option("--days", options->days,
                 "remove what was not used for so long (0: whatever age)")
      ->check(CLI::NonNegativeNumber);
  gc->callback([options] { collect(*options); });
  CLI::App *checker =
      add("check", "read all entries; exit status 1 if one is damaged");
  checker->add_flag("--remove", options->remove, "remove damaged entries");
  checker->callback([options] { check(*options); });
}

} // namespace tilewright::tool
