//===- Runner.cpp - Running probes ------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipe brings the findings, a memory file what the plugin printed.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/Runner.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace tilewright::conformance {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

/// One process.
struct Runner::Run {
  pid_t process = 0;
  int reports = -1;
  int output = -1;
  unsigned atWork = 0; // rule that was started
  unsigned last = 0;   // rule that was finished last
  bool isLeaving = false;
  std::string broken; // the probe's own trouble

  ~Run() {
    if (reports >= 0)
      close(reports);
    if (output >= 0)
      close(output);
  }
};

/// Descriptors of the probe: 0 empty, 1 and 2 the memory file, 3 the pipe.
static int spawnProbe(const std::vector<std::string> &words, int reports,
                      int output, pid_t &process) {
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, output, 2);
  posix_spawn_file_actions_adddup2(&actions, reports, 3);
  posix_spawn_file_actions_addclosefrom_np(&actions, 4);
  int error = posix_spawn(&process, words[0].c_str(), &actions, nullptr,
                          arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static std::string describeEnd(int status) {
  if (WIFSIGNALED(status)) {
    const char *name = sigabbrev_np(WTERMSIG(status));
    return std::string("the process was ended by ") +
           (name ? "SIG" + std::string(name)
                 : "signal " + std::to_string(WTERMSIG(status)));
  }
  return "the process ended itself with status " +
         std::to_string(WEXITSTATUS(status));
}

static std::string readOutput(int file) {
  std::string text(2000, '\0');
  ssize_t size = pread(file, &text[0], text.size(), 0);
  text.resize(size < 0 ? 0 : size_t(size));
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text;
}

void Runner::readLine(Run &run, const std::string &line,
                      std::vector<unsigned> &rules,
                      std::vector<Finding> &findings) {
  json entry = json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!entry.is_object())
    return;
  std::string state = entry.value("state", "");
  unsigned rule = entry.value("rule", 0u);
  if (state == "started") {
    run.atWork = rule;
  } else if (state == "leaving") {
    run.isLeaving = true;
  } else if (state == "broken") {
    run.broken = entry.value("text", "");
  } else {
    findings.push_back({rule,
                        state == "pass"   ? Verdict::Pass
                        : state == "fail" ? Verdict::Fail
                                          : Verdict::Skip,
                        entry.value("text", ""),
                        entry.value("milliseconds", 0.0)});
    rules.erase(std::remove(rules.begin(), rules.end(), rule), rules.end());
    run.atWork = 0;
    run.last = rule;
    if (rule == 201)
      identity = {entry.value("vendor", ""), entry.value("name", ""),
                  entry.value("build", ""), entry.value("profiles", 0u),
                  entry.value("version", 0u)};
  }
}

/// Reads until the probe is done; false when a rule took too long.
bool Runner::readLines(Run &run, std::vector<unsigned> &rules,
                       std::vector<Finding> &findings) {
  std::string pending;
  auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - Clock::now());
    pollfd entry = {run.reports, POLLIN, 0};
    int ready = left.count() > 0 ? poll(&entry, 1, int(left.count())) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return false;
    char bytes[4096];
    ssize_t size = read(run.reports, bytes, sizeof bytes);
    if (size <= 0)
      return true;
    pending.append(bytes, size_t(size));
    for (size_t end; (end = pending.find('\n')) != pending.npos;) {
      readLine(run, pending.substr(0, end), rules, findings);
      pending.erase(0, end + 1);
      deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                    std::chrono::duration<double>(seconds));
    }
  }
}

static void fail(std::vector<Finding> &findings, unsigned rule,
                 const std::string &text) {
  for (Finding &finding : findings)
    if (finding.rule == rule) {
      finding.verdict = Verdict::Fail;
      finding.text = text;
      return;
    }
  findings.push_back({rule, Verdict::Fail, text});
}

/// Runs the probe on what is left of `rules`.
void Runner::runOnce(const std::string &settings, std::vector<unsigned> &rules,
                     std::vector<Finding> &findings) {
  Run run;
  std::vector<std::string> words = {program, settings};
  for (unsigned rule : rules)
    words.push_back(std::to_string(rule));
  unsigned first = rules.front();
  int ends[2];
  run.output = memfd_create("plugin-check", MFD_CLOEXEC);
  int error = pipe2(ends, O_CLOEXEC) != 0 ? errno : 0;
  if (!error) {
    run.reports = ends[0];
    error = spawnProbe(words, ends[1], run.output, run.process);
    close(ends[1]);
  }
  if (error) {
    for (unsigned rule : rules)
      fail(findings, rule,
           "cannot start '" + program + "': " + std::strerror(error));
    rules.clear();
    return;
  }
  bool isInTime = readLines(run, rules, findings);
  if (!isInTime)
    kill(run.process, SIGKILL);
  int status = 0;
  while (waitpid(run.process, &status, 0) < 0 && errno == EINTR)
    ;
  std::string printed = readOutput(run.output);
  std::string quote = printed.empty() ? "" : "; it printed: " + printed;
  if (printed.size() && first == 301)
    fail(findings, 301, "printed: " + printed);
  if (isInTime && status == 0 && run.isLeaving)
    return;
  std::string text =
      isInTime ? describeEnd(status)
               : "did not end in " + std::to_string(int(seconds)) + " s";
  if (!run.broken.empty())
    text = run.broken;
  if (run.isLeaving)
    text += " when the process ended";
  unsigned guilty = run.atWork ? run.atWork : run.last ? run.last : first;
  fail(findings, guilty, text + quote);
  rules.erase(std::remove(rules.begin(), rules.end(), guilty), rules.end());
}

std::vector<Finding> Runner::examine(const std::string &settings,
                                     std::vector<unsigned> rules) {
  std::vector<Finding> findings;
  while (!rules.empty())
    runOnce(settings, rules, findings);
  return findings;
}

} // namespace tilewright::conformance
