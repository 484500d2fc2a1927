//===- Isolation.cpp - Plugins that compile in worker processes -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the tables that the host sees; each one is a question.
//===----------------------------------------------------------------------===//
#include "plugins/worker/Isolation.h"

#include "plugins/worker/Pool.h"
#include "plugins/worker/Reproducer.h"

#include <deque>
#include <filesystem>
#include <map>
#include <set>
#include <unistd.h>

namespace tilewright::worker {

namespace {

/// What stands behind the tw_backend that the host holds.
class Backend {
public:
  Backend(std::shared_ptr<Pool> pool, std::string vendor)
      : pool(std::move(pool)), vendor(std::move(vendor)) {}

  static Backend &of(tw_backend *handle) {
    return *reinterpret_cast<Backend *>(handle);
  }

  Problem takeProblem() {
    std::lock_guard<std::mutex> lock(mutex);
    return std::exchange(unreported, {});
  }
  int32_t open(const tw_backend_config &config, bool compiles);
  int32_t text(Kind kind, tw_str target, const tw_sink *sink, tw_writer out);
  int32_t caps(tw_str target, tw_capability *caps, uint64_t count);
  int32_t compile(const tw_compile_request *given,
                  tw_compile_response *response);
  int32_t canCompile(const tw_compile_request *given);
  int32_t claims(tw_str target, const tw_override_record *const **records,
                 uint64_t *count);
  int32_t library(const tw_override_record *record, tw_library *out);
  int32_t lower(const tw_override_record *record, tw_bytes op,
                const tw_sink *sink, tw_writer out);

private:
  struct Claims {
    std::string bytes;
    std::unique_ptr<Decoder> decoder;
    const tw_override_record *const *records = nullptr;
    uint64_t count = 0;
    int32_t status = TW_OK;
  };
  Answer ask(const Call &call, const tw_compile_request *request = nullptr);
  int32_t prepare(const tw_compile_request *given, tw_compile_request &request,
                  Call &call) const;
  /// The message that names a record to the worker; false if it is none.
  bool nameRecord(const tw_override_record *record, std::string &bytes);
  void saveRequest(const tw_compile_request &request, Problem &problem) const;
  tw_str intern(std::string text) {
    std::lock_guard<std::mutex> lock(mutex);
    return toStr(*texts.insert(std::move(text)).first);
  }

  std::shared_ptr<Pool> pool;
  std::string vendor;
  std::string openOptions; // for reproducers
  std::mutex mutex;
  std::set<std::string> texts;
  std::map<std::string, Claims> claimsOf; // by target
  std::deque<std::pair<std::string, tw_library>> libraries;
  Problem unreported; // of a call that has no sink
};

/// A response and the bytes that it points into.
struct Response {
  std::string bytes;
  Decoder decoder;
  explicit Response(std::string given)
      : bytes(std::move(given)), decoder(bytes) {}
};

} // namespace

static void emit(const tw_sink *sink, uint32_t severity,
                 const Problem &problem) {
  tw_emit(sink, severity, problem.code, problem.message.c_str(),
          problem.hint.c_str());
}

/// Asks and reports what went wrong with the worker.
Answer Backend::ask(const Call &call, const tw_compile_request *request) {
  Answer answer = call.kind == Kind::Open ? pool->open() : pool->ask(call);
  Problem older;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (call.sink)
      std::swap(older, unreported);
    else if (answer.problem)
      unreported = answer.problem;
  }
  if (older)
    emit(call.sink, TW_SEVERITY_WARNING, older);
  if (answer.problem) {
    if (request && answer.problem.code != 5020)
      saveRequest(*request, answer.problem);
    emit(call.sink, TW_SEVERITY_ERROR, answer.problem);
    if (answer.status != TW_E_CANCELLED && answer.status != TW_E_DEADLINE)
      answer.status = TW_E_DIAGNOSED;
  } else if (!answer.printed.empty()) {
    Problem warning;
    warning.set(TW_OK, 5024,
                "the plugin '" + pool->pluginPath() +
                    "' printed: " + answer.printed,
                "plugins report through the sink that they are given");
    emit(call.sink, TW_SEVERITY_WARNING, warning);
  }
  return answer;
}

