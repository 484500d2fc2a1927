//===- WorkerMain.cpp - The process that a plugin compiles in ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Started by Process.cpp with a socket. Loads one plugin, opens one backend and
// answers one call after the other until the host is gone.
//===----------------------------------------------------------------------===//
#include "plugins/loader/DiagnosticText.h"
#include "plugins/loader/HostServices.h"
#include "plugins/loader/Registry.h"
#include "plugins/worker/Channel.h"
#include "plugins/worker/ProcessState.h"
#include "plugins/worker/Response.h"
#include "plugins/worker/Wire.h"

#include <cstdio>
#include <fstream>
#include <malloc.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::worker;

namespace {

/// Holds the heap to a size while a request runs: what is there plus the limit.
class MemoryLimit {
public:
  explicit MemoryLimit(uint64_t bytes) {
    if (!bytes || getrlimit(RLIMIT_DATA, &before) != 0)
      return;
    std::ifstream pages("/proc/self/statm");
    uint64_t size, resident, shared, text, library, data = 0;
    pages >> size >> resident >> shared >> text >> library >> data;
    rlimit limit = before;
    limit.rlim_cur = std::min<rlim_t>(
        before.rlim_max, data * uint64_t(sysconf(_SC_PAGESIZE)) + bytes);
    isSet = setrlimit(RLIMIT_DATA, &limit) == 0;
  }
  ~MemoryLimit() {
    if (isSet)
      setrlimit(RLIMIT_DATA, &before);
  }

private:
  rlimit before = {};
  bool isSet = false;
};

class Worker {
public:
  explicit Worker(SharedFlags *shared)
      : channel(socketDescriptor), shared(shared), services({}) {}

  /// Serves until the host closes the socket.
  void serve() {
    for (Frame frame; channel.receive(frame) == Transfer::Done;) {
      // What loading a plugin does to the process counts, too.
      ProcessState before = ProcessState::take();
      Decoder in(frame.bytes);
      std::string out;
      int32_t status = handle(frame.kind, in, out);
      std::string changes = before.changesTo(ProcessState::take());
      std::string answer;
      Encoder encoder(answer);
      encoder.number(status);
      encoder.string(changes);
      if (channel.send(Kind::Answer, answer + out) != Transfer::Done)
        return;
    }
  }

private:
  int32_t handle(Kind kind, Decoder &in, std::string &out);
  int32_t load(Decoder &in, std::string &out);
  int32_t open(Decoder &in, std::string &out);
  int32_t caps(Decoder &in, std::string &out);
  int32_t compile(Decoder &in, std::string &out, bool onlyAsk);
  int32_t claims(Decoder &in, std::string &out);
  int32_t library(Decoder &in, std::string &out);
  int32_t lower(Decoder &in, std::string &out);
  /// The record of the last list that a message names.
  const tw_override_record *recordOf(Decoder &in);

  tw_sink sink() {
    tw_sink sink = {};
    sink.size = sizeof sink;
    sink.ctx = this;
    sink.emit = [](void *ctx, const tw_diagnostic *given) {
      tw_diagnostic diagnostic;
      if (tw_read_struct(&diagnostic, sizeof diagnostic, given) == TW_OK)
        static_cast<Worker *>(ctx)->emit(diagnostic);
    };
    return sink;
  }
  void emit(const tw_diagnostic &diagnostic) {
    std::lock_guard<std::mutex> lock(mutex); // plugins report from any thread
    channel.send(Kind::Diagnostic, encode(diagnostic));
  }
  int32_t report(const Problem &problem) {
    tw_diagnostic diagnostic = {};
    diagnostic.severity = TW_SEVERITY_ERROR;
    diagnostic.code = problem.code;
    diagnostic.message = toStr(problem.message);
    diagnostic.hint = toStr(problem.hint);
    emit(diagnostic);
    return problem.status;
  }
  /// Calls a function that answers with text.
  template <typename Call> static int32_t text(std::string &out, Call call) {
    std::string text;
    int32_t status = call(writerTo(text));
    Encoder(out).string(text);
    return status;
  }

  Channel channel;
  SharedFlags *shared;
  plugins::HostServices services;
  std::unique_ptr<plugins::Plugin> plugin;
  tw_backend *backend = nullptr;
  std::mutex mutex;
  const tw_override_record *const *records = nullptr;
  uint64_t recordCount = 0;
};

} // namespace

int32_t Worker::handle(Kind kind, Decoder &in, std::string &out) {
  if (kind == Kind::Load)
    return load(in, out);
  if (!plugin || (kind != Kind::Open && !backend))
    return TW_E_PRECONDITION;
  const tw_compile_table &table = plugin->compile();
  tw_sink reports = sink();
  tw_str target = {};
  switch (kind) {
  case Kind::Open:
    return open(in, out);
  case Kind::Fingerprint:
    return text(out,
                [&](tw_writer to) { return table.fingerprint(backend, to); });
  case Kind::Resolve:
    in.text(target);
    return text(out, [&](tw_writer to) {
      return table.resolve_target(backend, target, &reports, to);
    });
  case Kind::ListTargets:
    return text(out,
                [&](tw_writer to) { return table.list_targets(backend, to); });
  case Kind::Caps:
    return caps(in, out);
  case Kind::CanCompile:
    return compile(in, out, /*onlyAsk=*/true);
  case Kind::Compile:
    return compile(in, out, /*onlyAsk=*/false);
  case Kind::Claims:
    return claims(in, out);
  case Kind::Library:
    return library(in, out);
  case Kind::Lower:
    return lower(in, out);
  case Kind::Sources:
    return text(out, [&](tw_writer to) {
      return plugin->overrides().sources(backend, to);
    });
  default:
    return TW_E_UNIMPLEMENTED;
  }
}

