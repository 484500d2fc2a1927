//===- fuzz-request.cpp - Compile requests to plugins -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fuzz-request --plugin=LIBRARY --request=FILE [--what=ir|sealed|request]
// CORPUS: the bytes change the IR, or the other fields, of a request that
// compiles. A plugin answers with a status; one that says that it told the user
// did.
//
// With --what=ir the checksum of the IR's header stays as it was: MLIR's reader
// aborts on payloads that were forged under a right one (docs/plugins.md). With
// --what=sealed, for requests in tw.portable, it is made right again, so that
// what lies behind it is looked at.
//
// At the end it prints what became of the requests: how many were compiled, and
// how many refused, by status and by the code of the first error.
//===----------------------------------------------------------------------===//
#include "plugins/loader/HostServices.h"
#include "plugins/loader/Registry.h"
#include "plugins/worker/Reproducer.h"

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <fuzzer/FuzzedDataProvider.h>
#include <map>

using namespace tilewright;

static std::unique_ptr<plugins::Plugin> plugin;
static std::unique_ptr<worker::Reproducer> seed;
static tw_backend *backend;
static bool changesIR, mendsChecksum;
/// Status and code of the first error -> how many requests.
static std::map<std::pair<int32_t, uint32_t>, uint64_t> ends;

static std::string argument(int argc, char **argv, const std::string &name) {
  for (int i = 1; i < argc; ++i)
    if (std::string(argv[i]).rfind(name, 0) == 0)
      return argv[i] + name.size();
  return {};
}

static void printEnds() {
  for (const auto &[end, count] : ends)
    std::printf("%llu: %s %d%s%s\n", static_cast<unsigned long long>(count),
                end.first == TW_OK ? "compiled, status" : "refused, status",
                int(end.first), end.second ? ", TW" : "",
                end.second ? std::to_string(end.second).c_str() : "");
  std::fflush(stdout);
}

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv) {
  static plugins::HostServices services({});
  Problem problem;
  plugin =
      plugins::loadPlugin(argument(*argc, *argv, "--plugin="), {}, problem);
  std::ifstream file(argument(*argc, *argv, "--request="), std::ios::binary);
  seed = worker::Reproducer::read(
      std::string(std::istreambuf_iterator<char>(file), {}), problem);
  if (plugin && seed)
    backend = plugin->open(services.table(), nullptr, 0, problem);
  mendsChecksum = argument(*argc, *argv, "--what=") == "sealed";
  std::atexit(printEnds);
  std::at_quick_exit(printEnds);
  changesIR = mendsChecksum || argument(*argc, *argv, "--what=") == "ir";
  if (!backend) {
    std::fprintf(stderr, "%s\n", problem.str().c_str());
    std::exit(1);
  }
  return 0;
}

/// Makes size and checksum of bytes in tw.portable right.
static void seal(std::string &bytes) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (size_t i = 24; i < bytes.size(); ++i)
    hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3ull;
  uint64_t words[] = {bytes.size() - 24, hash};
  for (unsigned i = 0; i < 16; ++i)
    bytes[8 + i] = char(words[i / 8] >> (8 * (i % 8)));
}

