//===- IsolationTest.cpp - Plugins that misbehave in workers ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each kind of misbehaviour costs the compile that met it one error with the
// plugin's name and a saved request, and nothing after it.
//===----------------------------------------------------------------------===//
#include "plugins/worker/Isolation.h"
#include "plugins/loader/HostServices.h"
#include "plugins/worker/Process.h"
#include "plugins/worker/ProcessState.h"
#include "plugins/worker/Reproducer.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace tilewright;
using namespace tilewright::worker;

namespace {

struct Report {
  uint32_t severity;
  uint32_t code;
  std::string message;
  std::string hint;
};

/// What one compile gave.
struct Outcome {
  int32_t status;
  std::string payload;
  std::vector<Report> reports;
};

class Isolation : public testing::Test {
protected:
  Isolation() {
    std::string pattern = testing::TempDir() + "isolation-XXXXXX";
    folder = mkdtemp(pattern.data());
    limits.reproducerFolder = folder.string();
    limits.compileNanoseconds = 10'000'000'000;
  }
  ~Isolation() override {
    if (backend)
      plugin->close(backend);
    fs::remove_all(folder);
  }

  void load(const char *path = MISBEHAVING_PLUGIN,
            EarlyWorker *early = nullptr) {
    Problem problem;
    plugin = loadIsolated(path, {}, limits, problem, early);
    ASSERT_TRUE(plugin) << problem.str();
    backend = plugin->open(services.table(), nullptr, 0, problem);
    ASSERT_TRUE(backend) << problem.str();
  }

  Outcome compile(const char *misbehave, int32_t (*cancelled)(void *) = nullptr,
                  void *context = nullptr, uint64_t timeLimit = 0) {
    tw_sink sink = {};
    Outcome outcome = {};
    sink.size = sizeof sink;
    sink.ctx = &outcome;
    sink.emit = [](void *ctx, const tw_diagnostic *given) {
      static_cast<Outcome *>(ctx)->reports.push_back(
          {given->severity, given->code, toString(given->message),
           toString(given->hint)});
    };
    tw_option option = {};
    option.key = tw_string("misbehave");
    option.kind = TW_VALUE_TEXT;
    option.text = tw_string(misbehave);
    tw_str entry = tw_string("kernel");
    tw_compile_request request = {};
    request.size = sizeof request;
    request.ir_format = tw_string("any");
    request.ir = {"bytes", 5};
    request.entries = &entry;
    request.entry_count = 1;
    request.target = tw_string("null:generic");
    request.options = &option;
    request.option_count = 1;
    request.sink = &sink;
    request.cancelled = cancelled;
    request.cancel_ctx = context;
    request.time_limit = timeLimit;
    tw_compile_response response = {};
    response.size = sizeof response;
    outcome.status = plugin->compile().compile(backend, &request, &response);
    if (outcome.status == TW_OK) {
      outcome.payload =
          std::string(static_cast<const char *>(response.payload.data),
                      response.payload.size);
      response.release(response.release_ctx);
    }
    return outcome;
  }

  /// The one error of a compile that has to fail, after which the next works.
  Report failure(const char *misbehave, int32_t status = TW_E_DIAGNOSED) {
    Outcome outcome = compile(misbehave);
    EXPECT_EQ(outcome.status, status);
    Outcome next = compile("not at all");
    EXPECT_EQ(next.status, TW_OK);
    EXPECT_EQ(next.payload, "kernel\n");
    if (outcome.reports.size() != 1) {
      ADD_FAILURE() << outcome.reports.size() << " reports";
      return {};
    }
    EXPECT_NE(outcome.reports[0].message.find(MISBEHAVING_PLUGIN),
              std::string::npos);
    return outcome.reports[0];
  }

  fs::path folder;
  Limits limits;
  plugins::HostServices services{{}};
  std::unique_ptr<plugins::Plugin> plugin;
  tw_backend *backend = nullptr;
};

} // namespace

