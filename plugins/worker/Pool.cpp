//===- Pool.cpp - The workers of one plugin ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every way in which a plugin can misbehave in a worker becomes one problem
// here, with the plugin's name in it.
//===----------------------------------------------------------------------===//
#include "plugins/worker/Pool.h"

#include "plugins/loader/DiagnosticText.h"
#include "plugins/worker/Isolation.h"
#include "plugins/worker/Wire.h"

#include <thread>

namespace tilewright::worker {

static const char *describe(Kind kind) {
  switch (kind) {
  case Kind::Load:
    return "being loaded";
  case Kind::Open:
    return "opening its backend";
  case Kind::Compile:
    return "compiling";
  case Kind::Resolve:
    return "resolving a target";
  default:
    return "answering a question";
  }
}

static std::string seconds(uint64_t nanoseconds) {
  std::string text = std::to_string(double(nanoseconds) / 1e9);
  text.erase(text.find_last_not_of('0') + 1);
  return text + (text.back() == '.' ? "0 s" : " s");
}

/// What a plugin printed, as the end of a message.
static std::string quote(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
    text.pop_back();
  return text.empty() ? text : "; it printed: " + text;
}

void Pool::explainLoss(Member &member, const Call &call, Transfer how,
                       bool isCancelled, Answer &answer) {
  std::string end = member.process->end();
  std::string what = "the plugin '" + path + "' ";
  std::string printed = quote(member.process->takeOutput());
  const char *hint = "tell its vendor; 'tilewright plugin-check' examines it";
  if (how == Transfer::Late && isCancelled) {
    answer.problem.set(TW_E_CANCELLED, 5022,
                       what + "did not stop when it was cancelled", hint);
  } else if (how == Transfer::Late) {
    uint64_t limit =
        call.nanoseconds ? call.nanoseconds : limits.callNanoseconds;
    answer.problem.set(TW_E_DEADLINE, 5022,
                       what + "took more than " + seconds(limit) + " while " +
                           describe(call.kind) + printed,
                       hint);
  } else {
    std::string memory;
    if (call.memoryBytes)
      memory = " (its memory was limited to " +
               std::to_string(call.memoryBytes >> 20) + " MiB)";
    answer.problem.set(TW_E_ABORTED, 5021,
                       what + "ended its process while " + describe(call.kind) +
                           ", which " + end + memory + printed,
                       hint);
  }
  answer.status = answer.problem.status;
}

/// Sends the question unless the worker `isAsked` already, passes diagnostics
/// on, reads the answer.
void Pool::exchange(Member &member, const Call &call, Answer &answer,
                    bool isAsked) {
  Process &process = *member.process;
  process.setCancelled(false);
  auto deadline = Clock::now() + std::chrono::nanoseconds(
                                     call.nanoseconds ? call.nanoseconds
                                                      : limits.callNanoseconds);
  bool isCancelled = false;
  Tick tick = [&](Clock::time_point &until) {
    if (isCancelled || !call.cancelled || !call.cancelled(call.cancelContext))
      return;
    isCancelled = true;
    process.setCancelled(true);
    until = std::min(until, Clock::now() + std::chrono::nanoseconds(
                                               limits.cancelNanoseconds));
  };
  if (!call.cancelled)
    tick = {};
  Transfer how = isAsked
                     ? Transfer::Done
                     : process.channel().send(call.kind, call.bytes, deadline);
  Frame frame;
  while (how == Transfer::Done) {
    how = process.channel().receive(frame, deadline, tick);
    if (how != Transfer::Done || frame.kind != Kind::Diagnostic)
      break;
    tw_diagnostic diagnostic = {};
    Decoder decoder(frame.bytes);
    visit(decoder, diagnostic);
    if (decoder.ok() && call.sink && call.sink->emit)
      call.sink->emit(call.sink->ctx, &diagnostic);
  }
  if (how != Transfer::Done)
    return explainLoss(member, call, how, isCancelled, answer);
  Decoder decoder(frame.bytes);
  std::string changes;
  decoder.number(answer.status);
  decoder.string(changes);
  answer.printed = process.takeOutput();
  if (!decoder.ok() || frame.kind != Kind::Answer) {
    answer.problem.set(TW_E_DATA_LOSS, 5025,
                       "the worker of the plugin '" + path +
                           "' gave an answer that cannot be read",
                       "the plugin wrote over memory or descriptors that are "
                       "not its own; tell its vendor");
  } else if (!changes.empty()) {
    answer.problem.set(
        TW_E_ABORTED, 5023,
        "the plugin '" + path + "' changed its process while " +
            describe(call.kind) + ": " + changes,
        "a plugin must leave these as they are; tell its vendor");
  } else {
    answer.bytes = frame.bytes.substr(sizeof answer.status + 8);
    return;
  }
  answer.status = answer.problem.status;
  process.end();
}

/// The message that makes a worker load a plugin.
static Call loadCall(std::string path, plugins::HostVersions host) {
  Call load = {Kind::Load};
  Encoder encoder(load.bytes);
  encoder.string(path);
  encoder.number(host.minVersion);
  encoder.number(host.maxVersion);
  encoder.string(host.buildId);
  return load;
}

std::unique_ptr<Process> startEarly(const std::string &path,
                                    const plugins::HostVersions &host) {
  Problem problem;
  std::unique_ptr<Process> process = Process::start(workerProgram(), problem);
  if (!process)
    return nullptr;
  // A fresh socket takes a message this short at once.
  Call load = loadCall(path, host);
  Transfer how = process->channel().send(load.kind, load.bytes, Clock::now());
  return how == Transfer::Done ? std::move(process) : nullptr;
}

/// A new worker with the plugin loaded.
bool Pool::start(Member &member, Answer &answer) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    member.process = std::move(early);
  }
  // The workers of a process are not for its forked children.
  bool isAsked = member.process && member.process->isOurs();
  if (!isAsked)
    member.process = Process::start(workerProgram(), answer.problem);
  if (!member.process) {
    answer.status = answer.problem.status;
    return false;
  }
  Call load = loadCall(path, host);
  plugins::DiagnosticText reports;
  load.sink = reports.sink();
  exchange(member, load, answer, isAsked);
  if (answer.problem)
    return false;
  if (answer.status != TW_OK) {
    reports.explain(answer.status, 5001,
                    "the plugin '" + path + "' cannot be loaded",
                    answer.problem);
    return false;
  }
  hello = answer.bytes;
  return true;
}