namespace {
/// A request made from the fuzzer's bytes, and the memory behind it.
class Request {
public:
  Request(const uint8_t *data, size_t size) : bytes(data, size) {
    room.request = seed->request;
    changesIR ? changeIR() : changeFields();
  }
  tw_compile_request *get() { return &room.request; }

private:
  std::string &keep(std::string text) {
    texts.push_back(std::move(text));
    return texts.back();
  }
  tw_str text(tw_str known) {
    switch (bytes.ConsumeIntegralInRange(0, 3)) {
    case 0:
      return known;
    case 1: { // one byte of it
      std::string &copy = keep(toString(known));
      if (!copy.empty())
        copy[bytes.ConsumeIntegralInRange<size_t>(0, copy.size() - 1)] =
            bytes.ConsumeIntegral<char>();
      return toStr(copy);
    }
    case 2:
      return toStr(keep(toString(known) + bytes.ConsumeRandomLengthString(8)));
    default:
      return toStr(keep(bytes.ConsumeRandomLengthString(40)));
    }
  }
  void changeIR() {
    std::string &copy =
        keep(std::string(static_cast<const char *>(seed->request.ir.data),
                         seed->request.ir.size));
    if (bytes.ConsumeBool())
      copy.resize(bytes.ConsumeIntegralInRange<size_t>(0, copy.size()));
    // Few changes get further than many.
    int most = mendsChecksum ? bytes.ConsumeIntegralInRange(1, 4) : 64;
    for (int i = 0; i < most && bytes.remaining_bytes() && !copy.empty(); ++i)
      copy[bytes.ConsumeIntegralInRange<size_t>(0, copy.size() - 1)] =
          bytes.ConsumeIntegral<char>();
    if (bytes.ConsumeBool())
      copy += bytes.ConsumeRandomLengthString(64);
    if (mendsChecksum && copy.size() >= 24)
      seal(copy);
    room.request.ir = {copy.data(), copy.size()};
  }
  void changeFields() {
    tw_compile_request &request = room.request;
    static const char *const keys[] = {"num_warps", "num_stages", "math",
                                       "num_ctas",  "opt",        "check",
                                       "maxnreg"};
    if (bytes.ConsumeBool())
      request.ir_format = text(request.ir_format);
    if (bytes.ConsumeBool())
      request.target = text(request.target);
    if (bytes.ConsumeBool())
      request.ir_version = bytes.ConsumeIntegral<uint32_t>();
    while (options.size() < 4 && bytes.ConsumeBool()) {
      tw_option option = {};
      option.key = text(tw_string(
          keys[bytes.ConsumeIntegralInRange<size_t>(0, std::size(keys) - 1)]));
      option.kind = bytes.ConsumeIntegralInRange(0u, 5u);
      option.flags = bytes.ConsumeIntegralInRange(0u, 3u);
      option.integer = bytes.ConsumeIntegral<int64_t>();
      option.number = bytes.ConsumeFloatingPoint<double>();
      option.text = text(tw_string("fast"));
      options.push_back(option);
    }
    request.options = options.data();
    request.option_count = options.size();
    if (bytes.ConsumeBool()) {
      while (entries.size() < 4 && bytes.ConsumeBool())
        entries.push_back(text(seed->request.entries[0]));
      request.entries = entries.data();
      request.entry_count = entries.size();
    }
    if (bytes.ConsumeBool()) {
      ops.assign(seed->request.ops, seed->request.ops + seed->request.op_count);
      for (tw_op_use &op : ops)
        op.name = text(op.name);
      request.ops = ops.data();
    }
    while (stages.size() < 3 && bytes.ConsumeBool())
      stages.push_back(text(tw_string("llvm")));
    request.stages = stages.data();
    request.stage_count = stages.size();
    while (libraries.size() < 2 && bytes.ConsumeBool())
      libraries.push_back({text(tw_string("obj")),
                           text(tw_string("x")),
                           {request.ir.data, request.ir.size}});
    request.libraries = libraries.data();
    request.library_count = libraries.size();
    request.flags = bytes.ConsumeBool() ? bytes.ConsumeIntegral<uint32_t>() : 0;
    if (bytes.ConsumeBool())
      request.cancelled = [](void *) { return int32_t(1); };
    if (bytes.ConsumeBool())
      request.time_limit = bytes.ConsumeIntegral<uint64_t>();
    if (bytes.ConsumeBool())
      request.memory_limit = bytes.ConsumeIntegral<uint64_t>();
    // Older and newer callers; sizes are multiples of 8 by the layout rules.
    if (bytes.ConsumeBool())
      request.size =
          8 * bytes.ConsumeIntegralInRange<uint32_t>(0, sizeof room / 8);
    if (bytes.ConsumeBool())
      room.newer[bytes.ConsumeIntegralInRange(0, 3)] =
          bytes.ConsumeIntegral<uint64_t>();
  }

  FuzzedDataProvider bytes;
  std::deque<std::string> texts;
  std::vector<tw_option> options;
  std::vector<tw_str> entries, stages;
  std::vector<tw_op_use> ops;
  std::vector<tw_library> libraries;
  struct {
    tw_compile_request request;
    uint64_t newer[4];
  } room = {};
};
} // namespace

namespace {
/// What a plugin says of one request.
struct Reports {
  unsigned errors = 0;
  uint32_t firstCode = 0;

  tw_sink sink() {
    tw_sink sink = {};
    sink.size = sizeof sink;
    sink.ctx = this;
    sink.emit = [](void *ctx, const tw_diagnostic *diagnostic) {
      auto *self = static_cast<Reports *>(ctx);
      if (diagnostic->severity == TW_SEVERITY_ERROR && !self->errors++)
        self->firstCode = diagnostic->code;
    };
    return sink;
  }
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Request request(data, size);
  Reports reports;
  tw_sink sink = reports.sink();
  request.get()->sink = &sink;
  bool hasSink = request.get()->size >=
                 offsetof(tw_compile_request, sink) + sizeof(void *);
  plugin->compile().can_compile(backend, request.get());
  reports = {};
  tw_compile_response response = {};
  response.size = sizeof response;
  int32_t status = plugin->compile().compile(backend, request.get(), &response);
  if (status == TW_OK && response.release)
    response.release(response.release_ctx);
  ++ends[{status, reports.firstCode}];
  if (status == TW_E_DIAGNOSED && hasSink && !reports.errors) {
    std::fprintf(stderr, "TW_E_DIAGNOSED without a diagnostic\n");
    std::abort();
  }
  if (status == TW_OK && changesIR && reports.errors)
    std::abort();
  return 0;
}