TEST_F(Isolation, ServesWhatThePluginServesInThisProcess) {
  load(NULL_PLUGIN);
  Problem problem;
  auto local = plugins::loadPlugin(NULL_PLUGIN, {}, problem);
  ASSERT_TRUE(local);
  EXPECT_EQ(plugin->info().vendor, "null");
  EXPECT_EQ(plugin->info().profiles, local->info().profiles);
  EXPECT_TRUE(plugin->info().isIsolated);
  std::string fingerprint, target, targets;
  auto &table = plugin->compile();
  EXPECT_EQ(table.fingerprint(backend, writerTo(fingerprint)), TW_OK);
  EXPECT_EQ(fingerprint, "null 0.1");
  EXPECT_EQ(table.resolve_target(backend, tw_string("null"), nullptr,
                                 writerTo(target)),
            TW_OK);
  EXPECT_EQ(target, "null:generic");
  EXPECT_EQ(table.list_targets(backend, writerTo(targets)), TW_OK);
  EXPECT_EQ(targets, "generic\n");
  tw_capability caps[2] = {};
  caps[0].id = TW_CAP_ARCH;
  caps[1].id = 12345;
  EXPECT_EQ(table.get_caps(backend, toStr(target), caps, 2), TW_OK);
  EXPECT_EQ(toString(caps[0].text), "generic");
  EXPECT_EQ(caps[1].answer, TW_ANSWER_UNKNOWN);
  tw_compile_request request = {};
  request.size = sizeof request;
  EXPECT_EQ(table.can_compile(backend, &request), TW_E_UNIMPLEMENTED);
  const tw_override_record *const *records = nullptr;
  uint64_t count = 0;
  EXPECT_EQ(plugin->overrides().list(backend, toStr(target), &records, &count),
            TW_OK);
  ASSERT_EQ(count, 1u);
  EXPECT_GT(records[0]->op.size, 0u);
  EXPECT_EQ(compile("").payload, "kernel\n");
  uint32_t devices = 0;
  EXPECT_EQ(plugin->runtime().device_count(backend, &devices),
            TW_E_UNIMPLEMENTED);
}

TEST_F(Isolation, ACrashIsOneErrorWithASavedRequest) {
  load();
  Report report = failure("abort");
  EXPECT_EQ(report.code, 5021u);
  EXPECT_NE(report.message.find("SIGABRT"), std::string::npos)
      << report.message;
  EXPECT_NE(report.message.find("out of ideas"), std::string::npos);
  size_t at = report.hint.find(folder.string());
  ASSERT_NE(at, std::string::npos) << report.hint;
  std::string path = report.hint.substr(at, report.hint.find('\'', at) - at);
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  Problem problem;
  auto saved = Reproducer::read(bytes, problem);
  ASSERT_TRUE(saved) << problem.str();
  EXPECT_EQ(saved->pluginPath, MISBEHAVING_PLUGIN);
  EXPECT_EQ(toString(saved->request.options[0].text), "abort");
  EXPECT_EQ(saved->request.ir.size, 5u);
  for (size_t size = 0; size < bytes.size(); ++size) {
    Problem refusal;
    EXPECT_FALSE(Reproducer::read(bytes.substr(0, size), refusal)) << size;
    EXPECT_EQ(refusal.code, 5026u);
  }
}

TEST_F(Isolation, OtherEndsOfTheProcessAreErrors) {
  load();
  EXPECT_NE(failure("fault").message.find("SIGSEGV"), std::string::npos);
  EXPECT_NE(failure("exit").message.find("status 3"), std::string::npos);
}

TEST_F(Isolation, AHangEndsAtTheTimeLimit) {
  limits.compileNanoseconds = 300'000'000;
  load();
  Report report = failure("hang", TW_E_DEADLINE);
  EXPECT_EQ(report.code, 5022u);
  EXPECT_NE(report.message.find("0.3 s"), std::string::npos) << report.message;
}

TEST_F(Isolation, ARequestMayLowerTheTimeLimit) {
  load();
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(compile("hang", nullptr, nullptr, 1'000'000).status, TW_E_DEADLINE);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(8));
}

TEST_F(Isolation, CancelReachesThePlugin) {
  load();
  int polls = 0;
  auto soon = [](void *ctx) { return int32_t(++*static_cast<int *>(ctx) > 3); };
  Outcome outcome = compile("wait", soon, &polls);
  EXPECT_EQ(outcome.status, TW_E_CANCELLED); // the null plugin's own answer
  EXPECT_TRUE(outcome.reports.empty());
  EXPECT_EQ(compile("").status, TW_OK);
}

TEST_F(Isolation, CancelEndsAPluginThatDoesNotListen) {
  limits.cancelNanoseconds = 100'000'000;
  load();
  auto now = [](void *) { return int32_t(1); };
  Outcome outcome = compile("hang", now);
  EXPECT_EQ(outcome.status, TW_E_CANCELLED);
  ASSERT_EQ(outcome.reports.size(), 1u);
  EXPECT_EQ(outcome.reports[0].code, 5022u);
  EXPECT_EQ(compile("").status, TW_OK);
}

TEST_F(Isolation, AChangedProcessIsNotBelieved) {
  load();
  ProcessState before = ProcessState::take();
  EXPECT_NE(failure("round").message.find("floating-point control"),
            std::string::npos);
  Report report = failure("signal");
  EXPECT_EQ(report.code, 5023u);
  EXPECT_NE(report.message.find("handler of SIGINT"), std::string::npos);
  EXPECT_EQ(before.changesTo(ProcessState::take()), "");
}

