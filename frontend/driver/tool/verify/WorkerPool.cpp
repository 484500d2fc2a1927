//===- WorkerPool.cpp - Rows in processes that may crash --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests and answers are lines of JSON: {"row", "skip"} to a worker;
// {"begin"}, {"cell"} and {"row"} back.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/verify/WorkerPool.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/Report.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewright::tool::verify {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

//===----------------------------------------------------------------------===//
// Lines over pipes
//===----------------------------------------------------------------------===//

static bool writeAll(int file, const std::string &text) {
  for (size_t at = 0; at < text.size();) {
    ssize_t count = write(file, text.data() + at, text.size() - at);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    at += static_cast<size_t>(count);
  }
  return true;
}

static bool writeLine(int file, const json &message) {
  return writeAll(file,
                  message.dump(-1, ' ', false, json::error_handler_t::replace) +
                      "\n");
}

/// Appends what is there; false at the end.
static bool readSome(int file, std::string &text) {
  char bytes[65536];
  ssize_t count;
  do
    count = read(file, bytes, sizeof bytes);
  while (count < 0 && errno == EINTR);
  if (count > 0)
    text.append(bytes, static_cast<size_t>(count));
  return count > 0;
}

/// Cuts the first whole line off `text`.
static bool takeLine(std::string &text, std::string &line) {
  size_t end = text.find('\n');
  if (end == std::string::npos)
    return false;
  line = text.substr(0, end);
  text.erase(0, end + 1);
  return true;
}

static std::string describeEnd(int status) {
  if (WIFSIGNALED(status))
    return std::string("the process was ended by signal ") +
           std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  return "the process ended itself with status " +
         std::to_string(WEXITSTATUS(status));
}

static void makePipe(int (&ends)[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Failure(7035, std::string("cannot make a pipe to a worker: ") +
                            std::strerror(errno));
}

/// What kernels and drivers print is no part of a report.
static void silenceOutput() {
  int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing >= 0)
    dup2(nothing, STDOUT_FILENO);
}

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

struct WorkerPool::Worker {
  pid_t process = -1;
  int input = -1;  ///< requests go there
  int output = -1; ///< answers come from there
  std::string received;
  std::optional<Job> job;
  std::string target; ///< of the cell that is being made
  Clock::time_point since;

  ~Worker() { end(); }
  /// Ends the process, if it still runs, and says how it ended.
  std::string end() {
    if (process < 0)
      return {};
    close(input);
    close(output);
    if (job)
      kill(process, SIGKILL);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
      ;
    process = -1;
    return describeEnd(status);
  }
};

WorkerPool::WorkerPool(const RunnerOptions &runner, const PoolOptions &options,
                       std::function<void(size_t, Row)> done)
    : runner(runner), options(options), done(std::move(done)) {}
WorkerPool::~WorkerPool() = default;

/// The loop of a worker.
void WorkerPool::serve(const std::vector<Experiment> &experiments, int input,
                       int output) {
  silenceOutput();
  Runner rows(runner);
  std::string received, line;
  while (true) {
    while (!takeLine(received, line))
      if (!readSome(input, received))
        return;
    json request = json::parse(line);
    CellEvents events;
    events.begin = [&](const std::string &target) {
      writeLine(output, {{"begin", target}});
    };
    events.end = [&](const Cell &cell) {
      writeLine(output, {{"cell", toJSON(cell)}});
    };
    Row row;
    rows.run(experiments[request["row"]], request["skip"], events, row);
    writeLine(output, {{"row", toJSON(row)}});
  }
}

std::unique_ptr<WorkerPool::Worker>
WorkerPool::start(const std::vector<Experiment> &experiments) {
  int requests[2], answers[2];
  makePipe(requests);
  makePipe(answers);
  auto worker = std::make_unique<Worker>();
  std::fflush(nullptr);
  worker->process = fork();
  if (worker->process < 0)
    throw Failure(7035, std::string("cannot start a worker: ") +
                            std::strerror(errno));
  if (worker->process == 0) {
    // Pipes of other workers would keep them from seeing their end.
    for (std::unique_ptr<Worker> &other : workers) {
      close(other->input);
      close(other->output);
      other->process = -1;
    }
    close(requests[1]);
    close(answers[0]);
    int status = 0;
    try {
      serve(experiments, requests[0], answers[1]);
    } catch (const Failure &failure) {
      printFailure(failure, false);
      status = 3;
    } catch (...) {
      status = 3;
    }
    std::fflush(stderr);
    _exit(status);
  }
  close(requests[0]);
  close(answers[1]);
  worker->input = requests[1];
  worker->output = answers[0];
  return worker;
}

//===----------------------------------------------------------------------===//
// The pool
//===----------------------------------------------------------------------===//

void WorkerPool::assign(Worker &worker, Job job) {
  std::vector<std::string> skip;
  for (const Cell &cell : job.cells)
    skip.push_back(cell.target);
  json request = {{"row", job.number}, {"skip", skip}};
  worker.job = std::move(job);
  worker.target.clear();
  worker.since = Clock::now();
  writeLine(worker.input, request); // a dead worker is seen when it is read
}