int32_t Worker::load(Decoder &in, std::string &out) {
  std::string path;
  plugins::HostVersions host;
  in.string(path);
  in.number(host.minVersion);
  in.number(host.maxVersion);
  in.string(host.buildId);
  Problem problem;
  plugin = plugins::loadPlugin(path, host, problem);
  if (!plugin)
    return report(problem);
  plugins::Agreement info = plugin->info();
  Encoder to(out);
  to.number(info.version);
  to.number(info.flags);
  to.number(info.profiles);
  to.number(info.portableMin);
  to.number(info.portableMax);
  to.string(info.vendor);
  to.string(info.name);
  to.string(info.buildId);
  return TW_OK;
}

int32_t Worker::open(Decoder &in, std::string &) {
  const tw_option *options = nullptr;
  uint64_t count = 0;
  in.array(options, count);
  Problem problem;
  backend = plugin->open(services.table(), options, count, problem);
  return backend ? TW_OK : report(problem);
}

int32_t Worker::caps(Decoder &in, std::string &out) {
  tw_str target = {};
  in.text(target);
  const tw_capability *questions = nullptr;
  uint64_t count = 0;
  in.array(questions, count);
  int32_t status = plugin->compile().get_caps(
      backend, target, const_cast<tw_capability *>(questions), count);
  Encoder(out).array(questions, count);
  return status;
}

int32_t Worker::compile(Decoder &in, std::string &out, bool onlyAsk) {
  tw_compile_request request = {};
  visit(in, request);
  if (!in.ok())
    return TW_E_DATA_LOSS;
  tw_sink reports = sink();
  request.sink = &reports;
  request.cancel_ctx = shared;
  request.cancelled = [](void *ctx) {
    return int32_t(static_cast<SharedFlags *>(ctx)->cancelled.load());
  };
  MemoryLimit limit(request.memory_limit);
  if (onlyAsk)
    return plugin->compile().can_compile(backend, &request);
  tw_compile_response response = {};
  response.size = sizeof response;
  int32_t status = plugin->compile().compile(backend, &request, &response);
  if (status != TW_OK)
    return status;
  Problem problem;
  if (checkResponse(response, plugin->path(), problem)) {
    Encoder encoder(out);
    visit(encoder, response);
  } else {
    status = report(problem);
  }
  if (response.release)
    response.release(response.release_ctx);
  return status;
}

int32_t Worker::claims(Decoder &in, std::string &out) {
  tw_str target = {};
  in.text(target);
  records = nullptr;
  recordCount = 0;
  int32_t status =
      plugin->overrides().list(backend, target, &records, &recordCount);
  // A list without an array crosses as one claim that is none.
  static const tw_override_record *const none = nullptr;
  if (status == TW_OK && !records && recordCount) {
    records = &none;
    recordCount = 1;
  }
  if (status == TW_OK)
    Encoder(out).pointers(records, recordCount);
  return status;
}

const tw_override_record *Worker::recordOf(Decoder &in) {
  tw_str target = {};
  uint64_t index = 0;
  in.text(target);
  in.number(index);
  if (plugin->overrides().list(backend, target, &records, &recordCount))
    return nullptr;
  return index < recordCount ? records[index] : nullptr;
}

int32_t Worker::library(Decoder &in, std::string &out) {
  tw_library found = {};
  const tw_override_record *record = recordOf(in);
  if (!record)
    return TW_E_NOT_FOUND;
  int32_t status = plugin->overrides().library(backend, record, &found);
  if (status == TW_OK)
    out = encode(found);
  return status;
}

int32_t Worker::lower(Decoder &in, std::string &out) {
  const tw_override_record *record = recordOf(in);
  tw_bytes op = {};
  in.blob(op);
  if (!record)
    return TW_E_NOT_FOUND;
  tw_sink reports = sink();
  return text(out, [&](tw_writer to) {
    return plugin->overrides().lower(backend, record, op, &reports, to);
  });
}

/// Compiles ask for the same memory over and over. Given back to the system in
/// between it would come back page by page, which costs more than small kernels
/// do; threads that come and go share one heap.
static void keepMemory() {
#ifdef __GLIBC__
  constexpr int mostBytes = 32 << 20; // the most that M_MMAP_THRESHOLD takes
  mallopt(M_MMAP_THRESHOLD, mostBytes);
  mallopt(M_TRIM_THRESHOLD, mostBytes);
  mallopt(M_ARENA_MAX, 1);
#endif
}

int main() {
  keepMemory();
  void *memory = mmap(nullptr, sizeof(SharedFlags), PROT_READ | PROT_WRITE,
                      MAP_SHARED, sharedDescriptor, 0);
  if (memory == MAP_FAILED) {
    std::fprintf(stderr, "%s is started by tilewright\n", workerName);
    return 2;
  }
  close(sharedDescriptor);
  // A plugin that hangs must not outlive its host.
  std::thread([] {
    pollfd entry = {socketDescriptor, POLLRDHUP, 0};
    while (poll(&entry, 1, -1) <= 0)
      ;
    _exit(0);
  }).detach();
  Worker(static_cast<SharedFlags *>(memory)).serve();
  _exit(0); // backends of a worker are never closed: nothing is left behind
}
