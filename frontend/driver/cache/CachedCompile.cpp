//===- CachedCompile.cpp - Compile, or find it done -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Key, look-up, claim, compile, store; and what to say where a kernel may not
// be compiled.
//===----------------------------------------------------------------------===//

#include "frontend/driver/cache/CachedCompile.h"
#include "frontend/driver/cache/RequestKey.h"

#include <chrono>

namespace tilewright::driver::cache {

namespace json = llvm::json;

bool readCacheOption(const tw_option &option, Settings &settings, bool &isTaken,
                     Problem &problem) {
  std::string key = toString(option.key), text = toString(option.text);
  isTaken = key == "cache_folder" || key == "cache_shared" ||
            key == "cache_megabytes";
  if (key == "cache_folder")
    settings.folder = text;
  if (key == "cache_shared" && !text.empty())
    settings.sharedFolders.push_back(text);
  if (key != "cache_megabytes")
    return true;
  double value =
      option.kind == TW_VALUE_INT ? double(option.integer) : option.number;
  if (option.kind == TW_VALUE_TEXT || !(value >= 0) || value > 1e12)
    return problem.set(TW_E_INVALID_ARGUMENT, 4106,
                       "expected a number for option 'cache_megabytes'");
  settings.limitBytes = uint64_t(value * (1 << 20));
  return true;
}

//===----------------------------------------------------------------------===//
// Explaining
//===----------------------------------------------------------------------===//

std::optional<Key> findNearest(const std::vector<std::string> &folders,
                               const Key &key) {
  std::optional<Key> nearest;
  size_t fewest = SIZE_MAX;
  for (const std::string &folder : folders)
    for (const StoredFile &file : listFiles(folder)) {
      Problem problem;
      std::optional<Entry> entry = readFile(file, problem);
      if (!entry || entry->key.find("kernel") != key.find("kernel"))
        continue;
      size_t count = compare(key, entry->key).size();
      if (count >= fewest)
        continue;
      fewest = count;
      nearest = std::move(entry->key);
    }
  return nearest;
}

std::string explainRequest(Backends &backends, Store &store,
                           const tw_compile_input &input) {
  std::optional<RequestKey> request;
  if (isCacheable(input))
    request = makeKey(backends, input);
  json::Object answer{{"version", 1}};
  if (request) {
    answer["key"] = request->key.name();
    answer["found"] = store.find(request->key).has_value();
    answer["parts"] = partsToJSON(request->key);
    if (auto nearest = findNearest(store.folders(), request->key))
      answer["nearest"] = differencesToJSON(request->key, *nearest);
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << json::Value(std::move(answer)) << "\n";
  return text;
}

/// "signature: x:*fp32 here, x:*fp16 there; option num_warps: ..."
static std::string describe(const std::vector<Difference> &differences) {
  constexpr size_t shown = 4;
  std::string text;
  for (size_t i = 0; i < differences.size() && i < shown; ++i) {
    const Difference &one = differences[i];
    text += (i ? "; " : "") + one.part + ": '" + one.here + "' here, '" +
            one.there + "' there";
  }
  if (differences.size() > shown)
    text += "; and " + std::to_string(differences.size() - shown) + " more";
  return text;
}

static void refuse(const Store *store, const tw_compile_input &input,
                   const RequestKey *request, CompileOutput &output) {
  syntax::Diagnostic diagnostic;
  diagnostic.code = 7204;
  diagnostic.fileName = toString(input.file_name);
  diagnostic.message = "kernel '" + toString(input.kernel) +
                       "' may not be compiled here and is not in the cache, "
                       "for signature '" +
                       toString(input.signature) + "' and target '" +
                       (request ? request->target : toString(input.target)) +
                       "'";
  if (request)
    diagnostic.message += ", key " + request->key.name();
  diagnostic.hint = "compile it beforehand";
  if (store && request)
    if (auto nearest = findNearest(store->folders(), request->key))
      diagnostic.hint = "the nearest entry differs in " +
                        describe(compare(request->key, *nearest));
  output.sink.report(std::move(diagnostic));
  output.status = TW_E_DIAGNOSED;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

namespace {

/// One request on its way through the store.
class CachedRequest {
public:
  CachedRequest(Backends &backends, Store &store, const tw_compile_input &input,
                CompileOutput &output)
      : backends(backends), store(store), input(input), output(output) {}

  void run() {
    std::optional<RequestKey> request = makeKey(backends, input);
    if (request && take(*request))
      return;
    if (input.flags & TW_COMPILE_CACHED_ONLY)
      return refuse(&store, input, request ? &*request : nullptr, output);
    if (!request)
      return compileSource(backends, input, output);
    Claim claim = store.claim(request->key, [&] {
      return (input.cancelled && input.cancelled(input.cancel_ctx)) ||
             take(*request);
    });
    if (output.isFromCache || take(*request))
      return;
    compileSource(backends, input, output);
    if (output.status == TW_OK && !output.artifact.empty() && covers(*request))
      store.put({request->key, writeReport(output), output.artifact});
  }

private:
  bool take(const RequestKey &request) {
    std::optional<Entry> entry = store.find(request.key);
    CompileOutput found;
    if (!entry || !readReport(entry->report, found))
      return false;
    output.isFromCache = true;
    output.artifact = std::move(entry->artifact);
    output.target = request.target;
    output.remarks = std::move(found.remarks);
    output.sink.addSource(toString(input.file_name), toString(input.source));
    for (uint64_t i = 0; i < input.module_count; ++i)
      output.sink.addSource(toString(input.modules[i].file_name),
                            toString(input.modules[i].text));
    for (const syntax::Diagnostic &warning : found.sink.diagnostics())
      output.sink.report(warning);
    return true;
  }

  /// Whether the compiler read no file that the key does not know.
  bool covers(const RequestKey &request) const {
    for (const std::string &file : output.filesRead)
      if (!request.files.count(file))
        return false;
    return true;
  }

  Backends &backends;
  Store &store;
  const tw_compile_input &input;
  CompileOutput &output;
};

} // namespace

static void reportProblems(Store &store, CompileOutput &output) {
  for (Problem &problem : store.takeProblems()) {
    syntax::Diagnostic warning;
    warning.severity = syntax::Severity::Warning;
    warning.code = problem.code;
    warning.message = std::move(problem.message);
    warning.hint = std::move(problem.hint);
    output.sink.report(std::move(warning));
  }
}

void compileCached(Backends &backends, Store *store,
                   const tw_compile_input &input, CompileOutput &output) {
  using Clock = std::chrono::steady_clock;
  if (!store || !isCacheable(input)) {
    if (input.flags & TW_COMPILE_CACHED_ONLY)
      return refuse(nullptr, input, nullptr, output);
    return compileSource(backends, input, output);
  }
  auto start = Clock::now();
  CachedRequest(backends, *store, input, output).run();
  if (output.isFromCache)
    output.timings.push_back(
        {"cache", static_cast<uint64_t>(
                      std::chrono::duration_cast<std::chrono::nanoseconds>(
                          Clock::now() - start)
                          .count())});
  reportProblems(*store, output);
}

} // namespace tilewright::driver::cache