void Backend::saveRequest(const tw_compile_request &request,
                          Problem &problem) const {
  Decoder decoder(openOptions);
  const tw_option *options = nullptr;
  uint64_t count = 0;
  decoder.array(options, count);
  std::string path = keepReproducer(
      pool->bounds().reproducerFolder, vendor,
      Reproducer::write(pool->pluginPath(), options, count, request));
  problem.hint = path.empty()
                     ? "the request could not be kept in '" +
                           pool->bounds().reproducerFolder + "'"
                     : "the request is kept: run 'tilewright replay " + path +
                           "', or send it to the plugin's vendor";
}

int32_t Backend::open(const tw_backend_config &config, bool compiles) {
  Encoder encoder(openOptions);
  const tw_option *options = config.options;
  uint64_t count = config.option_count;
  encoder.array(options, count);
  Call call = {Kind::Open};
  call.sink = config.sink;
  int32_t status = ask(call).status;
  // What offers overrides only has no fingerprint.
  return status == TW_E_UNIMPLEMENTED && !compiles ? TW_OK : status;
}

int32_t Backend::text(Kind kind, tw_str target, const tw_sink *sink,
                      tw_writer out) {
  Call call = {kind};
  call.sink = sink;
  if (kind == Kind::Resolve)
    Encoder(call.bytes).text(target);
  Answer answer = ask(call);
  if (answer.problem)
    return answer.status;
  std::string text;
  Decoder decoder(answer.bytes);
  decoder.string(text);
  if (answer.status == TW_OK && out.write)
    out.write(out.ctx, text.data(), text.size());
  return answer.status;
}

int32_t Backend::caps(tw_str target, tw_capability *caps, uint64_t count) {
  Call call = {Kind::Caps};
  Encoder encoder(call.bytes);
  encoder.text(target);
  const tw_capability *questions = caps;
  encoder.array(questions, count);
  Answer answer = ask(call);
  if (answer.status != TW_OK)
    return answer.status;
  Decoder decoder(answer.bytes);
  uint64_t answered = 0;
  decoder.array(questions, answered);
  if (!decoder.ok() || answered != count)
    return TW_E_DATA_LOSS;
  for (uint64_t i = 0; i < count; ++i) {
    caps[i] = questions[i];
    caps[i].text = intern(toString(questions[i].text));
  }
  return TW_OK;
}

int32_t Backend::prepare(const tw_compile_request *given,
                         tw_compile_request &request, Call &call) const {
  int32_t status = tw_read_struct(&request, sizeof request, given);
  if (status != TW_OK)
    return status;
  // Chains hold addresses of this process.
  for (auto *at = request.extensions; at; at = at->next)
    if (at->flags & TW_EXTENSION_MUST_UNDERSTAND)
      return TW_E_UNKNOWN_FIELD;
  const Limits &limits = pool->bounds();
  call.sink = request.sink;
  call.cancelled = request.cancelled;
  call.cancelContext = request.cancel_ctx;
  call.nanoseconds = limits.compileNanoseconds;
  // The plugin may notice its own limit first.
  constexpr uint64_t grace = 1'000'000'000;
  if (request.time_limit && request.time_limit < limits.compileNanoseconds)
    call.nanoseconds = request.time_limit + grace;
  uint64_t most = limits.memoryBytes;
#if !defined(__has_feature) || !__has_feature(address_sanitizer)
  if (!most)
    most = uint64_t(sysconf(_SC_PHYS_PAGES)) / 4 * 3 *
           uint64_t(sysconf(_SC_PAGESIZE));
#endif
  if (!request.memory_limit || (most && request.memory_limit > most))
    request.memory_limit = most;
  call.memoryBytes = request.memory_limit;
  call.bytes = encode(request);
  return TW_OK;
}