/// Cells come in the order of the targets.
void WorkerPool::finish(Job job, Row row) {
  for (const std::string &target : runner.targets)
    for (Cell &cell : job.cells)
      if (cell.target == target)
        row.cells.push_back(std::move(cell));
  done(job.number, std::move(row));
}

void WorkerPool::takeMessage(Worker &worker, const json &message) {
  worker.since = Clock::now();
  if (message.contains("begin")) {
    worker.target = message["begin"];
  } else if (message.contains("cell")) {
    worker.job->cells.push_back(cellFromJSON(message["cell"]));
    worker.target.clear();
  } else {
    Job job = std::move(*worker.job);
    worker.job.reset();
    finish(std::move(job), rowFromJSON(message["row"]));
  }
}

/// A worker died or was too slow: its cell failed, the rest of the row goes to
/// another worker.
void WorkerPool::bury(Worker &worker, const std::string &reason) {
  std::string how = worker.end();
  if (!worker.job)
    return;
  Job job = std::move(*worker.job);
  worker.job.reset();
  if (worker.target.empty()) { // between cells: the worker cannot even start
    Row row = (*all)[job.number].heading;
    row.error = reason.empty() ? how : reason;
    row.errorCode = "TW7035";
    return finish(std::move(job), std::move(row));
  }
  Cell cell;
  cell.target = worker.target;
  cell.status = Status::Fail;
  cell.code = reason.empty() ? "TW7036" : "TW7037";
  cell.reason = reason.empty() ? how + " in this kernel" : reason;
  job.cells.push_back(std::move(cell));
  waiting.push_front(std::move(job));
}

void WorkerPool::take(Worker &worker) {
  bool isAlive = readSome(worker.output, worker.received);
  std::string line;
  while (worker.job && takeLine(worker.received, line))
    takeMessage(worker, json::parse(line));
  if (!isAlive)
    bury(worker, {});
}

void WorkerPool::run(const std::vector<Experiment> &experiments,
                     std::vector<size_t> numbers) {
  auto before = std::signal(SIGPIPE, SIG_IGN);
  all = &experiments;
  for (size_t number : numbers)
    waiting.push_back({number, {}});
  while (true) {
    workers.erase(std::remove_if(workers.begin(), workers.end(),
                                 [](auto &w) { return w->process < 0; }),
                  workers.end());
    size_t busy = std::count_if(workers.begin(), workers.end(),
                                [](auto &w) { return w->job.has_value(); });
    size_t wanted = std::min<size_t>(options.workers, busy + waiting.size());
    while (workers.size() < wanted)
      workers.push_back(start(experiments));
    std::vector<pollfd> files;
    for (std::unique_ptr<Worker> &worker : workers) {
      if (!worker->job && !waiting.empty()) {
        Job job = std::move(waiting.front());
        waiting.pop_front();
        assign(*worker, std::move(job));
      }
      files.push_back({worker->output, POLLIN, 0});
    }
    bool isBusy = std::any_of(workers.begin(), workers.end(),
                              [](auto &w) { return w->job.has_value(); });
    if (!isBusy && waiting.empty())
      break;
    poll(files.data(), files.size(), 1000);
    for (size_t i = 0; i < files.size(); ++i) {
      Worker &worker = *workers[i];
      std::chrono::duration<double> spent = Clock::now() - worker.since;
      if (files[i].revents)
        take(worker);
      else if (worker.job && spent.count() > options.secondsPerCell)
        bury(worker, llvm::formatv("took longer than {0} seconds",
                                   json(options.secondsPerCell).dump()));
    }
  }
  workers.clear();
  std::signal(SIGPIPE, before);
}

std::string runForked(const std::function<std::string()> &work) {
  int answers[2];
  makePipe(answers);
  std::fflush(nullptr);
  pid_t process = fork();
  if (process < 0)
    throw Failure(7035, std::string("cannot start a worker: ") +
                            std::strerror(errno));
  if (process == 0) {
    silenceOutput();
    json answer;
    try {
      answer["text"] = work();
    } catch (const Failure &failure) {
      answer = {{"code", failure.code},
                {"message", failure.what()},
                {"hint", failure.hint}};
    } catch (const AlreadyReported &) {
      answer = json::object();
    }
    bool isSent = writeLine(answers[1], answer);
    std::fflush(stderr);
    _exit(isSent ? 0 : 3);
  }
  close(answers[1]);
  std::string text;
  while (readSome(answers[0], text))
    ;
  close(answers[0]);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR)
    ;
  if (status != 0)
    throw Failure(7035, describeEnd(status));
  json answer = json::parse(text);
  if (answer.contains("code"))
    throw Failure(answer["code"], answer["message"], answer["hint"]);
  if (!answer.contains("text"))
    throw AlreadyReported();
  return answer["text"];
}

} // namespace tilewright::tool::verify