bool Pool::take(Member &member, Answer &answer) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    while (!idle.empty()) {
      member = std::move(idle.back());
      idle.pop_back();
      // The workers of a process are not for its forked children.
      if (member.process->isOurs())
        break;
      member = {};
    }
  }
  if (!member.process && !start(member, answer))
    return false;
  if (member.isOpen || options.empty())
    return true;
  Call open = {Kind::Open, options};
  plugins::DiagnosticText reports;
  open.sink = reports.sink();
  exchange(member, open, answer);
  if (!answer.problem && answer.status != TW_OK)
    reports.explain(answer.status, 5012,
                    "the plugin '" + path + "' cannot start", answer.problem);
  member.isOpen = true;
  member.startBytes = member.process->residentBytes();
  return !answer.problem;
}

void Pool::giveBack(Member member) {
  // A leak is paid for by the worker.
  if (member.process->residentBytes() > member.startBytes + limits.keptBytes)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (idle.size() < std::max(1u, std::thread::hardware_concurrency()))
    idle.push_back(std::move(member));
}

bool Pool::load(std::unique_ptr<Process> given, plugins::Agreement &agreement,
                Problem &problem) {
  Member member;
  Answer answer;
  early = std::move(given);
  if (!start(member, answer)) {
    problem = answer.problem;
    return false;
  }
  Decoder decoder(hello);
  decoder.number(agreement.version);
  decoder.number(agreement.flags);
  decoder.number(agreement.profiles);
  decoder.number(agreement.portableMin);
  decoder.number(agreement.portableMax);
  decoder.string(agreement.vendor);
  decoder.string(agreement.name);
  decoder.string(agreement.buildId);
  giveBack(std::move(member));
  return decoder.ok();
}

std::shared_ptr<Pool> Pool::makeForBackend(const tw_option *list,
                                           uint64_t count) {
  auto pool = std::make_shared<Pool>(path, host, limits);
  Encoder encoder(pool->options);
  encoder.array(list, count);
  std::lock_guard<std::mutex> lock(mutex);
  pool->idle = std::move(idle);
  idle.clear();
  return pool;
}

Answer Pool::open() {
  Answer answer;
  Member member;
  if (take(member, answer))
    giveBack(std::move(member));
  return answer;
}

Answer Pool::ask(const Call &call) {
  Answer answer;
  Member member;
  if (!take(member, answer))
    return answer;
  answer = {};
  exchange(member, call, answer);
  if (!answer.problem)
    giveBack(std::move(member));
  return answer;
}

} // namespace tilewright::worker