int32_t Backend::compile(const tw_compile_request *given,
                         tw_compile_response *response) {
  tw_compile_request request;
  Call call = {Kind::Compile};
  if (int32_t status = prepare(given, request, call))
    return status;
  Answer answer = ask(call, &request);
  if (answer.status != TW_OK)
    return answer.status;
  auto owned = std::make_unique<Response>(std::move(answer.bytes));
  tw_compile_response mine = {};
  visit(owned->decoder, mine);
  if (!owned->decoder.atEnd()) {
    Problem problem;
    problem.set(TW_E_DATA_LOSS, 5025,
                "the plugin '" + pool->pluginPath() +
                    "' gave a response that cannot be read");
    emit(request.sink, TW_SEVERITY_ERROR, problem);
    return TW_E_DIAGNOSED;
  }
  mine.release_ctx = owned.release();
  mine.release = [](void *ctx) { delete static_cast<Response *>(ctx); };
  return tw_write_struct(response, sizeof mine, &mine);
}

int32_t Backend::canCompile(const tw_compile_request *given) {
  tw_compile_request request;
  Call call = {Kind::CanCompile};
  if (int32_t status = prepare(given, request, call))
    return status;
  return ask(call, &request).status;
}

int32_t Backend::claims(tw_str target,
                        const tw_override_record *const **records,
                        uint64_t *count) {
  std::string name = toString(target);
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto known = claimsOf.find(name);
    if (known != claimsOf.end()) {
      *records = known->second.records;
      *count = known->second.count;
      return known->second.status;
    }
  }
  Call call = {Kind::Claims};
  Encoder(call.bytes).text(target);
  Answer answer = ask(call);
  if (answer.problem)
    return answer.status;
  std::lock_guard<std::mutex> lock(mutex);
  auto [entry, isFirst] = claimsOf.try_emplace(name);
  Claims &claims = entry->second;
  if (isFirst) { // else another thread asked, too, and uses its records
    claims.bytes = std::move(answer.bytes);
    claims.decoder = std::make_unique<Decoder>(claims.bytes);
    claims.status = answer.status;
    if (claims.status == TW_OK)
      claims.decoder->pointers(claims.records, claims.count);
  }
  *records = claims.records;
  *count = claims.count;
  return claims.status;
}

bool Backend::nameRecord(const tw_override_record *record, std::string &bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &[target, claims] : claimsOf)
    for (uint64_t i = 0; i < claims.count; ++i)
      if (claims.records[i] == record) {
        Encoder encoder(bytes);
        tw_str name = toStr(target);
        encoder.text(name);
        encoder.number(i);
        return true;
      }
  return false;
}

int32_t Backend::library(const tw_override_record *record, tw_library *out) {
  Call call = {Kind::Library};
  if (!nameRecord(record, call.bytes))
    return TW_E_INVALID_ARGUMENT;
  Answer answer = ask(call);
  if (answer.status != TW_OK)
    return answer.status;
  std::lock_guard<std::mutex> lock(mutex);
  libraries.emplace_back(std::move(answer.bytes), tw_library{});
  Decoder decoder(libraries.back().first);
  visit(decoder, libraries.back().second);
  *out = libraries.back().second;
  return decoder.ok() ? TW_OK : TW_E_DATA_LOSS;
}

int32_t Backend::lower(const tw_override_record *record, tw_bytes op,
                       const tw_sink *sink, tw_writer out) {
  Call call = {Kind::Lower};
  call.sink = sink;
  if (!nameRecord(record, call.bytes))
    return TW_E_INVALID_ARGUMENT;
  Encoder(call.bytes).blob(op);
  Answer answer = ask(call);
  if (answer.status != TW_OK)
    return answer.status;
  std::string text;
  Decoder decoder(answer.bytes);
  decoder.string(text);
  out.write(out.ctx, text.data(), text.size());
  return TW_OK;
}

//===--- Tables -----------------------------------------------------------===//