TEST_F(Isolation, PrintedTextIsAWarning) {
  load();
  Outcome outcome = compile("print");
  EXPECT_EQ(outcome.payload, "kernel\n");
  ASSERT_EQ(outcome.reports.size(), 1u);
  EXPECT_EQ(outcome.reports[0].severity, uint32_t(TW_SEVERITY_WARNING));
  EXPECT_EQ(outcome.reports[0].code, 5024u);
  EXPECT_NE(outcome.reports[0].message.find("hello from the plugin"),
            std::string::npos);
  EXPECT_TRUE(compile("").reports.empty());
}

TEST_F(Isolation, GarbageOnTheSocketIsAnError) {
  load();
  Report report = failure("babble");
  EXPECT_TRUE(report.code == 5025 || report.code == 5021) << report.message;
}

#if !defined(__has_feature) || !__has_feature(address_sanitizer)
TEST_F(Isolation, MemoryIsLimited) {
  limits.memoryBytes = 16 << 20;
  load();
  Report report = failure("leak");
  EXPECT_EQ(report.code, 5021u);
  EXPECT_NE(report.message.find("limited to 16 MiB"), std::string::npos)
      << report.message;
}
#endif

TEST_F(Isolation, AWorkerThatLeaksIsReplaced) {
  limits.keptBytes = 32 << 20;
  load();
  // The plugin prints its process id, which arrives as a warning.
  std::string first = compile("pid").reports.at(0).message;
  EXPECT_EQ(compile("pid").reports.at(0).message, first)
      << "workers are reused";
  EXPECT_EQ(compile("leak").status, TW_OK);
  EXPECT_NE(compile("pid").reports.at(0).message, first);
}

TEST_F(Isolation, ClaimsThatThreadsAskForStay) {
  load(NULL_PLUGIN);
  const tw_override_record *const *lists[8] = {};
  std::vector<std::thread> threads;
  for (auto &list : lists)
    threads.emplace_back([&] {
      uint64_t count = 0;
      plugin->overrides().list(backend, tw_string("null:generic"), &list,
                               &count);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (auto *list : lists)
    EXPECT_TRUE(list && list == lists[0]);
}

TEST_F(Isolation, CompilesAtTheSameTime) {
  load();
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) {
        bool crashes = i == 0 && round % 5 == 0;
        Outcome outcome = compile(crashes ? "fault" : "");
        good += crashes ? outcome.status == TW_E_DIAGNOSED
                        : outcome.payload == "kernel\n";
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(good, 120);
}

TEST_F(Isolation, AForkedChildStartsItsOwnWorkers) {
  load();
  ASSERT_EQ(compile("").status, TW_OK);
  pid_t child = fork();
  if (child == 0)
    _exit(compile("").payload == "kernel\n" ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(compile("").payload, "kernel\n");
}

TEST_F(Isolation, LoadingFailsWithTheReason) {
  Problem problem;
  EXPECT_FALSE(loadIsolated("/nowhere/libx.so", {}, limits, problem));
  EXPECT_EQ(problem.code, 5001u);
  plugins::HostVersions future;
  future.minVersion = future.maxVersion = TW_ABI_VERSION(2, 0);
  EXPECT_FALSE(loadIsolated(NULL_PLUGIN, future, limits, problem));
  EXPECT_EQ(problem.code, 5003u);
}

TEST_F(Isolation, AnEarlyWorkerServesTheFirstCalls) {
  EarlyWorker early;
  early.start(MISBEHAVING_PLUGIN, {});
  EXPECT_FALSE(early.take(NULL_PLUGIN)) << "it is another plugin's";
  load(MISBEHAVING_PLUGIN, &early);
  EXPECT_FALSE(early.take(MISBEHAVING_PLUGIN)) << "it has been taken";
  EXPECT_EQ(compile("").payload, "kernel\n");
}

TEST_F(Isolation, AnEarlyWorkerFailsWithTheReason) {
  EarlyWorker early;
  Problem problem;
  early.start("/nowhere/libx.so", {});
  EXPECT_FALSE(loadIsolated("/nowhere/libx.so", {}, limits, problem, &early));
  EXPECT_EQ(problem.code, 5001u);
}

TEST_F(Isolation, AForkedChildLeavesTheEarlyWorkerToItsParent) {
  EarlyWorker early;
  early.start(MISBEHAVING_PLUGIN, {});
  pid_t child = fork();
  if (child == 0) {
    load(MISBEHAVING_PLUGIN, &early);
    _exit(compile("").payload == "kernel\n" ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  load(MISBEHAVING_PLUGIN, &early);
  EXPECT_EQ(compile("").payload, "kernel\n");
}