static void fillCompileTable(tw_compile_table &table) {
  table.fingerprint = [](tw_backend *backend, tw_writer out) {
    return Backend::of(backend).text(Kind::Fingerprint, {}, nullptr, out);
  };
  table.resolve_target = [](tw_backend *backend, tw_str target,
                            const tw_sink *sink, tw_writer out) {
    return Backend::of(backend).text(Kind::Resolve, target, sink, out);
  };
  table.get_caps = [](tw_backend *backend, tw_str target, tw_capability *caps,
                      uint64_t count) {
    return Backend::of(backend).caps(target, caps, count);
  };
  table.compile = [](tw_backend *backend, const tw_compile_request *request,
                     tw_compile_response *response) {
    return Backend::of(backend).compile(request, response);
  };
  table.can_compile = [](tw_backend *backend,
                         const tw_compile_request *request) {
    return Backend::of(backend).canCompile(request);
  };
  table.list_targets = [](tw_backend *backend, tw_writer out) {
    return Backend::of(backend).text(Kind::ListTargets, {}, nullptr, out);
  };
}

static void fillOverrideTable(tw_override_table &table) {
  table.list = [](tw_backend *backend, tw_str target,
                  const tw_override_record *const **records, uint64_t *count) {
    return Backend::of(backend).claims(target, records, count);
  };
  table.library = [](tw_backend *backend, const tw_override_record *record,
                     tw_library *out) {
    return Backend::of(backend).library(record, out);
  };
  table.lower = [](tw_backend *backend, const tw_override_record *record,
                   tw_bytes op, const tw_sink *sink, tw_writer out) {
    return Backend::of(backend).lower(record, op, sink, out);
  };
  table.sources = [](tw_backend *backend, tw_writer out) {
    return Backend::of(backend).text(Kind::Sources, {}, nullptr, out);
  };
}

std::string workerProgram() {
  return plugins::packageFolder() + "/" + workerName;
}

/// Workers may start after the host has changed its folder.
static std::string absolutePath(const std::string &path) {
  std::error_code error;
  std::string file = std::filesystem::absolute(path, error).string();
  return error ? path : file;
}

EarlyWorker::EarlyWorker() = default;
EarlyWorker::~EarlyWorker() = default;

void EarlyWorker::start(const std::string &path,
                        const plugins::HostVersions &host) {
  if (process && file == absolutePath(path))
    return;
  file = absolutePath(path);
  process = startEarly(file, host);
}

std::unique_ptr<Process> EarlyWorker::take(const std::string &path) {
  return process && file == absolutePath(path) ? std::move(process) : nullptr;
}

std::unique_ptr<plugins::Plugin>
loadIsolated(const std::string &path, const plugins::HostVersions &host,
             const Limits &limits, Problem &problem, EarlyWorker *early) {
  auto pool = std::make_shared<Pool>(absolutePath(path), host, limits);
  plugins::Agreement agreement;
  if (!pool->load(early ? early->take(path) : nullptr, agreement, problem)) {
    if (!problem)
      problem.set(TW_E_DATA_LOSS, 5025,
                  "the worker of the plugin '" + path +
                      "' gave an answer that cannot be read");
    return nullptr;
  }
  agreement.flags &= ~TW_BACKEND_UNLOADABLE; // nothing is loaded here
  agreement.isIsolated = true;
  tw_backend_answer none = {};
  if (!plugins::copyTables(none, agreement.tables, problem))
    return nullptr;
  if (agreement.profiles & TW_PROFILE_COMPILE)
    fillCompileTable(agreement.tables.compile);
  if (agreement.profiles & TW_PROFILE_OVERRIDE)
    fillOverrideTable(agreement.tables.overrides);
  bool compiles = agreement.profiles & TW_PROFILE_COMPILE;
  agreement.open = [pool, compiles, vendor = agreement.vendor](
                       const tw_backend_config *given, tw_backend **backend) {
    tw_backend_config config;
    if (int32_t status = tw_read_struct(&config, sizeof config, given))
      return status;
    auto created = std::make_unique<Backend>(
        pool->makeForBackend(config.options, config.option_count), vendor);
    int32_t status = created->open(config, compiles);
    if (status == TW_OK)
      *backend = reinterpret_cast<tw_backend *>(created.release());
    return status;
  };
  agreement.takeProblem = [](tw_backend *backend) {
    return Backend::of(backend).takeProblem();
  };
  agreement.close = [](tw_backend *backend) { delete &Backend::of(backend); };
  return std::make_unique<plugins::Plugin>(path, nullptr, std::move(agreement));
}

} // namespace tilewright::worker
